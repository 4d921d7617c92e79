#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ActivityModel {
  /// The `format` entry of a model file.
  public static let formatName = ModelError.modelFormat
  /// The newest version of the model file that this Gait reads.
  public static let formatVersion = 6

  /// The version of this model's file: the first version whose readers know all of its entries.
  package var fileVersion: Int {
    if pauses?.findsQuietWalks == false { return 6 }
    if pauses?.walkingResumeDwellSeconds != nil { return 5 }
    return meanings.isEmpty ? (heads.contains { $0.rejection != nil } ? 3 : 2) : 4
  }

  /// The built-in model called `name`; if there is none, the model in the file at that path.
  ///
  /// - Throws: `ModelError`, as `init(contentsOf:)`.
  package init(named name: String) throws(ModelError) {
    if let model = Self.builtIn(name) { self = model } else { try self.init(contentsOf: URL(filePath: name)) }
  }

  /// Reads a model file.
  ///
  /// - Throws: `ModelError` if the file cannot be read, is truncated, was changed after it was written, has an invalid
  ///   entry, or has a version above `formatVersion`.
  public init(contentsOf url: URL) throws(ModelError) {
    let data: Data
    let size = (try? FileManager.default.attributesOfItem(atPath: url.path))?[.size] as? Int ?? 0
    guard ModelRanges.fileSize ~= size else {
      throw .cannotRead(
        file: url.relativePath, reason: "\(size) bytes; a model has at most \(ModelRanges.fileSize.upperBound)")
    }
    do { data = try Data(contentsOf: url) } catch {
      throw .cannotRead(file: url.relativePath, reason: Self.reason(error, for: url))
    }
    try self.init(json: data, name: url.relativePath)
  }

  /// Reads a model from the contents of a model file.
  ///
  /// - Parameters:
  ///   - json: the file's contents.
  ///   - name: the name of the file in errors.
  /// - Throws: `ModelError`, as `init(contentsOf:)`, except `cannotRead`.
  public init(json: Data, name: String) throws(ModelError) {
    self = try Self.model(json, name: name, isSealed: true)
  }

  /// A model from the contents of a model file that another program wrote, whose checksum is missing or wrong. All
  /// other entries are checked. `json()` then writes the right checksum.
  ///
  /// - Throws: `ModelError`, as `init(json:name:)`.
  package init(unsealed json: Data, name: String) throws(ModelError) {
    self = try Self.model(json, name: name, isSealed: false)
  }

  private static func model(_ json: Data, name: String, isSealed: Bool) throws(ModelError) -> ActivityModel {
    let file: ActivityModelFile
    do throws(ModelError) { file = try Self.decode(json, name: name) } catch {
      // An entry may be missing because the file is no model or is of a newer version: report that first.
      try Self.check(Self.decode(json, name: name), name: name)
      throw error
    }
    try Self.check(ActivityModelFile.Preamble(format: file.format, version: file.version), name: name)
    let model: ActivityModel
    do throws(ModelError) { model = try file.model() } catch { throw error.inFile(name) }
    guard isSealed else { return model }
    guard let stated = file.checksum else {
      throw .invalid(file: name, path: "checksum", reason: "the entry is missing")
    }
    guard ActivityModelFile.checksum(ofText: json, without: stated) == stated || file.computedChecksum() == stated
    else {
      let reason = "its contents do not match its checksum, \(stated.shortened)"
      throw .invalid(file: name, path: "", reason: "the model was changed after it was written (\(reason))")
    }
    return model
  }

  private static func check(_ preamble: ActivityModelFile.Preamble, name: String) throws(ModelError) {
    guard preamble.format == Self.formatName else { throw .notAModel(file: name) }
    guard let version = preamble.version else {
      throw .invalid(file: name, path: "version", reason: "the entry is missing")
    }
    guard version <= Self.formatVersion else {
      throw .newerVersion(file: name, found: version, supported: Self.formatVersion)
    }
    guard version >= 1 else { throw .invalid(file: name, path: "version", reason: "\(version) is not a version") }
  }

  /// A model from Swift source that `gait export --format swift` wrote, such as `ActivityModel.running`.
  ///
  /// - Precondition: the text is the unchanged contents of a model file. A text in a program does not change after
  ///   compilation, so an error is a programming error and traps.
  public init(embedded json: String) {
    var json = json
    // Foundation would search the conformances of a view of the text.
    let data = json.withUTF8 { Data(buffer: $0) }
    do { try self.init(json: data, name: "embedded model") } catch {
      preconditionFailure("\(error)")
    }
  }

  package var checksum: String { ActivityModelFile(self).computedChecksum() }

  /// The contents of the model file: JSON with sorted keys. The same model gives the same bytes.
  public func json() -> Data {
    var file = ActivityModelFile(self)
    file.checksum = file.computedChecksum()
    var json = file.encoded([.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    json.append(UInt8(ascii: "\n"))
    return json
  }

  /// Writes the model file atomically, replacing an existing one.
  ///
  /// - Throws: `ModelError.cannotWrite`.
  public func write(to url: URL) throws(ModelError) {
    do throws(FileWriteError) { try AtomicFile.write(Array(json()), to: url) } catch {
      throw .cannotWrite(file: url.relativePath, reason: error.reason)
    }
  }

  private static func decode<Value: Decodable>(_ json: Data, name: String) throws(ModelError) -> Value {
    do throws(JSONFault) { return try JSONFault.decode(Value.self, from: json) } catch {
      switch error {
      case .empty: throw .notJSON(file: name, reason: "the file is empty")
      case .cutShort: throw .truncated(file: name)
      case .unexpected(1, 1): throw .notJSON(file: name, reason: "the first character is not {")
      case .unexpected(let line, let column):
        throw .notJSON(file: name, reason: "syntax error at line \(line), column \(column)")
      case .wrongType("", _): throw .notAModel(file: name)
      case .wrongType(let entry, let type):
        throw .invalid(file: name, path: entry.shortened, reason: "the entry is not of type \(type)")
      case .missing(let entry):
        throw .invalid(file: name, path: entry.shortened, reason: "the entry is missing")
      case .refused("", let reason): throw .invalid(file: name, path: "", reason: reason)
      case .refused(let entry, _):
        let reason = "the number is too large, or not a whole number where one is needed"
        throw .invalid(file: name, path: entry.shortened, reason: reason)
      }
    }
  }

  private static func reason(_ error: any Error, for url: URL) -> String {
    let code = (error as? CocoaError)?.code
    switch code {
    case .fileReadNoSuchFile: return "it does not exist"
    case .fileReadNoPermission:
      // Foundation reports a missing permission for a pipe or a device, too: check the file's type.
      let type = (try? FileManager.default.attributesOfItem(atPath: url.path))?[.type] as? FileAttributeType
      return type == nil || type == .typeRegular ? "permission denied" : "it is not a regular file"
    default:
      var isDirectory = false
      let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory)
      return exists ? (isDirectory ? "it is a folder" : "\(error)") : "it does not exist"
    }
  }
}

