import GaitTraining
import Testing

@testable import GaitLab

struct PlacesJudgeTests {
  private func row(
    _ name: String, _ runOrNot: Double?, accuracy: Double = 0.99, error: Double = 0.01
  ) -> PlaceMatrix.Row {
    PlaceMatrix.Row(
      name: name, people: 4, windows: 100, runOrNot: runOrNot, macroF1: 0.98, accuracy: accuracy, worstPerson: "1",
      worstRunOrNot: 0.96, calibrationError: error)
  }

  private func score(
    pocket: Double = 0.99, wrist: Double? = 0.97, found: Int = 60, worstPocket: Double = 0.98,
    others: OtherShares? = nil
  ) -> RecipeScore {
    var motionSense = row("motionsense, pocket", pocket)
    motionSense = PlaceMatrix.Row(
      name: motionSense.name, people: 4, windows: 100, runOrNot: pocket, macroF1: 0.98, accuracy: 0.99,
      worstPerson: "1",
      worstRunOrNot: worstPocket, calibrationError: 0.01)
    let rows = [motionSense, row("wrist", wrist), row("standing", nil)]
    let cadences = [120.0, 142, 150].map {
      PlaceMatrix.CadenceRecall(from: $0, to: $0 + 10, windows: 100, found: found)
    }
    var matrix = PlaceMatrix(
      peopleHeldOut: rows, folds: [], setsLeftOut: rows, recallByCadence: cadences, calibrationError: 0,
      pairedPlaces: [], pairs: [], runningLabel: "running")
    (matrix.otherHeldOut, matrix.otherLeftOut) = (others ?? shares(), others ?? shares())
    return RecipeScore(matrix)
  }

  /// Of jumping 20 % of the windows are called running, of two activities of hands 10 and 30 %.
  private func shares() -> OtherShares {
    var shares = OtherShares()
    shares.movements = [("hands: one", 0.1), ("hands: two", 0.3), ("jumping", 0.2)].map {
      OtherShares.Movement(name: $0, windows: 10, asRunning: $1, confident: 0)
    }
    shares.confidentRight = 0.95
    return shares
  }

  @Test("a score is the sum of mean and half the worst place, twice, labels and slow running, minus the negatives")
  func sum() {
    // A place without running is not judged: the mean is that of 0.99 and 0.97. Each of five groups weighs the same.
    #expect(abs(score().value - (2 * (0.98 + 0.97 / 2) + 0.99 + 0.15 - 0.4 / 5)) < 1e-12)
    var wrong = shares()
    (wrong.walkingAsRunning, wrong.calibrationError, wrong.confidentRight) = (0.025, 0.03, 0.92)
    #expect(abs(score().value - score(others: wrong).value - (4 * 0.01 + 2 * 0.01 + 2 * 0.01)) < 1e-12)
    wrong = shares()
    (wrong.walkingAsRunning, wrong.calibrationError, wrong.confidentRight) = (0.015, 0.02, 0.93)
    #expect(abs(score().value - score(others: wrong).value) < 1e-12)
  }

  @Test("a recipe that misses one limit is out")
  func limits() {
    #expect(!score().missesLimit)
    #expect(score(worstPocket: 0.96).missesLimit, "the worst person of MotionSense")
    var others = shares()
    others.quietAsOther = 0.011
    #expect(score(others: others).missesLimit, "walking called other")
    others = shares()
    others.runningAsOther = 0.006
    #expect(score(others: others).missesLimit, "running called other")
  }

  @Test("the recipe of the model is one of the candidates")
  func candidates() {
    let recipe = ModelRecipe.running.trainer
    #expect(
      RecipeCandidate.all.contains { candidate in
        var trainer = recipe
        candidate.change(&trainer)
        return trainer.features == recipe.features && trainer.labelWeights == recipe.labelWeights
          && trainer.method == recipe.method && trainer.augmentation == recipe.augmentation
          && candidate.others == ModelRecipe.running.otherMovements && candidate.learnsAddedPlaces
      })
    #expect(Set(RecipeCandidate.all.map(\.name)).count == RecipeCandidate.all.count)
  }
}
