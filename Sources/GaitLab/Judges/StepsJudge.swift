import Foundation
import Gait
import GaitFormats
import GaitTraining

/// Evaluates step counts of whole recordings, and the activities inferred from them, against what people did.
///
/// The step rate is checked against counted steps, against the stride frequency of gyroscopes beside the knees, and
/// against usual rates of walking and jogging; the cadence of all joggers is compared between accelerometer and
/// gyroscope. No limit of the step meter was chosen on the counted walks: they are held out as a whole.
package struct StepsJudge {
  /// The folder of the data sets; those that it lacks are not judged.
  private let data: URL
  /// Decides the pauses of counted walks.
  private let model: ActivityModel

  package init(data: URL, model: ActivityModel) { (self.data, self.model) = (data, model) }

  /// Judges the recordings; passes each line to `print`.
  package func run(print: (String) -> Void) throws {
    for set in LabelledSteps.sets { try set.judge(in: data, print) }
    let walks = data.appending(path: "steps")
    if FileManager.default.fileExists(atPath: walks.path) {
      try CountedWalks(folder: walks, model: model).judge(print)
    }
    let sets = try PublicSets(folder: data)
    if sets.has("dsads") { try StepRates.judgeKnees(sets, print) }
    if sets.has("wisdm-phone") { try StepRates.judgeUsualRates(sets, print) }
    try SensorAgreement(data: data, sets: sets, model: model).judge(print)
  }
}

/// The step rates of a set with one label for each recording.
private struct LabelledSteps {
  let name: String
  let layout: String
  let sampleRate: SampleRate
  /// The set's labels of each kind of activity.
  let kinds: [(name: String, labels: Set<String>)]

  static let sets = [
    LabelledSteps(
      name: "motionsense", layout: "{label}_{trial}/sub_{subject}.csv", sampleRate: .hertz(50),
      kinds: [
        ("jogging", ["jog"]), ("walking", ["wlk"]), ("stairs", ["ups", "dws"]), ("sitting, standing", ["sit", "std"]),
      ]),
    LabelledSteps(
      name: "boostrunclub", layout: "{label}/{recording}.csv", sampleRate: .hertz(10),
      kinds: [("walking, running", ["running"]), ("standing, fiddling", ["standing"])]),
  ]

  private struct Steps {
    let label: String
    /// Steps per second; `nil` if there are no steps.
    let rate: Double?
    /// The root mean square of |userAcceleration|, g.
    let energy: Double
  }

  func judge(in data: URL, _ print: (String) -> Void) throws {
    print("\n=== steps in \(name)")
    let listing = try FolderListing(directory: data.appending(path: name), layout: PathLayout(layout))
    let found = try listing.files.mappedConcurrently { file in
      let table = try RecordingTable(contentsOf: file.url)
      let recording = try table.recording(sampleRate: sampleRate)
      return Steps(label: file.fields["label"] ?? "", rate: recording.stepFrequency(), energy: table.energy)
    }
    for kind in kinds { print(Self.line(kind.name, found.filter { kind.labels.contains($0.label) })) }
  }

  private static func line(_ name: String, _ steps: [Steps]) -> String {
    let rates = steps.compactMap(\.rate).sorted()
    var line = "  \("\(name):".padded(to: 20)) \(rates.count) of \(steps.count) have steps"
    guard let first = rates.first, let last = rates.last else { return line }
    line += ", \(first.fixed(2)) to \(last.fixed(2)) a second"
    let quick = steps.filter { ($0.rate ?? 0) >= Movement.slowestRun }.map(\.energy).sorted()
    guard let least = quick.first, let most = quick.last else { return line }
    return line
      + "; \(quick.count) with \(Movement.slowestRun) or more, at \(least.fixed(3)) to \(most.fixed(3)) g, "
      + "\(quick.count { $0 < Movement.gentlestRun }) of them below \(Movement.gentlestRun) g"
  }
}

extension RecordingTable {
  /// The root mean square of |userAcceleration| of all rows, g.
  fileprivate var energy: Double {
    let squares = rows.map { row in
      Sensor.userAcceleration.channels.reduce(0) { $0 + Double(row[$1.lane]) * Double(row[$1.lane]) }
    }
    return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
  }
}

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

/// The share of all jogging windows in which accelerometer and gyroscope show the same cadence.
struct SensorAgreement {
  let data: URL
  let sets: PublicSets
  let model: ActivityModel

  /// The largest difference that counts as the same, steps per minute.
  private static let tolerance = 2.0
  /// Recordings of fewer samples are left out.
  private static let fewestSamples = 400

  func judge(_ print: (String) -> Void) throws {
    print(
      "\n=== cadence of joggers: windows in which accelerometer and gyroscope are within \(Self.tolerance.fixed(0)) steps/min"
    )
    var (agreeing, windows) = (0, 0)
    for (name, recordings) in try joggers() {
      let points = try recordings.mappedConcurrently { try model.fitting($0.channels).track($0).shownCadence }.joined()
      let same = points.count {
        (($0.gyroscopeCadence ?? 0) - $0.stepsPerMinute).magnitude <= Self.tolerance
      }
      print(
        "  \("\(name):".padded(to: 20)) \(Self.percent(same, points.count)) % of \(points.count) windows of "
          + "\(recordings.count) recordings")
      (agreeing, windows) = (agreeing + same, windows + points.count)
    }
    print("  \("all:".padded(to: 20)) \(Self.percent(agreeing, windows)) % of \(windows) windows")
  }

