import Foundation
import Gait
import GaitFormats
import GaitTraining

/// Judges a model on whole recordings of running, which have no pauses: those it finds, and the cadence.
struct WholeRunsJudge {
  let data: ModelData
  let model: ActivityModel
  /// Names that replace those of the files' columns; `nil` for the files' own.
  let columns: [String]?
  let print: (String) -> Void

  /// The largest difference of two cadences that agree, steps a minute.
  private static let agreement = 2.0
  /// The least factor of a jump by an octave.
  private static let octave = 1.7
  /// The acceleration below which a second holds a real stop, g.
  private static let stopLimit: Float = 0.05

  func run() throws {
    print("\n=== uninterrupted running")
    let pockets = try tracked("motionsense", PathLayout("jog_{trial}/sub_{subject}.csv"), .hertz(50))
    _ = try tracked("boostrunclub", PathLayout("running/{recording}.csv"), .hertz(10))
    print("\n=== cadence of MotionSense's joggers, all windows")
    print(CadenceAgreement(pockets.map(\.shownCadence), within: Self.agreement, octave: Self.octave).description)
  }

  /// Tracks every recording of a set from start to end, and prints its pauses.
  private func tracked(_ set: String, _ layout: PathLayout, _ rate: SampleRate) throws -> [RunTimeline] {
    let files = try FolderListing(directory: data.folder.appending(path: set), layout: layout).files
    let (model, columns) = (model, columns)
    let runs = try files.mappedConcurrently(showing: "recording") { file in
      try Self.track(
        Recording(contentsOf: file.url, ReadingOptions(sampleRate: rate, columnNames: columns)), model)
    }
    for (file, run) in zip(files, runs) {
      for pause in run.pauses {
        let least = pause.quietestSecond
        print(
          "  \(set)/\(file.path): \(pause.onset.fixed(1)) to \(pause.end.fixed(1)) s, "
            + "\(least < Self.stopLimit ? "a real stop" : "no real stop"), |userAcceleration| RMS "
            + "\(Double(least).fixed(3)) g in its quietest second")
      }
    }
    print("\(files.count) recordings of \(set): \(runs.count { !$0.pauses.isEmpty }) with a pause")
    return runs.map(\.timeline)
  }

  /// A tracked recording.
  private struct Run: Sendable {
    let timeline: RunTimeline
    /// Each pause, seconds from the run's start, and the least RMS of its acceleration over a second, g.
    let pauses: [(onset: Double, end: Double, quietestSecond: Float)]
  }

  private static func track(_ recording: Recording, _ model: ActivityModel) throws -> Run {
    try model.check(recording)
    var tracker = try RunTracker(
      model: model, sampleRate: recording.sampleRate, options: RunOptions(keepsEvidence: false),
      gravityIsEstimated: recording.gravityIsEstimated)
    for index in 0..<recording.count { tracker.append(recording[index]) }
    let run = tracker.finish()
    return Run(
      timeline: run,
      pauses: run.pauses.map { pause in
        let (onset, end) = (run.seconds(to: pause.onset), run.seconds(to: pause.end ?? run.end))
        return (onset, end, recording.quietestSecond(from: onset, to: end))
      })
  }
}

extension Recording {
  /// The least RMS of |user acceleration| over one second of a stretch, g; infinite if the stretch is shorter.
  ///
  /// - Parameter onset: seconds from the recording's start, as `end`.
  func quietestSecond(from onset: Double, to end: Double) -> Float {
    let rate = Int(sampleRate.hertz)
    let rows = Int(onset * sampleRate.hertz)..<min(count, Int(end * sampleRate.hertz))
    let squares = rows.map { index in
      let acceleration = self[index].userAcceleration
      return (acceleration * acceleration).sum()
    }
    guard squares.count >= rate else { return .infinity }
    let sums = (0...squares.count - rate).map { squares[$0..<$0 + rate].reduce(0, +) }
    return (sums.min()! / Float(rate)).squareRoot()
  }
}

/// How well the cadences of accelerometer and gyroscope agree.
struct CadenceAgreement: CustomStringConvertible {
  private let limit: Double
  private(set) var windows = 0
  /// The windows with a cadence.
  private(set) var counted = 0
  private(set) var agreeing = 0
  /// The number of times that the cadence changes by the factor of an octave from one window to the next.
  private(set) var jumps = 0

  /// - Parameters:
  ///   - runs: the cadence of every run.
  ///   - limit: the largest difference of two cadences that agree, steps a minute.
  ///   - octave: the least factor of a jump by an octave.
  init(_ runs: [[CadencePoint]], within limit: Double, octave: Double) {
    self.limit = limit
    for points in runs {
      windows += points.count
      counted += points.count { $0.stepsPerMinute > 0 }
      agreeing += points.count {
        let other = $0.gyroscopeCadence ?? 0
        return other > 0 && abs(other - $0.stepsPerMinute) <= limit
      }
      jumps += zip(points, points.dropFirst()).count { one, other in
        let (low, high) = (
          min(one.stepsPerMinute, other.stepsPerMinute), max(one.stepsPerMinute, other.stepsPerMinute)
        )
        return low > 0 && high / low >= octave
      }
    }
  }

  var description: String {
    let share = 100 * Double(agreeing) / Double(max(1, windows))
    return
      "\(windows) windows, \(counted) with a cadence; accelerometer and gyroscope within \(plain(limit)) steps/min in "
      + "\(agreeing) (\(share.fixed(1)) %); \(jumps) jumps by an octave"
  }
}
