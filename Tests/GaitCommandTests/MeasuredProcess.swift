import Foundation

/// A run of a shell script with its peak memory and a limit of its time.
struct MeasuredProcess {
  /// Its standard output and standard error.
  let output: String
  let complaints: String
  /// Its exit code; the negated signal if a signal ended it.
  let status: Int32
  /// The greatest peak memory of its processes, mebibytes; `nil` if not above the tests' own peak.
  ///
  /// On Linux a process starts with the peak of its parent, so a smaller figure is not known.
  let peakMebibytes: Int?

  /// The process did not start.
  struct NotStarted: Error { let code: Int32 }

  /// Runs `script` in `folder`; `"$gait"` in it is the built command.
  ///
  /// - Parameter cpuSeconds: the limit of a process's CPU time. It is generous for debug builds on busy machines, and meant
  ///   for processes that take minutes or never end.
  init(_ script: String, in folder: URL, cpuSeconds: Int = 60) throws {
    let (output, complaints) = (folder.appending(path: ".output"), folder.appending(path: ".complaints"))
    let gait = try GaitProcess.executable().path
    let whole = """
      cd "$1" || exit 99
      gait=$2
      ulimit -t \(cpuSeconds)
      { \(script)
      } > "$3" 2> "$4"
      """
    var own = rusage()
    // 0 is RUSAGE_SELF, which Linux's headers give a type that does not fit.
    getrusage(0, &own)
    let status = try Self.wait(
      for: Self.spawn(["/bin/sh", "-c", whole, "sh", folder.path, gait, output.path, complaints.path]))
    self.status = status.status
    peakMebibytes = status.peakMebibytes > Self.mebibytes(own) ? status.peakMebibytes : nil
    self.output = try String(contentsOf: output, encoding: .utf8)
    self.complaints = try String(contentsOf: complaints, encoding: .utf8)
  }

  private static func spawn(_ arguments: [String]) throws -> pid_t {
    let words = arguments.map { strdup($0) } + [nil]
    let environment = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + environment).forEach { free($0) } }
    var process = pid_t()
    let code = posix_spawn(&process, arguments[0], nil, nil, words, environment)
    guard code == 0 else { throw NotStarted(code: code) }
    return process
  }

  private static func wait(for process: pid_t) throws -> (status: Int32, peakMebibytes: Int) {
    var (status, usage) = (Int32(0), rusage())
    while wait4(process, &status, 0, &usage) < 0 {
      guard errno == EINTR else { throw NotStarted(code: errno) }
    }
    // The low seven bits are the signal's number.
    let signal = status & 0x7F
    return (signal == 0 ? status >> 8 & 0xFF : -signal, mebibytes(usage))
  }

  private static func mebibytes(_ usage: rusage) -> Int {
    #if os(Linux)
      Int(usage.ru_maxrss >> 10)
    #else
      Int(usage.ru_maxrss >> 20)
    #endif
  }
}
