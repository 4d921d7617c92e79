import Foundation
import Gait
import Testing

@testable import GaitFormats
@testable import GaitRuns

/// SECURITY.md: the limits that it states are those of the code.
@Suite struct SecurityLimitsTests {
  /// The table of limits, without separators of thousands.
  private static let stated: [String: String] = {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = (try? String(contentsOf: root.appending(path: "SECURITY.md"), encoding: .utf8)) ?? ""
    let section = text.components(separatedBy: "\n## ").first { $0.hasPrefix("Limits") } ?? ""
    return section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().reduce(into: [:]) { rows, line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      if cells.count == 2 { rows[cells[0]] = cells[1].replacingOccurrences(of: ",", with: "") }
    }
  }()

  @Test func `Every stated limit is that of the code`() {
    let limits = [
      "expansion of compressed data, beyond the first \(Inflater.freeByteCount >> 20) MiB":
        "\(RecordingError.largestExpansion) times",
      "columns of a table": "\(Header.mostColumns)",
      "length of a line of a file": "\(LineChunks.longestFileLine >> 20) MiB",
      "length of a line of live text": "\(LineChunks.longestLiveLine >> 20) MiB",
      "length of a tag of GPX": "\(XMLText.longestTagMebibytes) MiB",
      "nested brackets of JSON": "500",
      "size of GyroData's JSON": "\(GyroData.largestByteCount >> 20) MiB",
      "size of a part of a run file": "\(RunFile.largestPart >> 20) MiB",
      "inputs of a batch": "\(RunInputBatch.usualLargestCount)",
      "labels of a model": "\(ActivityModel.largestLabelCount)",
      "features of a model": "\(ModelRanges.featureCount.upperBound)",
    ]
    #expect(Self.stated == limits)
  }

  @Test func `JSON of more nested brackets than stated is refused for that`() throws {
    let depth = try #require(Self.stated["nested brackets of JSON"].flatMap { Int($0) })
    func refusal(_ depth: Int) -> String {
      let json = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      let error = #expect(throws: ModelError.self) { try ActivityModel(json: Data(json.utf8), name: "model") }
      return error.map { "\($0)" } ?? ""
    }
    #expect(refusal(depth + 1).contains("nested too deep"))
    #expect(!refusal(depth).contains("nested too deep"))
  }
}
