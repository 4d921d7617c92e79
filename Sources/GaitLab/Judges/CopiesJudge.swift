import Foundation
import Gait
import GaitFormats
import GaitTraining

/// Evaluates duplicate detection: which altered copies of recordings are detected, and false detections.
///
/// For every set the table shows how many copies are detected by comparing folders and, after a slash, by the card of a
/// model trained on the originals.
package struct CopiesJudge {
  /// The folder of the data sets; `nil` to use the simulated recordings only.
  private let data: URL?
  /// The simulated recordings.
  private let simulated: URL

  package init(data: URL?, simulated: URL = URL(filePath: "datasets/simulated")) {
    (self.data, self.simulated) = (data, simulated)
  }

  /// Judges the detection; passes each line to `print`.
  package func run(print: (String) -> Void) throws {
    let sets = try copiedSets()
    print("\n| alteration | " + sets.map { "\($0.name): \($0.recordings.count)" }.joined(separator: " | ") + " |")
    print("|" + String(repeating: "---|", count: 1 + sets.count))
    for (number, alteration) in RecordingAlteration.all.enumerated() {
      let cells = try sets.map { try $0.detected(alteration, seed: UInt64(number)) }
      print("| \(alteration.title) | \(cells.joined(separator: " | ")) |")
    }
    print("\n=== detections in the unchanged sets")
    for set in try unchangedSets() { try set.dataset().duplicateLines(named: set.name).forEach(print) }
    for (set, people) in try people() {
      let filter = RecordingFilter(field: "subject", values: people)
      let others = try set.dataset(except: [filter])
      let leaks = others.leaks(amongFingerprints: try set.dataset(only: [filter]).fingerprints)
      print(
        "\(set.name): the card of a model of subjects \(people.joined(separator: ",")) matches \(leaks.count) recordings "
          + "of the others")
    }
  }

  // MARK: Copies

  private func copiedSets() throws -> [CopiedSet] {
    var sets = [try CopiedSet("simulated", Self.recordings(in: simulated, rate: 50))]
    guard let data else { return sets }
    sets.append(
      try CopiedSet(
        "MotionSense",
        Self.recordings(in: data.appending(path: "motionsense"), rate: 50).filter { $0.path.hasSuffix("/sub_1.csv") }))
    let all = try Self.recordings(in: data.appending(path: "boostrunclub"), rate: 10)
    sets.append(try CopiedSet("BoostRunClub", stride(from: 0, to: all.count, by: 4).map { all[$0] }))
    sets.append(
      try CopiedSet("WISDM, phone", Self.minutes(of: PublicSets(folder: data).tables(of: "wisdm-phone").prefix(8))))
    return sets
  }

  /// The recordings of a folder with a folder for each label, without files of the same bytes.
  private static func recordings(in folder: URL, rate: Double) throws -> [CopiedRecording] {
    let files = try FolderListing(directory: folder, layout: PathLayout("{label}/{recording}.csv")).files
      .sorted { $0.path < $1.path }
    var seen: Set<Data> = []
    let distinct = try files.filter { seen.insert(try Data(contentsOf: $0.url)).inserted }
    return try distinct.mappedConcurrently {
      CopiedRecording(path: $0.path, sampleRate: .hertz(rate), table: try RecordingTable(contentsOf: $0.url))
    }
  }

  /// One minute each of walking, jogging and sitting of each person.
  private static func minutes(of people: ArraySlice<(fields: [String: String], table: RecordingTable)>)
    -> [CopiedRecording]
  {
    people.flatMap { fields, table in
      [("A", "walking"), ("B", "running"), ("D", "still")].compactMap { label, folder in
        let rows = table.rows(labelled: label).rows.dropFirst(100).prefix(1200)
        guard !rows.isEmpty else { return nil }
        return CopiedRecording(
          path: "\(folder)/sub_\(fields["subject"] ?? "").csv", sampleRate: .hertz(20),
          table: table.replacing(rows: Array(rows)))
      }
    }
  }
}

/// The recordings of one set, whose altered copies are looked for.
private struct CopiedSet {
  let name: String
  let recordings: [CopiedRecording]
  private let originals: LabeledDataset
  private let fingerprints: String

