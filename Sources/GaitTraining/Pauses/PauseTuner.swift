import Gait

/// Finds the settings at which pauses cost least.
///
/// The cost is in seconds, so that it can be argued about: what a false pause, a missed one or a false resume takes from a
/// runner's trust, against a second of waiting. Waiting is free up to `freePauseLatency` and `freeResumeLatency`, and among
/// settings of one cost the most cautious ones win: on recordings that make no trouble, the most reckless would otherwise.
/// Mistakes are counted with thresholds eased by `margin` logits, for the same reason.
public struct PauseTuner: Hashable, Sendable {
  /// The cost of a pause while the wearer runs on, seconds.
  public var falsePause = 60.0
  /// The cost of a stop of more than 5 s that goes unnoticed, seconds.
  public var missedPause = 60.0
  /// The cost of a resume while the wearer stands on, seconds.
  public var falseResume = 30.0
  /// The median latency of a pause that nobody minds, seconds.
  public var freePauseLatency = 1.5
  /// The median latency of a resume that nobody minds, seconds.
  public var freeResumeLatency = 1.0
  /// How much easier the thresholds are made when mistakes are counted, logits.
  public var margin: Float = 4
  /// The thresholds for a pause that are tried.
  public var pauseThresholds: [Float] = [0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995]
  /// The thresholds for a resume that are tried.
  public var resumeThresholds: [Float] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5]
  /// The weights of one window that are tried.
  public var likelihoodExponents: [Float] = [0.2, 0.3, 0.5]
  /// How long a resume must last that is tried, seconds. Never one window alone: the first that shaking reaches still holds too
  /// much rest to be known for what it is, and recordings of people who stand have no shaking in them.
  public var resumeDwells = [0.2, 0.4]

  /// The defaults.
  public init() {}

  /// Settings that were tried, and how they did.
  public struct Candidate: Sendable {
    /// The settings.
    public let settings: PauseSettings
    /// How they did as they are.
    public let report: PauseReport
    /// Their cost, seconds a change between running and standing.
    public let cost: Double

    /// How little it takes to change the clock, in logits: higher is bolder.
    var recklessness: Float {
      let logits = logit(settings.resumeBelow) - logit(settings.pauseAbove)
      return logits - Float(settings.pauseDwellSeconds + settings.resumeDwellSeconds)
    }

    private func logit(_ probability: Float) -> Float { logarithm(probability / (1 - probability)) }
  }

  /// Tries all combinations, the least cost first, and among equals the most cautious.
  ///
  /// - Parameters:
  ///   - trial: the model on runs of the people that it was trained on. Those it is judged by are not to be looked at here.
  ///   - base: the settings that the others are taken from.
  ///   - tried: called after each combination.
  public func candidates(
    on trial: PauseTrial, base: PauseSettings = PauseSettings(), tried: () -> Void = {}
  ) -> [Candidate] {
    var candidates: [Candidate] = []
    for weight in likelihoodExponents {
      for pause in pauseThresholds {
        for resume in resumeThresholds where resume < pause {
          for dwell in resumeDwells {
            var settings = base
            (settings.likelihoodExponent, settings.pauseAbove, settings.resumeBelow) = (weight, pause, resume)
            settings.resumeDwellSeconds = dwell
            candidates.append(candidate(settings, on: trial))
            tried()
          }
        }
      }
    }
    return candidates.sorted { ($0.cost, $0.recklessness) < ($1.cost, $1.recklessness) }
  }

  /// How many settings are tried, at most.
  public var candidateCount: Int {
    likelihoodExponents.count * pauseThresholds.count * resumeThresholds.count * resumeDwells.count
  }

  private func candidate(_ settings: PauseSettings, on trial: PauseTrial) -> Candidate {
    var (easyPause, easyResume) = (settings, settings)
    easyPause.pauseAbove = Self.shifted(settings.pauseAbove, by: -margin)
    easyPause.resumeBelow = min(settings.resumeBelow, easyPause.pauseAbove)
    easyResume.resumeBelow = Self.shifted(settings.resumeBelow, by: margin)
    easyResume.pauseAbove = max(settings.pauseAbove, easyResume.resumeBelow)
    let report = trial.report(with: settings)
    let mistakes =
      falsePause * Double(trial.report(with: easyPause).falsePauses) + falseResume
      * Double(trial.report(with: easyResume).falseResumes)
      + missedPause * Double(report.missedPauses)
    let waiting =
      max(0, report.pauseLatency.median - freePauseLatency) + max(0, report.resumeLatency.median - freeResumeLatency)
    return Candidate(settings: settings, report: report, cost: waiting + mistakes / Double(max(1, report.changes)))
  }

  /// A probability moved by some logits.
  static func shifted(_ probability: Float, by logits: Float) -> Float {
    let odds = probability / (1 - probability) * exponential(logits)
    return odds / (1 + odds)
  }
}
