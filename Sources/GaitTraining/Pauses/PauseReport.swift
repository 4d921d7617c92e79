import Gait

/// How well pauses were noticed in runs of which the truth is known.
///
/// Every decision counts as it is emitted, before pauses are merged; latency is from the truth's change to the time of the
/// sample with which the decision fell. A decision that comes in the stretch it belongs to is in time; the first such one ends
/// the latency, and any that leaves the stretch's state after that is false.
public struct PauseReport: Hashable, Sendable, Encodable {
  /// Hours of samples.
  public private(set) var hours = 0.0
  /// Stops where the wearer ran on, per hour of running.
  public var falsePausesPerHour: Double { rate(falsePauses, per: movingSeconds) }
  /// Stops longer than 5 s that were not noticed before they ended.
  public private(set) var missedPauses = 0
  /// Starts where the wearer stood on, per hour of standing.
  public var falseResumesPerPausedHour: Double { rate(falseResumes, per: stoppedSeconds) }
  /// From the beginning of a stop to its pause, seconds.
  public var pauseLatency: Latency { Latency(pauseLatencies) }
  /// From the end of a stop to its resume, seconds.
  public var resumeLatency: Latency { Latency(resumeLatencies) }
  /// How far the times that pauses are dated to are from the beginnings of the stops.
  public var pauseOnset: OnsetError { OnsetError(pauseOnsets, latencies: pauseLatencies) }
  /// How far the times that resumes are dated to are from the ends of the stops.
  public var resumeOnset: OnsetError { OnsetError(resumeOnsets, latencies: resumeLatencies) }
  /// How far moving time is off, the errors of all runs added up without their signs, as a percentage of moving time.
  public var movingTimeErrorPercent: Double { movingSeconds > 0 ? movingError / movingSeconds * 100 : 0 }
  /// The same error in seconds for every change between running and standing.
  public var movingTimeErrorSecondsPerEvent: Double { changes > 0 ? movingError / Double(changes) : 0 }
  /// The number of changes between running and standing.
  public private(set) var changes = 0
  /// The number of pauses where the wearer ran on.
  public private(set) var falsePauses = 0
  /// The number of resumes where the wearer stood on.
  public private(set) var falseResumes = 0
  /// Starts that were not noticed before the wearer stood again.
  public private(set) var missedResumes = 0

  private var movingSeconds = 0.0
  private var stoppedSeconds = 0.0
  private var movingError = 0.0
  private var pauseLatencies: [Double] = []
  private var resumeLatencies: [Double] = []
  private var pauseOnsets: [Double] = []
  private var resumeOnsets: [Double] = []

  /// The middle and the slow end of many latencies.
  public struct Latency: Hashable, Sendable, Encodable {
    /// Half are at most this long, seconds; 0 where there is none.
    public let median: Double
    /// 95 % are at most this long, seconds; interpolated linearly.
    public let p95: Double

    init(_ latencies: [Double]) {
      let sorted = latencies.sorted()
      median = Self.quantile(0.5, of: sorted)
      p95 = Self.quantile(0.95, of: sorted)
    }

    private static func quantile(_ share: Double, of sorted: [Double]) -> Double {
      guard let last = sorted.indices.last else { return 0 }
      let place = share * Double(last)
      let lower = Int(place)
      let upper = min(lower + 1, last)
      return sorted[lower] + (place - Double(lower)) * (sorted[upper] - sorted[lower])
    }
  }

  /// How exactly changes are dated; all 0 where there is none.
  public struct OnsetError: Hashable, Sendable, Encodable {
    /// The mean of all errors, seconds; above 0 where changes are dated too late.
    public let mean: Double
    /// The errors without their signs.
    public let size: Latency
    /// The largest of them, seconds.
    public let largest: Double
    /// The same if every change were dated back from its decision by one time, the median latency: what a date by the signal has
    /// to be better than.
    public let sizeByFixedOffset: Latency

