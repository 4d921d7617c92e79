import Foundation
import Gait
import GaitFormats

/// A description of public data sets in their own form: where each set is, how its files are read, and what its labels
/// mean.
///
/// It is a JSON file; <doc:CollectionsOfSets> lists its entries.
///
/// ```swift
/// let collection = try RecordingCollection(contentsOf: url)
/// let collected = try collection.read()
/// collected.dataset                      // a LabeledDataset of all sets
/// collected.sets[0].leftOut              // what was left out of the first set, and why
/// ```
public struct RecordingCollection: Hashable, Sendable {
  /// The value of the entry `format`.
  public static let format = "gait.collection"
  /// The version of the form that this code reads.
  public static let version = 1

  /// The collection's name: the file's name without its ending.
  public var name: String
  /// The sets, in the file's order.
  public var sets: [RecordingSet]
  /// The folder that the sets' folders are relative to.
  public var directory: URL

  /// A collection from its parts.
  public init(name: String, sets: [RecordingSet], directory: URL) {
    self.name = name
    self.sets = sets
    self.directory = directory
  }

  /// Reads a description.
  ///
  /// - Parameters:
  ///   - url: the JSON file.
  ///   - directory: the folder that the sets' folders are relative to; by default the file's own.
  /// - Throws: `CollectionError` with the file, the entry and the cure.
  public init(contentsOf url: URL, directory: URL? = nil) throws(CollectionError) {
    let file = url.relativePath
    guard let data = try? Data(contentsOf: url) else { throw .unreadable(file: file) }
    let form: Form
    do throws(JSONFault) { form = try JSONFault.decode(Form.self, from: data) } catch {
      throw .malformed(file: file, reason: CollectionError.reason(error))
    }
    self.init(
      name: url.deletingPathExtension().lastPathComponent, sets: form.sets,
      directory: directory ?? url.deletingLastPathComponent())
    guard !sets.isEmpty else { throw .malformed(file: file, reason: "\"sets\" is empty; describe at least one set") }
    let names = sets.map(\.name)
    if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw .malformed(file: file, reason: "two sets have the name \"\(twice)\"; give each its own name")
    }
  }

  /// Whether the file at `url` states that it is a collection.
  public static func isCollection(_ url: URL) -> Bool {
    // Only a plain file is opened: opening a pipe would wait for a writer.
    guard url.pathExtension.lowercased() == "json", case .file? = PathKind(at: url.path),
      let handle = try? FileHandle(forReadingFrom: url)
    else {
      return false
    }
    defer { try? handle.close() }
    let start = (try? handle.read(upToCount: 4096)) ?? Data()
    return String(decoding: start, as: UTF8.self).contains("\"\(format)\"")
  }

  /// The top level of the file.
  private struct Form: Decodable {
    var sets: [RecordingSet]

    enum CodingKeys: String, CodingKey, CaseIterable { case format, version, sets }

    init(from decoder: any Decoder) throws {
      let entries = try decoder.checkedEntries(CodingKeys.self)
      guard try entries.decode(String.self, forKey: .format) == RecordingCollection.format else {
        throw entries.fault(.format, "is not \"\(RecordingCollection.format)\"; write that")
      }
      guard try entries.decode(Int.self, forKey: .version) == RecordingCollection.version else {
        throw entries.fault(.version, "is not \(RecordingCollection.version), the only version; write that")
      }
      sets = try entries.decode([RecordingSet].self, forKey: .sets)
    }
  }
}

/// An error in a collection: in its description, or in reading its sets.
public enum CollectionError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
  /// The file does not exist or cannot be read.
  case unreadable(file: String)
  /// The file is not a valid description.
  case malformed(file: String, reason: String)
  /// A set cannot be read.
  case set(String, DatasetError)
  /// A filter names a field or a value that no set has.
  case unknownFilter(String, found: [String])

  /// The sentence of `description`.
  public var errorDescription: String? { description }

  /// What is wrong, where, and the cure, in one or two sentences.
  public var description: String {
    switch self {
    case .unreadable(let file): "\(file) cannot be read; check the path."
    case .malformed(let file, let reason): "\(file): \(reason)."
    case .set(let name, let error): "set \"\(name)\": \(error)"
    case .unknownFilter(let filter, let found):
      "filter \"\(filter)\" matches no recording of the collection; it has \(found.listed(limit: 24))."
    }
  }

  /// The problem of the JSON, and the entry or the place where it is.
  fileprivate static func reason(_ fault: JSONFault) -> String {
    switch fault {
    case .empty: return "it is empty; describe at least one set"
    case .cutShort: return "it ends before its last bracket or quotation mark is closed; complete it"
    case .unexpected(let line, let column):
      return "it is not valid JSON at line \(line), column \(column); correct it"
    case .missing(let entry): return "\(entry) is missing; add it"
    case .wrongType(let entry, let type):
      let kinds = ["String": "a text", "Double": "a number", "Int": "a number", "Array<Any>": "a list"]
      let kind = kinds[type] ?? "an object"
      return "\(entry.isEmpty ? "it" : entry) is not \(kind); write \(kind)"
    case .refused("", let reason): return reason
    case .refused(let entry, let reason): return "\(entry) \(reason)"
    }
  }
}

extension Decoder {
  /// The entries of an object. Throws an error if the object has an entry that is not in `keys`.
  func checkedEntries<Key: CodingKey & CaseIterable>(_ keys: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let known = Key.allCases.map(\.stringValue)
    let found = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    guard let unknown = found.sorted().first(where: { !known.contains($0) }) else {
      return try container(keyedBy: keys)
    }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: codingPath + [AnyKey(stringValue: unknown)],
        debugDescription: "is unknown"
          + NearName.cure(for: [unknown], among: known, what: "entries").trimmingSuffix(".")))
  }
}

extension KeyedDecodingContainer {
  /// An error about the value of an entry.
  func fault(_ key: Key, _ text: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: codingPath + [key], debugDescription: text))
  }
}

/// The name of any entry.
struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
