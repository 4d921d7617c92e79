import Foundation
import Gait
import GaitFormats
import GaitTraining

/// Judges auto-pause on recordings of people: trains on some, selects the operating point on them, and composes runs of the
/// held-out others. The default model's recipe, with this pause head, must give the same figures.
package struct PausesJudge {
  /// A failure of the judge.
  package enum Failure: Error, CustomStringConvertible {
    /// The model for all places decides otherwise than the model whose pause head it has.
    case otherFigures(String)

    /// What is wrong.
    package var description: String {
      switch self {
      case .otherFigures(let text): "the model for all places has other figures:\n\(text)"
      }
    }
  }

  private let data: ModelData
  /// Whether the recipe is that of the model for recordings without gravity.
  private let isLinear: Bool
  private let printLine: (String) -> Void

  /// - Parameters:
  ///   - data: the folder with the public data sets.
  ///   - linear: whether to judge the model for recordings without gravity. It is trained on user acceleration alone, and tracks
  ///     whole runs of it. Composed runs keep their gravity, by which their running is cleaned.
  ///   - print: called with each line.
  package init(data: URL, linear: Bool, print: @escaping (String) -> Void) {
    self.data = ModelData(folder: data)
    isLinear = linear
    printLine = print
  }

  /// The six lowest-numbered of twelve MotionSense subjects are for training; the other six are used for the final
  /// evaluation only.
  static let (trainingPeople, heldOutPeople) = (
    RecordingFilter(field: "subject", values: ["1", "2", "4", "7", "8", "11"]),
    RecordingFilter(field: "subject", values: ["13", "14", "17", "18", "21", "22"])
  )

  /// Judges the recipe, then whole runs.
  package func run() throws {
    let recipe: ModelRecipe = isLinear ? .linearPauses : .runningPocket
    let training = try data.pocketsAndStanding(columns: columns, except: [Self.heldOutPeople])
    var model = try recipe.trainer.fit(training)
    let candidates = try recipe.tuning.candidates(
      of: model, on: data.motionSense(only: [Self.trainingPeople]))
    title("operating point, selected on the training people")
    printLine(candidates.table)
    model = try model.with(pauses: candidates[0].settings)
    let heldOut = try data.motionSense(only: [Self.heldOutPeople])
    let hard = try PauseEvaluation(of: model, on: heldOut, PauseComposition()).text
    title("running and standing or sitting, hard cuts")
    printLine(hard)
    let places = try placesModel(pausesOf: model)
    let other = try PauseEvaluation(of: places, on: heldOut, PauseComposition()).text
    guard other == hard else { throw Failure.otherFigures(other) }
    title("the same with the default model for all places: the same figures")
    var composition = PauseComposition()
    composition.fadeSeconds = 1
    title("the same with cross-fades of 1 s")
    printLine(try PauseEvaluation(of: model, on: heldOut, composition).text)
    composition = PauseComposition()
    composition.policy = .whenNotRunning
    title("running and walking, with the policy that pauses when not running")
    printLine(try PauseEvaluation(of: model, on: heldOut, composition).text)
    try WholeRunsJudge(data: data, model: places, columns: columns, print: printLine).run()
  }

  private func title(_ text: String) { printLine("\n=== \(text)") }

  /// The model for all places with the pause head of another.
  private func placesModel(pausesOf model: ActivityModel) throws -> ActivityModel {
    var trainer = (isLinear ? ModelRecipe.runningLinear : .running).trainer
    trainer.pauseWindow = nil
    return try trainer.fit(data.recordings(.places, except: [Self.heldOutPeople]).dataset).with(pausesOf: model)
  }

  /// The columns of MotionSense and BoostRunClub without those that are no user acceleration; `nil` for all.
  private var columns: [String]? {
    guard isLinear else { return nil }
    return Array(repeating: "", count: 10) + ["x", "y", "z"].map { "userAcceleration.\($0)" }
  }
}
