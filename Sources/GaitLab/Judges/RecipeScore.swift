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

  /// Whether a limit is missed.
  var missesLimit: Bool {
    zip(motionSense, [0.975, 0.97]).contains { $0 < $1 } || peopleHeldOut.quietAsOther > 0.01
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

  /// With the median of the total acceleration, which is lower in a jump than in a run.
  private static let median = Feature.running + [Feature(.total, .percentile(50), .log(offset: 0.01))]
  /// Movements with the rhythm of slow running.
  private static let rhythmic: Set<String> = ["jumping", "hopping"]

  private init(
    _ name: String, features: [Feature] = Feature.running, weights: ActivityTrainer.LabelWeights,
    others: Set<String> = []
  ) {
    (self.name, self.others) = (name, others)
    change = { ($0.features, $0.labelWeights) = (features, weights) }
  }

  /// The candidates; the first is the recipe as it was.
  static let all = [
    RecipeCandidate("as it was", weights: .equal),
    RecipeCandidate("balanced weights", weights: .balanced),
    RecipeCandidate("running 1.5", weights: .named(["running": 1.5])),
    RecipeCandidate("running 1.5, other", weights: .named(["running": 1.5]), others: rhythmic),
    RecipeCandidate(
      "running 1.2, other, median", features: median, weights: .named(["running": 1.2]), others: rhythmic),
    RecipeCandidate(
      "running 1.3, other, median", features: median, weights: .named(["running": 1.3]), others: rhythmic),
    RecipeCandidate(
      "running 1.5, other, median", features: median, weights: .named(["running": 1.5]), others: rhythmic),
  ]
}
