import Foundation
import GaitTestSupport
import Testing

/// `gait plot` on the sample run that comes with the package.
@Suite(.requiresOptimization) struct PlotRecordingTests {
  private static let run = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "datasets/simulated-runs/run_1").path

  @Test func `A recording is drawn as a page or as a drawing, with and without a model`() throws {
    let folder = try TemporaryDirectory()
    let page = try GaitProcess(["plot", Self.run + ".csv"], in: folder.url)
    #expect(page.status == 0, "\(page.complaints)")
    #expect(page.output.hasPrefix("Wrote run_1.html; "), "\(page.complaints)")
    #expect(try String(contentsOf: folder.file("run_1.html"), encoding: .utf8).contains("userAcceleration.x, g"))
    let model = ["--model", "running", "--location", Self.run + ".gpx", "--from", "100", "--to", "200"]
    let drawing = try GaitProcess(["plot", Self.run + ".csv", "-o", "part.svg"] + model, in: folder.url)
    #expect(drawing.status == 0, "\(drawing.complaints)")
    let source = try String(contentsOf: folder.file("part.svg"), encoding: .utf8)
    #expect(source.hasPrefix("<svg"))
    #expect(source.contains("Labels of the windows"))
    #expect(source.contains("Pace, min:s /km"))
  }

  @Test(arguments: [
    (["-o", "x.png"], Int32(64), "write an .svg and convert it"),
    (["--location", "x.gpx"], 64, "--location needs --model"),
    (["--from", "30", "--to", "20"], 64, "--from before --to"), (["--from", "1000"], 65, "change --from"),
  ])
  func `Wrong options are explained and write nothing`(options: [String], status: Int32, text: String) throws {
    let folder = try TemporaryDirectory()
    let wrong = try GaitProcess(["plot", Self.run + ".csv"] + options, in: folder.url)
    #expect(wrong.status == status, "\(wrong.complaints)")
    #expect(wrong.complaints.contains(text), "\(wrong.complaints)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test(arguments: [["track", "running"], ["inspect"], ["plot"], ["classify", "running"]])
  func `Piped output has no control characters, and quiet commands print no warnings`(command: [String]) throws {
    let folder = try TemporaryDirectory()
    let piped = try GaitProcess(command + [Self.run + ".csv", "--quiet"], in: folder.url)
    #expect(piped.status == 0, "\(piped.complaints)")
    #expect(piped.complaints.isEmpty, "\(piped.complaints)")
    let controls = piped.output.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" || 0x7F...0x9F ~= $0.value }
    #expect(controls.isEmpty, "\(controls.map(\.value)) in the output of gait \(command[0])")
  }

  /// The example of each command's help that needs no file besides the sample data.
  @Test(
    .requiresOptimization,
    arguments: [
      "benchmark", "classify", "convert", "evaluate", "export", "features", "inspect", "label", "plot",
      "select",
      "track", "train",
    ])
  func `The example in the help works`(command: String) throws {
    let folder = try TemporaryDirectory()
    let data = URL(filePath: Self.run).deletingLastPathComponent().deletingLastPathComponent()
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: "datasets"), withDestinationURL: data)
    let help = try GaitProcess(["help", command]).output
    let example = try #require(help.firstMatch(of: /For example: gait ([\s\S]*?)\n\n/)).1
    let words = example.split(whereSeparator: \.isWhitespace).map { String($0.filter { $0 != "'" }) }
    let run = try GaitProcess(words, in: folder.url)
    #expect(run.status == 0, "gait \(example): \(run.complaints)")
  }
}
