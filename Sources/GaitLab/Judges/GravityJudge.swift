import Foundation
import Gait
import GaitFormats
import GaitTraining

/// Measures whether labels and pauses depend on how gravity was split from total acceleration.
///
/// Recordings in the pocket (MotionSense), at the torso (DSADS) and at the wrist (WISDM) are split in several ways: by Gait's
/// own estimate with and without gyroscope, by causal low-pass filters at 0.3 and 0.6 Hz, and as Core Motion did, where it
/// recorded. The models are trained on other people, with the splits of their sets. Also prints the angles between Gait's
/// gravity and Core Motion's.
package struct GravityJudge {
  private let data: ModelData

  /// - Parameter data: the folder with the public data sets.
  package init(data: URL) { self.data = ModelData(folder: data) }

  /// A place on the body, and the set that has it.
  private enum Place: String, CaseIterable {
    case pocket, torso, wrist

    /// The people that are judged by models of the others.
    var halves: [[String]] {
      switch self {
      case .pocket: [PausesJudge.trainingPeople.values, PausesJudge.heldOutPeople.values]
      case .torso: [["1", "3"], ["5", "7"]]
      case .wrist: PausePlacesJudge.halves
      }
    }

    var splits: [GravitySplit] { GravitySplit.allCases.filter { self == .pocket || $0 != .coreMotion } }
  }

  /// Judges all places, then the angles; passes each line to `print`.
  package func run(print: (String) -> Void) throws {
    print("\n=== labels and pauses of people held out, by place and split of gravity")
    let sets = RawSets(folder: data.folder)
    let pocket = try sets.motionSense()
    try judge(.pocket, pocket, print)
    try judge(.torso, sets.torsos(), print)
    try judge(.wrist, sets.watches(), print)
    print("\n=== estimated gravity, median angle to Core Motion's gravity")
    try judgeAngles(pocket, print)
  }

  /// The figures of a split, over the halves.
  private struct Figures {
    var accuracies: [Double] = []
    var falsePauses: [Double] = []
    var missedPauses = 0
  }

  private func judge(_ place: Place, _ recordings: [RawRecording], _ print: (String) -> Void) throws {
    var figures: [GravitySplit: Figures] = [:]
    for people in place.halves {
      let (labels, pauses) = try models(for: place, without: people)
      let own = recordings.filter { people.contains($0.subject) }
      for split in place.splits {
        let dataset = LabeledDataset(
          try own.mappedConcurrently(showing: "recording") { try $0.labelled(by: split) }, name: place.rawValue)
        let report = try pauseReport(of: pauses, on: dataset)
        figures[split, default: Figures()].accuracies.append(try labels.scored(on: dataset).report().accuracy)
        figures[split]!.falsePauses.append(report.falsePausesPerHour)
        figures[split]!.missedPauses += report.missedPauses
      }
    }
    for split in place.splits {
      let all = figures[split]!
      func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
      print(
        "  \("\(place.rawValue), \(split.rawValue)".padded(to: 28)) labels "
          + "\((100 * mean(all.accuracies)).fixed(1))%, false pauses an hour of running "
          + "\(mean(all.falsePauses).fixed(2)), missed pauses \(all.missedPauses)")
    }
  }

  private func pauseReport(of model: ActivityModel, on dataset: LabeledDataset) throws -> PauseReport {
    let composition = PauseComposition(seeds: 1...2)
    let runs = try composition.runs(from: dataset, for: model, cleaned: true)
    return try PauseTrial(model, on: runs, policy: composition.policy).report()
  }

  /// A model for labels and one for pauses, trained without some people.
  private func models(
    for place: Place, without people: [String]
  ) throws -> (labels: ActivityModel, pauses: ActivityModel) {
    let except = [RecordingFilter(field: "subject", values: people)]
    var trainer = ModelRecipe.running.trainer
    trainer.pauseWindow = nil
    let labels = try trainer.fit(data.recordings(.places, except: except).dataset)
    switch place {
    // Its pause head has seen no DSADS.
    case .torso: return (labels, .running)
    case .wrist: return (labels, try pauses(.runningWrist, data.recordings(.wristPauses, except: except).dataset))
    case .pocket:
      let only = [RecordingFilter(field: "set", values: ["motionsense"])]
      return (labels, try pauses(.runningPocket, data.recordings(.places, only: only, except: except).dataset))
    }
  }

  private func pauses(_ recipe: ModelRecipe, _ dataset: LabeledDataset) throws -> ActivityModel {
    try recipe.tuned(recipe.trainer.fit(dataset), on: dataset)
  }

  private func judgeAngles(_ recordings: [RawRecording], _ print: (String) -> Void) throws {
    for split in [GravitySplit.own, .ownWithGyroscope] {
      for label in ["running", "walking", "still"] {
        let angles = try recordings.filter { $0.label == label }.mappedConcurrently(showing: "recording") { raw in
          let (estimated, measured) = try (raw.recording(split), raw.recording(.coreMotion))
          precondition(estimated.count == measured.count, "\(raw.path) has other rows after the estimate")
          return (0..<measured.count).map { angleDegrees(measured[$0].gravity, estimated[$0].gravity) }
        }
        print(
          "  \("\(split.rawValue),".padded(to: 28)) \(label): "
            + "\(PlaceMatrix.median(angles.flatMap { $0 }.filter { !$0.isNaN }).fixed(1))°")
      }
    }
  }
}

/// The angle between two directions, degrees.
func angleDegrees(_ one: SIMD3<Float>, _ other: SIMD3<Float>) -> Double {
  let (a, b) = (SIMD3<Double>(one), SIMD3<Double>(other))
  let cross = SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  return atan2((cross * cross).sum().squareRoot(), (a * b).sum()) * 180 / .pi
}
