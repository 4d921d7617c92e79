#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The text of the last failed call of each thread, freed when the thread ends.
enum ThreadError {
  private final class Text: Sendable {
    let bytes: [UInt8]
    init(_ text: String) { bytes = Array(text.utf8) }
  }

  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    let made = pthread_key_create(&key) { (text: UnsafeMutableRawPointer?) in
      if let text { Unmanaged<Text>.fromOpaque(text).release() }
    }
    return made == 0 ? key : nil
  }()

  /// Replaces the text of this thread.
  static func set(_ text: String) {
    guard let key else { return }
    let old = pthread_getspecific(key)
    let new = Unmanaged.passRetained(Text(text))
    if pthread_setspecific(key, new.toOpaque()) != 0 { return new.release() }
    if let old { Unmanaged<Text>.fromOpaque(old).release() }
  }

  /// The text of this thread as UTF-8; empty if no call failed.
  static var text: [UInt8] {
    guard let key, let text = pthread_getspecific(key) else { return [] }
    return Unmanaged<Text>.fromOpaque(text).takeUnretainedValue().bytes
  }
}
