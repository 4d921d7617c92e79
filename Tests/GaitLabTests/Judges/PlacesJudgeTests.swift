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
    pocket: Double = 0.99, wrist: Double? = 0.97, accuracy: Double = 0.99, found: Int = 99, error: Double = 0.01
  ) -> RecipeScore {
    let rows = [
      row("motionsense, pocket", pocket, accuracy: accuracy, error: error), row("wrist", wrist, error: error),
      row("standing", nil, error: error),
    ]
    let cadences = [120.0, 142, 150].map {
      PlaceMatrix.CadenceRecall(from: $0, to: $0 + 10, windows: 100, found: found)
    }
    return RecipeScore(
      PlaceMatrix(
        peopleHeldOut: rows, folds: [], setsLeftOut: rows, recallByCadence: cadences, calibrationError: 0,
        pairedPlaces: [], pairs: [], runningLabel: "running"),
      rareMovements: [0.5, 0.25])
  }

  @Test("a score is the sum of mean and half the worst place, twice, and of the rare movements")
  func sum() {
    // A place without running is not judged: the mean is that of 0.99 and 0.97.
    #expect(abs(score().value - (2 * (0.98 + 0.97 / 2) + 0.75)) < 1e-12)
    #expect(score().description.hasSuffix("| 99.0 99.0 99.0 | 1.0 | 50.0 25.0 | 3.6800"))
    // What the labels of MotionSense lack to 98.4 % counts twice.
    #expect(abs(score().value - score(accuracy: 0.974).value - 2 * 0.01) < 1e-12)
  }

  @Test("a recipe that misses one limit is out")
  func limits() {
    #expect(!score().missesLimit)
    #expect(score(wrist: 0.92).missesLimit, "worst place")
    #expect(score(pocket: 0.97, wrist: 0.97).missesLimit, "mean")
    #expect(score(accuracy: 0.98).missesLimit, "labels")
    #expect(score(found: 97).missesLimit, "fast running")
    #expect(score(error: 0.021).missesLimit, "calibration")
  }

  @Test("the recipe of the model is one of the candidates")
  func candidates() {
    let knocks = ModelRecipe.running.trainer.augmentation.knocks
    #expect(RecipeCandidate.all.contains { $0.knocks == knocks })
    #expect(RecipeCandidate.all[0].knocks.isEmpty)
  }
}
