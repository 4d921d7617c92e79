import Foundation
import Gait
import GaitTestSupport
import GaitTraining
import Testing

@Suite(.requiresRealData)
struct RealDatasetTests {
  @Test("BoostRunClub has eleven pairs of copies, which stay in one fold")
  func boostRunClub() throws {
    let dataset = try LabeledDataset(
      directory: RealData.boostRunClub, layout: "{label}/{recording}.csv", sampleRate: .hertz(10))
    #expect(dataset.recordings.count == 98)
    #expect(dataset.labels == ["running", "standing"])
    #expect(dataset.duplicates.copies.count == 11)
    #expect(dataset.duplicates.copies.allSatisfy { $0.count == 2 })
    #expect(dataset.duplicates.copies.first == ["running/4.csv", "running/q4.csv"])
    #expect(dataset.duplicates.overlaps.isEmpty, "\(dataset.duplicates.overlaps)")
    #expect(dataset.duplicates.contradictions.isEmpty)
    #expect(dataset.warnings.count == 2)
    #expect(
      dataset.warnings.last
        == "75 recordings were repaired on reading, such as running/4.csv: dropped a stale first row")
    let folds = try Folds(of: dataset).folds
    #expect(folds.count == 10)
    for pair in dataset.duplicates.copies {
      let homes = folds.filter { fold in fold.test.contains { pair.contains(dataset.recordings[$0].path) } }
      #expect(homes.count == 1, "\(pair)")
    }
  }

  @Test("MotionSense has one pair of copies, of one person", .requiresOptimization)
  func motionSense() throws {
    let dataset = try LabeledDataset(
      directory: RealData.motionSense, layout: "{label}_{trial}/sub_{subject}.csv", sampleRate: .hertz(50),
      labels: LabelMap(["jog=running", "wlk,ups,dws=walking", "sit,std=still"]))
    #expect(dataset.labels == ["running", "still", "walking"])
    #expect(dataset.duplicates.copies == [["sit_5/sub_1.csv", "sit_13/sub_1.csv"]])
    #expect(dataset.duplicates.overlaps.isEmpty, "\(dataset.duplicates.overlaps)")
    #expect(dataset.splitGroups.allSatisfy { $0 == $1 })
    #expect(dataset.groups.count == 12)
    #expect(ActivityModel.running.card?.training.fingerprints == nil, "an app would carry the fingerprints")
    #expect(dataset.leaks(into: .running).count == dataset.recordings.count)
    let folds = try Folds(of: dataset)
    #expect(folds.scheme == .leaveOneGroupOut)
    #expect(folds.folds.map(\.name) == dataset.groups)
  }

  @Test("every leak planted among real recordings is detected, and nothing else")
  func plantedLeaks() throws {
    let jogs = try RealData.recordings(in: RealData.motionSense).filter { $0.path.contains("/jog_16/") }
    let folder = try TemporaryDirectory()
    var lines: [[Substring]] = []
    for (index, url) in jogs.enumerated() {
      let text = try String(contentsOf: url, encoding: .utf8)
      lines.append(text.split(separator: "\n"))
      try folder.write(text, to: "running/\(index).csv")
    }
    func file(_ rows: some Sequence<Substring>) -> String { ([lines[0][0]] + rows).joined(separator: "\n") + "\n" }
    try folder.write(file(lines[0].dropFirst()), to: "running/copy.csv")
    try folder.write(file(lines[1].dropFirst()), to: "walking/1.csv")
    try folder.write(file(lines[2].dropFirst(2)), to: "running/headless.csv")
    try folder.write(file(lines[3][500..<1000]), to: "running/excerpt.csv")
    let dataset = try LabeledDataset(
      directory: folder.url, layout: "{label}/{recording}.csv", sampleRate: .hertz(50))
    #expect(
      dataset.duplicates.copies == [
        ["running/0.csv", "running/copy.csv"], ["running/1.csv", "walking/1.csv"],
        ["running/2.csv", "running/headless.csv"],
      ])
    #expect(dataset.duplicates.overlaps.map(\.paths) == [["running/3.csv", "running/excerpt.csv"]])
    #expect(dataset.duplicates.overlaps.allSatisfy { (9.5...10).contains($0.seconds) })
    #expect(dataset.duplicates.contradictions.map(\.paths) == [["running/1.csv", "walking/1.csv"]])
    #expect(throws: DatasetError.self) { try dataset.requireNoDuplicates() }
  }
}
