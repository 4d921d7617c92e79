import Gait

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file in a folder or zip archive.
struct ContainedFile {
  /// The file's name, without folders.
  let name: String
  /// The file's name in errors: the path of the folder or archive, then the path inside it.
  let label: String
  /// Opens the file from its start.
  let open: () throws(RecordingError) -> any ByteSource

  /// Lists the files in the folder at `url`, sorted by name, without subfolders, hidden files, pipes and devices.
  /// Errors give the folder the name `label`.
  static func files(inFolder url: URL, label: String) throws(RecordingError) -> [ContainedFile] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    } catch {
      // The caller has checked that the folder exists, so its permissions are the cause.
      throw .cannotRead(file: label, reason: SystemReason.text(EACCES))
    }
    return names.filter { !$0.hasPrefix(".") }.sorted().compactMap { name in
      let file = url.appending(path: name)
      guard PathKind(at: file.path) == .file else { return nil }
      let fileLabel = label + "/" + name
      return ContainedFile(name: name, label: fileLabel) { () throws(RecordingError) in
        try FileBytes(contentsOf: file, file: fileLabel)
      }
    }
  }

  /// The files in the folder or zip archive at `url`; `nil` if it is neither.
  static func files(in url: URL) throws(RecordingError) -> [ContainedFile]? {
    let label = url.relativePath
    if isFolder(url) { return try files(inFolder: url, label: label) }
    return try ZipArchive(in: url)?.files
  }

  /// Whether a folder exists at `url`.
  static func isFolder(_ url: URL) -> Bool {
    var status = stat()
    return stat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

/// A file name, split: `Accelerometer.csv.gz` has the stem `accelerometer` and the ending `csv`.
struct PartName {
  /// The name in lower case, without its extension and without `.gz`.
  let stem: String
  /// The extension (the one before `.gz`) in lower case, without its point; empty if there is none.
  let ending: String

  init(_ name: String) {
    var pieces = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
    if pieces.count > 2, pieces.last == "gz" { pieces.removeLast() }
    ending = pieces.count > 1 ? String(pieces.removeLast()) : ""
    stem = pieces.joined(separator: ".")
  }
}

/// The names of the files and folders in a folder.
package struct FolderEntries {
  /// The names that are valid UTF-8, including hidden ones, sorted.
  package private(set) var names: [String] = []
  /// The names that are not UTF-8, sorted, with `\xNN` for every byte that is a backslash or not printable ASCII.
  package private(set) var escapedNames: [String] = []

  /// Lists the folder at `path`; `nil`, with `errno` set, if it cannot be opened.
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

/// The identity of an existing file. It is equal for all paths and links to the file.
package struct FileNumber: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// The identity of the file at `path`; `nil` if no file exists there.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
  }
}

/// The kind of file at a path; for a symbolic link, that of its target.
package enum PathKind: Equatable, Sendable {
  /// A regular file.
  case file
  /// A folder, identified by its device and inode: two paths to one folder are equal.
  case folder(device: UInt64, number: UInt64)
  /// A pipe, a socket or a device.
  case special

  /// The kind of file at `path`; `nil` if nothing exists there, or only a broken link.
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

  /// Whether a symbolic link exists at `path`, even a broken one.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }
}
