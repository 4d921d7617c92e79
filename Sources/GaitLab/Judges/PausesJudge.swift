import Foundation
import Gait
import GaitFormats
import GaitTraining

/// Judges auto-pause on recordings of people: trains on some, selects the operating point on them, and composes runs of
/// the held-out others. The default model's recipe, with this pause head, must give the same figures.
package struct PausesJudge {

  private let data: ModelData
  /// Whether the recipe is that of the model for recordings without gravity.
  private let isLinear: Bool

  /// - Parameters:
  ///   - data: the folder with the public data sets.
  ///   - linear: whether to judge the model for recordings without gravity. It is trained on user acceleration alone,
  ///     and tracks whole runs of it. Composed runs keep their gravity, by which their running is cleaned.
  package init(data: URL, linear: Bool) { (self.data, isLinear) = (ModelData(folder: data), linear) }

  /// The six lowest-numbered of twelve MotionSense subjects are for training; the other six are used for the final
  /// evaluation only.
  static let (trainingPeople, heldOutPeople) = (
    RecordingFilter(field: "subject", values: ["1", "2", "4", "7", "8", "11"]),
    RecordingFilter(field: "subject", values: ["13", "14", "17", "18", "21", "22"])
  )

  /// Judges the recipe, then whole runs; passes each line to `print`.
  package func run(print: (String) -> Void) throws {
    let recipe: ModelRecipe = isLinear ? .linearPauses : .runningPocket
    let training = try data.pocketsAndStanding(columns: columns, except: [Self.heldOutPeople])
    var model = try recipe.trainer.fit(training)
    let candidates = try recipe.tuning.candidates(
      of: model, on: data.motionSense(only: [Self.trainingPeople]))
    print("operating point, selected on the training people".heading)
    print(candidates.table)
    model = try model.with(pauses: candidates[0].settings)
    let heldOut = try data.motionSense(only: [Self.heldOutPeople])
    let hard = try PauseEvaluation(of: model, on: heldOut, PauseComposition()).text
    print("running and standing or sitting, hard cuts".heading)
    print(hard)
    let places = try placesModel(pausesOf: model)
    let other = try PauseEvaluation(of: places, on: heldOut, PauseComposition()).text
    guard other == hard else { throw JudgeError("the model for all places has other figures:\n\(other)") }
    print("the same with the default model for all places: the same figures".heading)
    print("the same with cross-fades of 1 s".heading)
    print(try PauseEvaluation(of: model, on: heldOut, PauseComposition(fadeSeconds: 1)).text)
    print("running and walking, with the policy that pauses when not running".heading)
    print(try PauseEvaluation(of: model, on: heldOut, PauseComposition(policy: .whenNotRunning)).text)
    try WholeRunsJudge(data: data, model: places, columns: columns).run(print: print)
  }

  /// The model for all places with the pause head of another.
  private func placesModel(pausesOf model: ActivityModel) throws -> ActivityModel {
    let recipe = isLinear ? ModelRecipe.runningLinear : .running
    var trainer = recipe.trainer
    trainer.pauseWindow = nil
    return try trainer.fit(data.training(recipe, except: [Self.heldOutPeople])).with(pausesOf: model)
  }

  /// The columns of MotionSense and BoostRunClub without those that are no user acceleration; `nil` for all.
  private var columns: [String]? {
    guard isLinear else { return nil }
    return Array(repeating: "", count: 10) + ["x", "y", "z"].map { "userAcceleration.\($0)" }
  }
}

