import Foundation
import Synchronization

/// The hidden folders in which outputs are made before they take their place.
///
/// A signal that ends the process (interrupt, terminate, hang-up) removes them first. They are the only state that the
/// whole command shares, because a signal comes to the whole process.
enum Drafts {
  /// What the names of such folders begin with. The rest is random, so that none is ever taken for another's.
  static let prefix = ".gait-"

  private static let paths = Mutex<Set<String>>([])

  /// Makes a hidden folder inside `folder`.
  ///
  /// - Throws: `POSIXError` where the system refuses.
  static func make(in folder: URL) throws(POSIXError) -> URL {
    _ = signalWatch
    let path = folder.appending(path: prefix + String(UInt64.random(in: .min ... .max), radix: 36)).path
    // No signal comes between the folder and the note of it.
    let failure = paths.withLock { paths -> CInt in
      guard mkdir(path, 0o777) == 0 else { return errno }
      paths.insert(path)
      return 0
    }
    guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO) }
    return URL(filePath: path, directoryHint: .isDirectory)
  }

  /// Removes the draft after `move` took out of it what is to stay, or failed; a signal waits until both are done.
  static func close(_ draft: URL, after move: (() throws -> Void)? = nil) rethrows {
    try paths.withLock { paths in
      defer {
        remove(draft.path)
        paths.remove(draft.path)
      }
      try move?()
    }
  }

  /// Removes all drafts and ends the process by `signal`, so that a shell sees which one it was.
  private static func end(bySignal number: CInt) -> Never {
    paths.withLock { paths in
      let retired = paths.flatMap { retire($0) }
      for path in retired { remove(path) }
      for path in paths { unlink(path) }
      signal(number, SIG_DFL)
      kill(getpid(), number)
      // What else the process wants to move, write or say now waits for this lock.
      while true { pause() }
    }
  }

  /// Moves a draft out of the way of threads that still write into it, and puts a file in its place, so that none of them can
  /// make the folder again.
  ///
  /// - Returns: where the draft is now, and a folder that a thread made meanwhile, if one did.
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

  /// Removes a folder with what is in it, also where other threads still write into it.
  private static func remove(_ path: String) {
    for _ in 0..<1000 {
      try? FileManager.default.removeItem(atPath: path)
      guard access(path, F_OK) == 0 else { return }
      usleep(1000)
    }
  }
}

extension Drafts {
  /// The pipe through which a signal's handler, which may do next to nothing, wakes the thread that removes the drafts.
  private static let signalPipe: (reading: CInt, writing: CInt) = {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { return (-1, -1) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }()

  /// Begins to watch for signals, once; those that the caller of the command set to be ignored, as `nohup` does, stay so.
  private static let signalWatch: Void = {
    guard signalPipe.reading >= 0 else { return }
    let numbers = [SIGINT, SIGTERM, SIGHUP]
    for number in numbers {
      let previous = signal(number) { number in
        let code = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(Drafts.signalPipe.writing, &byte, 1)
        errno = code
      }
      if unsafeBitCast(previous, to: Int.self) == ignored { signal(number, SIG_IGN) }
    }
    let thread = Thread {
      // A program that runs the command from a thread that blocks signals, as those of a dispatch queue do, hands that down.
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

  /// `SIG_IGN` as a number: functions cannot be compared.
  private static let ignored = 1
}
