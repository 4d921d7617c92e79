extension RunTimeline {
  /// The run with the distance that a treadmill shows, or that the runner knows: way, paces, splits, laps and energy follow.
  ///
  ///     let run = try tracker.finish().calibrated(toMeters: 5_000)
  ///     options.strides = run.strides                     // for the next run without GPS
  ///
  /// Every part of the way is multiplied by the same factor, as are the step lengths (`strides`). A run whose step lengths are
  /// not known gets the way of its steps, whose length rises with the step rate as it does for most runners. Times, steps and
  /// pauses stay. The way is still one by steps, so it stays estimated, with a standard error of 1 %, as treadmills have.
  ///
  /// - Parameter meters: the distance without pauses.
  /// - Throws: `RunValueError.distance` if it is not positive and finite, `RunValueError.noSteps` if the run has no way and no
  ///   steps.
  public func calibrated(toMeters meters: Double) throws(RunValueError) -> RunTimeline {
    guard meters > 0, meters.isFinite else { throw .distance(meters) }
    var run = self
    if !(run.distance ?? 0 > 0) { run.strides = .usual }
    guard let distance = run.distance, distance > 0, distance.isFinite else { throw .noSteps }
    let factor = meters / distance
    let (way, error) = run.wayAndError
    run.strides = run.strides?.multiplied(by: factor)
    run.path = way.map { step in
      var step = step
      step.meters *= factor
      return step
    }
    run.wayError = error.stated
    return run
  }
}

extension StrideModel {
  /// Steps of 1 m at 165 steps/min and of 0.65 m while walking. They lengthen with the step rate as `StrideLearner` expects.
  fileprivate static let usual = StrideModel(
    running: 1, walking: 0.65, cadenceSlope: StrideLearner.expectedSlope / StrideLearner.runningRate)

  /// The model with other lengths at the same step rates.
  fileprivate func multiplied(by factor: Double) -> StrideModel {
    var model = self
    model.running *= factor
    model.walking *= factor
    model.cadenceSlope *= factor
    return model
  }
}
