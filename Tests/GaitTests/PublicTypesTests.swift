import Foundation
import Testing

/// The public API of Gait stays small, and the article `Gait.md` lists all of it.
@Suite struct PublicTypesTests {
  private static let module = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/Gait")
    .standardized
  private static let largestCount = 51

  /// The public types that a source file declares, such as `RunTimeline.Slice`; type aliases are not counted.
  ///
  /// A declaration is nested in the last one with less indentation, which `swift format` guarantees.
  private static func publicTypes(in source: String) -> [String] {
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

  private static func publicTypes() throws -> Set<String> {
    let files = try #require(FileManager.default.enumerator(at: module, includingPropertiesForKeys: nil))
    var types: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      types.formUnion(publicTypes(in: try String(contentsOf: file, encoding: .utf8)))
    }
    return types
  }

  @Test func `The scan finds nested and conditional types, and skips internal ones`() {
    let source = """
      // public struct Comment {}
      public struct Outer {
        public let value: Int
        public indirect enum Inner { case one }
        struct Hidden {}
        public typealias Alias = Int
      }
      extension Outer.Inner {
        public final class Deep {
          class func make() {}
        }
      }
      #if os(iOS)
        public protocol Conditional {}
      #endif
      package struct Shared {}
      """
    #expect(Self.publicTypes(in: source) == ["Outer", "Outer.Inner", "Outer.Inner.Deep", "Conditional"])
  }

  @Test func `Gait has at most 51 public types`() throws {
    let types = try Self.publicTypes()
    #expect(types.isSuperset(of: ["RunTracker", "ActivityModel.Head", "RunTimeline.Slice", "LocationSample"]))
    #expect(types.count <= Self.largestCount, "\(types.count) public types: \(types.sorted())")
  }

  @Test func `The article Gait lists every public type`() throws {
    let article = try String(contentsOf: Self.module.appending(path: "Gait.docc/Gait.md"), encoding: .utf8)
    let lines = Set(article.split(separator: "\n").map(String.init))
    let missing = try Self.publicTypes().filter { !lines.contains("- ``\($0.replacing(".", with: "/"))``") }
    #expect(missing.isEmpty, "Gait.md does not list \(missing.sorted())")
  }
}
