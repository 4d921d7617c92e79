import Foundation

/// The names in a folder, as stored by the file system.
package struct FolderEntries {
  /// The names that are valid UTF-8, including hidden ones, sorted.
  package private(set) var names: [String] = []
  /// The names that are not UTF-8, with a `\xNN` for every byte that is not printable ASCII.
  package private(set) var escapedNames: [String] = []

  /// Lists the folder at `path`, or returns `nil` with `errno` set.
  package init?(of path: String) {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      // The name is a tuple of bytes, terminated by a zero.
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

/// The kind of file at a path, after following links.
package enum PathKind: Equatable, Sendable {
  /// A regular file.
  case file
  /// A folder, identified by its device and inode: two paths to one folder are equal.
  case folder(device: UInt64, number: UInt64)
  /// A pipe, a socket or a device.
  case special

  /// The kind of file at `path`, or `nil` if nothing or only a broken link exists there.
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

  /// Whether there is a symbolic link at `path`, even a broken one.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }
}
