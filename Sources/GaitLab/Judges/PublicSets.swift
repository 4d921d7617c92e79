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
