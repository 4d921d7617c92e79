import Gait

/// The accuracy and delay of pause detection on runs with ground truth.
///
/// Decisions are those that were emitted, before pauses are merged. The delay of a decision is the time from the change
/// in the ground truth to the sample that triggered the decision. Within a stretch of the truth, the first correct
/// decision ends the delay. Every wrong decision after it is false.
public struct PauseReport: Hashable, Sendable, Encodable {
  /// Hours of samples.
  public private(set) var hours = 0.0
  /// False pauses per hour of running.
  public var falsePausesPerHour: Double { rate(falsePauses, per: movingSeconds) }
  /// The number of stops longer than 5 s that ended before they were detected.
  public private(set) var missedPauses = 0
  /// False resumes per hour of standing.
  public var falseResumesPerPausedHour: Double { rate(falseResumes, per: stoppedSeconds) }
  /// The delay from the start of a stop to the pause decision, seconds.
  public var pauseLatency: Latency { Latency(pauseLatencies) }
  /// The delay from the end of a stop to the resume decision, seconds.
  public var resumeLatency: Latency { Latency(resumeLatencies) }
  /// The error of pause onsets against the starts of the stops.
  public var pauseOnset: OnsetError { OnsetError(pauseOnsets, latencies: pauseLatencies) }
  /// The error of resume onsets against the ends of the stops.
  public var resumeOnset: OnsetError { OnsetError(resumeOnsets, latencies: resumeLatencies) }
  /// The error of moving time: the absolute errors of all runs as a percentage of moving time.
  public var movingTimeErrorPercent: Double { movingSeconds > 0 ? movingError / movingSeconds * 100 : 0 }
  /// The absolute errors of moving time of all runs, in seconds per change between running and standing (`changes`).
  public var movingTimeErrorSecondsPerEvent: Double { changes > 0 ? movingError / Double(changes) : 0 }
  /// The number of changes between running and standing, and the start of a run that begins with standing.
  public private(set) var changes = 0
  /// The number of pause decisions while running.
  public private(set) var falsePauses = 0
  /// The number of resume decisions while standing.
  public private(set) var falseResumes = 0
  /// The number of false pauses and false resumes of each group that has any.
  public private(set) var falseDecisionsByGroup: [String: Int] = [:]
  /// The number of starts that were not detected before the next stop.
  public private(set) var missedResumes = 0

  private var movingSeconds = 0.0
  private var stoppedSeconds = 0.0
  private var movingError = 0.0
  private var pauseLatencies: [Double] = []
  private var resumeLatencies: [Double] = []
  private var pauseOnsets: [Double] = []
  private var resumeOnsets: [Double] = []

  /// The median and 95th percentile of the delays.
  public struct Latency: Hashable, Sendable, Encodable {
    /// The median, seconds; 0 without delays.
    public let median: Double
    /// The 95th percentile, seconds; interpolated linearly.
    public let p95: Double

    init(_ latencies: [Double]) {
      let sorted = latencies.sorted()
      median = Self.quantile(0.5, of: sorted)
      p95 = Self.quantile(0.95, of: sorted)
    }

    private static func quantile(_ share: Double, of sorted: [Double]) -> Double {
      guard let last = sorted.indices.last else { return 0 }
      let place = share * Double(last)
      let lower = Int(saturating: place)
      let upper = min(lower + 1, last)
      return sorted[lower] + (place - Double(lower)) * (sorted[upper] - sorted[lower])
    }
  }

  /// The error of onset times; all 0 without onsets.
  public struct OnsetError: Hashable, Sendable, Encodable {
    /// The mean error, seconds; above 0 if onsets are late.
    public let mean: Double
    /// The absolute errors.
    public let size: Latency
    /// The largest absolute error, seconds.
    public let largest: Double
    /// The absolute errors of a simple rule, for comparison: each change is dated a fixed time before its decision, the
    /// median delay.
    public let sizeByFixedOffset: Latency

    init(_ errors: [Double], latencies: [Double]) {
      mean = errors.reduce(0, +) / Double(max(1, errors.count))
      size = Latency(errors.map(\.magnitude))
      largest = errors.map(\.magnitude).max() ?? 0
      let offset = Latency(latencies).median
      sizeByFixedOffset = Latency(latencies.map { ($0 - offset).magnitude })
    }
  }

  /// Creates an empty report.
  public init() {}

  /// Stops up to this length are never counted as missed, seconds.
  public static let longestIgnoredStopSeconds = 5.0

