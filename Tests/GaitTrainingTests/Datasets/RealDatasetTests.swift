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
    #expect(dataset.duplicates.contradictions.isEmpty)
    #expect(dataset.warnings.count == 2)
    #expect(
      dataset.warnings.last
        == "74 recordings were repaired on reading, such as running/4.csv: dropped a stale first row")
    let folds = try Folds(of: dataset).folds
    #expect(folds.count == 10)
    for pair in dataset.duplicates.copies {
      let homes = folds.filter { fold in fold.test.contains { pair.contains(dataset.recordings[$0].path) } }
      #expect(homes.count == 1, "\(pair)")
    }
  }

  @Test("MotionSense has one pair of copies, of one person")
  func motionSense() throws {
    let dataset = try LabeledDataset(
      directory: RealData.motionSense, layout: "{label}_{trial}/sub_{subject}.csv", sampleRate: .hertz(50),
      labels: LabelMap(["jog=running", "wlk,ups,dws=walking", "sit,std=still"]))
    #expect(dataset.labels == ["running", "still", "walking"])
    #expect(dataset.duplicates.copies == [["sit_5/sub_1.csv", "sit_13/sub_1.csv"]])
    #expect(dataset.splitGroups.allSatisfy { $0 == $1 })
    #expect(dataset.groups.count == 12)
    let folds = try Folds(of: dataset)
    #expect(folds.scheme == .leaveOneGroupOut)
    #expect(folds.folds.map(\.name) == dataset.groups)
  }
}
