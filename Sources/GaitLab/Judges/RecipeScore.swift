import Gait
import GaitTraining

/// The score of a recipe by the rule in `ModelRecipe`, without its limits on SisFall, size and instructions.
struct RecipeScore: CustomStringConvertible {
  /// Mean and worst place of running or not, with people held out, then with sets left out.
  private let places: [Double]
  /// The mean accuracy of labels, with people held out, then with sets left out.
  private let labels: [Double]
  /// F1 and the worst person of running or not on MotionSense, people held out.
  private let motionSense: [Double]
  /// The shares of running that are found, by cadence, people held out.
  private let foundByCadence: [Double]
  private let peopleHeldOut, setsLeftOut: OtherShares

  init(_ matrix: PlaceMatrix) {
    let ways = [matrix.peopleHeldOut, matrix.setsLeftOut].map { rows in rows.filter { $0.runOrNot != nil } }
    places = ways.flatMap { rows in [Self.mean(rows.compactMap(\.runOrNot)), rows.compactMap(\.runOrNot).min() ?? 0] }
    labels = ways.map { Self.mean($0.map(\.accuracy)) }
    let pocket = matrix.peopleHeldOut.first { $0.name.hasPrefix("motionsense") }
    motionSense = [pocket?.macroF1, pocket?.worstRunOrNot].map { $0 ?? 0 }
    foundByCadence = matrix.recallByCadence.map { Double($0.found) / Double(max(1, $0.windows)) }
    (peopleHeldOut, setsLeftOut) = (matrix.otherHeldOut ?? OtherShares(), matrix.otherLeftOut ?? OtherShares())
  }

  private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }

  /// The least values of MotionSense, of the places and of slow running.
  private static let least = [0.975, 0.97, 0.9835, 0.96, 0.9835, 0.955, 0.6]

  /// Whether a limit is missed.
  var missesLimit: Bool {
    zip(motionSense + places + foundByCadence.prefix(1), Self.least).contains { $0 < $1 }
      || peopleHeldOut.quietAsOther > 0.01
      || peopleHeldOut.runningAsOther > 0.005
  }

  /// The score; higher is better.
  var value: Double {
    let negatives = (peopleHeldOut.meanOfFive + setsLeftOut.meanOfFive) / 2
    return places[0] + places[1] / 2 + places[2] + places[3] / 2 + Self.mean(labels) + (foundByCadence.first ?? 0) / 4
      - negatives - 4 * max(0, peopleHeldOut.walkingAsRunning - 0.015)
      - 2 * max(0, setsLeftOut.calibrationError - 0.02) - 2 * max(0, 0.93 - setsLeftOut.confidentRight)
  }

  static let header =
    "mean and worst place, people held out, sets left out | labels, people, sets | MotionSense: F1, worst person | "
    + "found at 120, 142, 150 steps | people held out, then sets left out: walking called running, walking or still "
    + "called other, running called other, the five negatives, right of p > 0.9, calibration error | score"

  var description: String {
    func list(_ shares: OtherShares) -> [Double] {
      [shares.walkingAsRunning, shares.quietAsOther, shares.runningAsOther] + shares.five
        + [shares.confidentRight, shares.calibrationError]
    }
    let parts = [places, labels, motionSense, foundByCadence, list(peopleHeldOut), list(setsLeftOut)]
    let texts = parts.map { $0.map { (100 * $0).fixed(1) }.joined(separator: " ") }
    return (texts + [value.fixed(4)]).joined(separator: " | ")
  }
}

/// A candidate of the rule in `ModelRecipe`.
struct RecipeCandidate: Sendable {
  let name: String
  /// The movements that it learns as `other`.
  let others: Set<String>
  /// Changes the recipe to that of the candidate.
  let change: @Sendable (inout ActivityTrainer) -> Void

  /// The features of the recipe as it was before it had a label for other movements: without the last five.
  private static let former = Array(Feature.running.dropLast(5))
  /// The periodicity of the vertical acceleration, which is low for hands and on a bicycle.
  private static let peak = Feature(.vertical, .autocorrelationPeak(0.2...1.1))
  private static let flatness = Feature(.total, .spectralFlatness)
  /// The features without those of the magnitude of user acceleration, which tell running from quick stairs.
  private static let withoutMagnitude = Array(Feature.running.dropLast(2))

  /// - Parameters:
  ///   - weights: the weights of running and of other movements; without that of `other`, no other movement is learned.
  ///   - copies: the shares of slowed running and of walking with knocks.
  private init(
    _ name: String, features: [Feature] = Feature.running, penalty: Double, weights: [String: Double],
    copies: (slowed: Double, knocked: Double) = (0.25, 0.1)
  ) {
    self.name = name
    others = weights[Activity.other.rawValue] == nil ? [] : ModelRecipe.running.otherMovements
    change = {
      ($0.features, $0.labelWeights, $0.method) = (features, .named(weights), .logistic(penalty: penalty))
      ($0.augmentation.share, $0.augmentation.knocks) = (copies.slowed, ["walking": copies.knocked])
    }
  }

  /// The candidates; the first is the recipe as it was.
  static let all = [
    RecipeCandidate("as it was", features: former, penalty: 0.016, weights: ["running": 1]),
    RecipeCandidate("peak", features: former + [peak], penalty: 0.016, weights: ["running": 1]),
    RecipeCandidate(
      "peak, flatness, running 1.3", features: former + [peak, flatness], penalty: 0.016, weights: ["running": 1.3]),
    RecipeCandidate("other", features: former, penalty: 0.016, weights: ["running": 1.5, "other": 1]),
    RecipeCandidate(
      "other, three features", features: withoutMagnitude, penalty: 0.016, weights: ["running": 1.5, "other": 1]),
    RecipeCandidate(
      "other 1.4, three features", features: withoutMagnitude, penalty: 0.03, weights: ["running": 1.7, "other": 1.4]),
    RecipeCandidate(
      "other 1.3, four features", features: withoutMagnitude + [Feature(.userAccelerationMagnitude, .spectralEntropy)],
      penalty: 0.03, weights: ["running": 1.5, "other": 1.3], copies: (0.28, 0.2)),
    RecipeCandidate(
      "other 1.3, slowed 0.3", penalty: 0.03, weights: ["running": 1.5, "other": 1.3], copies: (0.3, 0.2)),
    RecipeCandidate(
      "other 1.3, slowed 0.32", penalty: 0.04, weights: ["running": 1.5, "other": 1.3], copies: (0.32, 0.2)),
    RecipeCandidate(
      "other 1.3, slowed 0.35", penalty: 0.05, weights: ["running": 1.5, "other": 1.3], copies: (0.35, 0.2)),
    RecipeCandidate(
      "other 1.4, slowed 0.35", penalty: 0.05, weights: ["running": 1.6, "other": 1.4], copies: (0.35, 0.2)),
  ]
}
