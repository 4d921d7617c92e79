import Foundation
import GaitTestSupport
import Testing

/// Kills of the command while it writes.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SignalTests {
  /// Commands that write for long: to a new folder, to an empty one, many recordings, and a single file.
  private static let commands = [
    ["convert", "data", "own", "--rate", "50"],
    ["convert", "data", "empty", "--rate", "50"],
    ["convert", "data/1.csv", "own.csv", "--rate", "50"],
  ]

  /// A recording of 50,000 rows, made once.
  private static let recording = Result {
    let folder = try TemporaryDirectory()
    let rows = SampleFiles.rows(500, strength: 0.5, seed: 1).map { $0.joined(separator: ",") + "\n" }.joined()
    try folder.write(
      SampleFiles.columns.joined(separator: ",") + "\n" + String(repeating: rows, count: 100), to: "1.csv")
    return folder
  }

  /// A folder with `data`, 30 times the recording, and the folder `empty`.
  private static func folder() throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    for name in ["empty", "data"] {
      try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
    }
    for number in 1...30 {
      try FileManager.default.linkItem(at: recording.get().file("1.csv"), to: folder.file("data/\(number).csv"))
    }
    return folder
  }

  /// The paths of the drafts, without the files inside, which appear and vanish.
  private static func drafts(in folder: TemporaryDirectory) -> [String] {
    ["", "empty/"].flatMap { place in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.file(place).path)) ?? []
      return names.filter { $0.hasPrefix(".gait-") }.map { place + $0 }
    }
  }

  /// Starts a command, waits for its draft, sends a signal and waits for the command's end.
  ///
  /// - Returns: the signal that ended it, or 0.
  private static func run(_ arguments: [String], in folder: TemporaryDirectory, until signal: CInt) throws -> CInt {
    let process = Process()
    process.executableURL = try GaitProcess.executable()
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    while process.isRunning, drafts(in: folder).isEmpty { usleep(1000) }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal ? process.terminationStatus : 0
  }

  @Test(arguments: commands)
  func `A killed command leaves at most a draft, which the next run removes`(_ command: [String]) throws {
    let folder = try Self.folder()
    let before = try folder.contents
    #expect(try Self.run(command, in: folder, until: SIGKILL) == SIGKILL)
    let left = try folder.contents.filter { !before.contains($0) }
    #expect(!left.isEmpty, "\(left)")
    #expect(left.allSatisfy { $0.contains(".gait-") && $0.contains(".part") }, "\(left)")
    for number in 2...30 { try FileManager.default.removeItem(at: folder.file("data/\(number).csv")) }
    let again = try GaitProcess(command, in: folder.url)
    #expect(again.status == 0, "\(again.complaints)")
    #expect(again.complaints.isEmpty, "\(again.complaints)")
    let files = try folder.contents.filter { !before.contains($0) && $0.hasSuffix("v") }
    try #require(files.count == 1, "\(files)")
    #expect(files[0].hasSuffix(".csv"), "\(files)")
    #expect(try !folder.contents.contains { $0.contains(".gait-") })
  }
}
