import ArgumentParser
import Foundation
import Gait
import GaitTraining

extension CalibrationMethod: ExpressibleByArgument {}

/// The options that say how a model is fitted.
struct TrainerOptions: ParsableArguments {
  @OptionGroup var classifier: ClassifierOptions

  @Option(help: "How probabilities are calibrated, on windows of groups that were held out.")
  var calibration = ActivityTrainer().calibration

  @OptionGroup var features: FeatureOptions

  @OptionGroup var augmentation: AugmentationOptions

  @OptionGroup var slow: SlowSourceOptions

  @Flag(help: "Makes a model that is not to be used on gravity estimated from a bare accelerometer.")
  var refuseEstimatedGravity = false

  /// The trainer that was asked for.
  func trainer() throws -> ActivityTrainer {
    var trainer = ActivityTrainer()
    trainer.window = features.windows.shape
    trainer.features = try features.features()
    trainer.calibration = calibration
    trainer.augmentation = augmentation.augmentation
    trainer.method = classifier.method
    trainer.allowsSlowSource = slow.allowSlowSource
    trainer.acceptsEstimatedGravity = !refuseEstimatedGravity
    return trainer
  }
}

/// The options that say what is added to the training recordings.
struct AugmentationOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Trains on a copy of each recording at a slower rate, too. May be repeated.", valueName: "hertz"))
  var augmentRate: [SampleRate] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Trains on a copy made up to this share faster or slower, too.", valueName: "share"))
  var augmentSpeed = Augmentation().timeScaling

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Trains on a copy cut off at this acceleration, too.", valueName: "g"))
  var augmentClipping: Double?

  @Flag(help: "Trains on a copy of each recording that is turned at random, too.")
  var augmentRotation = false

  @Option(parsing: .unconditional, help: "What the random speeds and rotations are drawn from.")
  var seed: UInt64 = 0

  /// The augmentation.
  var augmentation: Augmentation {
    var augmentation = Augmentation()
    augmentation.sampleRates = augmentRate
    augmentation.timeScaling = augmentSpeed
    augmentation.clipping = augmentClipping
    augmentation.turnsWearing = augmentRotation
    augmentation.seed = seed
    return augmentation
  }

  func validate() throws {
    guard (0...0.5).contains(augmentSpeed) else { throw ValidationError("--augment-speed must be within 0…0.5.") }
    guard augmentClipping.map({ (0.5...100).contains($0) }) ?? true else {
      throw ValidationError("--augment-clipping must be within 0.5…100 g.")
    }
  }
}

/// The options that say what is held out while a model is judged.
struct ValidationOptions: ParsableArguments {
  /// What must not be on both sides of a split.
  enum Split: String, ExpressibleByArgument, CaseIterable {
    case subject
    case recording
    case time
  }

  @Option(
    help: ArgumentHelp(
      "What is never on both sides: subject (else recording, where the layout has no {subject}), recording, or time: "
        + "blocks of each recording, as a last resort.", valueName: "what"))
  var splitBy = Split.subject

  @Option(
    parsing: .unconditional,
    help: "How many folds to deal groups to, or blocks to cut recordings into; else every subject is a fold.")
  var folds: Int?

  @Option(
    help: ArgumentHelp(
      "Holds out what the path says, such as subject=7,8, instead of every group in its turn. May be repeated.",
      valueName: "field=values"))
  var holdOut: [String] = []

  func validate() throws {
    guard folds.map({ (2...10_000).contains($0) }) ?? true else {
      throw ValidationError("--folds must be within 2…10000.")
    }
    guard folds == nil || holdOut.isEmpty else { throw ValidationError("give either --folds or --hold-out.") }
    guard splitBy != .time || holdOut.isEmpty else {
      throw ValidationError("--hold-out names whole recordings; leave out --split-by time.")
    }
  }

  /// The dataset grouped as it is to be split.
  func grouped(_ dataset: LabeledDataset, window: WindowShape) -> LabeledDataset {
    switch splitBy {
    case .subject: dataset
    case .recording: dataset.groupedByRecording
    case .time: dataset.cut(intoBlocks: folds ?? Self.blockCount, apart: window.seconds)
    }
  }

  /// How groups are held out, where that was asked for.
  func scheme() throws -> Folds.Scheme? {
    if !holdOut.isEmpty { return .holdOut(try holdOut.map { try RecordingFilter($0) }) }
    return splitBy == .time ? nil : folds.map { .groups(folds: $0) }
  }

  private static let blockCount = 5
}
