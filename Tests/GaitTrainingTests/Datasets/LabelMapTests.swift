import GaitTraining
import Testing

struct LabelMapTests {
  @Test("labels in the map are renamed, others are unchanged")
  func renaming() throws {
    let map = try LabelMap(["jog=running", "wlk, ups ,dws = walking"])
    #expect(["jog", "wlk", "ups", "dws", "sit"].map(map.apply) == ["running", "walking", "walking", "walking", "sit"])
    #expect(map.sources == ["dws", "jog", "ups", "wlk"])
  }

  @Test("a map is applied once, and may be a dictionary literal")
  func appliedOnce() throws {
    let map: LabelMap = ["a": "b", "b": "c"]
    #expect(map.apply("a") == "b")
    #expect(try map == LabelMap(["a=b", "b=c"]))
  }

  @Test("a repeated mapping is not an error")
  func repetition() throws {
    #expect(try LabelMap(["jog=running", "jog=running"]).apply("jog") == "running")
  }

  @Test("malformed text is an error", arguments: ["jog", "=running", "jog=", "a=b=c", "a,,b=c", "", "=", " = "])
  func malformed(text: String) {
    #expect(throws: LabelMapError.malformed(text)) { try LabelMap([text]) }
  }

  @Test("a label with two names is an error")
  func twoTargets() {
    let error = LabelMapError.twoTargets("jog", "running", "walking")
    #expect(throws: error) { try LabelMap(["jog=running", "wlk,jog=walking"]) }
    #expect(error.description == "label \"jog\" is mapped to \"running\" and to \"walking\"; keep one of them.")
  }
}
