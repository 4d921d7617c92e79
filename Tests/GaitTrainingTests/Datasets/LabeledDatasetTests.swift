import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import GaitTraining
import Testing

struct LabeledDatasetTests {
  /// Three people who run and sit, and files that are not recordings.
  private func folder() throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    for (position, label) in ["jog", "sit"].enumerated() {
      for subject in [1, 2, 10] {
        let rows = SampleRecordings.rows(20, seed: UInt64(100 * position + subject))
        try folder.write(SampleRecordings.csv(rows), to: "\(label)_1/sub_\(subject).csv")
      }
    }
    try folder.write("about\n", to: "README.md")
    try folder.write("x", to: ".hidden/jog_1/sub_3.csv")
    try folder.write("x", to: "jog_1/.sub_3.csv")
    return folder
  }

  private let layout = "{label}_{trial}/sub_{subject}.csv"

  private func dataset(
    _ folder: TemporaryDirectory, layout: String? = nil, labels: LabelMap = LabelMap(), only: [RecordingFilter] = [],
    except: [RecordingFilter] = []
  ) throws -> LabeledDataset {
    try LabeledDataset(
      directory: folder.url, layout: layout ?? self.layout, sampleRate: .hertz(50), labels: labels, only: only,
      except: except)
  }

  @Test("a folder becomes labelled recordings in natural order, with their subjects as groups")
  func reading() throws {
    let dataset = try dataset(folder(), labels: ["jog": "running"])
    #expect(
      dataset.recordings.map(\.path) == [
        "jog_1/sub_1.csv", "jog_1/sub_2.csv", "jog_1/sub_10.csv", "sit_1/sub_1.csv", "sit_1/sub_2.csv",
        "sit_1/sub_10.csv",
      ])
    #expect(dataset.labels == ["running", "sit"])
    #expect(dataset.groups == ["1", "2", "10"])
    #expect(dataset.grouping == .subject)
    #expect(dataset.ignoredFileCount == 1)
    #expect(dataset.recordings[2].fields == ["label": "jog", "trial": "1", "subject": "10"])
    #expect(dataset.recordings[2].recording.count == 20)
    #expect(dataset.recordings[2].recording.sampleRate == .hertz(50))
    #expect(dataset.warnings == [])
  }

  @Test("without a subject every file is a group of its own")
  func files() throws {
    let dataset = try dataset(folder(), layout: "{label}_1/{recording}.csv")
    #expect(dataset.groups == dataset.recordings.map(\.path))
    #expect(dataset.grouping == .recording)
  }

  @Test("filters keep and leave out recordings by their paths")
  func filters() throws {
    let folder = try folder()
    #expect(try dataset(folder, only: [RecordingFilter("subject=1,10")]).groups == ["1", "10"])
    #expect(try dataset(folder, except: [RecordingFilter("subject=1,10")]).groups == ["2"])
    let both = try dataset(folder, only: [RecordingFilter("subject=1,10"), RecordingFilter("label=jog")])
    #expect(both.recordings.map(\.path) == ["jog_1/sub_1.csv", "jog_1/sub_10.csv"])
    let neither = try dataset(folder, except: [RecordingFilter("subject=1"), RecordingFilter("label=jog")])
    #expect(neither.recordings.map(\.path) == ["sit_1/sub_2.csv", "sit_1/sub_10.csv"])
  }

  @Test("a label map may name labels that the filters leave out")
  func mapBeforeFilters() throws {
    let dataset = try dataset(folder(), labels: ["sit": "still"], only: [RecordingFilter("label=jog")])
    #expect(dataset.labels == ["jog"])
    #expect(throws: DatasetError.tooFewLabels(["jog"])) { try dataset.requireTwoLabels() }
  }

  @Test("recordings with unknown labels can be left out")
  func knownLabels() throws {
    let all = try dataset(folder())
    let known = all.keeping(labels: ["jog", "swim"])
    #expect(known.labels == ["jog"])
    #expect(all.recordings.count - known.recordings.count == 3)
    #expect(known.groups == ["1", "2", "10"])
  }

  @Test("links to folders are followed, and cycles end")
  func links() throws {
    let folder = try folder()
    let outside = try self.folder()
    try FileManager.default.createSymbolicLink(
      at: folder.file("circle"), withDestinationURL: folder.url)
    try FileManager.default.createSymbolicLink(
      at: folder.file("more"), withDestinationURL: outside.file("jog_1"))
    try FileManager.default.createSymbolicLink(
      at: folder.file("broken"), withDestinationURL: outside.file("nowhere"))
    #expect(try dataset(folder, layout: "{label}/sub_{subject}.csv").labels == ["jog_1", "more", "sit_1"])
  }

  @Test("the same folder gives the same dataset every time")
  func determinism() throws {
    let folder = try folder()
    let first = try dataset(folder)
    for _ in 0..<5 {
      let again = try dataset(folder)
      #expect(again.recordings.map(\.path) == first.recordings.map(\.path))
      #expect(
        again.recordings.map { $0.recording[.attitudeRoll] } == first.recordings.map { $0.recording[.attitudeRoll] })
    }
  }

  @Test("a label column splits a file into stretches, all in the file's group")
  func labelColumn() throws {
    let folder = try TemporaryDirectory()
    let labels = ["run", "run", "run", "", "", "run", "run", "sit", "sit", "sit"]
    let rows = SampleRecordings.rows(10, seed: 4)
    try folder.write(SampleRecordings.csv(rows, labels: labels), to: "a/1.csv")
    try folder.write(SampleRecordings.csv(rows, labels: labels), to: "a/2.csv")
    let dataset = try LabeledDataset(
      directory: folder.url, layout: "a/{recording}.csv", sampleRate: .hertz(10), labels: ["sit": "still"],
      labelColumn: "activity")
    #expect(dataset.recordings.prefix(3).map(\.label) == ["run", "run", "still"])
    #expect(dataset.recordings.prefix(3).map(\.recording.count) == [3, 2, 3])
    #expect(dataset.recordings[1].recording.start == .seconds(0.5))
    #expect(dataset.groups == ["a/1.csv", "a/2.csv"])
    #expect(abs(dataset.unlabelledSeconds - 0.4) < 1e-9)
    #expect(dataset.duplicates.copies == [["a/1.csv", "a/2.csv"]])
    #expect(dataset.splitGroups == ["a/1.csv": "a/1.csv", "a/2.csv": "a/1.csv"])
  }

  @Test("copies with two labels form one unit and cause a warning")
  func contradiction() throws {
    let folder = try folder()
    try folder.write(SampleRecordings.csv(SampleRecordings.rows(20, seed: 2)), to: "sit_2/sub_11.csv")
    let dataset = try dataset(folder)
    #expect(dataset.duplicates.contradictions.map(\.labels) == [["jog", "sit"]])
    #expect(dataset.splitGroups["11"] == "2")
    #expect(dataset.warnings.count == 2)
  }
}
