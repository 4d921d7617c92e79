import Gait
import GaitTestSupport
import Testing

@testable import GaitTraining

/// Recordings at 50 Hz that share a stretch.
struct DuplicatesOverlapTests {
  private func dataset(_ entries: [(path: String, label: String, rows: [[Float]])]) -> LabeledDataset {
    LabeledDataset(
      entries.map {
        LabeledRecording(recording: SampleRecordings.recording($0.rows, name: $0.path), label: $0.label)
      })
  }

  private let long = SampleRecordings.rows(700, seed: 1)
  private let other = SampleRecordings.rows(400, seed: 2)

  @Test("an excerpt is detected at any position, with its position and length")
  func excerpts() throws {
    for start in [0, 1, 13, 200] {
      let excerpt = other[0..<40] + long[start..<start + 500] + other[40..<60]
      let dataset = dataset([("b", "x", Array(excerpt)), ("a", "x", long), ("c", "x", other)])
      let overlaps = dataset.duplicates.overlaps
      #expect(overlaps.map(\.paths) == [["a", "b"]], "start \(start)")
      #expect(abs((overlaps.first?.seconds ?? 0) - 10) <= 0.5)
      for (found, planted) in zip(overlaps.first?.starts ?? [], [Double(start) / 50, 0.8]) {
        #expect(abs(found - planted) <= 0.3, "start \(start)")
      }
      #expect(dataset.splitGroups == ["a": "a", "b": "a", "c": "c"])
      #expect(dataset.duplicates.copies.isEmpty)
      #expect(dataset.duplicates.contradictions.isEmpty)
      try #require(dataset.warnings.count == 1)
      #expect(dataset.warnings[0].hasPrefix("1 pair of recordings overlap"))
    }
  }

  @Test("a stretch counts from one second on")
  func shortStretches() {
    for count in [20, 40, 100] {
      let pair = dataset([
        ("a", "x", long), ("b", "x", Array(other[0..<100] + long[300..<300 + count] + other[100...])),
      ])
      #expect(pair.duplicates.overlaps.count == (count < 50 ? 0 : 1), "\(count) rows")
    }
  }

  @Test("an excerpt with another label is a contradiction")
  func contradiction() {
    let dataset = dataset([("a", "x", long), ("b", "y", Array(long[100..<300]))])
    #expect(dataset.duplicates.contradictions == [.init(paths: ["a", "b"], labels: ["x", "y"])])
    #expect(dataset.warnings.count == 2)
  }

  @Test("several stretches of two recordings are one overlap, at the longest stretch")
  func severalStretches() {
    let mixed = Array(long[400..<500] + other[0..<30] + long[100..<300])
    let overlaps = dataset([("a", "x", long), ("b", "x", mixed)]).duplicates.overlaps
    #expect(overlaps.count == 1)
    #expect(abs((overlaps.first?.seconds ?? 0) - 6) <= 0.8)
    for (found, planted) in zip(overlaps.first?.starts ?? [], [2, 2.6]) { #expect(abs(found - planted) <= 0.3) }
  }

  @Test("any number of excerpts of one stretch are joined")
  func manyExcerpts() {
    let excerpts = (0..<30).map { (path: "e\($0)", label: "x", rows: Array(long[($0 * 10)..<($0 * 10 + 200)])) }
    let dataset = dataset([("whole", "x", long)] + excerpts + [("c", "x", other)])
    #expect(Set(dataset.splitGroups.values) == ["c", "e0"])
  }

  @Test("a phone at rest and a stuck sensor are not overlaps")
  func constantStretches() {
    let still = Array(repeating: long[0], count: 300)
    let flicker = (0..<300).map { long[$0 % 7] }
    let dataset = dataset([
      ("a", "x", still + long), ("b", "x", other + still), ("c", "x", flicker + SampleRecordings.rows(90, seed: 3)),
      ("d", "x", SampleRecordings.rows(90, seed: 4) + flicker),
    ])
    #expect(dataset.duplicates.isEmpty, "\(dataset.duplicates.overlaps)")
  }

  @Test("a still part within a shared stretch does not hide it")
  func stillWithin() {
    let excerpt = Array(long[0..<60] + Array(repeating: long[60], count: 200) + long[61..<120])
    let pair = dataset([("a", "x", excerpt + other), ("b", "x", Array(long[200..<300]) + excerpt)])
    #expect(pair.duplicates.overlaps.count == 1)
    #expect(abs((pair.duplicates.overlaps.first?.seconds ?? 0) - Double(excerpt.count) / 50) <= 0.5)
  }
}
