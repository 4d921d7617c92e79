import Foundation

/// The public types of a library, found in its source files.
public struct PublicTypes {
  /// The library's folder.
  public let folder: URL
  /// The types, such as `RunTimeline.Slice`; type aliases are not counted.
  public let names: Set<String>

  /// Scans the library `name` of the repository.
  public init(ofLibrary name: String) throws {
    folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/\(name)").standardized
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var names: Set<String> = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      names.formUnion(Self.names(in: try String(contentsOf: file, encoding: .utf8)))
    }
    self.names = names
  }

  /// The types that the library's page `name.md` does not list.
  public func missing(from page: String) throws -> [String] {
    let article = try String(contentsOf: folder.appending(path: page), encoding: .utf8)
    let lines = Set(article.split(separator: "\n").map(String.init))
    return names.filter { !lines.contains("- ``\($0.replacing(".", with: "/"))``") }.sorted()
  }

  /// The public types that a source file declares.
  ///
  /// A declaration is nested in the last one with less indentation, which `swift format` guarantees.
  public static func names(in source: String) -> [String] {
    let declaration = #/(?:@\w+ )*((?:\w+ )*)(?:extension|struct|enum|class|actor|protocol) (?!func |var )([\w.]+)/#
    var scopes: [(indent: Int, name: String)] = []
    var types: [String] = []
    for line in source.split(separator: "\n") {
      let text = line.drop { $0 == " " }
      guard !text.isEmpty else { continue }
      let indent = line.count - text.count
      scopes.removeAll { $0.indent >= indent }
      guard let match = text.prefixMatch(of: declaration) else { continue }
      scopes.append((indent, String(match.2)))
      let modifiers = match.1.split(separator: " ")
      if modifiers.contains("public") || modifiers.contains("open") {
        types.append(scopes.map(\.name).joined(separator: "."))
      }
    }
    return types
  }
}
