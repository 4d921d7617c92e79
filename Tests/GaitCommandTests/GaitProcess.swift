import Foundation
import GaitTestSupport

/// A run of the built `gait` command as a process.
struct GaitProcess {
  /// Its standard output.
  let output: String
  /// Its standard error.
  let complaints: String
  /// Its exit code.
  let status: Int32

  /// The lines of standard error.
  var complaintLines: [String] { complaints.split(separator: "\n").map(String.init) }

  /// The command is not in the folder of the tests.
  struct NotBuilt: Error, CustomStringConvertible {
    let path: String
    var description: String { "the command is not at \(path); build it with swift build" }
  }

  /// Runs `gait` and waits for its end.
  ///
  /// - Parameters:
  ///   - arguments: the arguments after `gait`.
  ///   - folder: the working folder; by default the tests' own.
  ///   - input: its standard input; empty by default.
  ///   - command: the executable.
  init(_ arguments: [String], in folder: URL? = nil, input: String? = nil, command: String = "gait-command") throws {
    let logs = try LogFiles()
    let process = Process()
    process.executableURL = try Self.executable(command)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = try input.map(logs.file) ?? FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: logs.output)
    process.standardError = try FileHandle(forWritingTo: logs.complaints)
    try process.run()
    process.waitUntilExit()
    // A negative status marks a signal, so that a crash does not pass for an exit code.
    status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    output = try String(contentsOf: logs.output, encoding: .utf8)
    complaints = try String(contentsOf: logs.complaints, encoding: .utf8)
  }

  /// The command's executable, in the folder of the tests.
  static func executable(_ command: String = "gait-command") throws -> URL {
    let url = buildFolder.appending(path: command)
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

  /// The files for a run's output and errors, removed with the object.
  private final class LogFiles {
    private let folder: TemporaryDirectory
    let output: URL
    let complaints: URL

    init() throws {
      folder = try TemporaryDirectory()
      (output, complaints) = (folder.file("output"), folder.file("complaints"))
      try Data().write(to: output)
      try Data().write(to: complaints)
    }

    /// A file with `text`, open for reading.
    func file(holding text: String) throws -> FileHandle {
      let input = folder.file("input")
      try Data(text.utf8).write(to: input)
      return try FileHandle(forReadingFrom: input)
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

  /// Standard output is not a JSON object.
  struct NotAnObject: Error {
    let output: String
  }
}
