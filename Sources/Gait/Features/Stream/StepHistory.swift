/// The latest samples as the measures of steps and of shaking need them: |g + u|, u and the rotation rate, each
/// contiguous in time.
///
/// All these measures read one history. A stream without gravity gets a substitute for gravity (`StepSamples`).
struct StepHistory: Sendable {
  /// A lane of the history.
  enum Lane: Int, CaseIterable {
    case total
    case x, y, z
    case turnX, turnY, turnZ
    /// The magnitude of the rotation rate, after its components.
    case turn
  }

  /// The longest window of all measures of steps, seconds: that of the cadence.
  static let longestWindow = 7.68

  /// The number of samples that are kept.
  let capacity: Int
  /// Every lane, with room for twice the kept samples. The latest samples are contiguous. When the room is full they
  /// are moved to its front. Shape `[lanes × stride]`.
  private(set) var lanes: [Float]
  /// The number of samples since the latest gap, at most `capacity`.
  private(set) var count = 0
  /// The number of samples since the latest one that lacks |g + u|, at most `capacity`.
  private(set) var completeCount = 0
  /// The time of the latest sample.
  private(set) var time = SampleTime(nanoseconds: 0)
  /// The position in each lane at which the next sample is written.
  private var next = 0
  private var samples = StepSamples()

  /// An empty history of `seconds` at `sampleRate`.
  init(seconds: Double, sampleRate: SampleRate) {
    capacity = max(1, WindowShape(seconds: seconds, hopSeconds: seconds).sampleCount(at: sampleRate))
    lanes = Array(repeating: 0, count: Lane.allCases.count * Self.stride(capacity))
  }

  /// A lane's room: eight values are written at a time, and kernels read up to seven values past its end.
  private static func stride(_ capacity: Int) -> Int { 2 * capacity + 16 }

  /// The distance from a lane to the next one, in values.
  var stride: Int { Self.stride(capacity) }

  /// Restarts the counts, after a gap.
  mutating func restart() { (count, completeCount) = (0, 0) }

  /// Takes the samples of a batch from index `first` on.
  mutating func append(_ batch: inout SampleBatch, from first: Int = 0) {
    let added = batch.count - first
    batch.withSamples(from: first) { rows, times in
      guard added > 0 else { return }
      for first in Swift.stride(from: 0, to: added, by: 8) {
        let packed = min(8, added - first)
        if samples.hasGravity {
          append(rows + first, count: packed)
        } else {
          appendUndecided(rows + first, times + first, count: packed)
        }
      }
      time = SampleTime(nanoseconds: times[added - 1])
    }
  }

  /// Takes up to eight rows of a stream that had no gravity so far.
  @inline(never)
  private mutating func appendUndecided(
    _ rows: UnsafePointer<SIMD16<Float>>, _ times: UnsafePointer<Int64>, count: Int
  ) {
    withUnsafeTemporaryAllocation(of: SIMD16<Float>.self, capacity: 8) { changed in
      changed.initialize(repeating: .zero)
      for index in 0..<count {
        let sample = MotionSample(time: SampleTime(nanoseconds: times[index]), row: rows[index])
        changed[index] = samples.sample(sample).row
      }
      append(UnsafePointer(changed.baseAddress!), count: count)
    }
  }

  /// Takes up to eight rows; there is room in memory for eight.
  @inline(__always)
  private mutating func append(_ rows: UnsafePointer<SIMD16<Float>>, count added: Int) {
    if next > 2 * capacity { moveToFront() }
    let (next, stride) = (next, stride)
    let total = lanes.withUnsafeMutableBufferPointer { lanes in
      let first = UnsafeMutableRawPointer(lanes.baseAddress! + next)
      @inline(__always)
      func write(_ values: LaneGroup, to lane: Lane) {
        first.storeBytes(of: values, toByteOffset: 4 &* lane.rawValue &* stride, as: LaneGroup.self)
      }
      let (u, turn) = (LaneVector(lane: 12, of: rows), LaneVector(lane: 8, of: rows))
      let total = (LaneVector(lane: 4, of: rows) + u).length
      write(total, to: .total)
      write(u.x, to: .x)
      write(u.y, to: .y)
      write(u.z, to: .z)
      write(turn.x, to: .turnX)
      write(turn.y, to: .turnY)
      write(turn.z, to: .turnZ)
      write(turn.length, to: .turn)
      return total
    }
    self.next = next &+ added
    count = min(capacity, count &+ added)
    completeCount = min(capacity, completeCount &+ added)
    // An infinite or missing value times 0 is NaN.
    guard (total * 0).total != 0 else { return }
    for index in 0..<added where !total[index].isFinite { completeCount = min(capacity, added - 1 - index) }
  }

  @inline(never)
  private mutating func moveToFront() {
    let (first, capacity, stride) = (next - capacity, capacity, stride)
    lanes.withUnsafeMutableBufferPointer { lanes in
      for lane in Lane.allCases {
        let place = lanes.baseAddress! + lane.rawValue * stride
        place.update(from: place + first, count: capacity)
      }
    }
    next = capacity
  }

  /// The index in `lanes` of the first of the latest `count` samples of a lane.
  ///
  /// - Precondition: `count` is at most `self.count`.
  @inline(__always)
  func start(of lane: Lane, last count: Int) -> Int { lane.rawValue &* stride &+ next &- count }

  /// Whether the stream has gravity, so that |g + u| shows the movement along it.
  var hasGravity: Bool { samples.hasGravity }

  /// The standard deviation of the vector u over the latest `count` samples, g.
  ///
  /// - Precondition: `count` is at most `self.count`.
  func vectorDeviation(last count: Int) -> Float {
    (variance(of: .x, last: count) + variance(of: .y, last: count) + variance(of: .z, last: count)).squareRoot()
  }

  private func variance(of lane: Lane, last count: Int) -> Float {
    withLane(lane, last: count) { values in
      var (sum, squares) = (Float(0), Float(0))
      for index in 0..<count {
        sum += values[index]
        squares += values[index] * values[index]
      }
      let mean = sum / Float(count)
      return max(0, squares / Float(count) - mean * mean)
    }
  }

  /// Calls `body` with the latest `count` samples of a lane, oldest first.
  ///
  /// - Precondition: `count` is at most `self.count`.
  @inline(__always)
  func withLane<Result>(_ lane: Lane, last count: Int, _ body: (UnsafePointer<Float>) -> Result) -> Result {
    lanes.withUnsafeBufferPointer { body($0.baseAddress! + start(of: lane, last: count)) }
  }
}
