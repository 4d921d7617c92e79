import Foundation
import Gait
import GaitFormats
import GaitTraining

/// Trains the bundled models and writes them as Swift source: `ActivityModel.running`, for pockets, wrists, forearms,
/// torso, waist and legs, `ActivityModel.runningLinear`, the same without gravity, `ActivityModel.runningPocket`, for
/// trouser pockets only, and `ActivityModel.runningWrist`, for watches. Also writes the fingerprints of their training
/// data, by which `gait evaluate` recognises these recordings.
package struct BundledModels {
  private let data: ModelData
  /// The folder of the sources.
  private let sources: URL

  /// - Parameters:
  ///   - data: the folder with the public data sets.
  ///   - sources: the folder of the sources.
  package init(data: URL, sources: URL = URL(filePath: ".")) {
    self.data = ModelData(folder: data, sources: sources)
    self.sources = sources
  }

  /// The number of folds of held-out people, for the scores on the models' cards and for calibration.
  private static let folds = 10

  /// Trains and writes the models; passes each line about them to `print`.
  package func write(print: (String) -> Void) throws {
    let pocket = try pocketModel(.runningPocket)
    let written = [
      try write(
        pocket, "runningPocket", in: "ActivityModel+RunningPocket.swift",
        notice: "Data: \(Self.motionSense); \(Self.boostRunClub)", print),
      try write(
        placesModel(.running, pausesOf: pocket), "running", in: "ActivityModel+Running.swift",
        notice: Self.addedPlacesNotice, print),
      try write(
        placesModel(.runningLinear, pausesOf: pocketModel(.linearPauses)), "runningLinear",
        in: "ActivityModel+RunningLinear.swift", notice: Self.placesNotice, print),
      try write(
        wristModel(), "runningWrist", in: "ActivityModel+RunningWrist.swift", notice: Self.wristNotice, print),
    ]
    let file = "Sources/GaitTraining/Datasets/RecordingFingerprint+Bundled.swift"
    let text =
      "// Written by `gait-lab model`; do not edit, train the models again.\n\nextension RecordingFingerprint {"
      + written.joined() + "}\n"
    try AtomicFile.write(text, to: sources.appending(path: file))
    print("Wrote \(file). gait-lab judge places prints the accuracy by place.")
  }

  /// A model for trouser pockets, tuned on the same people; `PausesJudge` evaluates its pauses on others.
  private func pocketModel(_ recipe: ModelRecipe) throws -> ActivityModel {
    let dataset = try data.pocketsAndStanding()
    let trainer = recipe.trainer
    let model = try trainer.fit(dataset, validatedBy: trainer.crossValidated(on: dataset))
    return try recipe.tuned(model, on: data.motionSense())
  }

  /// A model for every place on the body, with the pause head of another.
  private func placesModel(_ recipe: ModelRecipe, pausesOf pauses: ActivityModel) throws -> ActivityModel {
    try validatedModel(recipe, of: data.training(recipe)).with(pausesOf: pauses)
  }

  /// The model for watches, which is trained on movements of the hands in pauses; `PausePlacesJudge` evaluates its
  /// recipe.
  private func wristModel() throws -> ActivityModel {
    let dataset = try data.recordings(.wristPauses).dataset
    return try ModelRecipe.runningWrist.tuned(validatedModel(.runningWrist, of: dataset), on: dataset)
  }

  private func validatedModel(_ recipe: ModelRecipe, of dataset: LabeledDataset) throws -> ActivityModel {
    let trainer = recipe.trainer
    return try trainer.fit(
      dataset, validatedBy: trainer.crossValidated(on: dataset, scheme: .groups(folds: Self.folds)))
  }

  /// Writes a model's source; returns the source of its fingerprint.
  private func write(
    _ model: ActivityModel, _ name: String, in file: String, notice: String, _ print: (String) -> Void
  ) throws -> String {
    let export = try ModelExport(model, as: .swift, name: name, notice: notice)
    // The module does not import itself.
    let source = String(decoding: export.bytes, as: UTF8.self).replacing(
      "import Gait\n\n", with: "", maxReplacements: 1)
    let path = "Sources/Gait/Models/\(file)"
    try AtomicFile.write(source, to: sources.appending(path: path))
    print("Wrote \(path).")
    return """

        /// The fingerprint of the training data of `ActivityModel.\(name)`.
        static let \(name) =
          "\(model.card?.training.fingerprints ?? "")"

      """
  }
}

extension ModelRecipe {
  /// The model with pause settings that are tuned on a dataset of people in its training data.
  func tuned(_ model: ActivityModel, on dataset: LabeledDataset) throws -> ActivityModel {
    try model.with(pauses: tuning.candidates(of: model, on: dataset)[0].settings)
  }
}

// MARK: Notices

extension BundledModels {
  private static let motionSense = """
    MotionSense, Copyright (c) 2018 Mohammad Malekzadeh, MIT License on GitHub, ODbL on Kaggle (Malekzadeh
    et al., "Mobile Sensor Data Anonymization", IoTDI 2019)
    """

  private static let boostRunClub = """
    BoostRunClub (boostcamp-2020, Project18-B), MIT License.
    `make model` trains it again.
    """

  private static let places = """
    Data: \(motionSense);
    WISDM Smartphone and Smartwatch Activity and Biometrics (Weiss, Yoneda, Hayajneh, IEEE Access 7, 2019), CC BY 4.0;
    Daily and Sports Activities (Altun, Barshan, Tunçel, Pattern Recognition 43, 2010), CC BY 4.0;
    UMAFall (Casilari, Santoyo-Ramón, Cano-García, Procedia Computer Science 110, 2017), CC BY 4.0;
    """

  private static let harLab = "Har-Lab's HumanActivityData, Copyright (c) 2023 Har-Lab, MIT License"

  private static let placesNotice = """
    \(places)
    \(boostRunClub)
    """

  private static let addedPlacesNotice = """
    \(places)
    \(harLab);
    \(boostRunClub)
    """

  private static let wristNotice = """
    Data: WISDM Smartphone and Smartwatch Activity and
    Biometrics (Weiss, Yoneda, Hayajneh, IEEE Access 7, 2019), CC BY 4.0;
    \(harLab).
    `make model` trains it again.
    """
}
