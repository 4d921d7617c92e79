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
  func excerpts() {
    for start in [0, 1, 13, 200] {
      let excerpt = other[0..<40] + long[start..<start + 500] + other[40..<60]
      let dataset = dataset([("b", "x", Array(excerpt)), ("a", "x", long), ("c", "x", other)])
      let overlaps = dataset.duplicates.overlaps
      #expect(overlaps.map(\.paths) == [["a", "b"]], "start \(start)")
      #expect(abs((overlaps.first?.seconds ?? 0) - 10) <= 0.08)
      for (found, planted) in zip(overlaps.first?.starts ?? [], [Double(start) / 50, 0.8]) {
        #expect(abs(found - planted) <= 0.08, "start \(start)")
      }
      #expect(dataset.splitGroups == ["a": "a", "b": "a", "c": "c"])
      #expect(dataset.duplicates.copies.isEmpty && dataset.duplicates.contradictions.isEmpty)
      #expect(dataset.warnings.count == 1 && dataset.warnings[0].hasPrefix("1 pair of recordings overlap"))
    }
  }

  @Test("a stretch counts if it lasts at least one second")
  func oneSecond() {
    for count in [40, 50, 51] {
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
    #expect(abs((overlaps.first?.seconds ?? 0) - 6) <= 0.12)
    for (found, planted) in zip(overlaps.first?.starts ?? [], [2, 2.6]) { #expect(abs(found - planted) <= 0.08) }
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
    #expect(abs((pair.duplicates.overlaps.first?.seconds ?? 0) - Double(excerpt.count) / 50) <= 0.08)
  }

  @Test("shared stretches agree with those found by comparing every row with every other")
  func naiveTwin() {
    var generator = SplitMix64(seed: 8)
    for round in 0..<60 {
      var (left, right) = (SampleRecordings.rows(160, seed: UInt64(round) * 2 + 50), [[Float]]())
      while right.count < 160 {
        let start = Int.random(in: 0..<150, using: &generator)
        right += left[start..<min(160, start + Int.random(in: 1...90, using: &generator))]
        right += SampleRecordings.rows(
          Int.random(in: 1...9, using: &generator), seed: UInt64(right.count + round * 999))
      }
      if round.isMultiple(of: 3) { swap(&left, &right) }
      let found = dataset([("a", "x", left), ("b", "x", right)]).duplicates
      let longest = Self.longestShared(left, right)
      // A row next to a stretch may agree by chance.
      #expect(found.isEmpty || longest >= 47, "round \(round): \(longest) rows")
      #expect(!found.isEmpty || longest < 50, "round \(round): \(longest) rows")
    }
  }

  /// The number of rows of the longest shared stretch.
  private static func longestShared(_ left: [[Float]], _ right: [[Float]]) -> Int {
    var longest = 0
    for a in left.indices {
      for b in right.indices {
        var count = 0
        while a + count < left.count, b + count < right.count, left[a + count] == right[b + count] { count += 1 }
        longest = max(longest, count)
      }
    }
    return longest
  }

  @Test("of every sixteen successive hashes one is an anchor, independent of the rows around")
  func anchors() {
    let hashes = long.map { row in row.reduce(UInt64(1)) { UInt64.stirred($0 &* 31 &+ UInt64($1.bitPattern)) } }
    let whole = RowAnchor.anchors(of: hashes)
    #expect(zip(whole, whole.dropFirst()).allSatisfy { (1...RowAnchor.window).contains($1.row - $0.row) })
    #expect((60...140).contains(whole.count), "about one row in eight: \(whole.count)")
    for start in 0..<40 {
      let part = RowAnchor.anchors(of: Array(hashes[start..<start + RowAnchor.guaranteed]))
      #expect(part.count == 1)
      #expect(part.allSatisfy { anchor in whole.contains { $0.row == anchor.row + start && $0.hash == anchor.hash } })
    }
    for count in 0..<RowAnchor.guaranteed { #expect(RowAnchor.anchors(of: Array(hashes[..<count])).isEmpty) }
  }
}