  private static func percent(_ part: Int, _ all: Int) -> String { (100 * Double(part) / Double(all)).fixed(1) }

  /// The joggers of each set and place that has a gyroscope.
  private func joggers() throws -> [(name: String, recordings: [Recording])] {
    let jogs = try PathLayout("jog_{trial}/sub_{subject}.csv")
    let pockets = try FolderListing(directory: data.appending(path: "motionsense"), layout: jogs).files
    var found = [
      ("motionsense", try pockets.mappedConcurrently { try Recording(contentsOf: $0.url, sampleRate: .hertz(50)) })
    ]
    for (name, label) in [("dsads", "12"), ("wisdm-phone", "B"), ("wisdm-watch", "B")] where sets.has(name) {
      let recordings = try sets.recordings(of: name, labels: [label: "running"])
        .filter { $0.recording.channels.contains(.rotationRateX) && $0.recording.count > Self.fewestSamples }
      let places = Dictionary(grouping: recordings) { $0.fields["place"] ?? "" }
      for (place, recordings) in places.sorted(by: { $0.key < $1.key }) {
        found.append((places.count > 1 ? "\(name), \(place)" : name, recordings.map(\.recording)))
      }
    }
    return found
  }
}

/// Compares step rates with references that share nothing with the step meter.
enum StepRates {
  /// The activities of DSADS with steps, by the set's own label.
  private static let walks = [
    ("05", "stairs up"), ("06", "stairs down"), ("09", "walking"), ("10", "treadmill, flat"), ("11", "treadmill, 15°"),
    ("12", "treadmill, running"),
  ]

  /// Compares the step rates of all places of DSADS with twice the stride frequency beside the knees.
  static func judgeKnees(_ sets: PublicSets, _ print: (String) -> Void) throws {
    print("\n=== steps in dsads, by the gyroscopes beside the knees")
    let labels = Dictionary(uniqueKeysWithValues: walks)
    let recordings = try sets.recordings(of: "dsads", labels: labels)
    // The gyroscopes are the reference, so the step rates are measured without them.
    let rates = try sets.recordings(of: "dsads", labels: labels, columnCount: 3)
      .mappedConcurrently { $0.recording.stepFrequency() }
    for (_, kind) in walks {
      let people = Dictionary(grouping: zip(recordings, rates).filter { $0.0.label == kind }) { $0.0.group }
      let errors = people.values.flatMap { person in
        let legs = person.filter { $0.0.fields["place"]!.hasSuffix("leg") }.map { StrideFrequency.of($0.0.recording) }
        let steps = 2 * legs.reduce(0, +) / Double(legs.count)
        return person.map { ($0.1 ?? 0) / steps - 1 }
      }
      print(summary(kind, errors))
    }
  }

  private static func summary(_ name: String, _ errors: [Double]) -> String {
    let sizes = errors.map(\.magnitude).sorted()
    return "  \("\(name):".padded(to: 28)) \(sizes.count { $0 < 0.1 }) of \(sizes.count) within 10 %; median error "
      + "\((100 * sizes[sizes.count / 2]).fixed(1)) %, largest \((100 * sizes[sizes.count - 1]).fixed(1)) %"
  }

  /// Compares the step rates of WISDM's walkers and joggers with those that are usual.
  static func judgeUsualRates(_ sets: PublicSets, _ print: (String) -> Void) throws {
    print("\n=== steps in wisdm")
    for device in ["phone", "watch"] {
      let tables = try sets.tables(of: "wisdm-\(device)").map(\.table)
      for (label, kind, usual) in [("A", "walking", 1.4...2.3), ("B", "jogging", 2.2...3.3)] {
        let rates = try tables.map { $0.rows(labelled: label) }.filter { $0.count > 0 }
          .mappedConcurrently { try $0.recording().stepFrequency() ?? 0 }
        print(
          "  \("\(device), \(kind):".padded(to: 20)) \(rates.count(where: usual.contains)) of \(rates.count) within "
            + "\(usual.lowerBound)…\(usual.upperBound) a second, \((rates.min() ?? 0).fixed(2)) to "
            + "\((rates.max() ?? 0).fixed(2))")
      }
    }
  }
}

/// The stride frequency of a leg that a gyroscope is worn on.
enum StrideFrequency {
  private static let windowSeconds = 10.24
  /// The searched frequencies, hertz.
  private static let searched = (14...72).map { Double($0) * 0.025 }

  /// The frequency of the highest power within 0.35…1.8 Hz, hertz. The power is that of the rotation rate on the three
  /// axes, summed over all windows of 10.24 s.
  static func of(_ recording: Recording) -> Double {
    let (rate, length) = (recording.sampleRate.hertz, Int(saturating: windowSeconds * recording.sampleRate.hertz))
    let turns = (0..<recording.count).map { recording[$0].rotationRate }
    let hann = (0..<length).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(length)) }
    let powers = searched.map { frequency -> Double in
      var power = 0.0
      for start in stride(from: 0, through: turns.count - length, by: length) {
        var (real, imaginary) = (SIMD3<Double>.zero, SIMD3<Double>.zero)
        for index in 0..<length {
          let angle = -2 * .pi * frequency * Double(index) / rate
          let value = SIMD3<Double>(turns[start + index]) * hann[index]
          real += value * cos(angle)
          imaginary += value * sin(angle)
        }
        power += (real * real + imaginary * imaginary).sum()
      }
      return power
    }
    return zip(powers, searched).max { ($0.0, $0.1) < ($1.0, $1.1) }!.1
  }
}
