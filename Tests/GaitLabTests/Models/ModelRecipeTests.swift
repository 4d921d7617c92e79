import Gait
import Testing

@testable import GaitLab
@testable import GaitTraining

struct ModelRecipeTests {
  @Test("a bundled model has the features and the method of its recipe")
  func bundledModels() {
    let models: [(ModelRecipe, ActivityModel)] = [
      (.running, .running), (.runningLinear, .runningLinear), (.runningPocket, .runningPocket),
      (.runningWrist, .runningWrist),
    ]
    for (recipe, model) in models {
      let trainer = recipe.trainer
      #expect(model.activityHead.features == trainer.features, "\(recipe)")
      #expect(model.activityHead.window == trainer.window, "\(recipe)")
      #expect(model.card?.training.method == trainer.methodDescription, "\(recipe)")
      #expect((model.activityHead.calibration != nil) == (trainer.calibration != .none), "\(recipe)")
    }
    #expect(ActivityModel.running.pauseHead.features == ModelRecipe.runningPocket.trainer.features)
    #expect(ActivityModel.runningLinear.pauseHead.features == ModelRecipe.linearPauses.trainer.features)
    #expect(ActivityModel.runningWrist.pauses?.walkingResumeDwellSeconds == 2)
    #expect(ModelRecipe.runningWrist.tuning.composition.moving == [.running, .walking])
    #expect(ActivityModel.runningWrist.pauses?.findsQuietWalks == false)
    #expect(ActivityModel.runningWrist.meanings == ModelRecipe.runningWrist.trainer.meanings)
  }
}
