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
  private let longestStep: Int64

  /// An empty history of `seconds` at `sampleRate`.
  init(seconds: Double, sampleRate: SampleRate) {
    capacity = max(1, WindowShape(seconds: seconds, hopSeconds: seconds).sampleCount(at: sampleRate))
    lanes = Array(repeating: 0, count: Lane.allCases.count * Self.stride(capacity))
    longestStep = Resampler.longestOutputStep(at: sampleRate)
  }

  /// A lane's room: kernels read up to seven values past its end.
  private static func stride(_ capacity: Int) -> Int { 2 * capacity + 8 }

  /// The distance from a lane to the next one, in values.
  var stride: Int { Self.stride(capacity) }

  /// Takes the next sample. After a gap the history starts again.
  mutating func append(_ sample: MotionSample) {
    let isContinued = sample.time.nanoseconds &- time.nanoseconds <= longestStep && count > 0
    time = sample.time
    let row = samples.row(sample)
    let (turn, u) = (row.highHalf.lowHalf, row.highHalf.highHalf)
    let sum = row.lowHalf.highHalf + u
    let (sumSquares, turnSquares) = (sum * sum, turn * turn)
    let lengths = SIMD2(
      sumSquares.x + sumSquares.y + sumSquares.z, turnSquares.x + turnSquares.y + turnSquares.z
    ).squareRoot()
    if next == 2 * capacity { moveToFront() }
    let (next, stride) = (next, stride)
    lanes.withUnsafeMutableBufferPointer { lanes in
      let first = lanes.baseAddress! + next
      @inline(__always)
      func write(_ value: Float, to lane: Lane) { first[lane.rawValue &* stride] = value }
      write(lengths.x, to: .total)
      write(u.x, to: .x)
      write(u.y, to: .y)
      write(u.z, to: .z)
      write(turn.x, to: .turnX)
      write(turn.y, to: .turnY)
      write(turn.z, to: .turnZ)
      write(lengths.y, to: .turn)
    }
    self.next = next &+ 1
    count = isContinued ? min(capacity, count + 1) : 1
    completeCount = !lengths.x.isFinite ? 0 : isContinued ? min(capacity, completeCount + 1) : 1
  }

  @inline(never)
  private mutating func moveToFront() {
    let (capacity, stride) = (capacity, stride)
    lanes.withUnsafeMutableBufferPointer { lanes in
      for lane in Lane.allCases {
        let place = lanes.baseAddress! + lane.rawValue * stride
        place.update(from: place + capacity, count: capacity)
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
