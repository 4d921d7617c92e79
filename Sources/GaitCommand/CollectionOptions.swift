import ArgumentParser
import Foundation
import GaitTraining

/// The option that says where a collection's sets are.
struct CollectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder that a collection's folders are relative to (default: the folder of its file).",
      valueName: "folder"), completion: .directory)
  var data: String?

  /// Whether the path is that of a collection's description.
  static func isCollection(_ path: String) -> Bool { RecordingCollection.isCollection(URL(filePath: path)) }

  /// Reads the recordings of a collection and prints warnings about them on standard error.
  ///
  /// - Parameter warnsOfSets: whether the warnings include what was left out of each set.
  func recordings(
    in path: String, only: [String] = [], except: [String] = [], warnsOfSets: Bool = true
  ) throws -> CollectedRecordings {
    let collection = try RecordingCollection(
      contentsOf: URL(filePath: path), directory: data.map { URL(filePath: $0, directoryHint: .isDirectory) })
    let collected = try collection.read(
      only: only.map { try RecordingFilter($0) }, except: except.map { try RecordingFilter($0) })
    for set in collected.sets where warnsOfSets {
      for line in set.leftOut { Terminal.warn("\(set.name): \(line)") }
    }
    for warning in collected.dataset.warnings { Terminal.warn(warning) }
    return collected
  }

  /// Refuses the options that a collection's description replaces.
  static func refuse(_ format: FolderOptions, _ selection: SelectionOptions) throws {
    let given =
      (format.layout.isEmpty ? [] : ["--layout"]) + (format.rate.isEmpty ? [] : ["--rate"])
      + (format.source.isGiven ? ["--format, --columns or units"] : [])
      + (selection.map.isEmpty ? [] : ["--map"]) + (selection.labelColumn == nil ? [] : ["--label-column"])
      + (selection.intervals == nil ? [] : ["--intervals"])
    guard let first = given.first else { return }
    throw ValidationError("a collection describes its files and labels itself; omit \(first).")
  }
}

/// The summary of a collection's sets as lines of text.
struct CollectionText {
  let sets: [CollectedRecordings.SetSummary]

  var lines: [String] {
    let labels = Set(sets.flatMap(\.places).flatMap(\.minutes.keys)).sorted()
    let header = ["set", "place", "people", "recordings"] + labels.map { "\($0), min" } + ["Hz", "gyroscope"]
    let rows = sets.flatMap { set in
      set.places.map { place in
        [set.name, place.name, "\(place.people)", "\(place.recordings)"]
          + labels.map { label in place.minutes[label].map { fixed($0, 1) } ?? "–" }
          + [rates(place.rates), place.withGyroscope == place.recordings ? "all" : "\(place.withGyroscope)"]
      }
    }
    return table([header] + rows) + sets.flatMap(notes)
  }

  private func rates(_ rates: [Double]) -> String {
    let texts = Set(rates.map { fixed($0, 1) }).sorted { (Double($0) ?? 0) < (Double($1) ?? 0) }
    return texts.count > 3 ? "\(texts[0])–\(texts[texts.count - 1])" : texts.joined(separator: ", ")
  }

  private func notes(_ set: CollectedRecordings.SetSummary) -> [String] {
    let left = set.leftOut.isEmpty ? ["nothing left out"] : set.leftOut
    return ["", set.name] + left.map { "  \($0)" } + [set.licence.map { "  licence: \($0)" }].compactMap { $0 }
      + [set.attribution.map { "  attribution: \($0)" }].compactMap { $0 }
  }
}