  init(_ name: String, _ recordings: [CopiedRecording]) throws {
    (self.name, self.recordings) = (name, recordings)
    originals = try Self.dataset(of: recordings)
    fingerprints = originals.fingerprints
  }

  private static func dataset(of recordings: [CopiedRecording]) throws -> LabeledDataset {
    LabeledDataset(
      try recordings.mappedConcurrently {
        LabeledRecording(recording: try $0.table.recording(sampleRate: $0.sampleRate), label: "running", path: $0.path)
      })
  }

  /// How many copies are detected by comparing folders, and by the card.
  func detected(_ alteration: RecordingAlteration, seed: UInt64) throws -> String {
    var generator = SeededGenerator(seed: seed)
    let copies = recordings.compactMap { alteration.apply($0, &generator) }
    guard copies.count == recordings.count else { return "–" }
    let altered = try Self.dataset(of: copies)
    let byFolder = altered.leaks(from: originals).count { $0.sources.contains($0.path) }
    return "\(byFolder) / \(altered.leaks(amongFingerprints: fingerprints).count)"
  }
}

// MARK: Unchanged sets

/// A set as it is published, with a layout.
private struct UnchangedSet {
  let name: String
  let folder: URL
  let layout: String
  var options = ReadingOptions()

  func dataset(only: [RecordingFilter] = [], except: [RecordingFilter] = []) throws -> LabeledDataset {
    try LabeledDataset(
      directory: folder, layout: PathLayout(layout), options: options, only: only, except: except)
  }
}

extension LabeledDataset {
  /// The copies and overlaps within the set.
  fileprivate func duplicateLines(named name: String) -> [String] {
    let (copies, overlaps) = (duplicates.copies, duplicates.overlaps)
    return ["\(name): \(recordings.count) recordings, \(copies.count) copies, \(overlaps.count) excerpts"]
      + copies.map { "  " + $0.joined(separator: " = ") }
      + overlaps.map { "  " + $0.paths.joined(separator: " and ") }
  }
}

extension CopiesJudge {
  private func unchangedSets() throws -> [UnchangedSet] {
    let own = UnchangedSet(
      name: "simulated", folder: simulated, layout: "{label}/sub_{subject}.csv",
      options: ReadingOptions(sampleRate: .hertz(50)))
    guard let data else { return [own] }
    let devices = ["phone", "watch"].map { device in
      UnchangedSet(
        name: "WISDM, \(device)", folder: data.appending(path: "wisdm/\(device)/accel"),
        layout: "data_{subject}_accel_\(device).txt",
        options: ReadingOptions(
          labelColumn: "activity",
          columnNames: ["subject", "activity", "timestamp (ns)", "x (m/s2)", "y (m/s2)", "z (m/s2)"]))
    }
    return [own, motionSense(data)]
      + [
        UnchangedSet(
          name: "BoostRunClub", folder: data.appending(path: "boostrunclub"), layout: "{label}/{recording}.csv",
          options: ReadingOptions(sampleRate: .hertz(10)))
      ] + devices
      + [
        dsads(data),
        UnchangedSet(
          name: "steps", folder: data.appending(path: "steps"), layout: "{label}_{place}.csv",
          options: PublicSets.walkOptions),
      ]
  }

  /// The sets whose people are split into those of a model and others.
  private func people() throws -> [(UnchangedSet, people: [String])] {
    guard let data else { return [] }
    return [(motionSense(data), ["1", "2", "4", "7", "8", "11"]), (dsads(data), ["1", "3"])]
  }

  private func motionSense(_ data: URL) -> UnchangedSet {
    UnchangedSet(
      name: "MotionSense", folder: data.appending(path: "motionsense"), layout: "{label}_{trial}/sub_{subject}.csv",
      options: ReadingOptions(sampleRate: .hertz(50)))
  }

  /// Its segments one by one, of the sensors at the torso.
  private func dsads(_ data: URL) -> UnchangedSet {
    UnchangedSet(
      name: "DSADS", folder: data.appending(path: "dsads"), layout: "a{label}/p{subject}/s{segment}.txt",
      options: ReadingOptions(
        sampleRate: .hertz(25),
        columnNames: ["x (m/s2)", "y (m/s2)", "z (m/s2)", "gx (rad/s)", "gy (rad/s)", "gz (rad/s)"]))
  }
}
