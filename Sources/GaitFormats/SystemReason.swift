import Foundation

/// The system's error numbers in words.
enum SystemReason {
  /// What `code`, a value of `errno`, says in the middle of a sentence.
  static func text(_ code: CInt) -> String {
    switch code {
    case ENOENT: "there is no such file"
    case EISDIR: "it is a folder"
    case EACCES, EPERM: "permission was denied"
    case ENOSPC: "the disk is full"
    default: String(cString: strerror(code)).lowercased()
    }
  }
}
