import Foundation
import Synchronization

/// A progress counter on standard error; silent if standard error is not a terminal.
final class Progress: Sendable {
  private let title: String
  private let total: Int
  private let done = Mutex(0)
  private let isShown = isatty(STDERR_FILENO) != 0

  init(_ title: String, of total: Int) {
    self.title = title
    self.total = total
  }

  /// Counts one more item as done; may be called from any thread.
  func advance() {
    guard isShown else { return }
    done.withLock { done in
      done += 1
      show(done == total ? "\r\u{1B}[K" : "\r\(title) \(done)/\(total)")
    }
  }

  private func show(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
