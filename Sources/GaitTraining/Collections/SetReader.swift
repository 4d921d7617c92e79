import Foundation
import Gait
import GaitFormats

/// Reads the recordings of one set of a collection.
struct SetReader: Sendable {
  let set: RecordingSet
  private let filters: CollectionFilters
  /// The recordings to read.
  private let items: [Item]
  /// The values of every field, for errors about filters.
  let values: [String: Set<String>]
  let ignoredFileCount: Int
  let warnings: [String]
  /// The lines about labels and subjects that were left out before files are read.
  private let leftOut: [String]

  /// The files of one recording at one place.
  private struct Item: Sendable {
    let path: String
    let fields: [String: String]
    let files: SensorFiles
  }

  /// The recordings of a set and its summary.
  struct Result: Sendable {
    var recordings: [LabeledRecording] = []
    var contents: [Duplicates.Content] = []
    var unlabelledSeconds = 0.0
    var summary: CollectedRecordings.SetSummary
  }

  init(_ set: RecordingSet, directory: URL, filters: CollectionFilters) throws(DatasetError) {
    self.set = set
    self.filters = filters
    let folder = directory.appending(path: set.folder)
    let listing = try FolderListing(directory: folder, layout: set.layout)
    let sensors = try set.sensors.map { (sensor) throws(DatasetError) in
      try SensorListing(sensor, in: folder, options: set.options)
    }
    let sources = Self.sources(of: listing.files)
    var items: [Item] = []
    var values = ["set": Set([set.name]), "place": Set(set.places.map(\.name))]
    for source in sources {
      for (field, value) in source.fields { values[field, default: []].insert(value) }
      let found = sensors.compactMap { $0.file(of: source.fields) }
      for place in set.places {
        var fields = source.fields
        fields["set"] = set.name
        fields["place"] = place.name
        guard filters.keep(fields), set.labels.isEmpty || fields["label"].map({ set.labels[$0] != nil }) ?? true else {
          continue
        }
        let prefix = set.places.count == 1 ? set.name : "\(set.name)/\(place.name)"
        items.append(
          Item(
            path: "\(prefix)/\(source.path)", fields: fields,
            files: SensorFiles(segments: source.segments, options: set.options(at: place), sensors: found)))
      }
    }
    self.items = items
    self.values = values
    ignoredFileCount = listing.ignoredFileCount
    warnings = listing.warnings
    leftOut = sensors.flatMap { $0.gaps(beside: sources.map(\.fields)) } + Self.labelsLeftOut(sources, set)
  }

  /// One line for each label of the layout that is left out.
  private static func labelsLeftOut(_ sources: [Source], _ set: RecordingSet) -> [String] {
    guard !set.labels.isEmpty else { return [] }
    let left = sources.compactMap { $0.fields["label"] }.filter { set.labels[$0] == nil }
    return left.sortedAndUnique().map { label in
      "label \(label): \(left.count { $0 == label }.counted("recording"))"
    }
  }

  // MARK: Files

  /// The files of one recording, which continue each other.
  private struct Source {
    var path: String
    var fields: [String: String]
    var segments: [URL]
  }

  /// Joins the files that differ only in `{segment}` and whose numbers are consecutive.
  private static func sources(of files: [FolderListing.File]) -> [Source] {
    var sources: [Source] = []
    var last: (fields: [String: String], number: Int)?
    for file in files {
      var fields = file.fields
      let segment = fields.removeValue(forKey: "segment")
      let number = segment.flatMap(Int.init)
      if let last, let number, last.fields == fields, last.number + 1 == number {
        sources[sources.count - 1].segments.append(file.url)
      } else {
        sources.append(Source(path: file.path, fields: fields, segments: [file.url]))
      }
      last = number.map { (fields, $0) }
    }
    return sources
  }

  /// The files of another sensor, found by the placeholders that its layout has.
  private struct SensorListing {
    private let name: String
    private let shared: [String]
    private let files: [[String]: URL]
    private let options: ReadingOptions
    private let fields: [[String: String]]

    init(
      _ sensor: RecordingSet.SensorFiles, in folder: URL, options: ReadingOptions
    ) throws(DatasetError) {
      let listing = try FolderListing(directory: folder, layout: sensor.layout)
      let shared = sensor.layout.fieldNames
      self.shared = shared
      name = sensor.layout.template
      var own = ReadingOptions(units: options.units)
      own.columnNames = sensor.columns
      self.options = own
      fields = listing.files.map(\.fields)
      files = Dictionary(listing.files.map { file in (shared.map { file.fields[$0]! }, file.url) }) { first, _ in first
      }
    }

    /// The sensor's file of a recording with these fields; `nil` if the sensor has none.
    func file(of fields: [String: String]) -> SensorFiles.Sensor? {
      files[shared.map { fields[$0] ?? "" }].map { SensorFiles.Sensor(url: $0, options: options) }
    }

    /// One line for the subjects without this sensor, and one for those with only this sensor.
    func gaps(beside others: [[String: String]]) -> [String] {
      func subjects(_ all: [[String: String]]) -> Set<String> { Set(all.compactMap { $0["subject"] }) }
      let (own, leading) = (subjects(fields), subjects(others))
      return [
        (leading.subtracting(own), "without \(name): read without it"),
        (own.subtracting(leading), "with \(name) only: left out"),
      ].compactMap { subjects, what in
        subjects.isEmpty
          ? nil
          : "\(subjects.count.counted("subject")) \(what): \(subjects.sortedAndUnique().listed(limit: 30))"
      }
    }
  }

  // MARK: Reading

