import Gait

/// A model on runs with ground truth, prepared for repeated evaluation with different pause settings.
///
/// Samples are resampled and windows classified once, because pause settings change neither. Windows, probabilities,
/// thresholds and onsets are bit for bit those of `RunTracker`.
public struct PauseTrial: Sendable {
  private let runs: [(run: ComposedRun, steps: [Step])]
  private let model: ActivityModel
  private let policy: PausePolicy

  /// A sample at the model's rate, its arrival time, and the window that it completes.
  private struct Step: Sendable {
    var sample: MotionSample
    var arrival: SampleTime
    var window: PauseWindow?
  }

  /// Prepares `model` on `runs`.
  ///
  /// - Throws: `EvaluationError` if a recording's rate is too low for the model or a channel is missing.
  public init(_ model: ActivityModel, on runs: [ComposedRun], policy: PausePolicy) throws(EvaluationError) {
    self.model = model
    self.policy = policy
    self.runs = try runs.mappedConcurrently { (run) throws(EvaluationError) in
      do throws(ModelError) { try model.check(run.recording) } catch { throw .recording(run.recording.name, error) }
      return (run, Self.steps(of: run.recording, model))
    }
  }

  private static func steps(of recording: Recording, _ model: ActivityModel) -> [Step] {
    var resampler = Resampler(from: recording.sampleRate, to: model.sampleRate)
    var windows = PauseWindows(model: model)
    var steps: [Step] = []
    for index in 0..<recording.count {
      let source = recording[index]
      resampler.append(source) { sample in
        steps.append(Step(sample: sample, arrival: source.time, window: windows.append(sample)))
      }
    }
    return steps
  }

  /// The report with the model's own settings.
  public func report() -> PauseReport { report(model) }

  /// The report with other settings.
  ///
  /// - Precondition: the settings are valid.
  public func report(with settings: PauseSettings) -> PauseReport {
    do throws(ModelError) {
      return report(try model.with(pauses: settings))
    } catch {
      preconditionFailure("invalid pause settings: \(error)")
    }
  }

  /// The report at each of several pause thresholds, with all other settings unchanged.
  public func tradeOff(at thresholds: [Float]) -> [(pauseAbove: Float, report: PauseReport)] {
    thresholds.map { threshold in
      var settings = model.pauses ?? PauseSettings()
      settings.pauseAbove = threshold
      settings.resumeBelow = min(settings.resumeBelow, threshold)
      return (threshold, report(with: settings))
    }
  }

  private func report(_ model: ActivityModel) -> PauseReport {
    let settings = model.pauses ?? PauseSettings()
    let logs = runs.mappedConcurrently { run in
      var decider = PauseDecider(model: model, policy: policy)
      var log = PauseLog(mergeGapSeconds: settings.mergeGapSeconds)
      for step in run.steps {
        let decision = decider.append(step.sample, closing: step.window, arrival: step.arrival)
        if let decision { log.record(RunEvent(decision)) }
      }
      return log
    }
    var report = PauseReport()
    for (log, run) in zip(logs, runs) { report.add(log, of: run.run) }
    return report
  }
}
