import Foundation
import Testing

/// The names in the package's manifest.
@Suite struct ProductNamesTests {
  /// Build systems give each product and target a folder of its name, and file systems of Macs ignore case.
  @Test func `Products and targets do not differ only in case`() throws {
    let manifest = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Package.swift")
    let text = try String(contentsOf: manifest.standardizedFileURL, encoding: .utf8)
    let pattern = /\.(?:library|executable|systemLibrary|target|executableTarget|testTarget)\(\s*name: "([^"]+)"/
    let names = Set(text.matches(of: pattern).map { String($0.1) })
    #expect(names.contains("Gait"))
    #expect(names.contains("gait-command"))
    #expect(Set(names.map { $0.lowercased() }).count == names.count, "\(names.sorted())")
  }
}
