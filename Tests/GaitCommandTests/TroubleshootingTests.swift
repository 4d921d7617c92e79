import Foundation
import Testing

/// The article of errors quotes what the command says.
@Suite struct TroubleshootingTests {
  @Test func `Every error in the article is one that wrong input gives`() throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/GaitTraining/GaitTraining.docc/Troubleshooting.md").standardizedFileURL
    let article = try String(contentsOf: url, encoding: .utf8)
    let errors = article.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
      String(line.dropFirst(3).prefix { $0 != "`" })
    }
    #expect(errors.count >= 20, "only \(errors.count) errors were found in the article")
    let data = WrongDataTests.recordings + WrongDataTests.folders + WrongDataTests.models
    let usage = WrongUsageTests.names + WrongUsageTests.missing + WrongUsageTests.values + WrongUsageTests.together
    let inputs = data + usage + OutputTests.inputs
    for error in errors {
      let isSaid = inputs.contains { input in
        input.says.contains { $0.count > 8 } && input.says.allSatisfy(error.contains)
      }
      #expect(isSaid, "no wrong input of these tests gives: \(error)")
    }
  }
}