  /// Adds the decisions of one run.
  ///
  /// - Parameters:
  ///   - log: the decisions, and the pauses that moving time leaves out.
  ///   - run: the run with its ground truth.
  package mutating func add(_ log: PauseLog, of run: ComposedRun) {
    guard let start = run.truth.first?.start, let end = run.truth.last?.end else { return }
    for (index, stretch) in run.truth.enumerated() {
      let inside = log.decisions.filter { stretch.start < $0.decidedAt && $0.decidedAt <= stretch.end }
      let count = add(inside, in: stretch, isFirst: index == 0)
      if count > 0 { falseDecisionsByGroup[run.group, default: 0] += count }
    }
    hours += end.seconds(since: start) / 3600
    let moving = run.truth.filter { !$0.isStopped }.reduce(0) { $0 + $1.seconds }
    let measured = log.movingSeconds(from: start, to: end)
    movingSeconds += moving
    stoppedSeconds += end.seconds(since: start) - moving
    movingError += (measured - moving).magnitude
  }

  /// Adds the decisions within a stretch; returns how many of them are false.
  private mutating func add(
    _ events: [PauseEvent], in stretch: ComposedRun.Stretch, isFirst: Bool
  ) -> Int {
    let first = events.first { $0.isPause == stretch.isStopped }
    if !isFirst || stretch.isStopped { add(first, in: stretch) }
    var isDetected = isFirst && !stretch.isStopped
    var count = 0
    for event in events {
      if event.isPause == stretch.isStopped { isDetected = true } else if isDetected { count += 1 }
    }
    if stretch.isStopped { falseResumes += count } else { falsePauses += count }
    return count
  }

  private mutating func add(_ event: PauseEvent?, in stretch: ComposedRun.Stretch) {
    changes += 1
    guard let event else {
      if !stretch.isStopped {
        missedResumes += 1
      } else if stretch.seconds > Self.longestIgnoredStopSeconds {
        missedPauses += 1
      }
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

  /// Encodes every figure under its name.
  public func encode(to encoder: any Encoder) throws {
    try JSONObject([
      "hours": hours, "falsePausesPerHour": falsePausesPerHour, "missedPauses": missedPauses,
      "falseResumesPerPausedHour": falseResumesPerPausedHour, "pauseLatency": pauseLatency,
      "resumeLatency": resumeLatency, "pauseOnset": pauseOnset, "resumeOnset": resumeOnset,
      "movingTimeErrorPercent": movingTimeErrorPercent,
      "movingTimeErrorSecondsPerEvent": movingTimeErrorSecondsPerEvent, "changes": changes,
      "falsePauses": falsePauses, "falseResumes": falseResumes, "missedResumes": missedResumes,
      "falseDecisionsByGroup": falseDecisionsByGroup,
    ]).encode(to: encoder)
  }

  /// The people with false decisions, in a line of its own; empty if there are no such people.
  private var byGroup: String {
    let counts = falseDecisionsByGroup.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let text = counts.map { "\($0) (\($1))" }.joined(separator: ", ")
    return counts.isEmpty ? "" : "\n  false decisions of         \(text)"
  }

  /// The report as text for a terminal.
  package var text: String {
    func latency(_ latency: PauseReport.Latency) -> String {
      "\(latency.median.fixed(2)) s median, \(latency.p95.fixed(2)) s 95th percentile"
    }
    func onset(_ onset: PauseReport.OnsetError) -> String {
      "\(latency(onset.size)), \(onset.largest.fixed(2)) s at most; \(onset.mean.magnitude.fixed(2)) s too "
        + "\(onset.mean < 0 ? "early" : "late") on average (with a fixed offset \(latency(onset.sizeByFixedOffset)))"
    }
    return """
        hours                      \(hours.fixed(2))
        changes                    \(changes)
        false pauses               \(falsePauses) (\(falsePausesPerHour.fixed(2)) per hour of running)
        missed pauses over 5 s     \(missedPauses)
        false resumes              \(falseResumes) \
      (\(falseResumesPerPausedHour.fixed(2)) per hour of standing)\(byGroup)
        missed resumes             \(missedResumes)
        pause delay                \(latency(pauseLatency))
        resume delay               \(latency(resumeLatency))
        pause onset error          \(onset(pauseOnset))
        resume onset error         \(onset(resumeOnset))
        moving time error          \(movingTimeErrorPercent.fixed(3)) % \
      (\(movingTimeErrorSecondsPerEvent.fixed(3)) s per change)
      """
  }
}

extension Collection<PauseTuner.Candidate> {
  /// The first eight candidates as a table for a terminal.
  package var table: String {
    let header = ["weight", "pause above", "resume below", "for s", "false", "missed", "pause s", "resume s", "cost"]
    let rows = prefix(8).map { candidate in
      [
        "\(candidate.settings.likelihoodExponent)", "\(candidate.settings.pauseAbove)",
        "\(candidate.settings.resumeBelow)",
        "\(candidate.settings.resumeDwellSeconds)",
        "\(candidate.report.falsePauses + candidate.report.falseResumes)", "\(candidate.report.missedPauses)",
        candidate.report.pauseLatency.median.fixed(2), candidate.report.resumeLatency.median.fixed(2),
        candidate.cost.fixed(3),
      ]
    }
    return ReportTable(list: [header] + rows).text
  }
}
