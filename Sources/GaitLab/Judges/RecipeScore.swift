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
  /// Running or not at each added place, people held out.
  private let added: [Double]

  init(_ matrix: PlaceMatrix) {
    let ways = [matrix.peopleHeldOut, matrix.setsLeftOut].map { rows in rows.filter { $0.runOrNot != nil } }
    places = ways.flatMap { rows in [Self.mean(rows.compactMap(\.runOrNot)), rows.compactMap(\.runOrNot).min() ?? 0] }
    labels = ways.map { Self.mean($0.map(\.accuracy)) }
    let pocket = matrix.peopleHeldOut.first { $0.name.hasPrefix("motionsense") }
    motionSense = [pocket?.macroF1, pocket?.worstRunOrNot].map { $0 ?? 0 }
    foundByCadence = matrix.recallByCadence.map { Double($0.found) / Double(max(1, $0.windows)) }
    added = matrix.addedHeldOut.map { $0.runOrNot ?? 0 }
    (peopleHeldOut, setsLeftOut) = (matrix.otherHeldOut ?? OtherShares(), matrix.otherLeftOut ?? OtherShares())
  }

  private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }

  /// Whether a limit is missed.
  var missesLimit: Bool {
    zip(motionSense, [0.975, 0.97]).contains { $0 < $1 }
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
    + "called other, running called other, the five negatives, right of p > 0.9, calibration error | added places, people held out "
    + "| score"

  var description: String {
    func list(_ shares: OtherShares) -> [Double] {
      [shares.walkingAsRunning, shares.quietAsOther, shares.runningAsOther] + shares.five
        + [shares.confidentRight, shares.calibrationError]
    }
    let parts = [places, labels, motionSense, foundByCadence, list(peopleHeldOut), list(setsLeftOut), added]
    let texts = parts.map { $0.map { (100 * $0).fixed(1) }.joined(separator: " ") }
    return (texts + [value.fixed(4)]).joined(separator: " | ")
  }
}

/// A candidate of the rule in `ModelRecipe`.
struct RecipeCandidate: Sendable {
  let name: String
  /// The movements that it learns as `other`.
  let others: Set<String>
  /// Whether it learns the added places.
  let learnsAddedPlaces: Bool
  /// Changes the recipe to that of the candidate.
  let change: @Sendable (inout ActivityTrainer) -> Void

  /// The mean strength, which differs by place.
  private static let mean = Feature(.total, .mean, .log(offset: 0.01))
  /// The quartile of the vertical acceleration that depends on how long the feet are off the ground.
  private static let quartile = Feature(.vertical, .percentile(25))
  /// The features of the recipe as it was before it had a label for other movements.
  private static let former = Array(Feature.running.dropLast(4)) + [mean]

  /// - Parameters:
  ///   - weights: the weights of running and of other movements; without that of `other`, no other movement is learned.
  ///   - copies: the shares of slowed running and of walking with knocks.
  private init(
    _ name: String, features: [Feature] = Feature.running, penalty: Double, weights: [String: Double],
    copies: (slowed: Double, knocked: Double) = (0.25, 0.1), learnsAddedPlaces: Bool = false
  ) {
    (self.name, self.learnsAddedPlaces) = (name, learnsAddedPlaces)
    others = weights[Activity.other.rawValue] == nil ? [] : ModelRecipe.running.otherMovements
    change = {
      ($0.features, $0.labelWeights, $0.method) = (features, .named(weights), .logistic(penalty: penalty))
      ($0.augmentation.share, $0.augmentation.knocks) = (copies.slowed, ["walking": copies.knocked])
    }
  }

  /// The candidates; the first is the recipe as it was.
  static let all =
    [
      RecipeCandidate("as it was", features: former, penalty: 0.016, weights: ["running": 1]),
      RecipeCandidate("other", features: former, penalty: 0.016, weights: ["running": 1.5, "other": 1]),
      RecipeCandidate(
        "mean, quartile", features: Feature.running + [mean, quartile], penalty: 0.04,
        weights: ["running": 1.5, "other": 1.3], copies: (0.32, 0.2)),
      RecipeCandidate(
        "mean", features: Feature.running + [mean], penalty: 0.04, weights: ["running": 1.5, "other": 1.3],
        copies: (0.32, 0.2)),
      RecipeCandidate("slowed 0.32", penalty: 0.04, weights: ["running": 1.5, "other": 1.3], copies: (0.32, 0.2)),
      RecipeCandidate(
        "slowed 0.32, running 1.3", penalty: 0.04, weights: ["running": 1.3, "other": 1.1], copies: (0.32, 0.2)),
      RecipeCandidate("knocked 0.25", penalty: 0.04, weights: ["running": 1.5, "other": 1.3], copies: (0.25, 0.25)),
      RecipeCandidate(
        "knocked 0.3, running 1.3", penalty: 0.03, weights: ["running": 1.3, "other": 1.3], copies: (0.32, 0.3)),
    ]
    + [(0.25, 0.25), (0.25, 0.2), (0.25, 0.15), (0.32, 0.25)].map { copies in
      RecipeCandidate(
        "slowed \(copies.0), knocked \(copies.1), added places", penalty: 0.04,
        weights: ["running": 1.5, "other": 1.3], copies: copies, learnsAddedPlaces: true)
    }
}
