extension PauseReport {
  /// The people with false decisions, in a line of its own; empty if there are none.
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
        false resumes              \(falseResumes) (\(falseResumesPerPausedHour.fixed(2)) per hour of standing)\(byGroup)
        missed resumes             \(missedResumes)
        pause delay                \(latency(pauseLatency))
        resume delay               \(latency(resumeLatency))
        pause onset error          \(onset(pauseOnset))
        resume onset error         \(onset(resumeOnset))
        moving time error          \(movingTimeErrorPercent.fixed(3)) % (\(movingTimeErrorSecondsPerEvent.fixed(3)) s per change)
      """
  }
}

extension Collection<PauseTuner.Candidate> {
  /// The best eight settings as a table for a terminal.
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
    return ReportTable(list: [header] + rows).lines.joined(separator: "\n")
  }
}
