import Foundation
import Gait
import Testing

@testable import GaitLab
@testable import GaitTraining

struct PlaceMatrixTests {
  /// A recording of a vertical oscillation with noise: running is fast and strong.
  private func recording(_ label: String, amplitude stated: Double? = nil, seed: UInt64) -> Recording {
    var generator = SeededGenerator(seed: seed)
    let frequency = label == "running" ? 2.7 : 1.8
    let amplitude = stated ?? (label == "running" ? 1.2 : 0.3)
    let samples = (0..<500).map { index in
      let time = Double(index) / 25
      let z = amplitude * sin(2 * .pi * frequency * time) + 0.05 * generator.normal()
      return MotionSample(
        time: SampleTime(seconds: time), gravity: SIMD3(0, 0, -1), userAcceleration: SIMD3(0, 0, Float(z)))
    }
    return Recording(name: label, sampleRate: .hertz(25), samples: samples)
  }

  private func dataset(swapping swapped: String? = nil) -> LabeledDataset {
    var seed: UInt64 = 0
    let recordings = [("first", "pocket"), ("second", "wrist"), ("second", "leg")].flatMap { set, place in
      (1...4).flatMap { subject in
        ["running", "walking"].map { label in
          seed += 1
          let other = label == "running" ? "walking" : "running"
          return LabeledRecording(
            recording: recording(set == swapped ? other : label, seed: seed), label: label,
            path: "\(set)/\(place)/\(subject)/\(label)",
            fields: ["set": set, "place": place, "people": set, "subject": "\(set)/\(subject)"])
        }
      }
    }
    return LabeledDataset(recordings)
  }

  @Test("every place is judged by people held out, by sets left out, and by every other place")
  func separable() throws {
    let matrix = try ActivityTrainer().placeMatrix(of: CollectedRecordings(dataset: dataset(), sets: []), folds: 4)
    #expect(matrix.peopleHeldOut.map(\.name) == ["first, pocket", "second, leg", "second, wrist"])
    #expect(matrix.peopleHeldOut.allSatisfy { $0.runOrNot == 1 && $0.macroF1 == 1 && $0.people == 4 })
    let people = Set(dataset().recordings.map { $0.fields["subject"] ?? "" })
    #expect(matrix.folds.count == 4, "\(matrix.folds)")
    #expect(matrix.folds.flatMap { $0 }.sorted() == people.sorted(), "\(matrix.folds)")
    #expect(matrix.setsLeftOut.allSatisfy { $0.runOrNot == 1 && $0.accuracy == 1 && $0.worstRunOrNot == 1 })
    #expect(matrix.pairedPlaces.count == 3)
    #expect(matrix.pairs == Array(repeating: [1, 1, 1], count: 3))
    #expect("\(matrix)".contains("first, pocket (4)"))
    let cadences = matrix.recallByCadence
    #expect(cadences.map(\.from) == [120, 142, 150])
    #expect(cadences.map(\.to) == [142, 150, 240])
    let running = 12 * ((500 - 64) / 16 + 1)
    #expect(cadences.map(\.windows) == [0, 0, running])
    #expect(cadences.map(\.found) == [0, 0, running])
    #expect("\(matrix)".contains("150…240"))
  }

  @Test("the rate of strides counts twice, rest and other labels not at all")
  func cadence() {
    func window(_ hertz: Float, _ strength: Float, running: Bool = true, found: Bool = true) -> (
      features: ArraySlice<Float>, isRunning: Bool, isFound: Bool
    ) { ([hertz, strength][...], running, found) }
    let recall = PlaceMatrix.recall(of: [
      window(2.1, 0.5), window(1.05, 0.5, found: false), window(2.4, 0.5), window(2.5, 0.5, found: false),
      window(2.1, 0.05), window(2.1, 0.5, running: false), window(9, 0.5),
    ])
    #expect(recall.map(\.windows) == [2, 1, 1])
    #expect(recall.map(\.found) == [1, 1, 0])
  }

  @Test("a set whose labels are swapped is wrong if it is left out, and its sensors are never in its own training")
  func swapped() throws {
    let matrix = try ActivityTrainer().placeMatrix(
      of: CollectedRecordings(dataset: dataset(swapping: "first"), sets: []), folds: 4)
    #expect(matrix.setsLeftOut.allSatisfy { $0.runOrNot == 0 && $0.macroF1 == 0 })
    #expect(matrix.pairs[0][0] == 1)
    #expect(matrix.pairs[0][1] == 0)
    #expect(matrix.pairs[1][0] == 0)
  }

