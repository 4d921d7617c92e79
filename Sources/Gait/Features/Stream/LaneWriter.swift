/// Derives the lanes of eight samples and writes the needed ones to the window.
///
/// All members are plain values, because arrays would need reference counting in every batch.
struct LaneWriter: Sendable {
  /// The column in `DerivedLanes` of every slot.
  private let sources: SIMD32<UInt8>
  private let slotCount: Int
  private let isColumnar: Bool
  private let wanted: DerivedLanes.Wanted
  private let rate: Float

  init(packing: LanePacking, sampleRate: SampleRate) {
    var sources = SIMD32<UInt8>.zero
    for (slot, source) in packing.sources.enumerated() { sources[slot] = UInt8(source ?? DerivedLanes.alwaysZero) }
    self.sources = sources
    slotCount = packing.sources.count
    isColumnar = packing.isColumnar
    wanted = DerivedLanes.Wanted(positions: packing.sources.compactMap { $0 })
    rate = Float(sampleRate.hertz)
  }

  /// Packs `count` samples, eight at a time; see `pack(_:count:into:)`.
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
  /// A sample is complete if every needed lane has a finite value. Gravity of length 0, which a sensor reports before
  /// it is ready, has no direction and counts as missing.
  ///
  /// - Parameters:
  ///   - rows: the samples, laid out as `MotionSample.row`, shape `[8]`, preceded in memory by the previous sample.
  ///   - count: the number of valid samples among them.
  ///   - place: the destination of the lanes; room for all eight.
  /// - Returns: the number of complete samples after the last incomplete one.
  @inline(__always)
  func pack(_ rows: UnsafePointer<SIMD16<Float>>, count: Int, into place: MutableLaneWindow) -> Int {
    let zeros = withUnsafeTemporaryAllocation(of: LaneGroup.self, capacity: DerivedLanes.count) { columns in
      let columns = columns.baseAddress!
      columns[DerivedLanes.alwaysZero] = .zero
      DerivedLanes.derive(from: rows, wanted: wanted, rate: rate, into: columns)
      return withUnsafeBytes(of: sources) { sources in
        let sources = sources.baseAddress!.assumingMemoryBound(to: UInt8.self)
        if isColumnar { return Self.storeColumns(columns, sources, slotCount, into: place) }
        Self.storeRows(columns, sources, slotCount, into: place)
        return Self.zeros(columns, sources, slotCount)
      }
    }
    return Self.completeCount(zeros, of: count)
  }

  /// Writes each lane's samples to its plane; returns a 0 for each complete sample.
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

  /// Writes each sample's row, a group of lanes at a time. Adding 0 turns −0 into 0. Sorting could otherwise order −0
  /// and 0 in two ways.
  @inline(__always)
  private static func storeRows(
    _ columns: UnsafePointer<LaneGroup>, _ sources: UnsafePointer<UInt8>, _ slotCount: Int,
    into place: MutableLaneWindow
  ) {
    for group in stride(from: 0, to: slotCount, by: 8) {
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

  /// Writes the low halves of two groups, and their high halves `later` Floats further on.
  @inline(__always)
  private static func store(_ a: LaneGroup, _ b: LaneGroup, to place: UnsafeMutablePointer<Float>, later: Int) {
    let (place, later) = (UnsafeMutableRawPointer(place), UnsafeMutableRawPointer(place + later))
    place.storeBytes(of: LaneGroup(lowHalf: a.lowHalf, highHalf: b.lowHalf), as: LaneGroup.self)
    later.storeBytes(of: LaneGroup(lowHalf: a.highHalf, highHalf: b.highHalf), as: LaneGroup.self)
  }

  /// Returns a 0 for each complete sample. This is a separate pass: the compiler would split the vectors of a pass that
  /// also transposes.
  @inline(__always)
  private static func zeros(
    _ columns: UnsafePointer<LaneGroup>, _ sources: UnsafePointer<UInt8>, _ slotCount: Int
  ) -> LaneGroup {
    var zeros = LaneGroup.zero
    for slot in 0..<slotCount { zeros = zeros.adding(columns[Int(sources[slot])], times: .zero) }
    return zeros
  }

  /// The number of zeros at the end of the first `count` numbers.
  @inline(__always)
  private static func completeCount(_ zeros: LaneGroup, of count: Int) -> Int {
    if zeros.total == 0 { return count }
    var complete = 0
    while complete < count, zeros[count - 1 - complete] == 0 { complete += 1 }
    return complete
  }
}