/// Judges auto-pause at the wrist and at other places, on people that the models never saw.
///
/// Pauses at the wrist are sitting, standing, brushing teeth, drinking and clapping, all recorded
/// (`datasets/wrist-pauses.json`). Half of the people train a model for the wrist and its pause settings, the other
/// half judges them, and the other way round. A model for all places is judged on the same people. At DSADS' places one
/// person is held out at a time. Movements of the hands in a pause have their own label, hands, whose meaning is still.
/// The runs at the wrist have every minute of each person.
package struct PausePlacesJudge {
  private let data: ModelData

  /// - Parameter data: the folder with the public data sets, of which the judge uses those in `datasets/places.json`.
  package init(data: URL) { self.data = ModelData(folder: data) }

  /// The people of WISDM in two halves.
  static let halves = [
    ["1600", "1604", "1608", "1612", "1616", "1620", "1624", "1628", "1632", "1636", "1644", "1648"],
    ["1602", "1606", "1610", "1614", "1618", "1622", "1626", "1630", "1634", "1642", "1646", "1650"],
  ]
  /// The people of Har-Lab in two halves; they only walk and run.
  private static let walkers = [["002", "030", "034", "038"], ["028", "032", "036"]]
  private static let watch = RecordingFilter(field: "set", values: ["wisdm-watch"])

  /// Judges all places; passes each line to `print`.
  package func run(print: (String) -> Void) throws {
    for half in 0...1 { try judgeWrist(half, print) }
    // The default model's pause head was not trained at the wrist.
    print("\n=== wrist, all people, the default model, all pauses")
    let composition = PauseComposition(seeds: 1...2, usesEveryMinute: true)
    print(try PauseEvaluation(of: .running, on: data.watchesWithStillHands(), composition).text)
    for person in ["1", "3", "5", "7"] { try judgeOtherPlaces(person, print) }
  }

  private func judgeWrist(_ half: Int, _ print: (String) -> Void) throws {
    func judge(
      _ model: ActivityModel, on dataset: LabeledDataset, between moving: Set<Activity> = [.running]
    ) throws {
      var composition = PauseComposition(usesEveryMinute: true)
      composition.moving = moving
      print(try PauseEvaluation(of: model, on: dataset, composition).text)
    }
    func people(_ half: Int, walkers: Bool = false) -> RecordingFilter {
      RecordingFilter(field: "subject", values: Self.halves[half] + (walkers ? Self.walkers[half] : []))
    }
    let (tested, training) = (people(half), people(1 - half))
    print("\n=== wrist, people \(Self.halves[half].joined(separator: ",")) held out")
    let recipe = ModelRecipe.runningWrist
    let dataset = try data.recordings(.wristPauses, only: [people(1 - half, walkers: true)]).dataset
    let wrist = try recipe.tuned(recipe.trainer.fit(dataset), on: dataset)
    let pauses = try data.recordings(.wristPauses, only: [tested]).dataset
    print("--- a model for the wrist, all pauses")
    try judge(wrist, on: pauses)
    print("--- the same between running and walking")
    try judge(wrist, on: pauses, between: [.running, .walking])
    print("--- the same on whole recordings, with those of Har-Lab's other people")
    for line in try PausedShares(
      of: wrist, on: data.recordings(.wristPauses, only: [people(half, walkers: true)]).dataset
    ).lines { print(line) }
    print("--- the same, sitting and standing only")
    try judge(wrist, on: data.recordings(.places, only: [Self.watch, tested]).dataset)
    let places = try placesModel(without: tested, tunedOn: [Self.watch, training])
    print("--- a model for all places, all pauses")
    try judge(places, on: data.watchesWithStillHands(only: [tested]))
  }

  private func judgeOtherPlaces(_ person: String, _ print: (String) -> Void) throws {
    let tested = RecordingFilter(field: "subject", values: [person])
    let model = try placesModel(without: tested, tunedOn: [Self.watch])
    for place in ["torso", "right arm", "left arm", "right leg", "left leg"] {
      print("\n=== \(place), person \(person) of dsads held out, a model for all places")
      let filters = [
        RecordingFilter(field: "set", values: ["dsads"]), RecordingFilter(field: "place", values: [place]), tested,
      ]
      let dataset = try data.recordings(.places, only: filters).dataset
      // Person 7 holds the forearms still while running, so that no running is left after cleaning.
      do { print(try PauseEvaluation(of: model, on: dataset, Self.shortRuns).text) } catch let error as ComposingError {
        print("not judged: \(error)")
      }
    }
  }

  private static let shortRuns = PauseComposition(seeds: 1...2, hours: 1)

  /// A model for all places without some people, whose settings are tuned on watches.
  private func placesModel(
    without tested: RecordingFilter, tunedOn filters: [RecordingFilter]
  ) throws -> ActivityModel {
    var trainer = ActivityTrainer()
    trainer.features = ModelRecipe.wristFeatures
    let model = try trainer.fit(data.recordings(.places, except: [tested]).dataset)
    var tuning = PauseTuning()
    (tuning.walkingResumeDwellSeconds, tuning.tuner.margin) = (8, 0)
    tuning.composition = Self.shortRuns
    let candidates = try tuning.candidates(of: model, on: data.recordings(.places, only: filters).dataset)
    return try model.with(pauses: candidates[0].settings)
  }
}

