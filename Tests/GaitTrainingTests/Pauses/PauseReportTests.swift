import Gait
import GaitTraining
import Testing

/// Timelines with one character per second: ground truth above (`R` running, `w` standing), decisions below (`p`, `r`).
@Suite struct PauseReportTests {
  private static func report(_ truth: String, _ decided: String, datedBack: Double = 0) -> PauseReport {
    let seconds = Array(truth)
    let columns = [Channel.gravityX: [Float](repeating: 0, count: seconds.count)]
    let recording = Recording(name: "drawn", sampleRate: .hertz(1), columns: columns)
    var stretches: [ComposedRun.Stretch] = []
    for (second, character) in seconds.enumerated() {
      let end = SampleTime.seconds(Double(second + 1))
      if let last = stretches.indices.last, stretches[last].isStopped == (character == "w") {
        stretches[last].end = end
      } else {
        stretches.append(.init(start: .seconds(Double(second)), end: end, isStopped: character == "w"))
      }
    }
    var log = PauseLog()
    for (second, character) in decided.enumerated() where character != " " {
      let time = SampleTime.seconds(Double(second))
      log.record(
        PauseEvent(
          isPause: character == "p", decidedAt: time, onset: time.advanced(bySeconds: -datedBack), cause: .still,
          confidence: 1))
    }
    var report = PauseReport()
    report.add(log, of: ComposedRun(recording: recording, group: "1", truth: stretches))
    return report
  }

  @Test func `The delay is from the change to the decision`() {
    let report = Self.report(
      "RRRRRRwwwwwwwwRRRRRRwwwwwwwwRRRRRR",
      "        p      r       p      r   ")
    #expect(report.falseDecisionsByGroup.isEmpty)
    #expect(report.changes == 4)
    #expect(report.falsePauses == 0)
    #expect(report.falseResumes == 0)
    #expect(report.missedPauses == 0)
    #expect(report.pauseLatency.median == 2.5)
    #expect(report.resumeLatency.median == 1.5)
    #expect(abs(report.pauseLatency.p95 - 2.95) < 1e-9)
    // Paused for 14 of the 16 s of standing; paused time is not moving time.
    #expect(abs(report.movingTimeErrorPercent - 2 / 18.0 * 100) < 1e-9)
    #expect(report.movingTimeErrorSecondsPerEvent == 0.5)
  }

  @Test func `Onset errors are compared with those of a fixed offset from the decision`() {
    let report = Self.report(
      "RRRRRRwwwwwwwwRRRRRRwwwwwwwwRRRRRR",
      "        p      r       p      r   ", datedBack: 2)
    // Pauses are decided 2 and 3 s after the stops and their onsets are 0 and 1 s after them; resumes 1 and 2 s after
    // the starts.
    #expect(report.pauseOnset.mean == 0.5)
    #expect(report.resumeOnset.mean == -0.5)
    for onset in [report.pauseOnset, report.resumeOnset] {
      #expect(onset.size.median == 0.5)
      #expect(abs(onset.size.p95 - 0.95) < 1e-9)
      #expect(onset.largest == 1)
      #expect(onset.sizeByFixedOffset.median == 0.5)
      #expect(onset.sizeByFixedOffset.p95 == 0.5)
    }
    let nothing = Self.report("RRRR", "    ").pauseOnset
    #expect(nothing.mean == 0)
    #expect(nothing.size.p95 == 0)
    #expect(nothing.sizeByFixedOffset.p95 == 0)
  }

  @Test func `A pause while running and a resume while standing are false`() {
    let report = Self.report(
      "RRRRRRRRRRwwwwwwwwwwRRRR",
      "   p r      p r p    r  ")
    #expect(report.falsePauses == 1)
    #expect(report.falseResumes == 1)
    #expect(report.falseDecisionsByGroup == ["1": 2])
    #expect(report.falsePausesPerHour == 1 / (14.0 / 3600))
    #expect(report.falseResumesPerPausedHour == 360)
  }

  @Test func `Only a stop of more than five seconds counts as missed`() {
    #expect(Self.report("RRRRwwwwwRRRR", "             ").missedPauses == 0)
    let report = Self.report("RRRRwwwwwwRRRRwwwwwwwRRRR", "               p        ")
    #expect(report.missedPauses == 1)
    #expect(report.missedResumes == 2)
  }
}
