/// Derives the lanes of eight samples and writes those that are needed into the window.
///
/// Plain numbers only: arrays would cost a count of their references for every batch.
struct LaneWriter: Sendable {
  /// For every slot its column in `DerivedLanes`.
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
        return isColumnar
          ? Self.storeColumns(columns, sources, slotCount, into: place)
          : Self.storeRows(columns, sources, slotCount, into: place)
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

  /// Writes each sample's row, a group of lanes at a time; returns 0 for samples that are complete.
  @inline(__always)
  private static func storeRows(
    _ columns: UnsafePointer<LaneGroup>, _ sources: UnsafePointer<UInt8>, _ slotCount: Int,
    into place: MutableLaneWindow
  ) -> LaneGroup {
    var zeros = LaneGroup.zero
    for group in stride(from: 0, to: slotCount, by: 8) {
      @inline(__always)
      func column(_ slot: Int) -> LaneGroup {
        let column = columns[Int(sources[group + slot])]
        zeros += column * 0
        return column
      }
      let (c0, c1, c2, c3) = (column(0), column(1), column(2), column(3))
      let (c4, c5, c6, c7) = (column(4), column(5), column(6), column(7))
      let rows = place.base + group
      store(SIMD4.transposed(c0.lowHalf, c1.lowHalf, c2.lowHalf, c3.lowHalf), to: rows, stride: place.width)
      store(SIMD4.transposed(c4.lowHalf, c5.lowHalf, c6.lowHalf, c7.lowHalf), to: rows + 4, stride: place.width)
      let later = rows + 4 * place.width
      store(SIMD4.transposed(c0.highHalf, c1.highHalf, c2.highHalf, c3.highHalf), to: later, stride: place.width)
      store(SIMD4.transposed(c4.highHalf, c5.highHalf, c6.highHalf, c7.highHalf), to: later + 4, stride: place.width)
    }
    return zeros
  }

  @inline(__always)
  private static func store(_ rows: SIMD4<Float>.Columns, to place: UnsafeMutablePointer<Float>, stride: Int) {
    let place = UnsafeMutableRawPointer(place)
    place.storeBytes(of: rows.0, as: SIMD4<Float>.self)
    (place + stride * 4).storeBytes(of: rows.1, as: SIMD4<Float>.self)
    (place + stride * 8).storeBytes(of: rows.2, as: SIMD4<Float>.self)
    (place + stride * 12).storeBytes(of: rows.3, as: SIMD4<Float>.self)
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
