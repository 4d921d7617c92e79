import Gait
import GaitTraining

/// How the bundled models are trained: features, penalty, copies, weights and calibration.
///
/// **The rule of `running`.** It knows only sets that train the model; SisFall and the recordings outdoors have no part in
/// it. A candidate (`RecipeCandidate`) is scored by the sum of
///
/// - mean and half the worst place of running or not, with people held out, and the same with sets left out;
/// - the eight shares of `RareMovements`, by models without the set that is tested;
/// - minus four times what F1 of running or not on MotionSense lacks to 98 %, and twice what its three labels lack to
///   98.4 %, people held out.
///
/// A candidate that misses a limit of `RecipeScore` is out. The highest score of the others replaces the first candidate if
/// it is 0.005 higher. `runningLinear` keeps the first candidate, as the best would miss the limits.
package enum ModelRecipe: Sendable {
  /// `ActivityModel.running`, for every place on the body.
  case running
  /// `ActivityModel.runningLinear`, the same without gravity.
  case runningLinear
  /// `ActivityModel.runningPocket`, for trouser pockets, whose pause head `running` has too.
  case runningPocket
  /// The model whose pause head `runningLinear` has.
  case linearPauses
  /// `ActivityModel.runningWrist`, for watches.
  case runningWrist

  /// The trainer.
  package var trainer: ActivityTrainer {
    var trainer = ActivityTrainer()
    switch self {
    case .running:
      trainer.features = Feature.running
      // The penalty limits the weight of the movement's strength, which differs by place; it also makes probabilities too
      // cautious, which a temperature corrects.
      trainer.method = .logistic(penalty: 0.016)
      trainer.calibration = .temperature
      trainer.augmentation.speeds = Self.slowedRunning
      trainer.augmentation.share = 0.25
      // Walkers who stumble are rare in these sets.
      trainer.augmentation.knocks = ["walking": 0.1]
    case .runningLinear:
      trainer.features = Feature.linear
      trainer.method = .logistic(penalty: 0.004)
      trainer.augmentation.speeds = Self.slowedRunning
      trainer.augmentation.share = 0.15
      // Without gravity fewer features tell running from walking.
      trainer.labelWeights = .named(["running": 2])
    case .runningPocket: break
    case .linearPauses:
      trainer.features = Feature.linear
      // The only slow recordings are of people who stand; slow copies of the others keep the model from taking quiet walks
      // at 10 Hz for pauses.
      trainer.augmentation.copyRate = .hertz(10)
    case .runningWrist:
      trainer.features = Self.wristFeatures
      trainer.method = Self.wristMethod
      trainer.meanings = ["hands": .still]
    }
    return trainer
  }

  /// Joggers at 120 to 150 steps a minute are rare in the sets: slowed copies of running add them.
  private static let slowedRunning = ["running": 0.84...0.92]

  /// The penalty is that of an earlier `running`, which was chosen on sets left out.
  private static let wristMethod = ActivityTrainer.Method.logistic(penalty: 0.006)

  /// The features of pauses at the wrist.
  package static let wristFeatures =
    Feature.orientationFree + [
      Feature(.vertical, .bandLogRatio(3.3...4.5, 2.3...3.3, offset: 0.01)),
      Feature(.vertical, .bandRMS(1.2...2.2), .log(offset: 0.01)),
      Feature(.userAccelerationMagnitude, .meanCrossingRate), Feature(.userAccelerationMagnitude, .mean),
      Feature(.vertical, .spectralEntropy), Feature(.vertical, .interquartileRange, .log(offset: 0.01)),
    ]

  /// How the pause settings are tuned.
  package var tuning: PauseTuning {
    var tuning = PauseTuning()
    guard case .runningWrist = self else { return tuning }
    // A movement that is not running must last 8 s before it resumes a run, and hands that move at the rate of steps are no
    // quiet walk.
    (tuning.walkingResumeDwellSeconds, tuning.findsQuietWalks) = (8, false)
    // These recordings contain the difficult pauses, so the settings need no margin.
    tuning.tuner.margin = 0
    (tuning.tuner.freePauseLatency, tuning.tuner.freeResumeLatency) = (1.7, 1.5)
    (tuning.composition.usesEveryMinute, tuning.composition.seeds) = (true, 1...2)
    tuning.refit = PauseTuning.Refit(folds: 12, method: Self.wristMethod)
    return tuning
  }
}