extension ActivityModelFile {
  /// The checksum of all entries except itself: 64-bit FNV-1a of the compact JSON with sorted keys.
  ///
  /// It detects accidental changes and hand edits. It does not protect against an attacker.
  func computedChecksum() -> String {
    var copy = self
    copy.checksum = nil
    return Checksum.text([UInt8](copy.encoded([.sortedKeys, .withoutEscapingSlashes])))
  }

  /// The checksum of a text that `json()` wrote. It leaves out the text's white space and checksum, which costs less
  /// than encoding the entries again.
  fileprivate static func checksum(ofText json: Data, without checksum: String) -> String {
    var compact: [UInt8] = []
    compact.reserveCapacity(json.count)
    var (isString, isEscaped) = (false, false)
    json.withUnsafeBytes { bytes in
      for byte in bytes {
        if isString {
          isString = isEscaped || byte != UInt8(ascii: "\"")
          isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        } else {
          if byte <= UInt8(ascii: " ") { continue }
          isString = byte == UInt8(ascii: "\"")
        }
        compact.append(byte)
      }
    }
    let entry = Array("\"checksum\":\"\(checksum)\",".utf8)
    let start = compact.indices.first { compact[$0] == entry[0] && compact[$0...].starts(with: entry) }
    if let start { compact.removeSubrange(start..<start + entry.count) }
    return Checksum.text(compact)
  }

  fileprivate func encoded(_ formatting: JSONEncoder.OutputFormatting) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    do { return try encoder.encode(self) } catch {
      preconditionFailure("every number of a model is finite, so JSON can represent it: \(error)")
    }
  }
}
