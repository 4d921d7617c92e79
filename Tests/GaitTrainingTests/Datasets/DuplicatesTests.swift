import Gait
import GaitTestSupport
import Testing

@testable import GaitTraining

struct DuplicatesTests {
  private func dataset(_ entries: [(path: String, label: String, rows: [[Float]])]) -> LabeledDataset {
    LabeledDataset(
      entries.map {
        LabeledRecording(recording: SampleRecordings.recording($0.rows, name: $0.path), label: $0.label)
      })
  }

  private let walk = SampleRecordings.rows(30, seed: 1)
  private let run = SampleRecordings.rows(30, seed: 2)

  @Test("copies are detected under any name, and their groups stay together")
  func copies() {
    let dataset = dataset([("b10", "x", walk), ("b9", "x", walk), ("a", "x", run), ("c", "y", run), ("d", "x", walk)])
    #expect(dataset.duplicates.copies == [["a", "c"], ["b9", "b10", "d"]])
    #expect(dataset.duplicates.redundantCount == 3)
    #expect(dataset.splitGroups == ["a": "a", "c": "a", "b9": "b9", "b10": "b9", "d": "b9"])
  }

  @Test("copies with two labels are a contradiction")
  func contradictions() {
    let dataset = dataset([("a", "x", run), ("c", "y", run), ("d", "x", walk), ("e", "x", walk)])
    #expect(dataset.duplicates.contradictions == [.init(paths: ["a", "c"], labels: ["x", "y"])])
    #expect(dataset.warnings.count == 2)
    #expect(dataset.warnings[0].hasPrefix("a, c share rows but have the labels x, y"))
    #expect(dataset.warnings[1].hasSuffix("copies stay in one fold: a = c, d = e"))
  }

  @Test("a first row that is missing or stale does not hide a copy")
  func firstRow() {
    let run = SampleRecordings.rows(300, seed: 2)
    let stale = [run[0].map { $0 + 1 }] + run.dropFirst()
    let dataset = dataset([("whole", "x", run), ("cut", "x", Array(run.dropFirst())), ("stale", "x", stale)])
    #expect(dataset.duplicates.copies == [["cut", "stale", "whole"]])
  }

  @Test("missing values equal missing values")
  func missingValues() {
    var holes = run
    holes[7][2] = .nan
    #expect(dataset([("a", "x", holes), ("b", "x", holes)]).duplicates.copies == [["a", "b"]])
    #expect(dataset([("a", "x", holes), ("b", "x", run)]).duplicates.copies.isEmpty)
  }

  @Test("identical recordings of a phone at rest are copies")
  func identicalAtRest() {
    let rest = Array(repeating: walk[0], count: 200)
    let dataset = dataset([("a", "x", rest), ("b", "x", rest), ("c", "x", Array(rest.dropLast()))])
    #expect(dataset.duplicates.copies == [["a", "b"]])
    #expect(dataset.duplicates.overlaps.isEmpty)
  }

  @Test("recordings of at most one row are not compared")
  func tiny() {
    let dataset = dataset([("a", "x", []), ("b", "x", []), ("c", "x", [run[0]]), ("d", "x", [run[0]])])
    #expect(dataset.duplicates.copies.isEmpty)
  }

  @Test("groups are joined through chains of copies")
  func chains() {
    func entry(_ path: String, _ subject: String, _ rows: [[Float]]) -> LabeledRecording {
      LabeledRecording(
        recording: SampleRecordings.recording(rows), label: "x", path: path, fields: ["subject": subject])
    }
    let other = SampleRecordings.rows(30, seed: 3)
    let dataset = LabeledDataset([
      entry("1a", "1", walk), entry("2a", "2", walk), entry("2b", "2", run), entry("3a", "3", run),
      entry("4a", "4", other),
    ])
    #expect(dataset.splitGroups == ["1": "1", "2": "1", "3": "1", "4": "4"])
  }

  @Test("stretches of one file are not copies of each other")
  func stretches() {
    let dataset = dataset([("a", "x", run), ("a", "y", run)])
    #expect(dataset.duplicates.copies.isEmpty)
    #expect(dataset.recordings.map(\.label) == ["x", "y"])
  }

  @Test("disjoint sets agree with a naive union")
  func disjointSets() {
    var generator = SplitMix64(seed: 5)
    for count in 0...12 {
      var sets = DisjointSets(count: count)
      var naive = (0..<count).map { Set([$0]) }
      for _ in 0..<count / 2 {
        let (a, b) = (Int.random(in: 0..<count, using: &generator), Int.random(in: 0..<count, using: &generator))
        sets.unite(a, b)
        let joined = naive.filter { $0.contains(a) || $0.contains(b) }.reduce(Set()) { $0.union($1) }
        naive = naive.filter { $0.isDisjoint(with: joined) } + [joined]
      }
      #expect(sets.sets == naive.map { $0.sorted() }.sorted { $0[0] < $1[0] })
    }
  }
}
