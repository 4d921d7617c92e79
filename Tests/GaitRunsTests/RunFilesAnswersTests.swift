import Foundation
import Gait
import GaitRuns
import GaitTestSupport
import Testing

/// What stored runs, their totals, evidence, batches, races and texts contain, compared with what was recorded.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct RunFilesAnswersTests {
  private func run(_ seed: UInt64) throws -> (timeline: RunTimeline, inputs: [RunInput], evidence: RunEvidence) {
    let inputs = SimulatedInputs.of(seed: seed, seconds: 150)
    var tracker = try RunTracker(
      sampleRate: SimulatedInputs.rate, options: RunOptions(splitMeters: 100, snapshotSeconds: 10))
    for input in inputs { tracker.append(input) }
    return (tracker.finish(), inputs, tracker.evidence)
  }

  @Test func `Stored runs, evidence and batches have the recorded contents`() throws {
    let calendar = Calendar(identifier: .gregorian)
    var cases: [(name: String, figures: RecordedAnswers.Figures)] = []
    var race = Race()
    var summaries: [RunSummary] = []
    for seed: UInt64 in 1...4 {
      let (timeline, inputs, evidence) = try run(seed)
      var figures = RecordedAnswers.Figures()
      var stored = StoredRun(
        timeline, startedAt: Date(timeIntervalSince1970: 1.7e9 + Double(seed) * 9e5),
        timeZone: TimeZone(secondsFromGMT: 3600), name: "run \(seed)", metadata: ["shoe": "\(seed)"],
        bodyMass: seed % 2 == 0 ? 65 : nil)
      stored.evidence = seed == 3 ? nil : evidence
      stored.id = try #require(UUID(uuidString: "00000000-0000-0000-0000-00000000000\(seed)"))
      let again = try StoredRun(data: try stored.data())
      #expect(again == stored, "seed \(seed)")
      try figures.add("stored", json: stored)
      try figures.add("summary", json: stored.summary)
      try figures.add("evidence", json: evidence)
      let batch = RunInputBatch(inputs, number: seed == 1 ? nil : 7)
      figures.add("batch", bytes: batch.bytes)
      figures.add("date", stored.date(at: timeline.end).timeIntervalSince1970)
      race.add(timeline, as: "runner \(seed)")
      summaries.append(stored.summary)
      cases.append(("run \(seed)", figures))
    }
    var figures = RecordedAnswers.Figures()
    for second in 0..<40 { race.update("live", seconds: 3 * Double(second), meters: 0.4 + 8.5 * Double(second)) }
    race.update("late", seconds: 30, meters: 60)
    race.update("late", seconds: 12, meters: 0.25)
    race.end("late")
    try figures.add("race", json: race)
    for second in [10.0, 45, 100, 400] {
      figures.add("standings at \(second)", race.standings(at: second).map { "\($0)" }.joined(separator: ", "))
      figures.add("result after \(second)", race.result(afterSeconds: second).map { "\($0)" }.joined(separator: ", "))
      figures.add("silent at \(second)", race.silentRunners(at: second).joined(separator: " "))
    }
    figures.add("over", race.result(over: 120).map { "\($0)" }.joined(separator: ", "))
    for period in [RunTotals.Period.day, .week, .month, .year] {
      try figures.add("totals of a \(period)", json: RunTotals.of(summaries, by: period, in: calendar))
    }
    cases.append(("all", figures))
    try RecordedAnswers("run_files_answers.tsv").expect(cases)
  }

  @Test func `Texts of figures are the recorded ones`() throws {
    var figures = RecordedAnswers.Figures()
    let values: [Double?] = [
      nil, 0, 0.4, 0.5, 59.4, 59.6, 99.9, 100, 359.5, 599.6, 999.5, 3599.5, 3600, 86_400, 1e6, -3,
    ]
    for locale in ["en_US", "de_DE"].map(Locale.init(identifier:)) {
      for value in values {
        let texts = [Split.kilometer, Split.mile].flatMap {
          [RunText.distance(value, in: $0, locale: locale), RunText.pace(value, per: $0, locale: locale)]
        }
        figures.add(
          "\(locale.identifier) \(value.map { "\($0)" } ?? "none")",
          ([RunText.clock(value, locale: locale)] + texts).joined(separator: " | "))
      }
    }
    try RecordedAnswers("text_answers.tsv").expect([("texts", figures)])
  }

  @Test func `Evidence of a single input is read again`() throws {
    var tracker = try RunTracker(sampleRate: .hertz(50))
    tracker.append(.lap(at: .seconds(5)))
    tracker.append(.motion(MotionSample(time: .seconds(5), gravity: SIMD3(0, 0, -1), userAcceleration: .zero)))
    let evidence = tracker.evidence
    let data = try JSONEncoder().encode(evidence)
    #expect(try JSONDecoder().decode(RunEvidence.self, from: data) == evidence)
  }

  @Test func `A runner's first half metre counts`() {
    var race = Race()
    race.update("a", seconds: 1, meters: 0.5)
    #expect(race.meters(of: "a", at: 1) == 0.5)
  }
}
