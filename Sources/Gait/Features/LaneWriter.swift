/// Derives the lanes of eight samples and writes those that are needed into the window.
///
/// Plain numbers only: arrays would cost a count of their references for every batch.
struct LaneWriter: Sendable {
  /// For every slot its column in `DerivedLanes`.
  private let sources: SIMD32<UInt8>
  private let slotCount: Int
  private let isColumnar: Bool
  /// Whether the first slots hold what a sample's row holds, in the same order.
  private let keepsRows: Bool
  private let wanted: DerivedLanes.Wanted
  private let rate: Float

  /// How many Floats the row of a sample has.
  private static let rowWidth = 16

  init(packing: LanePacking, sampleRate: SampleRate) {
    var sources = SIMD32<UInt8>.zero
    for (slot, source) in packing.sources.enumerated() { sources[slot] = UInt8(source ?? DerivedLanes.alwaysZero) }
    self.sources = sources
    slotCount = packing.sources.count
    isColumnar = packing.isColumnar
    keepsRows = !isColumnar && packing.sources.prefix(Self.rowWidth).elementsEqual((0..<Self.rowWidth).map { $0 })
    wanted = DerivedLanes.Wanted(positions: packing.sources.compactMap { $0 })
    rate = Float(sampleRate.hertz)
  }

  /// Packs samples of a recording from where they stand.
  ///
  /// - Parameters:
  ///   - first: the first of them, not the recording's.
  ///   - count: at most a batch; the recording holds them in whole eights.
  ///   - place: where their times and lanes go; room for whole eights.
  /// - Returns: how many samples at the end are complete.
  func pack(_ recording: Recording, from first: Int, count: Int, into place: MutableLaneWindow) -> Int {
    recording.copyTimes(of: first..<first + count, to: place.times)
    return recording.rows.withUnsafeBufferPointer { pack($0.baseAddress! + first, upTo: count, into: place) }
  }

  /// Packs `count` samples in eights; see below.
  @inline(__always)
  func pack(_ rows: UnsafePointer<SIMD16<Float>>, upTo count: Int, into place: MutableLaneWindow) -> Int {
    var (complete, first) = (0, 0)
    while first < count {
      let packed = min(8, count &- first)
      let whole = pack(rows + first, count: packed, into: place.advanced(by: first))
      complete = whole == packed ? complete &+ packed : whole
      first &+= 8
    }
    return complete
  }

  /// Packs eight samples.
  ///
  /// - Parameters:
  ///   - rows: the samples, laid out as `MotionSample.row`, shape `[8]`; the sample before them stands in front of them.
  ///   - count: how many of them count.
  ///   - place: where their lanes go; room for all eight.
  /// - Returns: how many samples at the end are complete, that is, hold a finite value in every lane that is needed.
  ///   Gravity of length 0, as a sensor delivers that is not ready, has no direction.
  @inline(__always)
  func pack(_ rows: UnsafePointer<SIMD16<Float>>, count: Int, into place: MutableLaneWindow) -> Int {
    let zeros = withUnsafeTemporaryAllocation(of: LaneGroup.self, capacity: DerivedLanes.count) { columns in
      let columns = columns.baseAddress!
      columns[DerivedLanes.alwaysZero] = .zero
      DerivedLanes.derive(from: rows, wanted: wanted, rate: rate, into: columns)
      return withUnsafeBytes(of: sources) { sources in
        let sources = sources.baseAddress!.assumingMemoryBound(to: UInt8.self)
        if isColumnar { return Self.storeColumns(columns, sources, slotCount, into: place) }
        if keepsRows { Self.copyRows(rows, columns, into: place) }
        Self.storeRows(columns, sources, keepsRows ? Self.rowWidth : 0, slotCount, into: place)
        return Self.zeros(columns, sources, slotCount)
      }
    }
    return Self.completeCount(zeros, of: count)
  }

