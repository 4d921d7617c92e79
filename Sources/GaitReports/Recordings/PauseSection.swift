import Gait
import GaitFormats
import GaitTraining

/// The section of a run's page that says of each pause why and how fast it was found.
struct PauseSection {
  let run: RunTimeline
  /// Whether there is motion data, without which pauses are not known.
  let hasMotion: Bool

  /// The maximum number of pauses with a sentence.
  private static let limit = 100

  var section: Page.Section {
    let pauses = run.pauses
    let more = pauses.count > Self.limit ? ["and \(pauses.count - Self.limit) more"] : []
    return Page.Section(
      title: "Pauses",
      contents: [
        pauses.isEmpty
          ? .paragraph(hasMotion ? "None." : "Not known, without motion data.")
          : .list(pauses.prefix(Self.limit).map(sentence) + more)
      ])
  }

  /// What happened, when, and how long after it the run was paused and resumed.
  private func sentence(_ pause: Pause) -> String {
    let (onset, end) = (run.seconds(to: pause.onset), run.seconds(to: pause.end ?? run.end))
    let range = "from \(ShownTimes.text(onset)) to \(pause.end == nil ? "the end of the run" : ShownTimes.text(end))"
    let length = ShownTimes.text(ShownTimes.length(from: onset, to: end))
    let what = "\(pause.cause.texts.sentence) \(range), for \(length)"
    guard pause.cause != .manual, pause.cause != .edited else { return what + "." }
    var sentence = "\(what): paused \(pause.decidedAt.seconds(since: pause.onset).fixed(1)) s after the stop"
    if let end = pause.end, let resume = resume(at: end) {
      let delay = resume.decidedAt.seconds(since: resume.onset)
      sentence +=
        resume.cause == .manual ? ", resumed by the button" : ", resumed \(max(0, delay).fixed(1)) s after the start"
    }
    return sentence + "."
  }

  /// The decision that ended the pause at a moment; `nil` if no decision did.
  private func resume(at end: SampleTime) -> PauseEvent? {
    run.decisions.first { !$0.isPause && $0.onset == end }
  }
}

extension PauseCause {
  /// What the runner did, as the beginning of a sentence, and in one or two words.
  fileprivate var texts: (sentence: String, words: String) {
    switch self {
    case .still: ("Stood still", "standing")
    case .notRunning: ("Did not run", "not running")
    case .moving: ("Moved", "moving")
    case .location: ("Stayed at one place", "GPS")
    case .manual: ("Paused by the button", "button")
    case .edited: ("Paused afterwards", "edited")
    }
  }
}

/// The folded section on how a run was measured: the sensors' signals, the moments that looked like stops but were
/// none, and how the GPS points were used.
struct MeasuredSection {
  let run: RunTimeline
  let plot: RunPlot
  /// The name of the recording; empty if unknown.
  let recording: String

  /// The maximum number of pauses with a picture; a page stays below 1 MB.
  private static let pictureLimit = 12

  var section: Page.Section {
    let pictures = run.pauses.prefix(Self.pictureLimit).enumerated().map(picture)
    let more = run.pauses.count - pictures.count
    let signals = plot.measured.map {
      Markup.figure("Motion and decisions", $0.markup, note: signalNote, isWhole: true)
    }
    let folded =
      [signals, .list(facts)].compactMap(\.self) + dropped
      + (pictures.isEmpty ? [] : [.element("h3", [:], [.text("Pauses from nearby")]), .grid(pictures)])
      + (more > 0 ? [.paragraph("\(more) more pauses have no picture; zoom into the motion above.")] : [])
    return Page.Section(
      title: "How this was measured",
      contents: [
        .element(
          "details", [:], [.element("summary", [:], [.text("Motion, decisions and GPS points")])] + folded)
      ])
  }

  private var signalNote: String {
    "The run pauses above \(plot.settings.pauseAbove) and resumes below \(plot.settings.resumeBelow)."
      + (run.decisions.isEmpty ? "" : " Each decision is a vertical line.")
  }

