import Foundation

/// A run of the built `gait` command, as a user's shell would run it.
struct GaitProcess {
  /// What it wrote to standard output.
  let output: String
  /// What it wrote to standard error.
  let complaints: String
  /// Its exit code.
  let status: Int32

  /// The lines on standard error.
  var complaintLines: [String] { complaints.split(separator: "\n").map(String.init) }

  /// The command is not where the tests are.
  struct NotBuilt: Error, CustomStringConvertible {
    let path: String
    var description: String { "the command is not at \(path); build it with swift build --product gait" }
  }

  /// Runs `gait` and waits for its end.
  ///
  /// - Parameters:
  ///   - arguments: what stands behind `gait` on the command line.
  ///   - folder: the working folder; the tests' own unless given.
  ///   - input: what it reads from standard input; nothing unless given.
  init(_ arguments: [String], in folder: URL? = nil, input: String? = nil) throws {
    let logs = try LogFiles()
    let process = Process()
    process.executableURL = try Self.executable()
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = try input.map(logs.file) ?? FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: logs.output)
    process.standardError = try FileHandle(forWritingTo: logs.complaints)
    try process.run()
    process.waitUntilExit()
    // A signal is no exit code: a crash must not pass for one.
    status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    output = try String(contentsOf: logs.output, encoding: .utf8)
    complaints = try String(contentsOf: logs.complaints, encoding: .utf8)
  }

  /// Where the command is: beside the tests.
  static func executable() throws -> URL {
    let url = buildFolder.appending(path: "gait")
    guard FileManager.default.isExecutableFile(atPath: url.path) else { throw NotBuilt(path: url.path) }
    return url
  }

  private static var buildFolder: URL {
    #if os(Linux)
      URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
    #else
      Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL.deletingLastPathComponent()
        ?? Bundle.main.bundleURL
    #endif
  }

  /// The files that a run writes to; gone with the value.
  private final class LogFiles {
    let output: URL
    let complaints: URL

    init() throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "gait-run-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      output = folder.appending(path: "output")
      complaints = folder.appending(path: "complaints")
      try Data().write(to: output)
      try Data().write(to: complaints)
    }

    /// A file that holds `text`, open to be read.
    func file(holding text: String) throws -> FileHandle {
      let input = output.deletingLastPathComponent().appending(path: "input")
      try Data(text.utf8).write(to: input)
      return try FileHandle(forReadingFrom: input)
    }

    deinit {
      try? FileManager.default.removeItem(at: output.deletingLastPathComponent())
    }
  }
}

extension GaitProcess {
  /// Standard output as a JSON object.
  func json() throws -> [String: Any] {
    guard let object = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] else {
      throw NotAnObject(output: output)
    }
    return object
  }

  /// Standard output holds no JSON object.
  struct NotAnObject: Error {
    let output: String
  }
}
