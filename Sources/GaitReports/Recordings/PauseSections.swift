import Gait
import GaitTraining

/// The section of a run's page on pauses: each with its decision and what the sensors showed, and what was dropped.
struct PauseSections {
  let run: RunTimeline
  let plot: RunPlot

  /// The most pauses with a picture; a page stays below 1 MB.
  private static let pictureLimit = 12

  var section: Page.Section {
    let rows = run.pauses.map { pause in
      let (onset, end) = (run.seconds(to: pause.onset), run.seconds(to: pause.end ?? run.end))
      return [
        ShownTimes.text(onset), ShownTimes.text(end),
        ShownTimes.text(ShownTimes.length(from: onset, to: end)), decision(pause),
        cause(pause.cause),
      ]
    }
    let table =
      rows.isEmpty
      ? Markup.paragraph("None.")
      : .table(titles: ["onset", "end", "length", "delay", "cause"], rows: rows, isNumeric: true)
    let pictures = run.pauses.prefix(Self.pictureLimit).enumerated().map(picture)
    let more = run.pauses.count - pictures.count
    return Page.Section(
      title: "Pauses",
      contents: [table] + dropped + (pictures.isEmpty ? [] : [.grid(pictures)])
        + (more > 0 ? [.paragraph("\(more) more pauses have no picture; zoom into the course of the run.")] : []))
  }

  /// The time of the decision and its delay.
  private func decision(_ pause: Pause) -> String {
    guard pause.cause != .edited, pause.cause != .manual else { return "–" }
    return "\(pause.decidedAt.seconds(since: pause.onset).fixed(1)) s"
  }

  private func cause(_ cause: PauseCause) -> String {
    switch cause {
    case .still: "standing"
    case .notRunning: "not running"
    case .moving: "moving"
    case .location: "GPS"
    case .manual: "button"
    case .edited: "edited"
    }
  }

  private func picture(_ index: Int, _ pause: Pause) -> Markup {
    let (onset, end) = (run.seconds(to: pause.onset), run.seconds(to: pause.end ?? run.end))
    let range = max(0, onset - 10)...min(max(run.elapsedSeconds, 1), max(min(end + 10, onset + 120), onset + 5))
    return .figure(
      "Pause \(index + 1), \(onset.clock) to \(end.clock)", plot.moment(range).markup,
      note: end + 10 > onset + 120 ? "The first two minutes." : "")
  }

  /// The decisions that are no pauses in the end, and the moments that looked like stops but were none.
  private var dropped: [Markup] {
    var lines: [String] = []
    let decisions = run.decisions.compactMap(\.decision)
    for (index, decision) in decisions.enumerated() where decision.isPause {
      guard !run.pauses.contains(where: { $0.decidedAt == decision.event.decidedAt }) else { continue }
      let resume = decisions[(index + 1)...].first { !$0.isPause }
      let time = run.seconds(to: decision.event.decidedAt).clock
      if run.pauses.contains(where: { $0.onset <= decision.event.onset && decision.event.onset <= ($0.end ?? run.end) })
      {
        lines.append("\(time): paused again; joined with the pause before.")
      } else {
        let withdrawn = resume.map { " at \(run.seconds(to: $0.event.decidedAt).clock)" } ?? ""
        lines.append(
          "\(time): paused (\(cause(decision.event.cause))), withdrawn\(withdrawn), because the movement had not stopped."
        )
      }
    }
    let unheeded = plot.unheeded
    lines += unheeded.prefix(20).map { stretch in
      "\(stretch.range.lowerBound.clock): the stopping probability rose to \(stretch.largest.fixed(3)) for "
        + "\((stretch.range.upperBound - stretch.range.lowerBound).fixed(1)) s; "
        + (stretch.largest < Double(plot.settings.pauseAbove)
          ? "a pause needs more than \(plot.settings.pauseAbove)." : "no pause was decided.")
    }
    if unheeded.count > 20 { lines.append("and \(unheeded.count - 20) more such moments") }
    return lines.isEmpty
      ? [] : [.element("h3", [:], [.text("Considered and dropped")]), .list(lines)]
  }
}
