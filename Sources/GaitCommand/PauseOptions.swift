import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

extension PausePolicy: ExpressibleByArgument {
  /// What help shows as the choices.
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

/// The options that say how runs with known stops are made from labelled recordings.
struct PauseOptions: ParsableArguments {
  @Option(help: "What the clock stops for: still, notRunning, or activities such as still+walking.")
  var policy = PausePolicy.whenStill

  @Option(help: ArgumentHelp("The activities that runs are interrupted by.", valueName: "activity+activity"))
  var stops: String?

  @Option(help: ArgumentHelp("The seeds of composition: one, or a range such as 1-5.", valueName: "seeds"))
  var seeds = "1-5"

  @Option(parsing: .unconditional, help: ArgumentHelp("Hours composed from each seed, at least.", valueName: "hours"))
  var hours = RunComposer().hours

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How long one stretch fades into the next; 0 is a hard join.", valueName: "seconds"))
  var fade = RunComposer().fadeSeconds

  func validate() throws {
    guard (0.01...200).contains(hours), (0...10).contains(fade) else {
      throw ValidationError("--hours must be within 0.01…200 and --fade within 0…10 s.")
    }
    guard let seedRange else { throw ValidationError("--seeds is a number or a range of them, such as 1-5.") }
    // Their samples are all kept: 11 MB an hour at 50 Hz.
    guard (Double(seedRange.upperBound - seedRange.lowerBound) + 1) * hours <= Self.mostHours else {
      throw ValidationError(
        "--hours times the number of --seeds must be at most \(number(Self.mostHours)) h.")
    }
    guard stopActivities != nil else {
      throw ValidationError("--stops names activities, joined by +: still, walking, other.")
    }
    guard !policy.activities.isEmpty else {
      throw ValidationError("a policy under which the clock never stops cannot be judged by its pauses.")
    }
  }

  /// How many hours are composed at most, from all seeds together.
  private static let mostHours = 200.0

  private var seedRange: ClosedRange<UInt64>? { SeedRange(argument: seeds)?.range }

  /// What runs are interrupted by: standing under the policy that pauses then, walking under the others.
  private var stopActivities: Set<Activity>? {
    guard let stops else { return policy.activities.contains(.walking) ? [.walking] : policy.activities }
    return PausePolicy(stops).map(\.activities).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Runs with known stops, of all seeds.
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

/// Lines that show a report of pauses.
func text(of report: PauseReport) -> String {
  func latency(_ latency: PauseReport.Latency) -> String {
    "\(fixed(latency.median, 2)) s median, \(fixed(latency.p95, 2)) s in 95 %"
  }
  func onset(_ onset: PauseReport.OnsetError) -> String {
    "\(latency(onset.size)), \(fixed(onset.largest, 2)) s at most; in the mean \(fixed(onset.mean.magnitude, 2)) s too "
      + "\(onset.mean < 0 ? "early" : "late") (by a fixed offset \(latency(onset.sizeByFixedOffset)))"
  }
  return """
      hours                      \(fixed(report.hours, 2))
      changes                    \(report.changes)
      false pauses               \(report.falsePauses) (\(fixed(report.falsePausesPerHour, 2)) an hour of running)
      missed pauses over 5 s     \(report.missedPauses)
      false resumes              \(report.falseResumes) (\(fixed(report.falseResumesPerPausedHour, 2)) an hour of standing)
      missed resumes             \(report.missedResumes)
      pause latency              \(latency(report.pauseLatency))
      resume latency             \(latency(report.resumeLatency))
      pauses dated off by        \(onset(report.pauseOnset))
      resumes dated off by       \(onset(report.resumeOnset))
      moving time off by         \(fixed(report.movingTimeErrorPercent, 3)) % (\(fixed(report.movingTimeErrorSecondsPerEvent, 3)) s a change)
    """
}
