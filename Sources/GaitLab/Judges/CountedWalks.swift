import Foundation
import Gait
import GaitFormats
import GaitTraining

/// Compares the steps of walks with those that were counted, and lists what was paused in them.
struct CountedWalks {
  /// The walks, and `counted.csv` with their steps.
  let folder: URL
  let model: ActivityModel

  /// A pause that touches the first or last seconds is the standing start or end.
  private static let standingSeconds = 3.0

  /// How a walk's run compares with its counted steps.
  struct Outcome {
    let file: String
    let counted: Double
    let found: Int
    let elapsed: Double
    /// Seconds in pauses beyond the standing start and end.
    let paused: Double

    init(_ run: RunTimeline, file: String, counted: Double) {
      (self.file, self.counted) = (file, counted)
      (found, elapsed) = (run.steps, run.elapsedSeconds)
      let pauses = run.pauses.map { (onset: run.seconds(to: $0.onset), end: run.seconds(to: $0.end ?? run.end)) }
        .filter { $0.onset > standingSeconds && $0.end < run.elapsedSeconds - standingSeconds }
      paused = pauses.reduce(0) { $0 + $1.end - $1.onset }
    }

    /// The error of the steps, per cent.
    var error: Double { 100 * (Double(found) / counted - 1) }

    var text: String {
      "  \(file.padded(to: 24)) counted \(counted.fixed(0)), found \(found) (\(error.signed()) %), "
        + "\(paused.fixed(1)) s paused of \(elapsed.fixed(0)) s"
    }
  }

  func judge(_ print: (String) -> Void) throws {
    print("\n=== counted walks: steps, and pauses beyond the standing start and end")
    let walks = try ReferenceTable.rows(of: folder.appending(path: "counted.csv"))
    let outcomes = try walks.mappedConcurrently { walk in
      let file = walk["file"] ?? ""
      let recording = try Recording(contentsOf: folder.appending(path: file), PublicSets.walkOptions)
      let chosen = model.fitting(recording.channels)
      return Outcome(try chosen.track(recording), file: file, counted: try walk.number("steps"))
    }
    for outcome in outcomes { print(outcome.text) }
    let errors = ErrorSizes(outcomes.map(\.error))
    print(
      "  mean absolute error \(errors.mean.fixed(1)) %, worst \(errors.largest.fixed(1)) %; at most "
        + "\((outcomes.map(\.paused).max() ?? 0).fixed(1)) s paused")
  }
}
