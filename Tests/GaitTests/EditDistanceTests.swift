import Gait
import Testing

struct EditDistanceTests {
  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("label", "label", 0), ("label", "lable", 1), ("label", "labe", 1),
    ("subject", "subjects", 1), ("time", "tame", 1), ("kitten", "sitting", 3),
  ])
  func `The distance counts insertions, deletions, replacements and exchanges`(
    first: String, second: String, distance: Int
  ) {
    #expect(EditDistance.between(first, second) == distance)
    #expect(EditDistance.between(second, first) == distance)
  }

  @Test func `A suggestion is the nearest candidate within one edit for each three characters`() {
    #expect(EditDistance.suggestion(for: "activty", among: ["active", "activity"]) == "activity")
    #expect(EditDistance.suggestion(for: "LABEL", among: ["time", "label"]) == "label")
    #expect(EditDistance.suggestion(for: "ab", among: ["ac"]) == nil)
    #expect(EditDistance.suggestion(for: "subject", among: ["person"]) == nil)
    #expect(EditDistance.suggestion(for: "label", among: [String]()) == nil)
  }
}
