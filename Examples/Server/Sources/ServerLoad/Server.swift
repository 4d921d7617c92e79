import Foundation

/// The server as a process of its own, which can be killed and started again.
final class Server {
  let port: UInt16
  private let program: URL
  private let folder: URL
  private let capacity: Int
  private var process = Process()
  /// The processor time of earlier processes, seconds.
  private var earlierSeconds = 0.0

  init(program: URL, folder: URL, capacity: Int) throws {
    (self.program, self.folder, self.capacity) = (program, folder, capacity)
    port = try Connection.freePort()
    try start()
  }

  /// The processor time of all processes until now, seconds.
  var processorSeconds: Double { earlierSeconds + presentSeconds }

  private var presentSeconds: Double {
    // User and system time are the 14th and 15th entry, in hundredths of a second; the second one, the name, is in
    // brackets.
    let entries = text("stat").split(separator: ")").last?.split(separator: " ") ?? []
    return entries.count > 12 ? ((Double(entries[11]) ?? 0) + (Double(entries[12]) ?? 0)) / 100 : 0
  }

  /// The memory of the process, megabytes.
  var residentMegabytes: Double {
    let line = text("status").split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
    return (line.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0) / 1024
  }

  private func text(_ name: String) -> String {
    (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/\(name)", encoding: .utf8)) ?? ""
  }

  private func start() throws {
    process = Process()
    process.executableURL = program
    process.arguments = [folder.path, "\(port)", "\(capacity)"]
    try process.run()
    _ = try Connection(port: port)
  }

  /// Ends the process without a warning, and starts another one.
  func killAndRestart() throws {
    earlierSeconds += presentSeconds
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try start()
  }

  /// Asks the process to end; returns whether it ended by itself without an error.
  func shutDown() -> Bool {
    process.terminate()
    process.waitUntilExit()
    return process.terminationReason == .exit && process.terminationStatus == 0
  }
}
