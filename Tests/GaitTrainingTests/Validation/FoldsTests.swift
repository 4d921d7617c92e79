import GaitTestSupport
import GaitTraining
import Testing

struct FoldsTests {
  private func subjects(_ count: Int, labels: [String] = ["run", "still"]) -> LabeledDataset {
    LabeledDataset(
      (1...count).flatMap { subject in
        labels.enumerated().map { position, label in
          SampleRecordings.labeled(
            label, path: "\(label)/\(subject).csv", subject: "\(subject)", seed: UInt64(subject * 10 + position),
            count: 3)
        }
      })
  }

  private func files(_ counts: [String: Int]) -> LabeledDataset {
    LabeledDataset(
      counts.sorted { $0.key < $1.key }.flatMap { label, count in
        (0..<count).map { SampleRecordings.labeled(label, path: "\(label)/\($0)", seed: UInt64($0 * 7 + label.count)) }
      })
  }

  @Test("up to 64 subjects are held out one by one")
  func leaveOneSubjectOut() throws {
    let folds = try Folds(of: subjects(12))
    #expect(folds.scheme == .leaveOneGroupOut)
    #expect(folds.folds.map(\.name) == (1...12).map(String.init))
    #expect(try Folds(of: subjects(64)).folds.count == 64)
    #expect(try Folds(of: subjects(65)).scheme == .groups(folds: 10))
  }

  @Test("files without subjects are distributed over ten folds, or fewer if there are fewer")
  func dealing() throws {
    let folds = try Folds(of: files(["runs": 40, "stand": 30]))
    #expect(folds.scheme == .groups(folds: 10))
    #expect(folds.folds.map(\.name) == (1...10).map { "\($0) of 10" })
    #expect(folds.folds.map(\.test.count) == Array(repeating: 7, count: 10))
    #expect(try Folds(of: files(["runs": 4, "stand": 3])).folds.count == 7)
  }

  @Test("every fold has its share of every label")
  func balance() throws {
    let dataset = files(["runs": 43, "stand": 21, "walks": 17])
    for fold in try Folds(of: dataset, scheme: .groups(folds: 5)).folds {
      let counts = Dictionary(grouping: fold.test) { dataset.recordings[$0].label }.mapValues(\.count)
      #expect((8...9).contains(counts["runs"]!))
      #expect((4...5).contains(counts["stand"]!))
      #expect((3...4).contains(counts["walks"]!))
    }
  }

  @Test("every recording is tested once, and no unit is on both sides")
  func units() throws {
    var generator = SplitMix64(seed: 11)
    for round in 0..<20 {
      var entries = (0..<40).map { index in
        SampleRecordings.labeled(
          index % 2 == 0 ? "run" : "still", path: "\(index)", subject: round % 2 == 0 ? "\(index / 3)" : nil,
          seed: UInt64(index))
      }
      for _ in 0..<6 {
        let copy = Int.random(in: 0..<40, using: &generator)
        entries[copy].recording = entries[Int.random(in: 0..<40, using: &generator)].recording
      }
      let dataset = LabeledDataset(entries)
      let folds = try Folds(of: dataset, scheme: round % 4 < 2 ? .leaveOneGroupOut : .groups(folds: 4)).folds
      #expect(folds.flatMap(\.test).sorted() == Array(dataset.recordings.indices))
      for fold in folds {
        #expect((fold.training + fold.test).sorted() == Array(dataset.recordings.indices))
        func units(_ indices: [Int]) -> Set<String> {
          Set(indices.map { dataset.splitGroups[dataset.recordings[$0].group]! })
        }
        #expect(units(fold.training).isDisjoint(with: units(fold.test)))
        #expect(fold.groups == Set(fold.test.map { dataset.recordings[$0].group }).sorted { Int($0)! < Int($1)! })
      }
    }
  }

  @Test("one group cannot be cross-validated")
  func oneGroup() {
    let error = FoldsError.tooFewUnits(groups: ["1"])
    #expect(throws: error) { try Folds(of: subjects(1)) }
    #expect(error.description.hasPrefix("there is only one group, 1;"))
  }

  @Test("groups that share copies form one unit")
  func sharedCopies() {
    var entries = ["1", "2"].map { SampleRecordings.labeled("run", path: $0, subject: $0, seed: 1) }
    entries.append(SampleRecordings.labeled("still", path: "3", subject: "1", seed: 2))
    let dataset = LabeledDataset(entries)
    let error = FoldsError.tooFewUnits(groups: ["1", "2"])
    #expect(throws: error) { try Folds(of: dataset) }
    #expect(error.description.hasPrefix("the groups 1, 2 share copies"))
  }

  @Test("a label of only one group is an error, because no training data have it")
  func lonelyLabel() {
    var entries = subjects(3).recordings
    entries.append(SampleRecordings.labeled("cycle", path: "cycle/2.csv", subject: "2", seed: 99))
    let error = FoldsError.labelOnlyInTest("cycle", groups: ["2"])
    #expect(throws: error) { try Folds(of: LabeledDataset(entries)) }
    #expect(error.description.hasPrefix("label \"cycle\" occurs only in 2,"))
  }
}
