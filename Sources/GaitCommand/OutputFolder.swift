import Foundation
import Synchronization

/// An output folder that appears only when it is complete: its files are written to a hidden folder and then moved.
///
/// A new folder is renamed as a whole. An existing folder may be the working folder or a mount point, so the files are
/// moved into it. Hidden folders that a killed run left there are ignored.
struct OutputFolder {
  private let path: String
  private let target: URL
  private let exists: Bool

  /// Prepares a draft for the folder at `path`.
  ///
  /// - Parameter replaces: whether the folder may contain files; those with the same names are replaced.
  /// - Throws: `OutputError` if the folder cannot be created, is a file, or contains files that may not be replaced.
  init(at path: String, replaces: Bool = false) throws {
    self.path = path
    target = URL(filePath: path, directoryHint: .isDirectory).standardizedFileURL
    exists = FileManager.default.fileExists(atPath: target.path)
    try OutputError.check(folderOf: target, path: path)
    guard !exists || target.path.isFolder else { throw OutputError(path: path, reason: "it is a file; name a folder") }
    let contents = (try? FileManager.default.contentsOfDirectory(atPath: target.path)) ?? []
    let leftovers = contents.filter { $0.hasPrefix(TemporaryFolders.prefix) }.sorted()
    guard contents.count == leftovers.count || replaces else {
      throw OutputError(path: path, reason: "the folder is not empty; name a new folder")
    }
    for name in leftovers {
      Terminal.warn("\(path) contains \(name), which a killed run of gait left; remove it when no gait runs")
    }
  }

  /// Checks that every file of the folder can be written, by the rule of `OutputFile`.
  ///
  /// - Parameters:
  ///   - names: the files' paths within the folder.
  ///   - kind: the content of the files.
  ///   - inputs: the paths of the files and folders that the command reads.
  func check(_ names: [String], _ kind: OutputKind, inputs: [String]) throws {
    guard exists else { return }
    for folder in Set(names.map { ($0 as NSString).deletingLastPathComponent }) {
      let place = target.appending(path: folder).path
      guard place.isFolder || !FileManager.default.fileExists(atPath: place) else {
        throw OutputError(path: path, reason: "\(folder) in it is a file and must be a folder; remove the file")
      }
    }
    let files = names.map { (path as NSString).appendingPathComponent($0) }
    let existing = files.filter(FileManager.default.fileExists)
    try OutputFile.check(existing.map { OutputFile($0, kind) }, inputs: inputs)
  }

  /// Writes the files with `body` and moves them to their place; removes everything on failure.
  func fill<Result>(_ body: (_ folder: URL) throws -> Result) throws -> Result {
    try TemporaryFolders.fill(in: exists ? target : target.deletingLastPathComponent(), for: path, body, move: move)
  }

  private func move(_ draft: URL) throws {
    guard exists else { return try rename(draft, to: target) }
    for path in try FileManager.default.subpathsOfDirectory(atPath: draft.path).sorted() {
      let (source, destination) = (draft.appending(path: path), target.appending(path: path))
      if source.path.isFolder {
        try FileManager.default.createDirectory(at: destination, withIntermediateDirectories: true)
      } else {
        try rename(source, to: destination)
      }
    }
  }

  private func rename(_ source: URL, to destination: URL) throws {
    guard Foundation.rename(source.path, destination.path) == 0 else {
      throw OutputError(path: destination.path, reason: String(cString: strerror(errno)))
    }
  }
}

/// The hidden folders in which outputs are written before they are moved to their place.
///
/// A signal that ends the process (interrupt, terminate, hang-up) removes them first. They are the command's only
/// global state, because a signal concerns the whole process.
enum TemporaryFolders {
  /// The prefix of the folders' names; the rest is random and unique.
  static let prefix = ".gait-"

  private static let paths = Mutex<Set<String>>([])

