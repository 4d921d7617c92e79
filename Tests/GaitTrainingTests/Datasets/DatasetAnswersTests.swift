import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

@testable import GaitTraining

/// Anchors, shared stretches, fingerprints, reviews of labels and rates, and datasets that are cut and joined, compared
/// with what was recorded.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct DatasetAnswersTests {
  private typealias Case = (name: String, figures: RecordedAnswers.Figures)

  @Test func `Anchors, copies, reviews and datasets are as recorded`() throws {
    let cases =
      try Self.anchorCases() + Self.sharedCases() + Self.reviewCases() + Self.rateCases() + Self.datasetCases()
      + Self.inspectionCases()
    try RecordedAnswers("dataset_answers.tsv").expect(cases)
  }

  // MARK: Anchors

  private static func row(_ x: Float, _ y: Float, _ z: Float, gravity: Float = -1) -> SIMD16<Float> {
    MotionSample(
      time: .seconds(0), gravity: SIMD3(0, 0, gravity), rotationRate: .zero, userAcceleration: SIMD3(x, y, z)
    ).row
  }

  /// A random walk whose steps are `step` cells in some axes.
  private static func walk(_ count: Int, step: Float, axes: Int, seed: UInt64) -> [SIMD16<Float>] {
    var random = SplitMix64(seed: seed)
    var place = SIMD3<Float>.zero
    return (0..<count).map { _ in
      for axis in 0..<axes { place[axis] += (Bool.random(using: &random) ? step : -step) / 4096 }
      return row(place.x, place.y, place.z)
    }
  }

  private static func noise(_ count: Int, size: Float = 0.05, seed: UInt64) -> [SIMD16<Float>] {
    let values = AnswerInputs.uniform(3 * count, seed: seed)
    return (0..<count).map { row(values[3 * $0] * size, values[3 * $0 + 1] * size, values[3 * $0 + 2] * size) }
  }

  private static func anchorCases() -> [Case] {
    var missing = noise(300, seed: 2)
    for row in [50, 51, 120] { missing[row] = Self.row(.nan, 0, 0) }
    let noGravity = noise(300, seed: 3).map { _ in Self.row(0, 0, 0, gravity: .nan) }
    let linear = noise(300, seed: 4).map { Self.row($0.highHalf.highHalf.x, 0.01, 0, gravity: .nan) }
    let inputs: [(String, [SIMD16<Float>])] = [
      ("none", []), ("three rows", noise(3, seed: 1)), ("four rows", noise(4, seed: 1)), ("noise", noise(900, seed: 1)),
      ("missing", missing), ("constant", noise(300, size: 0, seed: 1)), ("no gravity", noGravity), ("linear", linear),
      // Three changes of 3 cells in two axes have exactly 12 bits, of 2 cells fewer.
      ("12 bits", walk(800, step: 3, axes: 2, seed: 5)), ("fewer bits", walk(800, step: 2, axes: 2, seed: 6)),
      ("one axis", walk(800, step: 15, axes: 1, seed: 7)), ("14.3 bits", walk(800, step: 2, axes: 3, seed: 8)),
      ("strong", noise(300, size: 8, seed: 9)),
    ]
    return inputs.flatMap { name, rows in
      [4.0, 8, 16, 50, 100].map { hertz in
        let anchors = Anchor.anchors(of: rows, sampleRate: .hertz(hertz))
        var figures = RecordedAnswers.Figures()
        figures.add("count", anchors.count)
        figures.add("rows", bytes: Array("\(anchors.map(\.row))".utf8))
        figures.add("hashes", bytes: Array("\(anchors.map(\.hash))".utf8))
        figures.add("bits", anchors.reduce(0) { $0 + Double($1.bits) })
        figures.add(
          "stability", anchors.enumerated().reduce(0) { $0 + Double($1.element.stability) * Double($1.offset % 9) })
        let content = Duplicates.Content(path: "a", labels: [], sampleRate: .hertz(hertz), rows: rows)
        let fingerprint = RecordingFingerprint(of: [content])
        figures.add("fingerprint", "\(fingerprint.text) \(fingerprint.matches(content)) \(content.seconds)")
        return ("anchors of \(name) at \(hertz) Hz", figures)
      }
    }
  }

  @Test func `A fingerprint has a hash for every four seconds, two at least, and fewer of many recordings`() {
    let counts = RecordingFingerprint.counts(forSeconds: [0, 1, 8, 8.1, 12, 12.5])
    #expect(counts == [2, 2, 2, 3, 3, 4])
    #expect(RecordingFingerprint.counts(forSeconds: [4 * 8192]) == [8192])
    #expect(RecordingFingerprint.counts(forSeconds: [4 * 8192 + 1]) == [4097])
    #expect(RecordingFingerprint.counts(forSeconds: [Double](repeating: 9, count: 4096)).allSatisfy { $0 == 2 })
    #expect(RecordingFingerprint.counts(forSeconds: [Double](repeating: 1, count: 5000)).allSatisfy { $0 == 2 })
    let text = "2:AAAAAAABAAAAAAEAAQ=="
    let parsed = RecordingFingerprint(text: text)
    #expect(parsed.hashes == [1, 256])
    #expect(RecordingFingerprint(text: parsed.text) == parsed)
    #expect(RecordingFingerprint(text: "2:").hashes.isEmpty)
    #expect(RecordingFingerprint(text: "2:AAAA").hashes.isEmpty)
  }

  @Test func `Sets are merged, and the smallest member names them`() {
    var sets = DisjointSets(count: 7)
    for (left, right) in [(6, 5), (5, 4), (3, 1), (4, 6), (2, 2)] { sets.unite(left, right) }
    #expect(sets.sets == [[0], [1, 3], [2], [4, 5, 6]])
    #expect((0..<7).map { sets.first(of: $0) } == [0, 1, 2, 1, 4, 4, 4])
    sets.unite(6, 3)
    #expect(sets.first(of: 5) == 1)
    #expect(DisjointSets(count: 0).sets.isEmpty)
  }

  private static func sharedCases() -> [Case] {
    let long = noise(1200, seed: 20)
    let other = noise(700, seed: 21)
    func without(_ step: Int) -> [SIMD16<Float>] { long.enumerated().filter { $0.offset % step > 0 }.map(\.element) }
    func inside(_ part: ArraySlice<SIMD16<Float>>) -> [SIMD16<Float>] { Array(other[..<200] + part + other[200...]) }
    var inputs: [(String, [[SIMD16<Float>]])] = [
      ("a gap of 4 s", [long, Array(long[..<400] + noise(200, seed: 22) + long[600...])]),
      ("a gap of 6 s", [long, Array(long[..<300] + noise(300, seed: 23) + long[600...])]),
      ("reversed parts", [long, Array(long[600...] + long[..<600])]),
      ("repeated", [long, Array(long[..<400] + long[..<400])]), ("moved", [inside(long[..<0]), inside(long[10..<90])]),
      ("many", (0..<12).map { Array(long[10 * $0..<900 + 10 * $0]) }), ("90 %", [long, Array(long[..<1080])]),
      ("95 %", [long, Array(long[..<1140])]), ("85 %", [long, Array(long[..<1020])]),
      ("identical", [long, long, Array(long[..<1100])]), ("two rows", [Array(long[..<2]), Array(long[..<2])]),
      ("one row", [Array(long[..<1]), Array(long[..<1])]),
    ]
    for step in [4, 6, 7, 8, 9, 10, 12, 20] { inputs.append(("without every \(step)th row", [long, without(step)])) }
    for count in [19, 20, 21, 30, 49, 50, 51, 60, 100] {
      inputs.append(("\(count) rows", [long, inside(long[500..<500 + count])]))
    }
    for extra in [1, 2, 3, 4, 8] {
      let mixed = Array(long[..<300] + other[..<extra] + long[300...])
      inputs.append(("\(extra) more rows", [long, mixed]))
    }
    return inputs.flatMap { name, recordings in
      [10.0, 50].map { hertz in
        let contents = recordings.enumerated().map { index, rows in
          Duplicates.Content(
            path: "r\(index)", labels: index % 2 == 0 ? ["x"] : ["y"], sampleRate: .hertz(hertz), rows: rows)
        }
        var figures = RecordedAnswers.Figures()
        for pair in SharedStretches.pairs(among: contents, at: Array(contents.indices)) {
          let stretches = pair.stretches.map { "\($0.first) \($0.second) \($0.anchorCount)" }.joined(separator: ", ")
          figures.add("\(pair.first) and \(pair.second)", stretches)
          figures.add(
            "\(pair.first) with \(pair.second)",
            "\(pair.rowCount) \(pair.longest.anchorCount) \(pair.isCopy(among: contents))")
        }
        let duplicates = Duplicates(among: contents)
        figures.add("copies", "\(duplicates.copies) \(duplicates.redundantCount) \(duplicates.isEmpty)")
        figures.add("overlaps", duplicates.overlaps.map(\.description).joined(separator: ", "))
        figures.add(
          "contradictions", duplicates.contradictions.map { "\($0.paths) \($0.labels)" }.joined(separator: ", "))
        let units = duplicates.units(of: contents.map { ($0.path, "group of \($0.path)") })
        figures.add("units", units.keys.sorted().map { units[$0]! }.joined(separator: ", "))
        let others = RecordingFingerprint(of: [contents[0]])
        figures.add("matches", contents.map { others.matches($0) }.spaced)
        return ("shared: \(name) at \(hertz) Hz", figures)
      }
    }
  }

  // MARK: Reviews

  /// A vertical oscillation at 50 Hz, stated to be at another rate.
  private static func labeled(
    _ label: String, _ frequency: Double, _ strength: Float, count: Int, rate: Double = 50, number: Int = 0,
    person: Int? = nil
  ) -> LabeledRecording {
    var random = SplitMix64(seed: UInt64(number + count))
    let name = "\(label) \(frequency) \(strength) \(count) \(rate) \(number)"
    let rows = (0..<count).map { index in
      let angle = 2 * Double.pi * frequency * Double(index) / 50 + Double(number)
      let noise = Float.random(in: -0.01...0.01, using: &random)
      return row(noise, 0, strength * Float(PortableMath.sine(angle)) + noise)
    }
    let recording = Recording(
      name: name, sampleRate: .hertz(rate), channels: Set(Channel.allCases).subtracting(Sensor.attitude.channels),
      rows: rows)
    return LabeledRecording(
      recording: recording, label: label, path: name, fields: person.map { ["subject": "\($0)"] } ?? [:])
  }

  private static func reviewCases() throws -> [Case] {
    let recordings = [
      labeled("running", 2.8, 1.6, count: 600), labeled("running", 1.8, 0.5, count: 600),
      labeled("running", 2.4, 1.05, count: 600), labeled("running", 2.4, 1.1, count: 600),
      labeled("running", 2.2, 1.6, count: 600), labeled("still", 1, 0, count: 600),
      labeled("still", 2.7, 1.5, count: 500), labeled("still", 1, 0, count: 60),
      labeled("dancing", 1.7, 0.4, count: 600),
      labeled("resting", 1.7, 0.4, count: 500), labeled("resting", 2.8, 1.6, count: 500, number: 1),
      labeled("strolling", 2.9, 1.7, count: 500), labeled("strolling", 1.7, 0.4, count: 500, number: 3),
      labeled("cycling", 1.5, 0.1, count: 60), labeled("moving", 2.8, 1.7, count: 500, number: 4),
    ]
    return try [["resting": .still], ["resting": .still, "strolling": .walking, "moving": .other]].enumerated().map {
      (number: Int, meanings: [String: Activity]) in
      let review = LabelReview(of: LabeledDataset(recordings), meanings: meanings)
      var figures = RecordedAnswers.Figures()
      for summary in review.summaries { try figures.add("label \(summary.label)", json: summary) }
      for (index, suspect) in review.suspectLabels.enumerated() {
        figures.add("suspect \(index)", "\(suspect.path) \(suspect.proposal) \(suspect.expected) \(suspect.reason)")
        try figures.add("suspect \(index) parts", json: suspect)
      }
      figures.add("table", String(decoding: review.relabelling, as: UTF8.self).replacing("\n", with: " / "))
      return ("review \(number)", figures)
    }
  }

  private static func rateCases() -> [Case] {
    // The number of recordings with a wrong and with the right rate, and the stated rate.
    let inputs: [(wrong: Int, right: Int, rate: Double, count: Int)] = [
      (3, 0, 100, 256), (4, 0, 100, 256), (4, 0, 25, 256), (3, 2, 100, 256), (7, 3, 100, 128), (6, 4, 100, 128),
      (4, 0, 200, 255), (4, 0, 500, 256), (5, 0, 10, 256), (4, 0, 5, 128), (4, 0, 50, 256), (4, 0, 12.5, 256),
      (4, 0, 250, 127), (4, 0, 1000, 256), (4, 0, 100, 520), (4, 0, 100, 1100),
    ]
    return inputs.map { wrong, right, rate, count in
      // A right recording at this rate has the steps of its rate, a wrong one those of 50 Hz.
      let recordings =
        (0..<wrong).map {
          labeled($0 % 3 == 2 ? "walking" : "running", $0 % 3 == 2 ? 1.9 : 2.6, 1, count: count, rate: rate, number: $0)
        }
        + (0..<right).map { labeled("running", 2.6 * 50 / rate, 1, count: count, rate: rate, number: 20 + $0) }
        + [labeled("still", 0.5, 0.01, count: count, rate: rate), labeled("dancing", 2, 1, count: count, rate: rate)]
      let warnings = RateCheck(of: LabeledDataset(recordings)) { Activity(label: $0) }.warnings
      var figures = RecordedAnswers.Figures()
      figures.add("warnings", warnings.joined(separator: " / "))
      return ("\(wrong) wrong and \(right) right at \(rate) Hz, \(count) rows", figures)
    }
  }

  // MARK: Datasets

  private static func add(_ dataset: LabeledDataset, _ name: String, to figures: inout RecordedAnswers.Figures) {
    let rows = dataset.recordings.map {
      "\($0.path): \($0.label), \($0.group), \($0.recording.count) rows from \($0.recording.start.seconds) s"
    }
    figures.add("\(name) recordings", rows.joined(separator: "; "))
    figures.add("\(name) units", "\(dataset.units) \(dataset.labels) \(dataset.grouping.noun)")
    figures.add("\(name) warnings", dataset.warnings.joined(separator: " / "))
    let folds = [Folds.Scheme.leaveOneGroupOut, .groups(folds: 2), .groups(folds: 3)].map { scheme in
      do throws(FoldsError) {
        return try Folds(of: dataset, scheme: scheme).folds
          .map { "\($0.name): \($0.groups), \($0.test.spaced) of \($0.training.spaced)" }.joined(separator: "; ")
      } catch { return error.description }
    }
    figures.add("\(name) folds", folds.joined(separator: " / "))
    figures.add("\(name) scheme", "\(Folds.scheme(for: dataset)) \(Folds.count(of: dataset))")
  }

  private static func datasetCases() throws -> [Case] {
    let recordings = (1...5).flatMap { person in
      [
        labeled("running", 2.6, 1, count: 200, number: person, person: person),
        labeled("still", 1, 0.01, count: 150 + 40 * person, number: person, person: person),
      ]
    }
    var (copied, part) = (recordings[0], recordings[3])
    (copied.path, copied.group, copied.fields) = ("copy", "9", ["subject": "9"])
    part.path = "part of 2"
    part.recording = part.recording[20..<180]
    var unnamed = recordings[5]
    (unnamed.path, unnamed.group, unnamed.fields, unnamed.label) = ("unnamed", "unnamed", [:], "walking")
    let datasets: [(String, LabeledDataset)] = [
      ("plain", LabeledDataset(recordings, name: "plain")),
      ("with copies", LabeledDataset(recordings + [copied, part], name: "copies")),
      ("unknown person", LabeledDataset(recordings + [unnamed], name: "unknown")),
      ("one person", LabeledDataset(Array(recordings[..<2]), name: "one")),
      ("no people", LabeledDataset(recordings.map { LabeledRecording(recording: $0.recording, label: $0.label) })),
    ]
    var cases: [Case] = []
    for (name, dataset) in datasets {
      var figures = RecordedAnswers.Figures()
      add(dataset, "all", to: &figures)
      add(dataset.groupedByRecording, "by recording", to: &figures)
      for (count, seconds) in [(2, 0.0), (3, 0.5), (4, 1), (7, 0.61)] {
        add(dataset.cut(intoBlocks: count, apart: seconds), "\(count) blocks \(seconds) s apart", to: &figures)
      }
      add(dataset.adding(unknown: datasets[3].1), "with unknown", to: &figures)
      add(LabeledDataset(joining: [dataset, datasets[0].1]), "joined", to: &figures)
      add(dataset.keeping(labels: ["running"]), "running", to: &figures)
      figures.add("fingerprints", dataset.fingerprints)
      figures.add("leaks", dataset.leaks(from: datasets[1].1).map(\.description).joined(separator: ", "))
      figures.add("leaks by fingerprints", dataset.leaks(amongFingerprints: datasets[1].1.fingerprints).count)
      cases.append(("dataset \(name)", figures))
    }
    var figures = RecordedAnswers.Figures()
    add(LabeledDataset(joining: [datasets[0].1, datasets[3].1]), "two names", to: &figures)
    let filters: [[(String, [String])]] = [
      [("subject", ["1"])], [("subject", ["1", "3"])], [("subject", ["7"])], [("place", ["x"])],
      [("subject", ["1"]), ("subject", ["9"])], [("subject", ["1", "2", "3", "4", "5", "9"])],
    ]
    for (number, entries) in filters.enumerated() {
      let scheme = Folds.Scheme.holdOut(entries.map { RecordingFilter(field: $0.0, values: $0.1) })
      do throws(FoldsError) {
        let fold = try Folds(of: datasets[1].1, scheme: scheme).folds[0]
        figures.add("held out \(number)", "\(fold.name) \(fold.groups) \(fold.test.spaced) of \(fold.training.spaced)")
      } catch { figures.add("held out \(number)", error.description) }
    }
    return cases + [("datasets", figures)]
  }

  // MARK: Inspections

  private static func inspectionCases() throws -> [Case] {
    let folder = try TemporaryDirectory()
    return try [1, 2, 59, 60, 61, 125].map { count in
      let lines = (0..<count).map { row -> String in
        let x = row % 9 == 4 && count > 59 ? "" : "\(Double(row % 7) / 8)"
        return
          "\(10 + Double(row) / 50 + (row > 100 ? 3 : 0)),\(x),0.1,\(1 + Double(row % 3) / 4),"
          + (row % 50 < 25 ? "a" : "")
      }
      let file = try folder.write(
        (["time (s),accX(g),accY(g),accZ(g),label"] + lines).joined(separator: "\n"), to: "\(count).csv")
      var figures = RecordedAnswers.Figures()
      let inspection: RecordingInspection
      do throws(RecordingError) {
        inspection = try RecordingInspection(
          contentsOf: file, ReadingOptions(sampleRate: .hertz(50), labelColumn: "label"))
      } catch {
        figures.add("error", "yes")
        return ("inspection of \(count)", figures)
      }
      try figures.add("values", json: inspection.values)
      figures.add("peaks", (inspection.accelerationPeaks ?? []).map { "\($0.map { Double($0) } ?? -1)" }.spaced)
      try figures.add("gaps", json: inspection.gaps)
      try figures.add("missing", json: inspection.missing)
      try figures.add("labels", json: inspection.labels)
      figures.add("repairs", inspection.repairs.joined(separator: " / "))
      figures.add("rows", "\(inspection.rows) \(inspection.duration ?? -1) \(inspection.coveredDuration ?? -1)")
      figures.add("rates", "\(inspection.sampleRate ?? -1) \(inspection.measuredRate ?? -1) \(inspection.start ?? -1)")
      figures.add("source", "\(inspection.rateSource ?? "none") \(inspection.format) \(inspection.staleFirstRow)")
      return ("inspection of \(count)", figures)
    }
  }
}