  /// Writes each lane's samples to its plane; returns 0 for samples that are complete.
  @inline(__always)
  private static func storeColumns(
    _ columns: UnsafePointer<LaneGroup>, _ sources: UnsafePointer<UInt8>, _ slotCount: Int,
    into place: MutableLaneWindow
  ) -> LaneGroup {
    var zeros = LaneGroup.zero
    var plane = UnsafeMutableRawPointer(place.base)
    for slot in 0..<slotCount {
      let column = columns[Int(sources[slot])]
      zeros += column * 0
      plane.storeBytes(of: column, as: LaneGroup.self)
      plane += place.planeStride &* 4
    }
    return zeros
  }

  /// Writes each sample's row as it is, and into its spare lanes what is derived. Adding 0 takes the sign off a −0: the
  /// order of equal values must not show.
  @inline(__always)
  private static func copyRows(
    _ rows: UnsafePointer<SIMD16<Float>>, _ columns: UnsafePointer<LaneGroup>, into place: MutableLaneWindow
  ) {
    let derived = UnsafeRawPointer(columns).assumingMemoryBound(to: Float.self)
    var row = place.base
    for sample in 0..<8 {
      UnsafeMutableRawPointer(row).storeBytes(of: rows[sample] + 0, as: SIMD16<Float>.self)
      for lane in stride(from: 3, to: rowWidth, by: 4) { row[lane] = derived[8 &* lane &+ sample] }
      row += place.width
    }
  }

  /// Writes the slots from `first` on of each sample's row, a group of lanes at a time.
  @inline(__always)
  private static func storeRows(
    _ columns: UnsafePointer<LaneGroup>, _ sources: UnsafePointer<UInt8>, _ first: Int, _ slotCount: Int,
    into place: MutableLaneWindow
  ) {
    for group in stride(from: first, to: slotCount, by: 8) {
      @inline(__always)
      func column(_ slot: Int) -> LaneGroup { columns[Int(sources[group + slot])] + 0 }
      let first = LaneGroup.transposedHalves(column(0), column(1), column(2), column(3))
      let second = LaneGroup.transposedHalves(column(4), column(5), column(6), column(7))
      let rows = place.base + group
      store(first.0, second.0, to: rows, later: 4 * place.width)
      store(first.1, second.1, to: rows + place.width, later: 4 * place.width)
      store(first.2, second.2, to: rows + 2 * place.width, later: 4 * place.width)
      store(first.3, second.3, to: rows + 3 * place.width, later: 4 * place.width)
    }
  }

  /// Writes the low halves of two groups, and their high halves `later` Floats behind them.
  @inline(__always)
  private static func store(_ a: LaneGroup, _ b: LaneGroup, to place: UnsafeMutablePointer<Float>, later: Int) {
    let (place, later) = (UnsafeMutableRawPointer(place), UnsafeMutableRawPointer(place + later))
    place.storeBytes(of: LaneGroup(lowHalf: a.lowHalf, highHalf: b.lowHalf), as: LaneGroup.self)
    later.storeBytes(of: LaneGroup(lowHalf: a.highHalf, highHalf: b.highHalf), as: LaneGroup.self)
  }

  /// 0 for samples that are complete, in a pass of its own: beside the transposing it would be taken apart with it.
  @inline(__always)
  private static func zeros(
    _ columns: UnsafePointer<LaneGroup>, _ sources: UnsafePointer<UInt8>, _ slotCount: Int
  ) -> LaneGroup {
    var zeros = LaneGroup.zero
    for slot in 0..<slotCount { zeros = zeros.adding(columns[Int(sources[slot])], times: .zero) }
    return zeros
  }

  /// How many of the first `count` numbers, from the last one backwards, are 0.
  @inline(__always)
  private static func completeCount(_ zeros: LaneGroup, of count: Int) -> Int {
    if zeros.total == 0 { return count }
    var complete = 0
    while complete < count, zeros[count - 1 - complete] == 0 { complete += 1 }
    return complete
  }
}