  /// Creates a hidden folder inside `folder`.
  ///
  /// - Parameter name: a fixed name, whose folder of a killed run is replaced; `nil` for a random one.
  /// - Throws: `POSIXError` if the system refuses.
  private static func make(in folder: URL, named name: String?) throws(POSIXError) -> URL {
    _ = signalWatch
    let path = folder.appending(path: prefix + (name ?? String(UInt64.random(in: .min ... .max), radix: 36))).path
    if name != nil { try? FileManager.default.removeItem(atPath: path) }
    // The lock keeps a signal from arriving between `mkdir` and `insert`.
    let failure = paths.withLock { paths -> CInt in
      guard mkdir(path, 0o777) == 0 else { return errno }
      paths.insert(path)
      return 0
    }
    guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO) }
    return URL(filePath: path, directoryHint: .isDirectory)
  }

  /// Lets `body` write into a draft inside `folder`, and `move` move the finished files out of it. A signal leaves
  /// nothing behind.
  ///
  /// - Parameters:
  ///   - path: the output, for errors.
  ///   - name: the draft's fixed name, if one command at a time writes there; what a killed run left is then removed.
  /// - Throws: errors of `body`, and `OutputError` if the output cannot be written; it is then unchanged.
  static func fill<Result>(
    in folder: URL, for path: String, named name: String? = nil, _ body: (URL) throws -> Result,
    move: (URL) throws -> Void
  ) throws -> Result {
    do {
      let draft = try make(in: folder, named: name)
      let result: Result
      do { result = try body(draft) } catch {
        close(draft) {}
        throw error
      }
      try close(draft) { try move(draft) }
      return result
    } catch {
      throw OutputError(writing: path, error) ?? error
    }
  }

  /// Calls `move`, which moves the finished files out of the draft, and removes the draft; a signal waits for both.
  private static func close(_ draft: URL, after move: () throws -> Void) rethrows {
    try paths.withLock { paths in
      defer {
        remove(draft.path)
        paths.remove(draft.path)
      }
      try move()
    }
  }

  /// Removes all drafts and ends the process with the signal, so that a shell can report it.
  private static func end(bySignal number: CInt) -> Never {
    paths.withLock { paths in
      let retired = paths.flatMap { retire($0) }
      for path in retired { remove(path) }
      for path in paths { unlink(path) }
      signal(number, SIG_DFL)
      kill(getpid(), number)
      // Keeps the lock: no other thread may move or create a draft until the process ends.
      while true { pause() }
    }
  }

  /// Renames a draft and creates a file at its old path, so that threads that still write cannot recreate the folder.
  ///
  /// - Returns: the draft's new path, and those of folders that a thread created in between.
  private static func retire(_ path: String) -> [String] {
    var retired: [String] = []
    for attempt in 1...1000 {
      let target = "\(path)-\(attempt)"
      if rename(path, target) == 0 { retired.append(target) }
      let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if file >= 0 {
        _ = Foundation.close(file)
        break
      }
    }
    return retired
  }

  /// Removes a folder and its content, even while other threads still write into it.
  private static func remove(_ path: String) {
    for _ in 0..<1000 {
      try? FileManager.default.removeItem(atPath: path)
      guard access(path, F_OK) == 0 else { return }
      usleep(1000)
    }
  }

  /// The pipe that wakes the thread that removes the drafts; a signal handler may do little more than write to it.
  private static let signalPipe: (reading: CInt, writing: CInt) = {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { return (-1, -1) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }()

  /// Installs the signal handlers once; signals that the caller ignores, as `nohup` does, stay ignored.
  private static let signalWatch: Void = {
    guard signalPipe.reading >= 0 else { return }
    let numbers = [SIGINT, SIGTERM, SIGHUP]
    for number in numbers {
      let previous = signal(number) { number in
        let code = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(TemporaryFolders.signalPipe.writing, &byte, 1)
        errno = code
      }
      if unsafeBitCast(previous, to: Int.self) == ignored { signal(number, SIG_IGN) }
    }
    let thread = Thread {
      // The signal mask is inherited: a caller's thread may block these signals, as those of a dispatch queue do.
      var mask = sigset_t()
      sigemptyset(&mask)
      for number in numbers { sigaddset(&mask, number) }
      pthread_sigmask(SIG_UNBLOCK, &mask, nil)
      var number: UInt8 = 0
      while read(signalPipe.reading, &number, 1) != 1 {}
      end(bySignal: CInt(number))
    }
    thread.start()
  }()

  /// `SIG_IGN` as a number, because functions cannot be compared.
  private static let ignored = 1
}