    init(_ errors: [Double], latencies: [Double]) {
      mean = errors.reduce(0, +) / Double(max(1, errors.count))
      size = Latency(errors.map(\.magnitude))
      largest = errors.map(\.magnitude).max() ?? 0
      let offset = Latency(latencies).median
      sizeByFixedOffset = Latency(latencies.map { ($0 - offset).magnitude })
    }
  }

  /// A report of nothing yet.
  public init() {}

  /// A missed stop is one longer than this, seconds.
  public static let longestUnnoticed = 5.0

  /// Adds what was decided in one run.
  ///
  /// - Parameters:
  ///   - log: the decisions, and the pauses that count for moving time.
  ///   - run: the run with its truth.
  package mutating func add(_ log: PauseLog, of run: ComposedRun) {
    guard let start = run.truth.first?.start, let end = run.truth.last?.end else { return }
    let events = log.decisions.compactMap(\.decision)
    for (index, stretch) in run.truth.enumerated() {
      let inside = events.filter { stretch.start < $0.event.decidedAt && $0.event.decidedAt <= stretch.end }
      add(inside, in: stretch, isFirst: index == 0)
    }
    hours += end.seconds(since: start) / 3600
    let moving = run.truth.filter { !$0.isStopped }.reduce(0) { $0 + $1.seconds }
    let measured = log.movingSeconds(from: start, to: end)
    movingSeconds += moving
    stoppedSeconds += end.seconds(since: start) - moving
    movingError += (measured - moving).magnitude
  }

  private mutating func add(
    _ events: [(event: PauseEvent, isPause: Bool)], in stretch: ComposedRun.Stretch, isFirst: Bool
  ) {
    let first = events.first { $0.isPause == stretch.isStopped }
    if !isFirst || stretch.isStopped { add(first?.event, in: stretch) }
    var isNoticed = isFirst && !stretch.isStopped
    for event in events {
      if event.isPause == stretch.isStopped {
        isNoticed = true
      } else if isNoticed {
        if stretch.isStopped { falseResumes += 1 } else { falsePauses += 1 }
      }
    }
  }

  private mutating func add(_ event: PauseEvent?, in stretch: ComposedRun.Stretch) {
    changes += 1
    guard let event else {
      if !stretch.isStopped { missedResumes += 1 } else if stretch.seconds > Self.longestUnnoticed { missedPauses += 1 }
      return
    }
    let latency = event.decidedAt.seconds(since: stretch.start)
    let error = event.onset.seconds(since: stretch.start)
    if stretch.isStopped {
      pauseLatencies.append(latency)
      pauseOnsets.append(error)
    } else {
      resumeLatencies.append(latency)
      resumeOnsets.append(error)
    }
  }

  private func rate(_ count: Int, per seconds: Double) -> Double {
    seconds > 0 ? Double(count) / (seconds / 3600) : 0
  }

  private enum CodingKeys: String, CodingKey {
    case hours, falsePausesPerHour, missedPauses, falseResumesPerPausedHour, pauseLatency, resumeLatency
    case pauseOnset, resumeOnset
    case movingTimeErrorPercent, movingTimeErrorSecondsPerEvent, changes, falsePauses, falseResumes, missedResumes
  }

  /// Writes the figures under their names.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(hours, forKey: .hours)
    try container.encode(falsePausesPerHour, forKey: .falsePausesPerHour)
    try container.encode(missedPauses, forKey: .missedPauses)
    try container.encode(falseResumesPerPausedHour, forKey: .falseResumesPerPausedHour)
    try container.encode(pauseLatency, forKey: .pauseLatency)
    try container.encode(resumeLatency, forKey: .resumeLatency)
    try container.encode(pauseOnset, forKey: .pauseOnset)
    try container.encode(resumeOnset, forKey: .resumeOnset)
    try container.encode(movingTimeErrorPercent, forKey: .movingTimeErrorPercent)
    try container.encode(movingTimeErrorSecondsPerEvent, forKey: .movingTimeErrorSecondsPerEvent)
    try container.encode(changes, forKey: .changes)
    try container.encode(falsePauses, forKey: .falsePauses)
    try container.encode(falseResumes, forKey: .falseResumes)
    try container.encode(missedResumes, forKey: .missedResumes)
  }
}
