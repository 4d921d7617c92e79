/// Up to eight samples on their way into the window, packed together: eight cost little more than one.
///
/// Every lane of a sample depends on that sample and the one before alone, so results do not depend on how a stream falls
/// into batches. The samples are kept in the value itself, so taking one costs no look at who else holds an array.
struct SampleBatch: Sendable {
  /// The most samples in a batch.
  static let size = 8

  private typealias Row = SIMD16<Float>

  /// The number of samples in the batch.
  private(set) var count = 0

  private let sources: [Int]
  private let isColumnar: Bool
  private let wanted: DerivedLanes.Wanted
  private let rate: Float
  /// The sample before the batch, then the batch.
  private var rows: (Row, Row, Row, Row, Row, Row, Row, Row, Row)
  private var times = SIMD8<Int64>.zero
  private var columns: [LaneGroup]

  init(packing: LanePacking, sampleRate: SampleRate) {
    sources = packing.sources.map { $0 ?? DerivedLanes.alwaysZero }
    isColumnar = packing.isColumnar
    wanted = DerivedLanes.Wanted(positions: packing.sources.compactMap { $0 })
    rate = Float(sampleRate.hertz)
    let zero = Row.zero
    rows = (zero, zero, zero, zero, zero, zero, zero, zero, zero)
    columns = Array(repeating: .zero, count: DerivedLanes.count)
  }

  /// Drops what is in the batch and begins a stream whose first sample will be `row`.
  mutating func restart(before row: SIMD16<Float>) {
    count = 0
    rows.0 = row
  }

  /// Takes the next sample.
  ///
  /// - Precondition: the batch is not full.
  @inline(__always)
  mutating func append(_ sample: MotionSample) {
    let index = count
    count = index &+ 1
    withUnsafeMutableBytes(of: &times) {
      $0.baseAddress!.storeBytes(of: sample.time.nanoseconds, toByteOffset: index &* 8, as: Int64.self)
    }
    withUnsafeMutableBytes(of: &rows) {
      $0.baseAddress!.storeBytes(of: sample.row, toByteOffset: (index &+ 1) &* 64, as: Row.self)
    }
  }

  /// The newest sample in it; the one before, where it is empty.
  var newest: SIMD16<Float> {
    var rows = rows
    return withUnsafeBytes(of: &rows) { $0.load(fromByteOffset: count * 64, as: Row.self) }
  }

  /// Packs the samples and empties the batch.
  ///
  /// - Parameter place: where their times and lanes go; room for a whole batch.
  /// - Returns: how many samples at the end of the batch are complete, that is, hold a finite value in every lane that is
  ///   needed. Gravity of length 0, as a sensor delivers that is not ready, has no direction.
  mutating func pack(into place: MutableLaneWindow) -> Int {
    let (count, wanted, rate, isColumnar) = (count, wanted, rate, isColumnar)
    self.count = 0
    UnsafeMutableRawPointer(place.times).storeBytes(of: times, as: SIMD8<Int64>.self)
    return withUnsafeMutableBytes(of: &rows) { rows in
      let rows = rows.baseAddress!.assumingMemoryBound(to: Row.self)
      return columns.withUnsafeMutableBufferPointer { columns in
        let columns = columns.baseAddress!
        DerivedLanes.derive(from: rows + 1, wanted: wanted, rate: rate, into: columns)
        rows[0] = rows[count]
        let zeros = sources.withUnsafeBufferPointer { sources in
          isColumnar
            ? Self.storeColumns(columns, sources, into: place) : Self.storeRows(columns, sources, into: place)
        }
        return Self.completeCount(zeros, of: count)
      }
    }
  }

  /// Writes each lane's samples to its plane; returns 0 for samples that are complete.
  @inline(__always)
  private static func storeColumns(
    _ columns: UnsafePointer<LaneGroup>, _ sources: UnsafeBufferPointer<Int>, into place: MutableLaneWindow
  ) -> LaneGroup {
    var zeros = LaneGroup.zero
    var plane = UnsafeMutableRawPointer(place.base)
    for source in sources {
      let column = columns[source]
      zeros += column * 0
      plane.storeBytes(of: column, as: LaneGroup.self)
      plane += place.planeStride * 4
    }
    return zeros
  }

  /// Writes each sample's row, a group of lanes at a time; returns 0 for samples that are complete.
  @inline(__always)
  private static func storeRows(
    _ columns: UnsafePointer<LaneGroup>, _ sources: UnsafeBufferPointer<Int>, into place: MutableLaneWindow
  ) -> LaneGroup {
    var zeros = LaneGroup.zero
    for group in stride(from: 0, to: sources.count, by: 8) {
      @inline(__always)
      func column(_ slot: Int) -> LaneGroup {
        let column = columns[sources[group + slot]]
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
