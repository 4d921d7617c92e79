import Gait

/// The movement in a recording, detected from its steps and energy, independent of its label.
public struct Movement: Hashable, Sendable {
  /// The activities that steps and energy distinguish.
  static let activities = [Activity.still, .walking, .running]

  /// Steps per second; `nil` if there are no steps.
  public let stepFrequency: Double?

  /// The root mean square of the length of the acceleration without gravity, in g.
  public let energy: Double

  /// The minimum steps per second of running: walkers take 1.5 to 2.2, runners 2.3 to 3.3.
  public static let slowestRun = 2.3

  /// The minimum energy of running, in g.
  ///
  /// On stairs, with the phone in a pocket, up to half as many steps again may be counted, at less energy. In
  /// MotionSense and BoostRunClub, every running recording with a running step rate has 0.76 g or more
  /// (`Scripts/judge-steps`).
  public static let gentlestRun = 0.76

  /// Whether the recording is long enough to count steps in.
  private let isLongEnough: Bool

  /// The detected activity; `nil` if the recording is too short.
  public var kind: Activity? {
    guard isLongEnough else { return nil }
    guard let stepFrequency else { return .still }
    return stepFrequency >= Self.slowestRun && energy >= Self.gentlestRun ? .running : .walking
  }

  /// Detects the movement in a recording.
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
