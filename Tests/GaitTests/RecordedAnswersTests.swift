import GaitTestSupport
import Testing

struct RecordedAnswersTests {
  @Test func `Two places cannot have a record of the same name`() throws {
    for _ in 0..<2 { _ = try RecordedAnswers("named twice") }
    #expect(throws: RecordedAnswers.NameTwice.self) { try RecordedAnswers("named twice") }
  }
}
