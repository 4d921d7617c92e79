import Foundation
import Gait
import Testing

@testable import GaitFormats

/// SECURITY.md: the limits that it states are those of the code.
@Suite struct SecurityLimitsTests {
  private static let rows: [String: String] = {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = (try? String(contentsOf: root.appending(path: "SECURITY.md"), encoding: .utf8)) ?? ""
    let section = text.components(separatedBy: "\n## ").first { $0.hasPrefix("Limits") } ?? ""
    return section.split(separator: "\n").filter { $0.hasPrefix("| ") }.reduce(into: [:]) { rows, line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      if cells.count == 2 { rows[cells[0]] = cells[1].replacingOccurrences(of: ",", with: "") }
    }
  }()

  private static let limits: [(name: String, value: String)] = [
    ("expansion of compressed data, beyond the first 4 MiB", "\(RecordingError.largestExpansion) times"),
    ("columns of a table", "\(Header.mostColumns)"),
    ("length of a tag of GPX", "\(XMLText.longestTagMebibytes) MiB"),
    ("size of GyroData's JSON", "\(GyroData.largestByteCount >> 20) MiB"),
    ("labels of a model", "\(ActivityModel.largestLabelCount)"),
    ("features of a model", "\(ModelRanges.featureCount.upperBound)"),
  ]

  @Test(arguments: limits.map(\.name)) func `A stated limit is that of the code`(name: String) throws {
    let value = try #require(Self.limits.first { $0.name == name }).value
    #expect(Self.rows[name] == value, "SECURITY.md: \(name)")
  }

  @Test func `A compressed file may expand freely up to the stated size`() {
    #expect(Inflater.freeByteCount == 4 << 20)
  }

  @Test func `JSON of more nested brackets than stated is refused for that`() throws {
    let depth = try #require(Self.rows["nested brackets of JSON"].flatMap { Int($0) })
    func refusal(_ depth: Int) -> String {
      let json = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      let error = #expect(throws: ModelError.self) { try ActivityModel(json: Data(json.utf8), name: "model") }
      return error.map { "\($0)" } ?? ""
    }
    #expect(refusal(depth + 1).contains("nested too deep"))
    #expect(!refusal(depth).contains("nested too deep"))
  }
}
