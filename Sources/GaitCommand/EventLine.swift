import Gait

/// An event as one line of text or JSON.
struct EventLine: Encodable {
  var event: String
  var detected: Double
  var onset: Double
  var detail: String
  var confidence: Float?

  init(_ event: RunEvent) {
    switch event {
    case .paused(let pause): self.init("paused", pause.decidedAt, pause.onset, pause.cause.rawValue, pause.confidence)
    case .resumed(let resume):
      self.init("resumed", resume.decidedAt, resume.onset, resume.cause.rawValue, resume.confidence)
    case .activity(let change): self.init("activity", change.decidedAt, change.onset, change.activity.rawValue)
    case .gap(let gap):
      self.init("gap", gap.upperBound, gap.lowerBound, fixed(gap.upperBound.seconds(since: gap.lowerBound), 2) + " s")
    case .split(let split):
      self.init("split", split.end, split.start, "\(split.number): \(fixed(split.movingSeconds, 1)) s")
    case .goal(let goal, let time): self.init("goal", time, time, Self.text(of: goal))
    case .snapshot(let snapshot):
      self.init("snapshot", snapshot.time, snapshot.time, "moving \(fixed(snapshot.movingSeconds, 1)) s")
    }
  }

  private init(
    _ event: String, _ detected: SampleTime, _ onset: SampleTime, _ detail: String, _ confidence: Float? = nil
  ) {
    self.event = event
    self.detected = detected.seconds
    self.onset = onset.seconds
    self.detail = detail
    self.confidence = confidence
  }

  private static func text(of goal: RunGoal) -> String {
    switch goal {
    case .distance(let meters): "\(fixed(meters, 0)) m"
    case .movingTime(let seconds): "\(fixed(seconds, 0)) s moving"
    }
  }

  /// Detection time, event, onset and cause.
  var text: String {
    let sure = confidence.map { ", confidence \(fixed(Double($0), 3))" } ?? ""
    return "\(fixed(detected, 2)) s  \(event) since \(fixed(onset, 2)) s (\(detail)\(sure))"
  }
}