/// How much of whole recordings of one activity is paused under the policy that pauses when still, by label and set.
struct PausedShares {
  /// Label and set, the number of recordings, their seconds, the paused ones, and the recordings with a pause.
  private var rows: [String: (recordings: Int, seconds: Double, paused: Double, withPauses: Int)] = [:]

  /// Tracks every recording from start to end.
  init(of model: ActivityModel, on dataset: LabeledDataset) throws {
    let runs = try dataset.recordings.mappedConcurrently(showing: "recording") {
      try model.track($0.recording, options: RunOptions(keepsEvidence: false))
    }
    for (labeled, run) in zip(dataset.recordings, runs) {
      let (name, paused) = ("\(labeled.label), \(labeled.setAndPlace)", run.pausedSeconds)
      let row = rows[name] ?? (0, 0, 0, 0)
      rows[name] = (
        row.recordings + 1, row.seconds + run.elapsedSeconds, row.paused + paused, row.withPauses + (paused > 0 ? 1 : 0)
      )
    }
  }

  /// The rows as a table.
  var lines: [String] {
    let header = ["whole recordings", "recordings", "minutes", "paused", "with a pause"]
    let rows = rows.sorted { $0.key < $1.key }.map { name, row in
      [
        name, "\(row.recordings)", (row.seconds / 60).fixed(1), (row.paused / row.seconds).percent, "\(row.withPauses)",
      ]
    }
    return ReportTable(list: [header] + rows).lines
  }
}

extension ModelData {
  /// The recordings of watches, in which movements of the hands in a pause are labelled still.
  fileprivate func watchesWithStillHands(only: [RecordingFilter] = []) throws -> LabeledDataset {
    var collection = try collection(.wristPauses)
    for index in collection.sets.indices {
      collection.sets[index].labels = collection.sets[index].labels.mapValues { $0 == "hands" ? "still" : $0 }
    }
    return try collection.read(only: only).dataset
  }
}

/// Judges a model on whole recordings of running, which have no pauses: those it finds, and the cadence.
struct WholeRunsJudge {
  let data: ModelData
  let model: ActivityModel
  /// Names that replace those of the files' columns; `nil` for the files' own.
  let columns: [String]?

  /// The largest difference of two cadences that agree, steps a minute.
  private static let agreement = 2.0
  /// The least factor of a jump by an octave.
  private static let octave = 1.7
  /// The acceleration below which a second holds a real stop, g.
  private static let stopLimit: Float = 0.05

  func run(print: (String) -> Void) throws {
    print("\n=== uninterrupted running")
    let pockets = try tracked("motionsense", PathLayout("jog_{trial}/sub_{subject}.csv"), .hertz(50), print)
    _ = try tracked("boostrunclub", PathLayout("running/{recording}.csv"), .hertz(10), print)
    print("\n=== cadence of MotionSense's joggers, all windows")
    print(CadenceAgreement(pockets.map(\.shownCadence), within: Self.agreement, octave: Self.octave).description)
  }

  /// Tracks every recording of a set from start to end, and prints its pauses.
  private func tracked(
    _ set: String, _ layout: PathLayout, _ rate: SampleRate, _ print: (String) -> Void
  ) throws -> [RunTimeline] {
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

  /// The run of a recording, and each of its pauses, seconds from the run's start, with the least RMS of its
  /// acceleration over a second, g.
  private static func track(
    _ recording: Recording, _ model: ActivityModel
  ) throws -> (timeline: RunTimeline, pauses: [(onset: Double, end: Double, quietestSecond: Float)]) {
    let run = try model.track(recording, options: RunOptions(keepsEvidence: false))
    let pauses = run.pauses.map { pause in
      let (onset, end) = (run.seconds(to: pause.onset), run.seconds(to: pause.end ?? run.end))
      return (onset, end, recording.quietestSecond(from: onset, to: end))
    }
    return (run, pauses)
  }
}

extension Recording {
  /// The least RMS of |user acceleration| over one second of a stretch, g; infinite if the stretch is shorter.
  ///
  /// - Parameter onset: seconds from the recording's start, as `end`.
  func quietestSecond(from onset: Double, to end: Double) -> Float {
    let rate = Int(saturating: sampleRate.hertz)
    let rows = Int(saturating: onset * sampleRate.hertz)..<min(count, Int(saturating: end * sampleRate.hertz))
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
  /// The number of windows with a cadence.
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
