import GaitTraining
import Testing

struct RecordingFilterTests {
  @Test("a filter passes its values")
  func passing() throws {
    let filter = try RecordingFilter("subject=1, 2,4")
    #expect(filter == RecordingFilter(field: "subject", values: ["1", "2", "4"]))
    #expect(["1", "2", "3", "4", "01"].map { filter.passes(["subject": $0]) } == [true, true, false, true, false])
    #expect(!filter.passes(["label": "1"]))
  }

  @Test("a filter's text parses to an equal filter", arguments: ["subject=1,2,4", "label=jog", "trial=a=b"])
  func textualForm(text: String) throws {
    #expect(try RecordingFilter(text).description == text)
  }

  @Test("malformed text is an error", arguments: ["subject", "=1", "subject=", "subject=1,,2", "", "subject= "])
  func malformed(text: String) {
    #expect(throws: RecordingFilterError.malformed(text)) { try RecordingFilter(text) }
    #expect(RecordingFilterError.malformed(text).description.contains("subject=1,2,4"))
  }
}
