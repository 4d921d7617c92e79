/// The sample rate of a source by its steps, if it differs from the nominal one by more than a quarter.
///
/// It is measured from `count` uneven steps in a row. Both their mean and their median must differ from the nominal period:
/// lost rows change the mean alone, bursts of samples the median alone.
struct RateMeter: Sendable {
  private static let count = 32
  private static let validRatios = 0.75...1.25
  private var steps: [Int64] = []

  /// Whether no step counts.
  var isEmpty: Bool { steps.isEmpty }

  /// Starts again, after a step of one nominal period.
  @inline(__always)
  mutating func reset() {
    if !steps.isEmpty { steps.removeAll(keepingCapacity: true) }
  }

  /// Takes a step, in nanoseconds; returns the source's period if the nominal `period` is wrong.
  mutating func append(_ step: Int64, period: Double) -> Double? {
    steps.append(step)
    guard steps.count == Self.count else { return nil }
    defer { reset() }
    steps.sort()
    let median = Double(steps[Self.count / 2])
    let mean = Double(steps.reduce(0, +)) / Double(Self.count)
    let (byMedian, byMean) = (period / median, period / mean)
    guard median > 0, !Self.validRatios.contains(byMedian), !Self.validRatios.contains(byMean),
      (byMedian < 1) == (byMean < 1)
    else { return nil }
    // Steps around lost rows do not count.
    var (sum, number) = (0.0, 0.0)
    for step in steps where (Double(step) / median - 1).magnitude < 0.5 {
      sum += Double(step)
      number += 1
    }
    return sum / number
  }
}

/// Sorts samples that arrive at most `longestDelay` after later ones.
struct SampleOrder: Sendable {
  /// How long samples are held, seconds.
  let longestDelay: Double
  private var samples: [MotionSample] = []

  init(longestDelay: Double) { self.longestDelay = longestDelay }

  /// Takes the sample that arrived next.
  mutating func insert(_ sample: MotionSample) {
    let place = samples.lastIndex { $0.time <= sample.time }.map { $0 + 1 } ?? 0
    samples.insert(sample, at: place)
  }

  /// Removes the first sample if no earlier one can arrive.
  mutating func next() -> MotionSample? {
    guard let first = samples.first, let last = samples.last, last.time.seconds(since: first.time) >= longestDelay
    else { return nil }
    return samples.removeFirst()
  }
}

/// The lanes of gravity and user acceleration that a source has.
struct AccelerationLanes: Sendable {
  private var gravity = SIMDMask<SIMD4<Int32>>(repeating: false)
  private var acceleration = SIMDMask<SIMD4<Int32>>(repeating: false)

  /// No lanes.
  init() {}

  /// The lanes that have a value in `row`.
  @inline(__always)
  init(presentIn row: SIMD16<Float>) {
    let (first, second) = (row.lowHalf.highHalf, row.highHalf.highHalf)
    (gravity, acceleration) = (first .== first, second .== second)
  }

  /// Whether just these lanes have a value in `row`.
  @inline(__always)
  func arePresent(in row: SIMD16<Float>) -> Bool {
    let (first, second) = (row.lowHalf.highHalf, row.highHalf.highHalf)
    let differences = unsafeBitCast(
      ((first .== first) .^ gravity) .| ((second .== second) .^ acceleration), to: SIMD2<UInt64>.self)
    return differences.x | differences.y == 0
  }

  /// The number of rows that `arePresent(inRowsFrom:)` checks.
  static let rowsAtOnce = 8

  /// Whether just these lanes have a value in each of the next rows.
  @inline(__always)
  func arePresent(inRowsFrom rows: UnsafePointer<SIMD16<Float>>) -> Bool {
    var differences = SIMDMask<SIMD4<Int32>>(repeating: false)
    for index in 0..<Self.rowsAtOnce {
      let (first, second) = (rows[index].lowHalf.highHalf, rows[index].highHalf.highHalf)
      differences = differences .| ((first .== first) .^ gravity) .| ((second .== second) .^ acceleration)
    }
    return !any(differences)
  }

  /// Whether one of the lanes has no value in `row`.
  @inline(__always)
  func areMissing(in row: SIMD16<Float>) -> Bool {
    let (first, second) = (row.lowHalf.highHalf, row.highHalf.highHalf)
    return any(gravity .& (first .!= first) .| acceleration .& (second .!= second))
  }
}
