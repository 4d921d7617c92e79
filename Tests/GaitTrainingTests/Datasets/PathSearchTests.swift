import GaitTestSupport
import Testing

@testable import GaitTraining

@Suite struct PathSearchTests {
  /// The first match of a path, by trying every end of every placeholder in turn.
  private func backtracked(_ layout: PathLayout, _ path: String) -> [String: String]? {
    let path = Array(path)
    var found: [Int: ArraySlice<Character>] = [:]
    func search(_ rest: ArraySlice<Character>, _ segments: ArraySlice<PathLayout.Segment>) -> Bool {
      guard let segment = segments.first else { return rest.isEmpty }
      switch segment {
      case .text(let text): return rest.starts(with: text) && search(rest.dropFirst(text.count), segments.dropFirst())
      case .field(let field):
        if let known = found[field] {
          return rest.starts(with: known) && search(rest.dropFirst(known.count), segments.dropFirst())
        }
        for length in stride(from: rest.prefix { $0 != "/" }.count, to: 0, by: -1) {
          found[field] = rest.prefix(length)
          if search(rest.dropFirst(length), segments.dropFirst()) { return true }
        }
        found[field] = nil
        return false
      }
    }
    guard search(path[...], layout.segments[...]) else { return nil }
    return Dictionary(uniqueKeysWithValues: layout.fieldNames.enumerated().map { ($1, String(found[$0]!)) })
  }

  @Test(
    arguments: [
      "{a}_{b}_{c}_{d}", "{a}_{b}_{a}_{c}", "{a}_{b}/{b}_{a}", "{a}1{b}1{a}1{b}", "{a}_{a}_{b}_{b}", "{a}a{b}a{c}/{d}",
      "{a}_{b}_{a}", "{a}/{b}1{c}_{b}",
    ])
  func `The memoised search agrees with plain backtracking`(template: String) throws {
    let layout = try PathLayout(template)
    var generator = SplitMix64(seed: 2)
    for _ in 0..<4000 {
      let length = Int.random(in: 0...12, using: &generator)
      let path = String((0..<length).map { _ in "a1_/"[generator.next() % 7 < 3 ? 2 : Int(generator.next() % 4)] })
      #expect(layout.match(path) == backtracked(layout, path), "\(template) on \(path)")
    }
  }

  @Test(
    .timeLimit(.minutes(5)),
    arguments: ["{a}_{b}_{c}_{d}_{e}_{f}.csv", "{a}_{b}_{c}_{d}_{e}_{f}_{g}_{h}.csv", "{a}_{b}_{c}_{d}_{a}.csv"])
  func `A long name that does not match fails fast`(template: String) throws {
    #expect(try PathLayout(template).match(String(repeating: "_", count: 100)) == nil)
  }

  @Test(arguments: [
    ("subjct", "subject"), ("subejct", "subject"), ("Subject", "subject"), ("subjects", "subject"), ("lable", "label"),
    ("labels", "label"), ("LABEL", "label"),
  ])
  func `A misspelt placeholder is an error with a suggestion`(name: String, intended: String) {
    let template = "{\(name)}/{recording}.csv"
    #expect(throws: PathLayoutError.misspelled(name, intended: intended, in: template)) { try PathLayout(template) }
    #expect(
      PathLayoutError.misspelled(name, intended: intended, in: template).description.contains(
        "did you mean {\(intended)}?"))
  }

  @Test(arguments: ["person", "trial", "object", "table1", "sub", "lab", "project", "subset", "activity"])
  func `Any other name is a placeholder`(name: String) throws {
    #expect(try PathLayout("{\(name)}/{label}.csv").fieldNames == [name, "label"])
  }
}

extension String {
  fileprivate subscript(place: Int) -> Character { self[index(startIndex, offsetBy: place)] }
}
