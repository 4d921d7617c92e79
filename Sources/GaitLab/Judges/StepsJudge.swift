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
    /// Steps per second; `nil` without steps.
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