  /// What is known of the figures above, a sentence each.
  private var facts: [String] {
    var facts = recording.isEmpty ? [] : ["The recording is \(recording)."]
    if let distance = run.distanceEstimate {
      let parts = [
        (distance.measured, "measured by GPS"), (distance.bridged, "on straight lines between distant points"),
        (distance.bySteps, "estimated from steps"),
      ].filter { $0.0 >= 0.5 }
      if !parts.isEmpty {
        facts.append("Of the distance, \(parts.map { "\($0.0.fixed(0)) m are \($0.1)" }.joined(separator: ", ")).")
      }
      if let share = distance.speedShare, !(0.9...1.1 ~= share) {
        facts.append(
          "The receiver's speed gives \((100 * share).fixed(0)) % of it; the distance is that between the GPS points.")
      }
    }
    if run.elevation() != nil {
      let noise = run.altitudeProfile.noise
      facts.append(
        "The climb is \(run.altitudes.isEmpty ? "of GPS altitudes" : "the barometer's"), without ups and downs below "
          + "\(max(2, 5 * noise).fixed(noise > 0 ? 0 : 1)) m.")
    }
    if !run.route.isEmpty { facts.append("The map is drawn from \(run.route.count.counted("GPS point")).") }
    let lost = [
      (run.cachedLocationCount, "from before the run"), (run.offClockLocationCount, "of another clock"),
    ].filter { $0.0 > 0 }
    for (count, what) in lost { facts.append("\(count.counted("GPS point")) \(what) were not used.") }
    let rejected = run.rejectedLocations.map { ($0.value, $0.key) }.sorted { ($1.0, $0.1) < ($0.0, $1.1) }
    if !rejected.isEmpty {
      facts.append(
        "Unused GPS points: \(rejected.map { "\($0.0.grouped) \($0.1)" }.joined(separator: ", ")).")
    }
    return facts
  }

  private func picture(_ index: Int, _ pause: Pause) -> Markup {
    let (onset, end) = (run.seconds(to: pause.onset), run.seconds(to: pause.end ?? run.end))
    let range = max(0, onset - 10)...min(max(run.elapsedSeconds, 1), max(min(end + 10, onset + 120), onset + 5))
    return .figure(
      "Pause \(index + 1), \(onset.clock) to \(end.clock)", plot.moment(range).markup,
      note: end + 10 > onset + 120 ? "The first two minutes." : "")
  }

  /// The decisions to pause that are no pauses of their own in the end, and the moments in which the stopping
  /// probability was 0.5 or more without a pause.
  private var dropped: [Markup] {
    var lines: [String] = []
    let decisions = run.decisions
    for (index, decision) in decisions.enumerated() where decision.isPause {
      guard !run.pauses.contains(where: { $0.decidedAt == decision.decidedAt }) else { continue }
      let resume = decisions[(index + 1)...].first { !$0.isPause }
      let time = run.seconds(to: decision.decidedAt).clock
      if run.pauses.contains(where: { $0.onset <= decision.onset && decision.onset <= ($0.end ?? run.end) }) {
        lines.append("\(time): paused again; joined with the pause before.")
      } else {
        let withdrawn = resume.map { " at \(run.seconds(to: $0.decidedAt).clock)" } ?? ""
        lines.append(
          "\(time): paused (\(decision.cause.texts.words)), withdrawn\(withdrawn), because the movement had not stopped."
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
      ? [] : [.element("h3", [:], [.text("Moments that were no pause in the end")]), .list(lines)]
  }
}

/// The lengths of a run's states, rounded to match what the page shows. A stretch is its shown end minus its shown
/// start, in tenths of a second; the totals are whole seconds that add up.
package struct ShownTimes {
  /// The elapsed time, whole seconds.
  package let elapsed: Double
  package let moving: Double
  package let paused: Double
  package let riding: Double
  package let unknown: Double

  package init(_ run: RunTimeline) {
    (elapsed, paused, riding, unknown) = (
      run.elapsedSeconds.rounded(), run.pausedSeconds.rounded(), run.ridingSeconds.rounded(),
      run.unknownSeconds.rounded()
    )
    moving = max(0, elapsed - paused - riding - unknown)
  }

  /// The length of a stretch whose ends are shown in tenths of a second.
  package static func length(from start: Double, to end: Double) -> Double {
    ((end * 10).rounded() - (start * 10).rounded()) / 10
  }

  /// The text of a time or length in seconds, such as `2:10.4`.
  package static func text(_ seconds: Double) -> String {
    let tenths = Int(saturating: (seconds * 10).rounded())
    return "\(Double(tenths / 10).clock).\(tenths % 10)"
  }
}
