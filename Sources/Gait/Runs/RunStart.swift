/// The inputs of a tracker before its first motion sample.
///
/// GPS points are held. Ten of them make a run without motion, which ends with the first motion sample: a run begins with its
/// motion. `RunTracker.finish()` makes a run of fewer points.
struct RunStart: Sendable {
  /// The number of GPS points that make a run without motion. A receiver starts with fewer cached points.
  static let pointCount = 10
  /// The longest step between GPS points without motion, seconds. A longer one is a change of clock.
  static let longestStepSeconds = 3600.0

  /// What a GPS point is to a run without motion.
  enum Role { case held, completesStart, belongs, offClock }

  /// The held inputs in order; only button presses once a run without motion has begun.
  private(set) var inputs: [RunEvidence.Input] = []
  /// Whether a run without motion has begun.
  private(set) var isRun = false
  private var heldCount = 0
  /// The time of the first held point that can begin a run.
  private var firstPoint: SampleTime?
  private var bound: AccuracyBound
  private var latest: SampleTime?

  /// The largest number of held points that cannot begin a run; they are kept only to be counted.
  private static let mostUnusable = 100
  private var unusableCount = 0

  /// - Parameter largestAccuracy: the largest horizontal accuracy of a point that begins a run, metres.
  init(largestAccuracy: Double) { bound = AccuracyBound(largestAccuracy) }

  /// Keeps a button press.
  mutating func append(_ press: RunEvidence.Input) { inputs.append(press) }

  /// Takes a GPS point.
  ///
  /// - Parameter dropped: the number of points that this one shows to be of another clock.
  mutating func append(_ sample: LocationSample, dropped: inout Int) -> Role {
    guard isUsable(sample) else { return hold(unusable: sample) }
    if let latest, abs(sample.time.seconds(since: latest)) > Self.longestStepSeconds {
      dropped += isRun ? 1 : heldCount
      guard !isRun else { return .offClock }
      inputs.removeAll(where: \.isLocation)
      (heldCount, unusableCount, firstPoint) = (0, 0, nil)
    }
    latest = sample.time
    guard !isRun else { return .belongs }
    inputs.append(.location(sample))
    heldCount += 1
    firstPoint = firstPoint ?? sample.time
    return heldCount < Self.pointCount ? .held : .completesStart
  }

  /// Whether a point can begin a run: it has valid coordinates, and is not known to be inaccurate.
  private mutating func isUsable(_ sample: LocationSample) -> Bool {
    guard sample.hasValidCoordinates else { return false }
    guard let accuracy = sample.horizontalAccuracy else { return true }
    return accuracy >= 0 && bound.admits(accuracy, at: sample.time)
  }

  private mutating func hold(unusable sample: LocationSample) -> Role {
    guard !isRun else { return .belongs }
    guard unusableCount < Self.mostUnusable else { return .held }
    unusableCount += 1
    inputs.append(.location(sample))
    return .held
  }

  /// The time at which a run without motion begins: that of the first usable GPS point, else of the first press.
  var time: SampleTime? { firstPoint ?? presses.first?.time }

  /// Begins a run without motion; returns its inputs so far.
  mutating func begin() -> [RunEvidence.Input] {
    isRun = true
    defer { inputs.removeAll(where: \.isLocation) }
    return inputs
  }

  /// The held button presses.
  var presses: [RunEvidence.Input] { inputs.filter { !$0.isLocation } }
  /// The held GPS points.
  var points: [LocationSample] {
    inputs.compactMap { if case .location(let sample) = $0 { sample } else { nil } }
  }
}
