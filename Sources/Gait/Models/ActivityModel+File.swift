#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ActivityModel {
  /// What the `format` entry of a model file says.
  public static let formatName = "gait.activityModel"
  /// The version of the model file that this Gait writes, and the newest that it reads.
  public static let formatVersion = 2

  /// Reads a model file.
  ///
  /// - Throws: `ModelError`, which says what is wrong with a file that was cut, edited, or written by a newer version.
  public init(contentsOf url: URL) throws(ModelError) {
    let data: Data
    let size = (try? FileManager.default.attributesOfItem(atPath: url.path))?[.size] as? Int ?? 0
    guard ModelRanges.fileSize ~= size else {
      throw .cannotRead(file: url.relativePath, reason: "it holds \(size) bytes, far more than any model")
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
  ///   - name: what to call the file in errors.
  /// - Throws: `ModelError`, as `init(contentsOf:)` but for `cannotRead`.
  public init(json: Data, name: String) throws(ModelError) {
    let preamble: ActivityModelFile.Preamble = try Self.decode(json, name: name)
    guard preamble.format == Self.formatName else { throw .notAModel(file: name) }
    guard let version = preamble.version else {
      throw .invalid(file: name, path: "version", reason: "the entry is missing")
    }
    guard version <= Self.formatVersion else {
      throw .newerVersion(file: name, found: version, supported: Self.formatVersion)
    }
    guard version >= 1 else { throw .invalid(file: name, path: "version", reason: "there is no version \(version)") }
    let file: ActivityModelFile = try Self.decode(json, name: name)
    do throws(ModelError) { self = try file.model() } catch { throw error.inFile(name) }
    let computed = file.computedChecksum()
    guard let stated = file.checksum else {
      throw .invalid(file: name, path: "checksum", reason: "the entry is missing")
    }
    guard stated == computed else { throw .edited(file: name, stated: SafeText.short(stated)) }
  }

  /// A model from source that `gait export --format swift` wrote, such as `ActivityModel.running`.
  ///
  /// - Precondition: the text is the contents of a model file, unchanged since it was written. What stands in a program was
  ///   right when it was compiled and cannot go wrong later, so this traps rather than throws.
  public init(embedded json: String) {
    do { try self.init(json: Data(json.utf8), name: "the model in the program") } catch {
      preconditionFailure("\(error)")
    }
  }

  /// The contents of the model's file: JSON with sorted keys, the same bytes for the same model.
  public func json() -> Data {
    var file = ActivityModelFile(self)
    file.checksum = file.computedChecksum()
    var json = file.encoded([.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    json.append(UInt8(ascii: "\n"))
    return json
  }

  /// Writes the model's file, whole or not at all; an old file of that name is replaced.
  ///
  /// - Throws: `ModelError.cannotWrite`.
  public func write(to url: URL) throws(ModelError) {
    do { try json().write(to: url, options: .atomic) } catch {
      throw .cannotWrite(file: url.relativePath, reason: Self.reason(error, for: url.deletingLastPathComponent()))
    }
  }

  private static func decode<Value: Decodable>(_ json: Data, name: String) throws(ModelError) -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: json)
    } catch let error as DecodingError {
      throw Self.fileError(error, json: json, name: name)
    } catch {
      throw .notJSON(file: name, reason: "\(error)")
    }
  }

  private static func fileError(_ error: DecodingError, json: Data, name: String) -> ModelError {
    func path(_ context: DecodingError.Context) -> String {
      SafeText.short(
        context.codingPath.reduce(into: "") { path, key in
          path += key.intValue.map { "[\($0)]" } ?? (path.isEmpty ? key.stringValue : ".\(key.stringValue)")
        })
    }
    switch error {
    case .keyNotFound(let key, let context):
      return .invalid(file: name, path: path(context), reason: "the entry \"\(key.stringValue)\" is missing")
    case .typeMismatch(_, let context) where context.codingPath.isEmpty:
      return .notAModel(file: name)
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      return .invalid(file: name, path: path(context), reason: "the entry is not a \(type)")
    case .dataCorrupted(let context) where !context.codingPath.isEmpty:
      let reason = "the number is too large, or not whole where only whole numbers are allowed"
      return .invalid(file: name, path: path(context), reason: reason)
    default: return syntaxError(in: json, name: name)
    }
  }

  /// What is wrong with a file that the decoder refuses as a whole.
  private static func syntaxError(in json: Data, name: String) -> ModelError {
    switch JSONSyntax.fault(in: json) {
    case .empty: return .notJSON(file: name, reason: "the file is empty")
    case .cutShort: return .truncated(file: name)
    case .unexpected(1, 1): return .notJSON(file: name, reason: "it does not begin with {")
    case .unexpected(let line, let column):
      return .notJSON(file: name, reason: "line \(line), column \(column) does not fit")
    case nil:
      // The decoder does not say which of these it is, nor where.
      let reason =
        "a number is too large, or not whole where only whole numbers are allowed; or its text is not UTF-8, its "
        + "brackets are nested too deep, or a text holds half a character"
      return .invalid(file: name, path: "", reason: reason)
    }
  }

  private static func reason(_ error: any Error, for url: URL) -> String {
    let code = (error as? CocoaError)?.code
    switch code {
    case .fileNoSuchFile, .fileReadNoSuchFile: return "it does not exist"
    case .fileReadNoPermission, .fileWriteNoPermission:
      // What is neither a file nor a folder, such as a pipe, is refused as if it were not allowed.
      let type = (try? FileManager.default.attributesOfItem(atPath: url.path))?[.type] as? FileAttributeType
      return type == nil || type == .typeRegular ? "permission denied" : "it is not a regular file"
    case .fileWriteOutOfSpace: return "the disk is full"
    default:
      var isDirectory = false
      let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory)
      return exists ? (isDirectory ? "it is a folder" : "\(error)") : "it does not exist"
    }
  }
}

extension ActivityModelFile {
  /// A digest of everything in the file but the checksum itself: 64-bit FNV-1a of the compact JSON with sorted keys.
  ///
  /// It guards against accidents and well-meant edits, not against an attacker.
  func computedChecksum() -> String {
    var copy = self
    copy.checksum = nil
    let digest = copy.encoded([.sortedKeys, .withoutEscapingSlashes]).reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    let hexadecimal = String(digest, radix: 16)
    return "fnv1a64:" + String(repeating: "0", count: 16 - hexadecimal.count) + hexadecimal
  }

  fileprivate func encoded(_ formatting: JSONEncoder.OutputFormatting) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    do { return try encoder.encode(self) } catch {
      preconditionFailure("a model holds only finite numbers, which JSON can hold: \(error)")
    }
  }
}
