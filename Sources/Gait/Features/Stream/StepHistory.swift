/// The latest samples as the step meters need them: |g + u|, u and rotation rate, each contiguous in time.
///
/// All measures of steps and of shaking read this one history. A stream without gravity gets a stand-in for it (`StepSamples`).
struct StepHistory: Sendable {
  /// A lane of the history.
  enum Lane: Int, CaseIterable {
    case total
    case x, y, z
    case turnX, turnY, turnZ
    /// The magnitude of the rotation rate, after its components.
    case turn
  }

  /// The longest window of a step meter, seconds: that of the cadence.
  static let longestWindow = 7.68

  /// The number of samples that are kept.
  let capacity: Int
  /// Every lane twice in a row, so that the latest samples are contiguous wherever the ring begins. Shape `[lanes × stride]`.
  private(set) var lanes: [Float]
  /// The number of samples since the latest gap, at most `capacity`.
  private(set) var count = 0
  /// The same since the latest sample that lacks |g + u|.
  private(set) var completeCount = 0
  /// The time of the latest sample.
  private(set) var time = SampleTime(nanoseconds: 0)
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
    let steps = samples.sample(sample)
    let (turn, u) = (steps.rotationRate, steps.userAcceleration)
    let sum = steps.gravity + u
    let squares = SIMD2((sum * sum).sum(), (turn * turn).sum())
    let lengths = squares.squareRoot()
    let row = SIMD8(
      lowHalf: SIMD4(lengths.x, u.x, u.y, u.z), highHalf: SIMD4(turn.x, turn.y, turn.z, lengths.y))
    lanes.withUnsafeMutableBufferPointer { lanes in
      guard var place = lanes.baseAddress.map({ $0 + next }) else { return }
      for lane in 0..<8 {
        place[0] = row[lane]
        place[capacity] = row[lane]
        place += 2 &* capacity &+ 8
      }
    }
    next = next + 1 == capacity ? 0 : next + 1
    count = isContinued ? min(capacity, count + 1) : 1
    completeCount = !lengths.x.isFinite ? 0 : isContinued ? min(capacity, completeCount + 1) : 1
  }

  /// Where the latest `count` samples of a lane begin in `lanes`.
  ///
  /// - Precondition: `count` is at most `capacity`.
  @inline(__always)
  func start(of lane: Lane, last count: Int) -> Int { lane.rawValue &* stride &+ next &+ capacity &- count }

  /// Calls `body` with the latest `count` samples of a lane, oldest first.
  ///
  /// - Precondition: `count` is at most `capacity`.
  @inline(__always)
  func withLane<Result>(_ lane: Lane, last count: Int, _ body: (UnsafePointer<Float>) -> Result) -> Result {
    lanes.withUnsafeBufferPointer { body($0.baseAddress! + start(of: lane, last: count)) }
  }
}
