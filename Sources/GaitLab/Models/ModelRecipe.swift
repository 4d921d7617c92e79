import Gait
import GaitTraining

/// How the bundled models are trained: features, penalty, copies, weights and calibration.
///
/// **The rule of `running`.** A candidate is scored in two ways: with people held out, and with sets left out (sets of
/// the same people together). It is scored on every window of the known sets, and on five movements that are no
/// running, the negatives: jumping, hopping, exercise bikes, `bicycle`, and movements of the hands. `bicycle`, SisFall,
/// Exermote and the recordings outdoors train nothing. The added places were added after the rule: a recipe may learn
/// them, and they are not in the score. The score is the sum of
///
/// - the mean over the places of `PlaceMatrix.Row.runOrNot`, and half of the worst place's, with people held out, and
///   the same with sets left out;
/// - the mean accuracy of the labels over the places, averaged over the two ways;
/// - a quarter of the running found at 120 to 142 steps a minute, with people held out;
/// - minus the mean share of the five negatives that is called running, averaged over the two ways;
/// - minus four times the share of walking that is called running, as far as it is above 1.5 %, with people held out;
/// - minus twice the mean calibration error of the places, as far as it is above 2 %, and twice the share of running
///   among windows with p > 0.9, as far as it is below 93 % (`OtherShares.confidentRight`), with sets left out.
///
/// A candidate is out if F1 of running or not on MotionSense is below 97.5 %, its worst person below 97 %, walking or
/// still called `other` above 1 %, or running called `other` above 0.5 %, with people held out; if more of SisFall's
/// other activities is called running than by the recipe as it was; or if the model has more than 200 kB, or costs more
/// than 1.3 times the instructions. The highest score of the others replaces the recipe as it was if it is 0.005
/// higher.
///
/// **The rule of `runningWrist`.** With people held out, at the wrists of WISDM and Har-Lab, under the policy that
/// pauses when still: at most 2 % of the time of walking is paused, at least 95 % of the time of hand movements without
/// steps, and no running. Of the candidates that meet this, the one with the smallest error of moving time on composed
/// runs.
package enum ModelRecipe: Sendable {
  /// `ActivityModel.running`, for every place on the body.
  case running
  /// `ActivityModel.runningLinear`, for every place on the body, without gravity.
  case runningLinear
  /// `ActivityModel.runningPocket`, for trouser pockets, whose pause head `running` has too.
  case runningPocket
  /// The model whose pause head `runningLinear` has.
  case linearPauses
  /// `ActivityModel.runningWrist`, for watches.
  case runningWrist

  /// The trainer with the settings of the recipe.
  package var trainer: ActivityTrainer {
    var trainer = ActivityTrainer()
    switch self {
    case .running:
      trainer.features = Feature.running
      // The penalty limits the weight of the movement's strength, which differs by place; it also makes probabilities
      // too cautious, which a temperature corrects.
      trainer.method = .logistic(penalty: 0.04)
      // Walking and standing still are several times as frequent in the sets as running and other movements.
      trainer.labelWeights = .named(["running": 1.5, Activity.other.rawValue: 1.3])
      trainer.calibration = .temperature
      trainer.augmentation.speeds = Self.slowedRunning
      trainer.augmentation.share = 0.25
      // Walkers who stumble are rare in these sets.
      trainer.augmentation.knocks = ["walking": 0.2]
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
      // The only slow recordings are of people who stand; slow copies of the others keep the model from taking quiet
      // walks at 10 Hz for pauses.
      trainer.augmentation.copyRate = .hertz(10)
    case .runningWrist:
      trainer.features = Self.wristFeatures
      trainer.method = Self.wristMethod
      trainer.meanings = ["hands": .still]
    }
    return trainer
  }

  /// The movements that the recipe learns as `other`: those with the rhythm of slow running.
  package var otherMovements: Set<String> {
    if case .running = self { ["jumping", "hopping"] } else { [] }
  }

  /// Whether the recipe learns the added places.
  package var learnsAddedPlaces: Bool { if case .running = self { true } else { false } }

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
    // A movement that is not running must last 2 s before it resumes a run, and hands that move at the rate of steps
    // are no quiet walk.
    (tuning.walkingResumeDwellSeconds, tuning.findsQuietWalks) = (2, false)
    // These recordings contain the difficult pauses, so the settings need no margin.
    tuning.tuner.margin = 0
    (tuning.tuner.freePauseLatency, tuning.tuner.freeResumeLatency) = (1.7, 1.5)
    (tuning.composition.usesEveryMinute, tuning.composition.seeds) = (true, 1...2)
    // Walking must not pause a run, and must end a pause.
    tuning.composition.moving = [.running, .walking]
    tuning.refit = PauseTuning.Refit(folds: 12, method: Self.wristMethod)
    return tuning
  }
}