  @Test("a place without running is not judged")
  func withoutRunning() throws {
    let all = dataset().recordings.filter { $0.label == "walking" || $0.fields["place"] != "leg" }
    let matrix = try ActivityTrainer().placeMatrix(
      of: CollectedRecordings(dataset: LabeledDataset(all), sets: []), folds: 4, includingPairs: false)
    let leg = try #require(matrix.peopleHeldOut.first { $0.name == "second, leg" })
    #expect(leg.runOrNot == nil)
    #expect(leg.worstPerson == nil)
    #expect(leg.accuracy == 1)
    #expect(matrix.pairs.isEmpty)
  }

  @Test("the people of a single set are held out, and no set is left out")
  func singleSet() throws {
    let pocket = LabeledDataset(dataset().recordings.filter { $0.fields["set"] == "first" })
    let matrix = try ActivityTrainer().placeMatrix(of: CollectedRecordings(dataset: pocket, sets: []), folds: 4)
    try #require(matrix.peopleHeldOut.map(\.name) == ["first, pocket"])
    #expect(matrix.peopleHeldOut[0].runOrNot == 1)
    #expect(matrix.setsLeftOut.isEmpty, "\(matrix)")
    #expect(!"\(matrix)".contains("One set left out"), "\(matrix)")
  }

  @Test("other movements are tested by models without their person and set, and a model may know them")
  func otherMovements() throws {
    let collected = CollectedRecordings(dataset: dataset(), sets: [])
    // Slow and strong, as a jump; the last one in a set of its own.
    let jumps = ["first", "second", "third"].flatMap { set in
      (1...4).map { subject in
        LabeledRecording(
          recording: recording("walking", amplitude: 1.2, seed: UInt64(100 * subject + set.count)), label: "jumping",
          path: "\(set)/jumping/\(subject)",
          fields: ["set": set, "place": "pocket", "people": set, "subject": "\(set)/\(subject)"])
      }
    }
    func matrix(_ trained: Set<String>) throws -> PlaceMatrix {
      try ActivityTrainer().placeMatrix(
        of: collected, folds: 4, includingPairs: false, unscored: UnscoredRecordings(movements: jumps, trained: trained)
      )
    }
    let (blind, knowing) = try (matrix([]), matrix(["jumping"]))
    let plain = try ActivityTrainer().placeMatrix(of: collected, folds: 4, includingPairs: false)
    #expect(blind.peopleHeldOut.map(\.windows) == plain.peopleHeldOut.map(\.windows), "others are in no row")
    for matrix in [blind, knowing] {
      let shares = try #require(matrix.otherHeldOut)
      try #require(shares.movements.map(\.name) == ["jumping"])
      #expect(shares.movements[0].windows == 12 * 28)
      #expect(shares.walkingAsRunning == 0)
      #expect(shares.runningAsOther == 0)
      #expect(matrix.otherLeftOut != nil)
      #expect("\(matrix)".contains("jumping (336)"))
    }
    let called = [blind, knowing].map { $0.otherLeftOut?.movements[0].asRunning ?? 0 }
    #expect(called[0] > 0.5, "\(called)")
    #expect(called[1] < 0.1, "\(called)")
  }

  @Test("places that are learned but not scored have rows of their own")
  func addedPlaces() throws {
    let collected = CollectedRecordings(dataset: dataset(), sets: [])
    // The ankles of other people, who move as the wrong label would.
    let ankles = (1...4).flatMap { subject in
      ["running", "walking"].map { label in
        LabeledRecording(
          recording: recording(label == "running" ? "walking" : "running", seed: UInt64(1000 + subject)), label: label,
          path: "third/\(label)/\(subject)",
          fields: ["set": "third", "place": "ankle", "people": "third", "subject": "third/\(subject)"])
      }
    }
    let matrix = try ActivityTrainer().placeMatrix(
      of: collected, folds: 4, includingPairs: false,
      unscored: UnscoredRecordings(places: ankles, movements: [], trained: []))
    let plain = try ActivityTrainer().placeMatrix(of: collected, folds: 4, includingPairs: false)
    #expect(matrix.folds == plain.folds, "added people must not move others to another fold")
    #expect(matrix.peopleHeldOut.map(\.name) == plain.peopleHeldOut.map(\.name), "no row of an added place")
    for rows in [matrix.addedHeldOut, matrix.addedLeftOut] {
      #expect(rows.map(\.name) == ["third, ankle"])
      #expect(rows.map(\.people) == [4])
      #expect(rows.map(\.windows) == [8 * 28])
    }
    #expect(matrix.addedLeftOut[0].runOrNot == 0, "a model of the other sets takes one label for the other")
    let means = [matrix, plain].map { $0.peopleHeldOut.compactMap(\.runOrNot).reduce(0, +) }
    #expect(means[0] < means[1], "models that learn the wrong labels are less accurate: \(means)")
    #expect("\(matrix)".contains("Added places, people held out"))
    #expect(!"\(plain)".contains("Added places"))
  }

