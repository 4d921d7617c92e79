import ArgumentParser
import Foundation
import GaitLab
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
    for set in collected.sets where warnsOfSets { Terminal.warn(all: set.leftOut.map { "\(set.name): \($0)" }) }
    Terminal.warn(all: collected.dataset.warnings)
    return collected
  }

  /// Refuses the options that a collection's description replaces.
  static func refuse(_ format: FolderOptions, _ selection: SelectionOptions) throws {
    let options: [(name: String, isGiven: Bool)] = [
      ("--layout", !format.layout.isEmpty), ("--rate", !format.rate.isEmpty),
      ("--format, --columns or units", format.source.isGiven), ("--map", !selection.map.isEmpty),
      ("--label-column", selection.labelColumn != nil), ("--intervals", selection.intervals != nil),
    ]
    guard let first = options.first(where: \.isGiven) else { return }
    throw ValidationError("a collection describes its files and labels itself; omit \(first.name).")
  }
}

/// The summary of a collection's sets as lines of text.
struct CollectionText {
  let sets: [CollectedRecordings.SetSummary]

  var lines: [String] {
    let labels = Set(sets.flatMap(\.places).flatMap(\.minutes.keys)).sorted()
    var header = ["set", "place", "people", "recordings"]
    for label in labels { header.append("\(label), min") }
    header += ["Hz", "gyroscope"]
    var rows: [[String]] = []
    for set in sets {
      for place in set.places { rows.append([set.name] + cells(place, labels: labels)) }
    }
    return ([header] + rows).tableLines + sets.flatMap(notes)
  }

  private func cells(_ place: CollectedRecordings.SetSummary.Place, labels: [String]) -> [String] {
    var cells = [place.name, String(place.people), String(place.recordings)]
    for label in labels { cells.append(place.minutes[label].map { $0.fixed(1) } ?? "–") }
    cells.append(rates(place.rates))
    cells.append(place.withGyroscope == place.recordings ? "all" : String(place.withGyroscope))
    return cells
  }

  private func rates(_ rates: [Double]) -> String {
    let texts = Set(rates.map { $0.fixed(1) }).sorted { (Double($0) ?? 0) < (Double($1) ?? 0) }
    return texts.count > 3 ? "\(texts[0])–\(texts[texts.count - 1])" : texts.joined(separator: ", ")
  }

  private func notes(_ set: CollectedRecordings.SetSummary) -> [String] {
    var lines = ["", set.name]
    for line in set.leftOut.isEmpty ? ["nothing left out"] : set.leftOut { lines.append("  " + line) }
    if let licence = set.licence { lines.append("  licence: " + licence) }
    if let attribution = set.attribution { lines.append("  attribution: " + attribution) }
    return lines
  }
}
