import Gait
import GaitTraining

/// The page of auto-pause: the delays and errors with which a model pauses runs with known stops.
package struct PausesPage: Sendable {
  /// What made the page, for its footer.
  package var origin = PageOrigin()
  private let title: String
  private let facts: [String]
  private let evaluation: PauseEvaluation
  private let candidates: [PauseTuner.Candidate]
  private let noun: String

  /// The maximum number of moments.
  private static let mostMoments = 20

  /// - Parameters:
  ///   - title: the page's heading.
  ///   - facts: sentences below the heading, such as warnings.
  ///   - evaluation: the model's decisions.
  ///   - candidates: the settings that were tried, the best first; empty if none were.
  ///   - noun: what a group is, such as "subject".
  package init(
    title: String, facts: [String], _ evaluation: PauseEvaluation, candidates: [PauseTuner.Candidate] = [], noun: String
  ) {
    (self.title, self.facts, self.evaluation) = (title, facts, evaluation)
    (self.candidates, self.noun) = (candidates, noun)
  }

  /// The page as HTML.
  package var html: String {
    Page(
      title: title,
      summary: [.paragraph(conclusion), .tiles(tiles)] + (facts.isEmpty ? [] : [.alert(facts)]),
      sections: [settingsSection, peopleSection] + [momentSection].compactMap(\.self), origin: origin
    ).html
  }

  private var report: PauseReport { evaluation.report }

  // MARK: - Figures

  private static func rate(_ value: Double) -> String { value.fixed(value < 10 ? 2 : 0) }

  private static func seconds(_ value: Double) -> String { "\(value.fixed(1)) s" }

  /// What a runner notices, in three sentences.
  private var conclusion: String {
    let falsePauses =
      report.falsePauses == 0 ? "never paused" : "paused \(Self.rate(report.falsePausesPerHour)) times an hour"
    let groups = evaluation.groups
    let worst = groups.count > 1 ? Self.worstFirst(groups).first.flatMap { $0.report.falsePauses > 0 ? $0 : nil } : nil
    let most = worst.map { ", at most \(Self.rate($0.report.falsePausesPerHour)) times for \(noun) \($0.name)" } ?? ""
    let missed =
      report.missedPauses == 0
      ? "no stop of more than \(PauseReport.longestIgnoredStopSeconds.fixed(0)) s is missed"
      : "\(report.missedPauses.counted("stop")) of more than \(PauseReport.longestIgnoredStopSeconds.fixed(0)) s are missed"
    return
      "In \(report.hours.fixed(1)) h of runs of \(groups.count.counted(noun)), a moving runner is "
      + "\(falsePauses)\(most). Half of the stops pause the run within \(Self.seconds(report.pauseLatency.median)) and "
      + "95 % within \(Self.seconds(report.pauseLatency.p95)); \(missed). "
      + "Moving time is wrong by \(report.movingTimeErrorPercent.fixed(2)) %."
  }

  private var tiles: [Markup.Tile] {
    [
      (
        "False pauses", "\(Self.rate(report.falsePausesPerHour)) /h",
        "\(report.falsePauses.grouped) in \(report.hours.fixed(1)) h of runs"
      ),
      (
        "Pause delay", Self.seconds(report.pauseLatency.median), "95 % within \(Self.seconds(report.pauseLatency.p95))"
      ),
      (
        "Resume delay", Self.seconds(report.resumeLatency.median),
        "95 % within \(Self.seconds(report.resumeLatency.p95)), \(report.missedResumes) missed"
      ),
      (
        "Missed stops", "\(report.missedPauses)",
        "of those longer than \(PauseReport.longestIgnoredStopSeconds.fixed(0)) s"
      ),
      ("Moving time", "\(report.movingTimeErrorPercent.fixed(2)) %", "error, as the run counts it"),
    ]
  }

  // MARK: - Settings

  private var settingsSection: Page.Section {
    let points = evaluation.tradeOff.map { threshold, report in
      (threshold, Plot.Point(x: report.pauseLatency.median, y: report.falsePausesPerHour))
    }
    let chosen = Plot.Point(x: report.pauseLatency.median, y: report.falsePausesPerHour)
    let all = points.map(\.1) + [chosen]
    let plot = Plot(
      title: "false pauses an hour over the median delay",
      description: points.map { "above \($0.0): \($0.1.y.fixed(2)) false pauses an hour, \($0.1.x.fixed(2)) s" }
        .joined(separator: "; "),
      axis: Axis(
        title: "median pause delay, s",
        scale: Axis.fitting(all.map(\.x), least: 1).scale),
      panels: [
        Plot.Panel(
          title: "false pauses an hour of moving",
          axis: Axis(title: "", scale: LinearScale(0...max(0.1, 1.08 * (all.map(\.y).max() ?? 0)))), height: 230,
          marks: [
            .line(points.map(\.1), series: 0), .markers(points.map(\.1), series: 0), .markers([chosen], series: 1),
          ])
      ],
      legend: [
        Plot.Key(name: "pause above 0.5 … 0.999", swatch: .series(0, hasMarker: true)),
        Plot.Key(name: "the model's settings", swatch: .series(1, hasMarker: true)),
      ])
    let rows = evaluation.tradeOff.map { threshold, report in
      [
        "\(threshold)", Self.rate(report.falsePausesPerHour), "\(report.missedPauses)",
        report.pauseLatency.median.fixed(2), report.pauseLatency.p95.fixed(2),
      ]
    }
    let table = Markup.table(titles: ["above", "false /h", "missed", "delay s", "95 % s"], rows: rows, isNumeric: true)
    let settings = evaluation.settings
    let note =
      "A run is paused when the stopping probability exceeds a threshold, here \(settings.pauseAbove), and resumed "
      + "when it falls below \(settings.resumeBelow). With a higher threshold pauses come later, and fewer are false."
    return Page.Section(
      title: "Delay against false pauses",
      grid: [
        .figure(
          "False pauses over delay",
          all.contains { $0.y > 0 } ? plot.markup : .paragraph("Not drawn: no threshold makes a false pause."),
          note: note),
        .figure(
          "Thresholds", table,
          note:
            "False pauses an hour of moving, missed stops, and the delay of pauses, if a run is paused above another threshold."
        ),
      ] + [tried].compactMap(\.self))
  }

  /// The table of the settings that were tried; `nil` if none were.
  private var tried: Markup? {
    guard !candidates.isEmpty else { return nil }
    let rows = candidates.prefix(8).map { candidate in
      [
        "\(candidate.settings.pauseAbove)", "\(candidate.settings.resumeBelow)",
        "\(candidate.report.falsePauses + candidate.report.falseResumes)", "\(candidate.report.missedPauses)",
        candidate.report.pauseLatency.median.fixed(1), candidate.cost.fixed(2),
      ]
    }
    return .figure(
      "Settings that were tried",
      .table(titles: ["above", "below", "false", "missed", "delay s", "cost"], rows: rows, isNumeric: true),
      note:
        "The best of \(candidates.count.grouped). The figures above are of the runs that chose the settings; measure "
        + "them on other \(noun)s with gait evaluate --pauses.", isWhole: true)
  }

  // MARK: - People

  private typealias Group = (name: String, report: PauseReport)

  private static func worstFirst(_ groups: [Group]) -> [Group] {
    groups.sorted {
      ($1.report.falsePausesPerHour, $1.report.missedPauses, $1.report.movingTimeErrorPercent, $0.name)
        < ($0.report.falsePausesPerHour, $0.report.missedPauses, $0.report.movingTimeErrorPercent, $1.name)
    }
  }

  private var peopleSection: Page.Section {
    let groups = Self.worstFirst(evaluation.groups)
    let rows = groups.map { name, report in
      [
        name, Self.rate(report.falsePausesPerHour), "\(report.missedPauses)",
        "\(report.falseResumes + report.missedResumes)", report.pauseLatency.median.fixed(1),
        report.movingTimeErrorPercent.fixed(2),
      ]
    }
    let table = Markup.table(
      titles: [noun, "false /h", "missed", "resumes", "delay s", "time %"], rows: rows, isNumeric: true)
    let note =
      "Pauses of a moving runner an hour; stops without a pause; resumes that are false or missed; the median delay of "
      + "pauses; the error of moving time."
    return Page.Section(
      title: "By \(noun), worst first",
      contents: [
        .figure(
          "Decisions", table,
          note: note, isWhole: true)
      ])
  }

  // MARK: - Moments

  private var momentSection: Page.Section? {
    let worst = evaluation.moments.sorted { ($1.seconds, $0.run, $0.start) < ($0.seconds, $1.run, $1.start) }
      .prefix(Self.mostMoments)
    guard !worst.isEmpty else { return nil }
    return Page.Section(
      title: "The worst moments",
      contents: [
        .paragraph(
          "The \(worst.count) longest of \(evaluation.moments.count.grouped) stretches in which a run was paused "
            + "wrongly or not paused at a stop, delays included. The background is shaded while the person stands; the "
            + "bar below shows the pauses."
        ),
        .capped(Array(worst), limit: 6) { .grid($0.map(figure)) },
      ])
  }

  /// A moment with its signal, at most a minute of it.
  private func figure(_ moment: PauseMoment) -> Markup {
    let run = evaluation.runs[moment.run]
    let start = run.recording.start
    func place(_ time: SampleTime) -> Double { time.seconds(since: start) }
    let first = max(0, place(moment.start) - 8)
    let last = min(max(run.recording.duration, first + 1), place(moment.end) + 8, first + 60)
    let signal = SignalEnvelope(run.recording, in: first...last, limit: 300)
    let range = signal.seconds
    func visible(_ from: Double, _ to: Double) -> ClosedRange<Double>? {
      let (low, high) = (max(from, range.lowerBound), min(to, range.upperBound))
      return low < high ? low...high : nil
    }
    let stops = run.truth.filter(\.isStopped).compactMap { visible(place($0.start), place($0.end)) }
    let paused = pauses(of: moment.run).compactMap { visible(place($0.lowerBound), place($0.upperBound)) }
    let plot = Plot(
      magnitudeOf: run.group, signal, series: 0, behind: stops.map { .band($0, style: "paused shade") },
      before: paused.map { .band($0, style: "paused", height: 0.1) })
    return .figure(
      "\(noun.withCapital) \(run.group)", plot.markup,
      note: "\(moment.mistake.rawValue.withCapital): wrong for "
        + "\(Self.seconds(moment.seconds)) from \(place(moment.start).clock) of run \(moment.run + 1).")
  }

  /// The pauses of a run as they were decided.
  private func pauses(of run: Int) -> [Range<SampleTime>] {
    var pauses: [Range<SampleTime>] = []
    var since: SampleTime?
    for decision in evaluation.decisions[run] {
      if decision.isPause {
        since = since ?? decision.decidedAt
      } else if let start = since {
        pauses.append(start..<decision.decidedAt)
        since = nil
      }
    }
    return pauses + (since.map { [$0..<SampleTime.range.upperBound] } ?? [])
  }
}