  @Test("a dataset names the authors of what it learns besides")
  func credits() {
    func recording(_ label: String, set: String) -> LabeledRecording {
      LabeledRecording(
        recording: self.recording("walking", seed: 1), label: label, path: "\(set)/\(label)", fields: ["set": set])
    }
    var known = LabeledDataset([recording("running", set: "first"), recording("walking", set: "first")])
    known.attributions = ["first: A; MIT"]
    let learned = known.learning(
      UnscoredRecordings(
        places: [recording("walking", set: "ankles")],
        movements: [
          recording("jumping", set: "first"), recording("hopping", set: "hops"), recording("rowing", set: "boats"),
        ], trained: ["jumping", "hopping"],
        credits: ["first": "first: A; MIT", "ankles": "ankles: B", "hops": "hops: C", "boats": "boats: D"]))
    #expect(learned.attributions == ["first: A; MIT", "ankles: B", "hops: C"])
    #expect(learned.recordings.map(\.label) == ["running", "walking", "other", "other", "walking"])
  }

  @Test("of windows with p > 0.9 known labels and other movements weigh the same")
  func confidence() {
    func windows(_ running: [Float], truths: [Int]) -> ScoredWindows {
      ScoredWindows(
        labels: ["running", "still", "walking"], truths: truths,
        probabilities: FeatureMatrix(columnCount: 3, values: running.flatMap { [$0, 1 - $0, 0] }),
        windowGroups: running.map { _ in "1" }, sources: running.indices.map { .init(recording: $0, start: 0) })
    }
    let shares = OtherShares(
      known: windows([0.95, 0.2, 0.1, 0.6], truths: [0, 1, 2, 2]), isQuick: [false, false, false, true],
      others: windows([0.95, 0.1], truths: [1, 1]), movement: { _ in "jumping" }, calibrationError: 0)
    // A third of the known half is running, all of it confident; half of the jumps are wrong.
    #expect(abs(shares.confidentRight - (1.0 / 3) / (1.0 / 3 + 0.5)) < 1e-9)
    #expect(shares.walkingAsRunning == 0.5)
    #expect(shares.quickWalkingAsRunning == 1)
    #expect(shares.five[0] == 0.5)
  }

  @Test("rejected windows and adaptation are columns, and unknown movements rows of their own")
  func columns() throws {
    var trainer = ActivityTrainer()
    trainer.rejectsUnknown = true
    let collected = CollectedRecordings(dataset: dataset(), sets: [])
    let unknown = CollectedRecordings(
      dataset: LabeledDataset(dataset().recordings.filter { $0.label == "running" }), sets: [])
    let matrix = try trainer.placeMatrix(
      of: collected, folds: 4, includingPairs: false, unknown: unknown, adapter: ModelAdapter())
    for row in matrix.peopleHeldOut {
      let (rejected, adapted) = (try #require(row.rejected), try #require(row.adapted))
      #expect(rejected.windows == row.windows, "\(row)")
      #expect(rejected.share < 0.2, "\(row)")
      #expect(rejected.recordings == 8, "\(row)")
      #expect(adapted.people == 4, "\(row)")
      #expect(adapted.before == 1, "\(row)")
      #expect(adapted.after == 1, "\(row)")
      #expect(adapted.worstGain == 0, "\(row)")
      #expect(adapted.meanHarm == 0, "\(row)")
      #expect(adapted.minutes > 0.05, "\(row)")
      #expect(adapted.minutes < 0.4, "\(row)")
    }
    #expect(
      matrix.unknownMovements.map(\.name) == [
        "running, first, pocket", "running, second, leg", "running, second, wrist",
      ])
    #expect(matrix.unknownMovements.allSatisfy { $0.share < 0.5 }, "running is known here")
    #expect("\(matrix)".contains("Movements in no training"))
    #expect("\(matrix)".contains("worst gain"))
    #expect(matrix.setsLeftOut.allSatisfy { $0.rejected == nil && $0.adapted == nil })
  }
}
