import Gait
import GaitFormats

/// The recordings of a collection, and what was left out of each set and why.
public struct CollectedRecordings: Sendable {
  /// The recordings of all sets. Their fields have the set's name as `set` and the place on the body as `place`.
  public let dataset: LabeledDataset
  /// A summary of each set: what was read and what was left out, in the collection's order.
  public let sets: [SetSummary]

  /// A collection of recordings that were read before. The fields `set`, `place` and `people` state where each belongs.
  public init(dataset: LabeledDataset, sets: [SetSummary]) {
    self.dataset = dataset
    self.sets = sets
  }

  /// A summary of one set: what was read and what was left out.
  public struct SetSummary: Hashable, Sendable, Encodable {
    /// The set's name.
    public var name: String
    /// The places on the body, in the description's order.
    public var places: [Place]
    /// One line for each label or subject that was left out, or that lacks a sensor, with the reason.
    public var leftOut: [String]
    /// The licence; `nil` if the description does not state it.
    public var licence: String?
    /// The authors who must be named; `nil` if the description does not state them.
    public var attribution: String?

    /// The set's name with its authors and licence; `nil` if the description states neither.
    package var credit: String? {
      let facts = [attribution, licence].compactMap(\.self)
      return facts.isEmpty ? nil : "\(name): \(facts.joined(separator: "; "))"
    }

    /// The recordings at one place.
    public struct Place: Hashable, Sendable, Encodable {
      /// The place's name.
      public var name: String
      /// The number of people. If people are not known, the number of recordings.
      public var people: Int
      /// The minutes by label.
      public var minutes: [String: Double]
      /// The sample rates in hertz, ascending.
      public var rates: [Double]
      /// The number of recordings that have a gyroscope.
      public var withGyroscope: Int
      /// The number of recordings.
      public var recordings: Int
      /// Whether gravity is estimated in some of them.
      public var gravityIsEstimated: Bool
    }
  }
}

extension RecordingCollection {
  /// Reads the recordings of all sets, on all cores. The result does not depend on the number of cores.
  ///
  /// - Parameters:
  ///   - only: filters for recordings to keep. They may name the layouts' placeholders, and `set`, `place` and `label`
  ///     (the set's own label). A filter applies to the sets that have its field.
  ///   - except: filters for recordings to leave out.
  /// - Throws: `CollectionError`.
  public func read(
    only: [RecordingFilter] = [], except: [RecordingFilter] = []
  ) throws(CollectionError) -> CollectedRecordings {
    let filters = CollectionFilters(only: only, except: except)
    let readers = try sets.map { (set) throws(CollectionError) in
      do throws(DatasetError) {
        return try SetReader(set, directory: directory, filters: filters)
      } catch { throw .set(set.name, error) }
    }
    try filters.check(against: readers.map(\.values))
    var parts: [SetReader.Result] = []
    for reader in readers {
      do throws(DatasetError) { parts.append(try reader.read()) } catch { throw .set(reader.set.name, error) }
    }
    let recordings = parts.flatMap(\.recordings)
    guard !recordings.isEmpty else {
      throw .set(
        sets[0].name,
        .nothingSelected(folder: name, filters: only.map { "only \($0)" } + except.map { "except \($0)" }))
    }
    let summaries = parts.map(\.summary).filter { !$0.places.isEmpty }
    var dataset = LabeledDataset(
      name: name, recordings: recordings, duplicates: Duplicates(among: parts.flatMap(\.contents)),
      ignoredFileCount: readers.reduce(0) { $0 + $1.ignoredFileCount },
      unlabelledSeconds: parts.reduce(0) { $0 + $1.unlabelledSeconds }, readingWarnings: readers.flatMap(\.warnings))
    let credits = summaries.compactMap(\.credit)
    dataset.attributions = credits.isEmpty ? nil : credits
    return CollectedRecordings(dataset: dataset, sets: summaries)
  }
}

/// The filters of a collection's recordings.
struct CollectionFilters: Sendable {
  let only: [RecordingFilter]
  let except: [RecordingFilter]

  /// Whether a recording with these fields is kept. A filter of a field that the recording lacks is ignored.
  func keep(_ fields: [String: String]) -> Bool {
    only.allSatisfy { fields[$0.field] == nil || $0.passes(fields) } && !except.contains { $0.passes(fields) }
  }

  /// Checks that the field and the values of every filter occur in a set. A filter of labels is not checked.
  func check(against values: [[String: Set<String>]]) throws(CollectionError) {
    for filter in only + except where filter.field != "label" {
      let found = values.reduce(into: Set()) { $0.formUnion($1[filter.field] ?? []) }
      guard !found.isEmpty else {
        let fields = values.reduce(into: Set(["label"])) { $0.formUnion($1.keys) }
        throw .unknownFilter(filter.description, found: fields.sortedAndUnique())
      }
      guard filter.values.allSatisfy(found.contains) else {
        throw .unknownFilter(filter.description, found: found.sortedAndUnique())
      }
    }
  }
}
