import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

@testable import GaitTraining

/// Folders and collections of files that are inspected, converted and read, with their errors and warnings. They are
/// compared with what was recorded.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct FolderAnswersTests {
  private typealias Case = (name: String, figures: RecordedAnswers.Figures)

  @Test func `Inspections, conversions, datasets and collections are as recorded`() throws {
    let folder = try Self.folder()
    let cases =
      try [Self.inspectionCase(folder), Self.conversionCase(folder)] + Self.datasetCases(folder)
      + Self.collectionCases() + [Self.errorCase()]
    try RecordedAnswers("training_folder_answers.tsv").expect(cases)
  }

  /// A text without the temporary folder's path, in one line.
  private static func text(_ text: String, _ folder: TemporaryDirectory) -> String {
    text.replacing(folder.url.path, with: "FOLDER").replacing("\n", with: " / ").replacing("\t", with: " ")
  }

  private static func rows(_ count: Int, start: Double = 5, labels: [String] = [], missing: Int? = nil) -> String {
    let header = "time (s),accX(g),accY(g),accZ(g)" + (labels.isEmpty ? "" : ",activity")
    let lines = (0..<count).map { row -> String in
      let x = row == missing ? "" : "\(Double(row * row % 17) / 64 + start / 1024)"
      let label = labels.isEmpty ? "" : "," + labels[row * labels.count / count]
      return "\(start + Double(row) / 50),\(x),0.125,\(1 + Double(row * 7 % 11) / 32)\(label)"
    }
    return ([header] + lines).joined(separator: "\n") + "\n"
  }

  private static func folder() throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    try folder.write(rows(120), to: "in/walk/1.csv")
    try folder.write(rows(150, start: 9), to: "in/walk/2.CSV")
    try folder.write(rows(90, start: 20, missing: 40), to: "in/run/1.csv")
    try folder.write(rows(90, start: 30), to: "in/run/1.txt")
    try folder.write(
      rows(60, start: 40).replacing("time (s)", with: "t").replacing("\n40", with: "\n"), to: "in/odd/a.csv")
    try folder.write("no table\n", to: "in/odd/b.csv")
    try folder.write("notes", to: "in/odd/README")
    try folder.write("seconds,latitude,longitude\n0,50,8\n1,50.0001,8\n", to: "in/odd/gps.csv")
    try folder.write("start,end,label\n0,1,walk\n", to: "in/walk/1.labels.csv")
    try folder.write("start,end,label\n", to: "in/walk/2.labels.csv")
    return folder
  }

  private static func inspectionCase(_ folder: TemporaryDirectory) throws -> Case {
    var figures = RecordedAnswers.Figures()
    let inspection = try FolderInspection(directory: folder.file("in"), ReadingOptions(sampleRate: .hertz(50)))
    figures.add(
      "kinds",
      inspection.kinds.map {
        "\($0.format) \($0.sampleRate ?? -1) \($0.recordings) \($0.rows) \($0.seconds ?? -1)"
      }.joined(separator: ", "))
    figures.add("findings", text(inspection.findings.map { "\($0.what): \($0.files)" }.joined(separator: ", "), folder))
    figures.add("usable", inspection.usable.map { "\($0.file): \($0.holds)" }.joined(separator: ", "))
    figures.add(
      "unreadable", text(inspection.unreadable.map { "\($0.file): \($0.reason)" }.joined(separator: ", "), folder))
    figures.add("other", "\(inspection.ignoredFiles) \(inspection.warnings) \(inspection.recordings.count)")
    figures.add("folder", text(inspection.folder, folder))
    let untimed = try FolderInspection(directory: folder.file("in"))
    figures.add(
      "untimed kinds",
      untimed.kinds.map {
        "\($0.format) \($0.sampleRate ?? -1) \($0.recordings) \($0.rows) \($0.seconds ?? -1)"
      }.joined(separator: ", "))
    return ("inspection", figures)
  }

  private static func conversionCase(_ folder: TemporaryDirectory) throws -> Case {
    var figures = RecordedAnswers.Figures()
    for (name, options, intervals) in [
      ("timed", ReadingOptions(sampleRate: .hertz(50)), "labels.csv"), ("plain", ReadingOptions(), nil),
      ("all", ReadingOptions(sampleRate: .hertz(50)), nil),
    ] as [(String, ReadingOptions, String?)] {
      let conversion = FolderConversion(directory: folder.file("in"), options: options, intervals: intervals)
      let files = try conversion.files()
      figures.add("\(name) files", "\(files.paths) \(files.warnings)")
      let target = folder.file("out \(name)")
      try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
      do {
        let summary = try conversion.write(files.paths, to: target)
        figures.add("\(name) written", "\(summary.recordings) \(summary.rows)")
        let unreadable = summary.unreadable.map { "\($0.file): \($0.reason)" }.joined(separator: ", ")
        figures.add("\(name) unreadable", text(unreadable, folder))
      } catch {
        figures.add("\(name) error", text("\(error)", folder))
      }
      let written = try FileManager.default.subpathsOfDirectory(atPath: target.path).sorted()
      figures.add("\(name) result", written.joined(separator: ", "))
      for file in written where file.hasSuffix(".csv") && name == "timed" {
        let bytes = try Data(contentsOf: target.appending(path: file))
        figures.add("\(name) \(file)", String(decoding: bytes.prefix(100), as: UTF8.self).replacing("\n", with: " / "))
      }
    }
    let paths = ["a.csv", "b.txt", "b.csv", "c.json.gz", "C.CSV", "d.tar", "e/a.csv", "f.csv.GZ", "g", "h.i/j"]
    figures.add("names", FolderConversion.names(of: paths).joined(separator: ", "))
    for name in ["in/odd/README", "none", "in/odd"] {
      do throws(DatasetError) {
        figures.add("files of \(name)", "\(try FolderConversion(directory: folder.file(name)).files().paths)")
      } catch { figures.add("files of \(name)", text(error.description, folder)) }
    }
    return ("conversion", figures)
  }

  // MARK: Datasets

  private static func add(
    _ name: String, _ folder: TemporaryDirectory, to figures: inout RecordedAnswers.Figures,
    _ dataset: () throws(DatasetError) -> LabeledDataset
  ) {
    do throws(DatasetError) {
      let dataset = try dataset()
      let rows = dataset.recordings.map {
        let fields = $0.fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        return "\($0.path): \($0.label), \($0.group), \($0.recording.count) rows, \(fields)"
      }
      figures.add("\(name) recordings", text(rows.joined(separator: "; "), folder))
      figures.add("\(name) warnings", text(dataset.warnings.joined(separator: " / "), folder))
      figures.add("\(name) counts", "\(dataset.ignoredFileCount) \(dataset.unlabelledSeconds) \(dataset.groups)")
    } catch { figures.add("\(name) error", text(error.description, folder)) }
  }

  private static func datasetCases(_ folder: TemporaryDirectory) throws -> [Case] {
    try folder.write(rows(100, start: 70, labels: ["a", "", "b"]), to: "more/a/7.csv")
    try folder.write(rows(80, start: 80, labels: ["a"]), to: "more/b/8.csv")
    var figures = RecordedAnswers.Figures()
    let options = ReadingOptions(sampleRate: .hertz(50))
    var columned = options
    columned.labelColumn = "activity"
    let (first, second) = (folder.file("in"), folder.file("more"))
    for (name, layout, options, intervals) in [
      ("label", "{label}/{subject}.csv", options, nil), ("intervals", "{place}/{subject}.csv", options, "labels.csv"),
      ("column", "{place}/{subject}.csv", columned, nil), ("both", "{label}/{subject}.csv", columned, nil),
      ("neither", "{place}/{subject}.csv", options, nil),
      ("label and intervals", "{label}/{subject}.csv", options, "labels.csv"),
      ("no match", "{label}/{place}/{subject}.csv", options, nil),
    ] as [(String, String, ReadingOptions, String?)] {
      let layout = try PathLayout(layout)
      for (place, directory) in [("in", first), ("more", second)] {
        add("\(name) of \(place)", folder, to: &figures) { () throws(DatasetError) in
          try LabeledDataset(
            directory: directory, layout: layout, options: options,
            except: layout.fieldNames.contains("label") ? [RecordingFilter(field: "label", values: ["odd"])] : [],
            intervals: intervals)
        }
      }
      let folders = [first, second, second].map { RecordingFolder(directory: $0, layout: layout, options: options) }
      for count in [1, 2, 3] {
        for filter in [
          RecordingFilter(field: "subject", values: ["7"]), RecordingFilter(field: "subject", values: ["1", "8"]),
        ] {
          add("\(name) of \(count) folders, \(filter)", folder, to: &figures) { () throws(DatasetError) in
            try LabeledDataset(folders: Array(folders.prefix(count)), only: [filter], intervals: intervals)
          }
        }
        let other = RecordingFilter(field: "subject", values: ["2", "7", "8"])
        add("\(name) of \(count) folders, all", folder, to: &figures) { () throws(DatasetError) in
          try LabeledDataset(folders: Array(folders.prefix(count)), except: [other], intervals: intervals)
        }
      }
    }
    return [("datasets", figures)]
  }

  // MARK: Collections

  private static func collectionCases() throws -> [Case] {
    let folder = try TemporaryDirectory()
    for (file, start) in [
      ("1/walk/1.csv", 1.0), ("1/walk/2.csv", 2), ("1/walk/4.csv", 3), ("2/run/1.csv", 4), ("2/hop/1.csv", 5),
    ] {
      let lines = rows(130, start: start).split(separator: "\n").dropFirst().map { line in
        let cells = line.split(separator: ",")
        return [cells[1], cells[2], cells[3], cells[3], cells[1], cells[2]].joined(separator: ",")
      }
      try folder.write(lines.joined(separator: "\n") + "\n", to: "one/\(file)")
    }
    try folder.write(rows(200, labels: ["", "walk", "stand"]), to: "two/3.csv")
    try folder.write(rows(100, start: 50, labels: ["walk", "x"]), to: "two/4.csv")
    let columns = #"["acc_x (g)", "acc_y (g)", "acc_z (g)"]"#
    let texts = [
      "one":
        #"{"name": "one", "folder": "one", "layout": "{subject}/{label}/{segment}.csv", "rate": 50, "columns": \#(columns), "places": [{"name": "leg", "firstColumn": 1}, {"name": "arm", "firstColumn": 4}], "labels": {"walk": "walking", "run": "running"}, "licence": "L"}"#,
      "two":
        #"{"name": "two", "folder": "two", "layout": "{subject}.csv", "labelColumn": "activity", "rate": 50, "labels": {"walk": "walking", "stand": "still"}, "moving": {"walk": 0.08}, "people": "one", "attribution": "A"}"#,
      "three": #"{"name": "three", "folder": "two", "layout": "{subject}.csv", "labelColumn": "activity", "rate": 50}"#,
    ]
    func collection(_ names: [String]) throws -> RecordingCollection {
      let sets = names.map { texts[$0] ?? $0 }.joined(separator: ", ")
      return try RecordingCollection(
        contentsOf: folder.write(#"{"format": "gait.collection", "version": 1, "sets": [\#(sets)]}"#, to: "sets.json"))
    }
    var figures = RecordedAnswers.Figures()
    let reads: [(String, [String], only: [RecordingFilter], except: [RecordingFilter])] = [
      ("one", ["one"], [], []), ("two", ["two"], [], []), ("three", ["three"], [], []),
      ("all", ["one", "two", "three"], [], []),
      ("an arm", ["one", "two"], [RecordingFilter(field: "place", values: ["arm"])], []),
      ("no set", ["one", "two"], [], [RecordingFilter(field: "set", values: ["one", "two"])]),
      ("a label", ["one", "two"], [RecordingFilter(field: "label", values: ["stand", "walk"])], []),
      ("no label", ["one"], [RecordingFilter(field: "label", values: ["stand"])], []),
      ("an unknown value", ["one"], [], [RecordingFilter(field: "subject", values: ["1", "77"])]),
      ("an unknown field", ["one"], [RecordingFilter(field: "day", values: ["1"])], []),
    ]
    for (name, sets, only, except) in reads {
      let collection = try collection(sets)
      do throws(CollectionError) {
        let collected = try collection.read(only: only, except: except)
        let rows = collected.dataset.recordings.map {
          let fields = $0.fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
          return
            "\($0.path): \($0.label), \($0.group), \($0.recording.count) from \($0.recording.start.seconds), \(fields)"
        }
        figures.add("\(name) recordings", rows.joined(separator: "; "))
        for (index, set) in collected.sets.enumerated() {
          figures.add("\(name) set \(index)", "\(set.name) \(set.leftOut) \(set.credit ?? "none")")
          for place in set.places { try? figures.add("\(name) set \(index) \(place.name)", json: place) }
        }
        let dataset = collected.dataset
        figures.add(
          "\(name) dataset",
          "\(dataset.name) \(dataset.attributions ?? []) \(dataset.unlabelledSeconds) \(dataset.ignoredFileCount)")
      } catch { figures.add("\(name) error", text(error.description, folder)) }
    }
    let wrong = [
      #"{"name": "a", "layout": "{label}.csv", "moving": {"a": 0}}"#,
      #"{"name": "a", "layout": "{label}.csv", "moving": {"a": -1}}"#,
      #"{"name": "a", "layout": "{label}.csv", "place": "x", "places": [{"name": "b"}]}"#,
      #"{"name": "a", "layout": "{label}.csv", "labelColumn": "b"}"#, #"{"name": "a", "layout": "{label"}"#,
      #"{"name": "a", "layout": "{label}.csv", "columns": ["x"], "places": [{"name": "b", "firstColumn": 0}]}"#,
      #"{"name": "a", "layout": "{label}.csv", "columns": ["x"], "places": [{"name": "b", "firstColumn": 10001}]}"#,
      #"{"name": "a", "layout": "{label}.csv", "columns": ["x"], "places": [{"name": "b", "firstColumn": 10000}]}"#,
      #"{"name": "a", "layout": "{label}.csv", "columns": ["x"], "places": [{"name": "b", "firstColumn": 1}], "timeUnit": "h"}"#,
      #"{"name": 1}"#, #"{"name": "a", "layout": "{label}.csv", "sensors": [{"layout": "x", "colums": []}]}"#,
      #"{"name": "a", "layout": "{label}.csv", "sensors": {}}"#, "",
      #"{"name": "a", "layout": "{label}.csv"}, {"name": "a", "layout": "{label}.csv"}"#,
      #"{"name": "a", "layout": "{label}.csv", "labels": {"a": 1}}"#,
      #"{"name": "a", "layout": "{label}.csv", "folder": "nowhere"}"#,
    ]
    for (index, set) in wrong.enumerated() {
      do throws(CollectionError) {
        let collection: RecordingCollection
        do { collection = try Self.collection(of: set, in: folder) }
        figures.add("form \(index)", "\(collection.sets.map { "\($0.name) \($0.places.map(\.name)) \($0.people)" })")
        _ = try collection.read()
      } catch { figures.add("wrong \(index)", text(error.description, folder)) }
    }
    for (index, text) in [
      #"{"format": "other", "version": 1, "sets": []}"#, #"{"format": "gait.collection", "version": 2, "sets": []}"#,
      #"{"format": "gait.collection", "version": 0, "sets": []}"#, #"{"version": 1, "sets": []}"#,
      #"{"format": "gait.collection", "version": 1}"#,
      #"{"format": "gait.collection", "version": 1, "sets": [], "x": 1}"#, #"{"format": 1}"#, "[1]", "{", "",
    ].enumerated() {
      let url = try folder.write(text, to: "form.json")
      do throws(CollectionError) { _ = try RecordingCollection(contentsOf: url) } catch {
        figures.add("file \(index)", Self.text(error.localizedDescription, folder))
      }
    }
    do throws(CollectionError) { _ = try RecordingCollection(contentsOf: folder.file("none.json")) } catch {
      figures.add("no file", text(error.description, folder))
    }
    return [("collections", figures)]
  }

  private static func collection(
    of sets: String, in folder: TemporaryDirectory
  ) throws(CollectionError) -> RecordingCollection {
    let text = #"{"format": "gait.collection", "version": 1, "sets": [\#(sets)]}"#
    guard let url = try? folder.write(text, to: "wrong.json") else { throw .unreadable(file: "wrong.json") }
    return try RecordingCollection(contentsOf: url)
  }

  // MARK: Errors

  private static func errorCase() -> Case {
    let errors: [any LocalizedError] = [
      DatasetError.noLabelSource(layout: "l"), DatasetError.twoLabelSources(layout: "l", labelColumn: "c"),
      DatasetError.intervalsBesideLabels(intervals: "i", other: "o"), DatasetError.missingFolder("f"),
      DatasetError.notAFolder("f"), DatasetError.unreadableFolder("f", reason: "r"),
      DatasetError.sharedFile("f", folders: ["a", "b"]),
      DatasetError.noMatchingRecording(folder: "f", layout: "l", example: "e"),
      DatasetError.noMatchingRecording(folder: "f", layout: "l", example: nil),
      DatasetError.unknownLabels(["runing"], found: ["running", "b"]),
      DatasetError.unknownField(filter: "a=b", field: "subjct", found: ["subject"]),
      DatasetError.unknownValue(filter: "a=b", value: "b", found: (1...30).map { "\($0)" }),
      DatasetError.nothingSelected(folder: "f", filters: (1...14).map { "\($0)" }),
      DatasetError.noLabelledRows(folder: "f", source: "s"), DatasetError.tooFewLabels(["a"]),
      DatasetError.tooFewLabels([]),
      DatasetError.duplicates((1...13).map { "\($0)" }), CollectionError.unreadable(file: "f"),
      CollectionError.malformed(file: "f", reason: "r"), CollectionError.set("s", .missingFolder("f")),
      CollectionError.unknownFilter("a=b", found: (1...26).map { "\($0)" }), FittingError.noRows,
      FittingError.onlyOneLabel(3),
      FittingError.notFinite(row: 4, column: 5), FittingError.noStep(iteration: 6), FittingError.coefficientsOverflow,
      FittingError.rejectionNeedsScaling, FoldsError.tooFewUnits(groups: []), FoldsError.tooFewUnits(groups: ["a"]),
      FoldsError.tooFewUnits(groups: ["a", "b"]), FoldsError.labelOnlyInTest("l", groups: ["a"]),
      FoldsError.nothingHeldOut(RecordingFilter(field: "a", values: ["b"]), found: ["c"]),
      EvaluationError.noWindows(seconds: 2.5),
      EvaluationError.unknownLabels(["other"], known: ["a"]),
      EvaluationError.unknownLabels(["b", "c"], known: ["a", "b2"]),
      EvaluationError.recording("p", .noFeatures), TrainingError.noWindows(seconds: 3),
      TrainingError.noWindowsOfLabel("l", seconds: 3), TrainingError.tooFewWindows("l", count: 1, seconds: 2.56),
      TrainingError.tooFewWindows("l", count: 2, seconds: 2.56), TrainingError.unknownLabel("l", found: ["a"]),
      TrainingError.cannotAdapt("r"), TrainingError.fitting(.noRows), TrainingError.features(.noFeatures),
      TrainingError.folds(.tooFewUnits(groups: ["a"])), TrainingError.model(.noFeatures),
      TrainingError.tooSlow(recording: "r", source: .hertz(5), slowest: .hertz(12)),
      TrainingError.missingChannels(recording: "r", channels: [.gravityX]), LabelMapError.malformed("a"),
      LabelMapError.twoTargets("a", "b", "c"), LabelMeaningError.malformed("a"),
      LabelMeaningError.unknownActivity("a", "b"),
      LabelMeaningError.twoMeanings("a"), LabelMeaningError.noSuchLabel("a", found: ["b", "c"]),
      ComposingError.noGroupRunsAndStops(stops: ["still", "walking"]), RecordingFilterError.malformed("a"),
    ]
    var figures = RecordedAnswers.Figures()
    for (index, error) in errors.enumerated() {
      figures.add("error \(index)", (error.errorDescription ?? "none") + " | " + "\(error)")
    }
    let batch: [BatchError] = [
      .outputInside(folder: "f", input: "i"), .noRecordings(paths: ["a", "b"]), .sameOutput("a", "b"),
      .cannotReplace(file: "f", reason: "r"), .isLocked(folder: "f"),
    ]
    for (index, error) in batch.enumerated() { figures.add("batch error \(index)", error.description) }
    for (index, finding) in DatasetReader.IntervalsFinding.allCases.enumerated() {
      figures.add("intervals \(index)", finding.warning(["a"]) + " / " + finding.warning(["a", "b"]))
    }
    let leak = Leak(path: "t", sources: ["a", "b"])
    figures.add("leaks", "\(leak) \(Leak(path: "t", sources: []))")
    return ("errors", figures)
  }
}
