import Foundation

/// Texts for the system's error numbers.
enum SystemReason {
  /// The text of `code`, a value of `errno`, for the middle of a sentence.
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
