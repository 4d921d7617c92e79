import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

/// `--output-folder`: many recordings, each with its own output.
@Suite struct BatchTests {
  /// A folder `data` of `count` recordings in two subfolders, of which one is broken.
  private static func folder(_ count: Int) throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    for number in 0..<count {
      let text = SampleFiles.csv(150 + number % 7, strength: 0.5, seed: UInt64(number))
      try folder.write(
        number == 3 ? text + "x,y\n" + text : text, to: "data/\(number % 2 == 0 ? "a" : "b")/\(number).csv")
    }
    return folder
  }

  /// The contents of the files in a folder, by their paths.
  private static func contents(_ folder: TemporaryDirectory, _ name: String) throws -> [String: Data] {
    let root = folder.file(name)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    return try paths.filter { !root.appending(path: $0).path.hasSuffix("/a") && !$0.hasSuffix("b") }.reduce(into: [:]) {
      $0[$1] = try Data(contentsOf: root.appending(path: $1))
    }
  }

  private static func run(_ arguments: [String], in folder: TemporaryDirectory) throws -> GaitProcess {
    try GaitProcess(arguments + ["--rate", "50"], in: folder.url)
  }

  @Test func `A killed run continues to the outputs of an uninterrupted one`() throws {
    let count = Optimization.isOn ? 1000 : 16
    let folder = try Self.folder(count)
    let whole = try Self.run(["features", "data", "--output-folder", "whole"], in: folder)
    #expect(whole.status == 65, "the broken recording does not show in the exit code: \(whole.complaints)")
    #expect(!whole.complaints.contains(".."), "\(whole.complaints)")
    #expect(whole.output.hasPrefix("\(count) recordings: \(count - 1) processed, 0 finished before, 1 failed"))
    let process = Process()
    process.executableURL = try GaitProcess.executable()
    process.arguments = ["features", "data", "--rate", "50", "--output-folder", "killed"]
    process.currentDirectoryURL = folder.url
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let manifest = folder.file("killed/manifest.jsonl")
    while process.isRunning, ((try? Data(contentsOf: manifest)) ?? Data()).count(where: { $0 == 10 }) < count / 2 {
      usleep(500)
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    let again = try Self.run(["features", "data", "--output-folder", "killed"], in: folder)
    let skipped = again.output.split(separator: ",").first { $0.contains("finished before") }
    #expect(skipped.map { !$0.hasPrefix(" 0 ") } == true, "nothing was skipped: \(again.output)")
    #expect(try Self.contents(folder, "killed") == Self.contents(folder, "whole"))
  }

  @Test func `A folder to which another process writes is refused, and free when that process has ended`() throws {
    let folder = try Self.folder(2)
    let arguments = ["features", "data", "--output-folder", "out"]
    try folder.write("", to: "out/manifest.jsonl")
    let other = open(folder.file("out").path, O_RDONLY)
    #expect(flock(other, LOCK_EX) == 0)
    let refused = try Self.run(arguments, in: folder)
    #expect(refused.status == 73, "\(refused.complaints)")
    #expect(refused.complaints.contains("another process writes there"), "\(refused.complaints)")
    #expect(try Self.contents(folder, "out") == ["manifest.jsonl": Data()])
    close(other)
    let run = try Self.run(arguments, in: folder)
    #expect(run.status == 0, "\(run.complaints)")
    #expect(run.output.contains("2 processed, 0 finished"), "\(run.complaints)")
  }

  @Test func `Tracked recordings have an overview with a row for each run, and the failures`() throws {
    let folder = try Self.folder(5)
    let run = try Self.run(["track", "data", "--output-folder", "out", "--report", "runs.html"], in: folder)
    #expect(run.status == 65, "\(run.complaints)")
    let page = try String(contentsOf: folder.file("runs.html"), encoding: .utf8)
    #expect(page.contains(">Failed<"))
    #expect(page.contains(">4<"))
    #expect(page.contains("1 more failed"))
    for number in [0, 1, 2, 4] {
      let link = try #require(
        page.firstMatch(of: try Regex("<a href=\"(out/[^\"]*\(number).csv.run.html)\">"))?.output[1].substring)
      let own = try String(contentsOf: folder.file(String(link)), encoding: .utf8)
      #expect(own.contains(">How this was measured<"), "\(link)")
    }
  }

  @Test(.requiresOptimization) func `Each recording is tracked with its own GPS file`() throws {
    let folder = try TemporaryDirectory()
    for (name, seconds) in [("one", 40), ("two", 60)] {
      try folder.write(SampleFiles.csv(50 * seconds, strength: 0.5, seed: 1), to: "data/\(name).csv")
      guard name == "one" else { continue }
      let points = (0..<seconds).map { "\($0),52.5,\(13.4 + Double($0) * 4e-5)" }
      try folder.write("time,latitude,longitude\n" + points.joined(separator: "\n") + "\n", to: "data/one.gps")
    }
    let arguments = ["track", "running", "data", "--output-folder", "out", "--location", ".gps"]
    #expect(try Self.run(arguments, in: folder).output.contains("2 processed, 0 finished"))
    let alone = try Self.run(["track", "running", "data/one.csv", "--location", "data/one.gps", "--json"], in: folder)
    let run = try String(contentsOf: folder.file("out/one.csv.run.json"), encoding: .utf8)
    #expect(run == alone.output, "the run of the batch differs from that of a single recording")
    let manifest = try String(contentsOf: folder.file("out/manifest.jsonl"), encoding: .utf8)
    let warned = manifest.split(separator: "\n").map { $0.contains("no file of GPS points") }
    #expect(warned == [false, true], "\(manifest)")
    try folder.write("time,latitude,longitude\n0,52.5,13.4\n", to: "data/two.gps")
    #expect(try Self.run(arguments, in: folder).output.contains("1 processed, 1 finished"))
    // The overview has the distance of a run with one, and the folder in no row.
    let overview = try Self.run(arguments + ["--report", "runs.html"], in: folder)
    #expect(overview.status == 0, "\(overview.complaints)")
    let page = try String(contentsOf: folder.file("runs.html"), encoding: .utf8)
    #expect(page.contains(">one.csv</a>"), "\(page)")
    #expect(page.contains("run with a distance"), "\(page)")
    let whole = try Self.run(Array(arguments.dropLast()) + ["data/one.gps"], in: folder)
    #expect(whole.status == 64, "\(whole.complaints)")
    #expect(whole.complaints.contains("ending"), "\(whole.complaints)")
  }

  @Test func `Changed inputs, outputs and options are computed again, and nothing else`() throws {
    let folder = try Self.folder(3)
    let arguments = ["classify", "running", "data", "--output-folder", "out"]
    #expect(try Self.run(arguments, in: folder).output.contains("3 processed, 0 finished"))
    let first = try Self.contents(folder, "out")
    #expect(try Self.run(arguments, in: folder).output.contains("0 processed, 3 finished"))
    try folder.write("start\n", to: "out/a/0.csv.labels.csv")
    #expect(try Self.run(arguments, in: folder).output.contains("1 processed, 2 finished"))
    #expect(try Self.contents(folder, "out") == first)
    try folder.write(SampleFiles.csv(160, strength: 0.1, seed: 99), to: "data/b/1.csv")
    #expect(try Self.run(arguments, in: folder).output.contains("1 processed, 2 finished"))
    let slow = try Self.run(arguments + ["--allow-slow-source"], in: folder)
    #expect(slow.output.contains("3 processed, 0 finished"), "\(slow.output)")
  }

  @Test func `An array of features has the values of the library`() throws {
    let folder = try Self.folder(1)
    let run = try Self.run(["features", "data/a/0.csv", "--npy", "--output-folder", "out"], in: folder)
    #expect(run.status == 0, "\(run.complaints)")
    let recording = try Recording(contentsOf: folder.file("data/a/0.csv"), sampleRate: .hertz(50))
    let (starts, values) = try recording.features(Feature.orientationFree)
    let array = try Data(contentsOf: folder.file("out/0.csv.features.npy"))
    #expect(array.count == 128 + 4 * values.values.count)
    #expect(array.starts(with: [0x93] + Array("NUMPY".utf8)))
    let bytes = values.values.flatMap { value in withUnsafeBytes(of: value.bitPattern.littleEndian, Array.init) }
    #expect(Array(array[128...]) == bytes)
    let index = try String(contentsOf: folder.file("out/0.csv.windows.csv"), encoding: .utf8)
    let lines = index.split(separator: "\n").dropFirst().map { $0.split(separator: ",").map { Double($0) } }
    #expect(lines == starts.map { [$0.seconds, 1] })
  }

  @Test(
    arguments: [
      ("out/manifest.jsonl", "no manifest"), ("out/a/0.csv.features.csv", "no manifest"),
      ("out/b/1.csv.features.csv", "no manifest"),
    ]) func `A file of the output folder that no run of gait wrote is not replaced`(name: String, text: String) throws
  {
    let folder = try Self.folder(2)
    try folder.write("mine\n", to: name)
    let run = try Self.run(["features", "data", "--output-folder", "out"], in: folder)
    #expect(run.status == 73, "\(run.complaints)")
    #expect(run.complaints.contains(name), "\(run.complaints)")
    #expect(run.complaints.contains(text), "\(run.complaints)")
    #expect(try Self.contents(folder, "out").filter { $0.key.hasSuffix("l") || $0.key.hasSuffix("v") }.count == 1)
    #expect(try String(contentsOf: folder.file(name), encoding: .utf8) == "mine\n")
  }

  @Test(arguments: ["out/a/0.csv.labels.csv", "out/manifest.jsonl", "out/a"])
  func `A symbolic link in the output folder is not followed`(name: String) throws {
    let folder = try Self.folder(1)
    try folder.write("mine\n", to: "elsewhere/mine.txt")
    let isFolder = name == "out/a"
    try FileManager.default.createDirectory(
      at: folder.file(name).deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file(name).path,
      withDestinationPath: folder.file(isFolder ? "elsewhere" : "elsewhere/mine.txt").path)
    let run = try Self.run(["classify", "running", "data", "--output-folder", "out"], in: folder)
    #expect(run.status == 73, "\(run.complaints)")
    #expect(run.complaints.contains("symbolic link"), "\(run.complaints)")
    #expect(try Self.contents(folder, "elsewhere") == ["mine.txt": Data("mine\n".utf8)])
  }

  @Test func `An input of the run is not an output of it`() throws {
    let folder = try Self.folder(1)
    let arguments = ["features", "data/a/0.csv"]
    #expect(try Self.run(arguments + ["--output-folder", "out"], in: folder).status == 0)
    let made = try Data(contentsOf: folder.file("out/0.csv.features.csv"))
    let run = try Self.run(arguments + ["out/0.csv.features.csv", "--output-folder", "out"], in: folder)
    #expect(run.status == 73, "\(run.complaints)")
    #expect(run.complaints.contains("is an input"), "\(run.complaints)")
    #expect(try Data(contentsOf: folder.file("out/0.csv.features.csv")) == made)
  }

  @Test func `A folder keeps the outputs of earlier settings, which later runs may replace`() throws {
    let folder = try Self.folder(2)
    let features = ["features", "data", "--output-folder", "out"]
    #expect(try Self.run(features, in: folder).status == 0)
    #expect(try Self.run(["classify", "running", "data", "--output-folder", "out"], in: folder).status == 0)
    #expect(try Self.run(["features", "data/a/0.csv", "--output-folder", "out"], in: folder).status == 0)
    let again = try Self.run(features, in: folder)
    #expect(again.status == 0, "\(again.complaints)")
    #expect(again.output.contains("1 processed, 1 finished"), "\(again.complaints)")
  }

  @Test func `A terminated run leaves no hidden file, and a killed one none after the next run`() throws {
    let folder = try Self.folder(40)
    for signal in [SIGTERM, SIGKILL] {
      let process = Process()
      process.executableURL = try GaitProcess.executable()
      process.arguments = ["features", "data", "--rate", "50", "--output-folder", "out"]
      process.currentDirectoryURL = folder.url
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      let manifest = folder.file("out/manifest.jsonl")
      while process.isRunning, ((try? Data(contentsOf: manifest)) ?? Data()).isEmpty { usleep(500) }
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      _ = try Self.run(["features", "data", "--output-folder", "out"], in: folder)
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder.file("out").path)
      #expect(!names.contains { $0.contains(".gait-") }, "\(names)")
    }
  }

  @Test(
    arguments: [
      (["features", "data"], "needs --layout"),
      (["features", "data", "--output-folder", "data/out"], "is inside data"),
      (["features", "data", "--npy", "--layout", "{label}.csv"], "--npy needs --output-folder"),
      (["classify", "running", "data/a/0.csv", "data/a/0.csv"], "need --output-folder"),
      (["track", "running", "-", "--output-folder", "out"], "excludes -"),
      (["features", "data/a/0.csv", "data/a/0.csv", "--output-folder", "out"], "same output"),
    ].thinnedInDebug(by: 3)) func `Wrong options are refused before any work`(arguments: [String], text: String) throws
  {
    let folder = try Self.folder(1)
    let run = try Self.run(arguments, in: folder)
    #expect(run.status == 64, "\(run.complaints)")
    #expect(run.complaints.contains(text), "\(run.complaints)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("out").path))
  }
}
