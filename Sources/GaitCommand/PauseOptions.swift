import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

extension PausePolicy: ExpressibleByArgument {
  /// The choices in help texts.
  public static var allValueStrings: [String] { ["still", "notRunning", "never"] }
}

/// Seeds on the command line: one, or a range such as 1-5.
struct SeedRange: ExpressibleByArgument {
  /// The seeds.
  let range: ClosedRange<UInt64>

  init?(argument: String) {
    let bounds = argument.split(separator: "-", omittingEmptySubsequences: false).map { UInt64($0) }
    guard let first = bounds.first ?? nil, let last = bounds.last ?? nil, bounds.count <= 2, first <= last else {
      return nil
    }
    range = first...last
  }
}

/// The options for composing runs with known stops from labelled recordings.
struct PauseOptions: ParsableArguments {
  @Option(help: "The activities that pause the run: still, notRunning, or a list such as still+walking.")
  var policy = PausePolicy.whenStill

  @Option(
    help: ArgumentHelp(
      "The activities of the stops (default: those of --policy; only walking if it includes that).",
      valueName: "activity+activity"))
  var stops: String?

  @Option(help: ArgumentHelp("The seeds of the composition: a number or a range such as 1-5.", valueName: "seeds"))
  var seeds = "1-5"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The least number of hours to compose from each seed.", valueName: "hours"))
  var hours = RunComposer().hours

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The length of the cross-fade between two stretches; 0 is a hard cut.", valueName: "seconds"))
  var fade = RunComposer().fadeSeconds

  func validate() throws {
    guard (0.01...200).contains(hours), (0...10).contains(fade) else {
      throw ValidationError("--hours must be within 0.01…200 and --fade within 0…10 s.")
    }
    guard let seedRange else { throw ValidationError("--seeds must be a number or a range such as 1-5.") }
    // All samples stay in memory: 11 MB an hour at 50 Hz.
    guard (Double(seedRange.upperBound - seedRange.lowerBound) + 1) * hours <= Self.mostHours else {
      throw ValidationError(
        "--hours times the number of --seeds must be at most \(number(Self.mostHours)) h.")
    }
    guard stopActivities != nil else {
      throw ValidationError("--stops must be activities joined by +: still, walking, other.")
    }
    guard !policy.activities.isEmpty else {
      throw ValidationError("--policy never has no pauses to evaluate; choose still, notRunning or activities.")
    }
  }

  /// The greatest number of hours to compose from all seeds together.
  private static let mostHours = 200.0

  private var seedRange: ClosedRange<UInt64>? { SeedRange(argument: seeds)?.range }

  /// The activities of the stops: those of `--stops`, else walking if the policy pauses for it, else the policy's own.
  private var stopActivities: Set<Activity>? {
    guard let stops else { return policy.activities.contains(.walking) ? [.walking] : policy.activities }
    return PausePolicy(stops).map(\.activities).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Composes runs with known stops from all seeds.
  func runs(from dataset: LabeledDataset, cleaned: Bool) throws(ComposingError) -> [ComposedRun] {
    var composer = RunComposer()
    composer.hours = hours
    composer.fadeSeconds = fade
    composer.cleansRunning = cleaned
    composer.stops = stopActivities ?? []
    var runs: [ComposedRun] = []
    for seed in seedRange ?? 1...1 { runs += try composer.runs(from: dataset, seed: seed) }
    return runs
  }
}

/// A pause report as text.
func text(of report: PauseReport) -> String {
  func latency(_ latency: PauseReport.Latency) -> String {
    "\(fixed(latency.median, 2)) s median, \(fixed(latency.p95, 2)) s 95th percentile"
  }
  func onset(_ onset: PauseReport.OnsetError) -> String {
    "\(latency(onset.size)), \(fixed(onset.largest, 2)) s at most; \(fixed(onset.mean.magnitude, 2)) s too "
      + "\(onset.mean < 0 ? "early" : "late") on average (with a fixed offset \(latency(onset.sizeByFixedOffset)))"
  }
  return """
      hours                      \(fixed(report.hours, 2))
      changes                    \(report.changes)
      false pauses               \(report.falsePauses) (\(fixed(report.falsePausesPerHour, 2)) per hour of running)
      missed pauses over 5 s     \(report.missedPauses)
      false resumes              \(report.falseResumes) (\(fixed(report.falseResumesPerPausedHour, 2)) per hour of standing)
      missed resumes             \(report.missedResumes)
      pause delay                \(latency(report.pauseLatency))
      resume delay               \(latency(report.resumeLatency))
      pause onset error          \(onset(report.pauseOnset))
      resume onset error         \(onset(report.resumeOnset))
      moving time error          \(fixed(report.movingTimeErrorPercent, 3)) % (\(fixed(report.movingTimeErrorSecondsPerEvent, 3)) s per change)
    """
}
