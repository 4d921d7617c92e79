import Foundation

/// The names in a folder, as the system has them.
package struct FolderEntries {
  /// The names that are text, hidden ones included, by their bytes.
  package private(set) var names: [String] = []
  /// The names that are not UTF-8, with a `\xNN` for every byte that is not printable ASCII.
  package private(set) var escapedNames: [String] = []

  /// Lists the folder at `path`, or returns `nil` with `errno` set.
  package init?(of path: String) {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      // The name is a tuple of bytes that ends with a zero.
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard let name = String(validating: bytes, as: UTF8.self) else {
        escapedNames.append(Self.escaped(bytes))
        continue
      }
      if name != ".", name != ".." { names.append(name) }
    }
    names.sort()
    escapedNames.sort()
  }

  private static func escaped(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\\")
        ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}

/// What lies at a path, links followed.
package enum PathKind: Equatable, Sendable {
  /// A file with bytes of its own.
  case file
  /// A folder, by its device and its number there: two paths to one folder have the same.
  case folder(device: UInt64, number: UInt64)
  /// A pipe, a socket or a device.
  case special

  /// What lies at `path`, or `nil` if there is nothing, or a link to nothing.
  package init?(at path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR:
      self = .folder(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
    default: self = .special
    }
  }

  /// Whether there is a link at `path`, whatever it leads to.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }
}
