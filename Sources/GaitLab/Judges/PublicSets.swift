import Foundation
import Gait
import GaitFormats
import GaitTraining

/// The public data sets in a folder, as datasets/places.json describes them.
struct PublicSets {
  private let collection: RecordingCollection

  /// How the counted walks are read, which the description does not have.
  static let walkOptions = ReadingOptions(
    format: .accelerometer, columnNames: ["time (ns)", "accuracy", "x (m/s2)", "y (m/s2)", "z (m/s2)"])

  /// - Parameter folder: the folder of the data sets. The description is found in the working directory.
  init(folder: URL) throws { collection = try ModelData(folder: folder).collection(.places) }

  /// Whether the folder has the set.
  func has(_ name: String) -> Bool {
    collection.sets.contains { set in
      let path = collection.directory.appending(path: set.folder).path
      return set.name == name && FileManager.default.fileExists(atPath: path)
    }
  }

  /// The recordings of a set, as it describes them, with other labels than the collection's.
  ///
  /// - Parameters:
  ///   - labels: the label by the set's own label; recordings with other labels are left out.
  ///   - columnCount: how many of the columns of a place are read; by default all.
  func recordings(of name: String, labels: [String: String], columnCount: Int? = nil) throws -> [LabeledRecording] {
    var parts = collection
    parts.sets = parts.sets.filter { $0.name == name }
    for index in parts.sets.indices {
      parts.sets[index].labels = labels
      if let columnCount, let names = parts.sets[index].options.columnNames {
        parts.sets[index].options.columnNames = Array(names.prefix(columnCount))
      }
    }
    return try parts.read().dataset.recordings
  }

  /// The tables of a set's files with a label column, as they are read without other sensors, with the fields of their
  /// paths.
  func tables(of name: String) throws -> [(fields: [String: String], table: RecordingTable)] {
    guard let set = collection.sets.first(where: { $0.name == name }) else { return [] }
    let folder = collection.directory.appending(path: set.folder)
    return try FolderListing(directory: folder, layout: set.layout).files.mappedConcurrently {
      ($0.fields, try RecordingTable(contentsOf: $0.url, set.options))
    }
  }
}

extension RecordingTable {
  /// The rows of one label, in the file's order, as a file of their own.
  func rows(labelled label: String) -> RecordingTable {
    let kept = (labelRuns ?? []).filter { $0.label == label }.flatMap { Array($0.rows) }
    return replacing(rows: kept.map { rows[$0] }, times: times.isEmpty ? [] : kept.map { times[$0] })
  }
}

/// A folder of a stranger's phone: linear acceleration, with GPS points in its Location.csv.
struct PhoneRecording {
  let name: String
  let motion: Recording
  /// The GPS points on the clock of the motion.
  let locations: [LocationSample]

  init(folder: URL) throws {
    var options = ReadingOptions()
    // The names of the files do not state that gravity is left out, and it cannot be told from the acceleration of a
    // phone at rest.
    options.accelerationIncludesGravity = false
    name = folder.lastPathComponent
    motion = try Recording(contentsOf: folder, options)
    locations = try LocationFile(contentsOf: folder).aligned(to: motion)
  }

  /// The recording with a constant gravity, for models that need one. No activity can be decided from it.
  var withConstantGravity: Recording {
    let samples = (0..<motion.count).map { index in
      let sample = motion[index]
      return MotionSample(time: sample.time, gravity: SIMD3(0, 0, 1), userAcceleration: sample.userAcceleration)
    }
    return Recording(name: motion.name, sampleRate: motion.sampleRate, samples: samples)
  }
}

/// A table of reference values beside recordings: comma-separated cells without quotes, the first line a header.
enum ReferenceTable {
  /// The rows, each with its cells by the name of their column.
  static func rows(of file: URL) throws -> [[String: String]] {
    let lines = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    guard let header = lines.first else { return [] }
    return lines.dropFirst().map { Dictionary(zip(header, $0)) { first, _ in first } }
  }
}

extension [String: String] {
  /// The number in a column of a reference table.
  func number(_ column: String) throws -> Double {
    guard let number = self[column].flatMap(Double.init) else {
      throw JudgeError("the reference table has no number in the column \"\(column)\"; correct it.")
    }
    return number
  }
}

extension LiveRecording {
  /// The run of all lines, block by block; `nil` without any.
  mutating func tracked(by model: ActivityModel, options: RunOptions = RunOptions()) throws -> RunTimeline? {
    var tracker: RunTracker?
    while let block = try next() {
      if tracker == nil {
        try model.check(block)
        tracker = try RunTracker(
          model: model, sampleRate: block.sampleRate, options: options, gravityIsEstimated: block.gravityIsEstimated)
      }
      tracker?.append(contentsOf: block)
    }
    return tracker?.finish()
  }
}
