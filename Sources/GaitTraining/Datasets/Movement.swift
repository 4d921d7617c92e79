import Gait

/// What a recording moves like, whatever its label says: by how often its wearer steps and how hard.
public struct Movement: Hashable, Sendable {
  /// The activities that steps and energy can tell apart.
  static let activities = [Activity.still, .walking, .running]

  /// The steps that the wearer takes in a second; `nil` where nobody walks or runs.
  public let stepFrequency: Double?

  /// The root mean square of the length of the acceleration without gravity, in g.
  public let energy: Double

  /// Steps a second from which on people run: walkers take 1.5 to 2.2, runners 2.3 to 3.3.
  public static let slowestRun = 2.3

  /// The energy, in g, from which on quick steps are those of a run.
  ///
  /// On stairs a phone in a pocket may count half as many steps again as there are, at less energy. Of the recordings of
  /// MotionSense and BoostRunClub that step at a runner's rate, all that are runs have 0.76 g or more
  /// (`Scripts/judge-steps`).
  public static let gentlestRun = 0.76

  /// Whether the recording is long enough to count steps in.
  private let isLongEnough: Bool

  /// What the movement is, or `nil` where the recording is too short to tell.
  public var kind: Activity? {
    guard isLongEnough else { return nil }
    guard let stepFrequency else { return .still }
    return stepFrequency >= Self.slowestRun && energy >= Self.gentlestRun ? .running : .walking
  }

  /// How a recording moves.
  public init(of recording: Recording) {
    stepFrequency = recording.stepFrequency()
    isLongEnough = recording.duration >= Recording.shortestStepCount
    var (sum, count) = (0.0, 0)
    for index in 0..<recording.count {
      let acceleration = recording[index].userAcceleration
      let square = Double((acceleration * acceleration).sum())
      guard square.isFinite else { continue }
      sum += square
      count += 1
    }
    energy = count > 0 ? (sum / Double(count)).squareRoot() : 0
  }
}
