import Foundation
import GaitTestSupport
import Testing

/// Signals while the command writes.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SignalTests {
  /// Commands that write for long: to a new folder, to an empty one, many recordings, and a single file.
  private static let commands = [
    ["convert", "data", "own", "--rate", "50"],
    ["convert", "data", "empty", "--rate", "50"],
    ["convert", "data/1.csv", "own.csv", "--rate", "50"],
  ]

  /// The signals that the tests' own caller does not ignore, as the command inherits that.
  private static let signals = [SIGINT, SIGTERM, SIGHUP].filter { number in
    var action = sigaction()
    sigaction(number, nil, &action)
    #if canImport(Darwin)
      return unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) != 1
    #else
      return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != 1
    #endif
  }

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
    // As from a shell: a thread of the test's own queue blocks the signals, and a command inherits that.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in Self.signals { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    try process.run()
    while process.isRunning, drafts(in: folder).isEmpty { usleep(1000) }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal ? process.terminationStatus : 0
  }

  @Test(arguments: commands, signals)
  func `A signal ends the command by that signal and leaves nothing behind`(
    _ command: [String], _ signal: CInt
  ) throws {
    let folder = try Self.folder()
    let before = try folder.contents
    #expect(try Self.run(command, in: folder, until: signal) == signal)
    #expect(try folder.contents == before)
  }

  @Test func `Leftovers of a killed run give a warning and are ignored`() throws {
    let folder = try Self.folder()
    #expect(try Self.run(Self.commands[1], in: folder, until: SIGKILL) == SIGKILL)
    let draft = try #require(Self.drafts(in: folder).first)
    try folder.write("stale", to: "\(draft)/99.csv")
    for number in 2...30 { try FileManager.default.removeItem(at: folder.file("data/\(number).csv")) }
    let again = try GaitProcess(Self.commands[1], in: folder.url)
    #expect(again.status == 0, "\(again.complaints)")
    #expect(again.complaints.hasPrefix("warning: empty contains .gait-"))
    let files = try folder.contents.filter { $0.hasPrefix("empty/") && !$0.contains(".gait-") && $0.hasSuffix(".csv") }
    #expect(files == ["empty/1.csv"])
    #expect(try String(contentsOf: folder.file("\(draft)/99.csv"), encoding: .utf8) == "stale")
  }
}
