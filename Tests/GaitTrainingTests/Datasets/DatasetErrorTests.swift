import Foundation
import GaitTestSupport
import GaitTraining
import Testing

/// Invalid folders, layouts, labels and filters.
struct DatasetErrorTests {
  private func folder(_ files: [String]) throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    for (position, file) in files.enumerated() {
      try folder.write(SampleRecordings.csv(SampleRecordings.rows(5, seed: UInt64(position))), to: file)
    }
    return folder
  }

  private func error(
    _ folder: URL, layout: String = "{label}/{recording}.csv", labels: LabelMap = LabelMap(),
    only: [RecordingFilter] = [], except: [RecordingFilter] = [], labelColumn: String? = nil
  ) -> DatasetError? {
    do throws(DatasetError) {
      _ = try LabeledDataset(
        directory: folder, layout: layout, sampleRate: .hertz(50), labels: labels, only: only, except: except,
        labelColumn: labelColumn)
      return nil
    } catch {
      return error
    }
  }

  @Test("an invalid layout is an error")
  func layout() throws {
    let folder = try folder(["run/1.csv"]).url
    #expect(error(folder, layout: "{label") == .layout(.unclosedBrace("{label")))
    #expect(error(folder, layout: "{a}/{b}.csv") == .noLabelSource(layout: "{a}/{b}.csv"))
    #expect(
      error(folder, labelColumn: "activity")
        == .twoLabelSources(layout: "{label}/{recording}.csv", labelColumn: "activity"))
  }

  @Test("a missing folder, or a file in its place, is named")
  func folders() throws {
    let folder = try folder(["run/1.csv"])
    let missing = folder.file("nowhere")
    #expect(error(missing) == .missingFolder(missing.path))
    let file = folder.file("run/1.csv")
    #expect(error(file) == .notAFolder(file.path))
    #expect(error(missing)?.description == "folder \(missing.path) does not exist; check the path.")
  }

  @Test("a folder without recordings shows the layout and an example of its files")
  func noRecordings() throws {
    let folder = try folder(["a/b/run_1.csv", "a/b/README"])
    let error = error(folder.url)
    #expect(
      error
        == .noMatchingRecording(
          folder: folder.url.relativePath, layout: "{label}/{recording}.csv", example: "a/b/run_1.csv"))
    #expect(error?.description.contains("\"{label}/{recording}.csv\", for example a/b/run_1.csv") == true)
    let empty = try TemporaryDirectory()
    #expect(self.error(empty.url)?.description.contains("has no files") == true)
  }

  @Test("a label that no recording has is an error that lists the labels")
  func unknownLabels() throws {
    let folder = try folder(["run/1.csv", "sit/1.csv"])
    let error = error(folder.url, labels: ["jog": "running", "run": "running"])
    #expect(error == .unknownLabels(["jog"], found: ["run", "sit"]))
    #expect(
      error?.description
        == "the label map names \"jog\", but no recording has that label; the labels are run, sit.")
  }

  @Test("near names are suggested for misspelt labels, placeholders and values")
  func nearNames() throws {
    let folder = try folder(["running/anna.csv", "still/ben.csv"])
    let label = error(folder.url, labels: ["runing": "run"])?.description
    #expect(label?.hasSuffix("; did you mean \"running\"? The labels are running, still.") == true)
    let field = error(folder.url, only: [try RecordingFilter("recordings=anna")])?.description
    #expect(field?.hasSuffix("; did you mean \"recording\"? The placeholders are label, recording.") == true)
    let value = error(folder.url, except: [try RecordingFilter("recording=Ben")])?.description
    #expect(value?.hasSuffix("; did you mean \"ben\"? The values are anna, ben.") == true)
  }

  @Test("a filter without a match is an error that lists placeholders or values")
  func filters() throws {
    let folder = try folder(["run/1.csv", "run/2.csv", "sit/10.csv"])
    #expect(
      error(folder.url, only: [try RecordingFilter("subject=1")])
        == .unknownField(filter: "subject=1", field: "subject", found: ["label", "recording"]))
    #expect(
      error(folder.url, except: [try RecordingFilter("recording=1,3")])
        == .unknownValue(filter: "recording=1,3", value: "3", found: ["1", "2", "10"]))
    #expect(
      error(folder.url, only: [try RecordingFilter("label=run")], except: [try RecordingFilter("recording=1,2")])
        == .nothingSelected(folder: folder.url.relativePath, filters: ["only label=run", "except recording=1,2"]))
  }

  @Test("of several unreadable recordings, the first by path is named")
  func unreadableRecordings() throws {
    let folder = try folder((1...30).map { "run/\($0).csv" })
    for number in [7, 12, 29] { try folder.write("", to: "run/\(number).csv") }
    for _ in 0..<10 {
      let error = error(folder.url)
      #expect(error == .recording(.emptyFile(file: folder.file("run/7.csv").path)))
    }
  }

  @Test("a label column without labels is an error")
  func noLabels() throws {
    let folder = try TemporaryDirectory()
    let rows = SampleRecordings.rows(3, seed: 1)
    try folder.write(SampleRecordings.csv(rows, labels: ["", "", ""]), to: "1.csv")
    #expect(
      error(folder.url, layout: "{recording}.csv", labelColumn: "activity")
        == .noLabelledRows(folder: folder.url.relativePath, source: "activity"))
  }
}
