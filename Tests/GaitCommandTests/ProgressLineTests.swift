#if os(Linux)
  import Foundation
  import GaitTestSupport
  import Testing

  /// A terminal without a window, whose text is collected.
  private final class Pseudoterminal {
    static var isAvailable: Bool { (try? Pseudoterminal()) != nil }

    let handle: FileHandle
    private let primary: CInt
    private(set) var text = ""

    init() throws {
      primary = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      // Glibc's names of these need a macro that Swift cannot set: unlock the terminal, and ask for its number.
      var (isLocked, number): (CInt, CUnsignedInt) = (0, 0)
      guard primary >= 0, ioctl(primary, 0x4004_5431, &isLocked) == 0, ioctl(primary, 0x8004_5430, &number) == 0
      else {
        throw POSIXError(.init(rawValue: errno) ?? .ENODEV)
      }
      let secondary = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
      guard secondary >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .ENODEV) }
      handle = FileHandle(fileDescriptor: secondary, closeOnDealloc: true)
    }

    deinit { close(primary) }

    /// Reads what is written within a tenth of a second.
    func read() {
      var request = pollfd(fd: primary, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, 100) > 0, request.revents & Int16(POLLIN) != 0 else { return }
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = Foundation.read(primary, &bytes, bytes.count)
      if count > 0 { text += String(decoding: bytes[..<count], as: UTF8.self) }
    }
  }

  /// The line of progress, which only a terminal gets.
  @Suite(.timeLimit(.minutes(5)), .enabled(if: Pseudoterminal.isAvailable, "there are no pseudoterminals here"))
  struct ProgressLineTests {
    private static let erased = "\r\u{1B}[K"

    private static func start(
      _ arguments: [String], in folder: TemporaryDirectory, input: Any?, output: Any, terminal: Pseudoterminal
    ) throws -> Process {
      let process = Process()
      process.executableURL = try GaitProcess.executable()
      process.arguments = arguments
      process.currentDirectoryURL = folder.url
      process.standardInput = input ?? FileHandle.nullDevice
      process.standardOutput = output
      process.standardError = terminal.handle
      try process.run()
      return process
    }

    @Test(.requiresOptimization) func `A long step shows its count and the time left, and nothing with --quiet`() throws
    {
      let folder = try TemporaryDirectory()
      let rows = SampleFiles.rows(500, strength: 0.5, seed: 1).map { $0.joined(separator: ",") + "\n" }.joined()
      try folder.write(
        SampleFiles.columns.joined(separator: ",") + "\n" + String(repeating: rows, count: 100), to: "data/0.csv")
      for number in 1..<300 {
        try FileManager.default.linkItem(at: folder.file("data/0.csv"), to: folder.file("data/\(number).csv"))
      }
      let (shown, quiet) = (try Pseudoterminal(), try Pseudoterminal())
      let processes = try [(["a"], shown), (["b", "--quiet"], quiet)].map {
        try Self.start(
          ["convert", "data", "--rate", "50"] + $0, in: folder, input: nil, output: FileHandle.nullDevice, terminal: $1)
      }
      while processes[0].isRunning, !shown.text.contains(" left") { shown.read() }
      quiet.read()
      for process in processes {
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
      }
      let line = /recording \d+\/300, about \d+:\d\d(:\d\d)? left/
      // On a slow machine no recording is complete after the silent seconds.
      let early = /(recording 0\/300, )?\d+:\d\d so far/
      let lines = shown.text.components(separatedBy: Self.erased).drop { $0.isEmpty || $0.wholeMatch(of: early) != nil }
      #expect(lines.first?.wholeMatch(of: line) != nil, "\(shown.text.debugDescription)")
      #expect(quiet.text == "", "\(quiet.text.debugDescription)")
    }

    @Test func `The line is gone before results are printed, and is not among them`() throws {
      let folder = try TemporaryDirectory()
      let (input, output, terminal) = (Pipe(), folder.file("output"), try Pseudoterminal())
      try Data().write(to: output)
      let process = try Self.start(
        ["track", "running", "-", "--rate", "50"], in: folder, input: input,
        output: FileHandle(forWritingTo: output), terminal: terminal)
      while process.isRunning, !terminal.text.contains("so far") { terminal.read() }
      let rows = SampleFiles.rows(500, strength: 0.5, seed: 1).map { $0.joined(separator: ",") + "\n" }.joined()
      input.fileHandleForWriting.write(Data((SampleFiles.columns.joined(separator: ",") + "\n" + rows).utf8))
      try input.fileHandleForWriting.close()
      process.waitUntilExit()
      terminal.read()
      #expect(process.terminationStatus == 0, "\(terminal.text)")
      #expect(terminal.text.hasPrefix(Self.erased + "0:0"), "\(terminal.text.debugDescription)")
      #expect(terminal.text.contains("so far" + Self.erased), "\(terminal.text.debugDescription)")
      let results = try String(contentsOf: output, encoding: .utf8)
      #expect(results.contains("elapsed"), "\(results)")
      #expect(!results.contains("\u{1B}"), "\(results)")
      #expect(!results.contains("\r"), "\(results)")
    }
  }
#endif
