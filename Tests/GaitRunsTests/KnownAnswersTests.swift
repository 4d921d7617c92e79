import Testing

@testable import GaitRuns

@Suite struct KnownAnswersTests {
  @Test("the results are those recorded")
  func recorded() throws {
    let results = try KnownAnswers.measured().sorted { $0.key < $1.key }
    #expect(KnownAnswers.failures() == [], "now: \(results)")
  }

  @Test("a result that differs, or is missing, is named")
  func failures() {
    let answers: [(name: String, value: Double, tolerance: Double)] = [
      ("pauses", 2.0, 0.5), ("pause", 40, 5), ("no such result", 0, 0),
    ]
    let failures = KnownAnswers.failures(expecting: answers)
    #expect(failures == ["pauses: 1.0 instead of 2.0", "no such result: there is none"])
  }
}