  /// The recordings of one item.
  private struct Part: Sendable {
    var recordings: [LabeledRecording] = []
    var content: Duplicates.Content?
    /// The seconds that were left out, by the set's own label. The empty text stands for rows without a label.
    var leftOut: [String: Double] = [:]
    /// Whether a sensor was not joined because its times do not match.
    var isApart = false
  }

  /// Reads the recordings.
  func read() throws(DatasetError) -> Result {
    let parts: [Part]
    do throws(RecordingError) {
      parts = try items.mappedConcurrently(showing: "file") { (item) throws(RecordingError) in try part(item) }
    } catch {
      throw .recording(error)
    }
    let recordings = parts.flatMap(\.recordings)
    let left = parts.reduce(into: [String: Double]()) { $0.merge($1.leftOut) { $0 + $1 } }
    let unlabelled = left[""] ?? 0
    var lines = leftOut
    lines += left.keys.filter { $0 != "" }.sortedAndUnique().map { "label \($0): \(Self.minutes(left[$0]!))" }
    if unlabelled > 0 { lines.append("rows without a label: \(Self.minutes(unlabelled))") }
    let apart = zip(items, parts).filter { $1.isApart }.map(\.0.path)
    if !apart.isEmpty { lines.append("sensors of another time, read without them: \(apart.listed())") }
    let places = set.places.compactMap { place in
      CollectedRecordings.SetSummary.Place(place.name, recordings.filter { $0.fields["place"] == place.name })
    }
    return Result(
      recordings: recordings, contents: parts.compactMap(\.content), unlabelledSeconds: unlabelled,
      summary: CollectedRecordings.SetSummary(
        name: set.name, places: places, leftOut: lines, licence: set.licence, attribution: set.attribution))
  }

  private static func minutes(_ seconds: Double) -> String { "\((seconds / 60).fixed(1)) minutes" }

  private func part(_ item: Item) throws(RecordingError) -> Part {
    var part = Part()
    let annotated: AnnotatedRecording
    do {
      annotated = try item.files.annotated()
    } catch {
      guard case .sensorsApart = error, !item.files.sensors.isEmpty else { throw error }
      part.isApart = true
      annotated = try SensorFiles(segments: item.files.segments, options: item.files.options).annotated()
    }
    let recording = annotated.recording
    let runs =
      item.fields["label"].map { [(label: Optional($0), rows: 0..<recording.count)] }
      ?? annotated.labels?.map { (label: $0.label, rows: $0.rows) } ?? []
    for run in runs { add(run.label, run.rows, of: recording, item, to: &part) }
    guard !part.recordings.isEmpty else { return part }
    part.content = Duplicates.Content(
      path: item.path, labels: Set(part.recordings.map(\.label)), sampleRate: recording.sampleRate,
      rows: recording.rows)
    return part
  }

  /// Adds the stretch of a recording with one label, unless it is left out.
  private func add(
    _ label: String?, _ rows: Range<Int>, of recording: Recording, _ item: Item, to part: inout Part
  ) {
    let stretch = rows.count == recording.count ? recording : recording[rows]
    var fields = item.fields
    fields["label"] = label
    guard let label, let target = set.labels.isEmpty ? label : set.labels[label] else {
      part.leftOut[label ?? "", default: 0] += stretch.duration
      return
    }
    guard filters.keep(fields) else { return }
    let kept = set.moving[label].map { stretch.movingStretches(above: $0) } ?? [stretch]
    if kept.count != 1 || kept[0].count < stretch.count {
      part.leftOut["\(label), standing", default: 0] += stretch.duration - kept.reduce(0) { $0 + $1.duration }
    }
    let person = fields["subject"].map { "\(set.people)/\($0)" }
    fields["subject"] = person
    fields["people"] = set.people
    part.recordings += kept.map {
      LabeledRecording(recording: $0, label: target, group: person ?? item.path, path: item.path, fields: fields)
    }
  }
}

extension Recording {
  /// The stretches of whole seconds in which the standard deviation of |g + u| is at least `limit` g, in order.
  fileprivate func movingStretches(above limit: Double) -> [Recording] {
    var stretches: [Range<Int>] = []
    var start = 0
    while start < count {
      let begin = time(at: start)
      let end = (start..<count).first { time(at: $0).seconds(since: begin) >= 1 } ?? count
      if standardDeviation(of: start..<end) >= limit {
        if let last = stretches.last, last.upperBound == start {
          stretches[stretches.count - 1] = last.lowerBound..<end
        } else {
          stretches.append(start..<end)
        }
      }
      start = end
    }
    return stretches.map { self[$0] }
  }

  /// The standard deviation of |g + u| over some rows, g; missing values are left out.
  private func standardDeviation(of range: Range<Int>) -> Double {
    let totals = range.map { self[$0].gravity + self[$0].userAcceleration }.map { Double(($0 * $0).sum().squareRoot()) }
      .filter(\.isFinite)
    let mean = totals.reduce(0, +) / Double(max(1, totals.count))
    return (totals.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(max(1, totals.count))).squareRoot()
  }
}

extension CollectedRecordings.SetSummary.Place {
  /// The summary of recordings at one place; `nil` if there are none.
  init?(_ name: String, _ recordings: [LabeledRecording]) {
    guard !recordings.isEmpty else { return nil }
    self.init(
      name: name, people: Set(recordings.map(\.group)).count,
      minutes: recordings.reduce(into: [:]) { $0[$1.label, default: 0] += $1.recording.coveredDuration / 60 },
      rates: Set(recordings.flatMap(\.recording.sampleRates)).sorted(),
      withGyroscope: recordings.count { $0.recording.channels.contains(.rotationRateX) }, recordings: recordings.count,
      gravityIsEstimated: recordings.contains(where: \.recording.gravityIsEstimated))
  }
}
