import Foundation

/// A file in a folder or archive.
struct ContainedFile {
  /// The file's name, without folders.
  let name: String
  /// What errors call the file: the path of the folder or archive, then that inside it.
  let label: String
  /// Opens the file from its start.
  let open: () throws(RecordingError) -> any ByteSource

  /// The files in the folder at `url`, which errors call `label`, by name; those within further folders are not among
  /// them, nor are hidden ones, pipes and devices.
  static func files(inFolder url: URL, label: String) throws(RecordingError) -> [ContainedFile] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    } catch {
      // The folder is there, so that only its permissions can keep it closed.
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

  /// The files in what lies at `url`, where that is a folder or a zip archive; else `nil`.
  static func files(in url: URL) throws(RecordingError) -> [ContainedFile]? {
    let label = url.relativePath
    if isFolder(url) { return try files(inFolder: url, label: label) }
    let start = try RecordingReader.peeked(FileBytes(contentsOf: url, file: label), file: label).start
    return ZipArchive.isArchive(start) ? try ZipArchive(contentsOf: url, label: label).files : nil
  }

  /// Whether there is a folder at `url`.
  static func isFolder(_ url: URL) -> Bool {
    var status = stat()
    return stat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

/// A file's name, taken apart: `Accelerometer.csv.gz` is the text file `accelerometer`, packed.
struct PartName {
  /// In lower case, without endings.
  let stem: String
  /// The ending before `.gz`, in lower case.
  let ending: String

  init(_ name: String) {
    var pieces = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
    if pieces.count > 2, pieces.last == "gz" { pieces.removeLast() }
    ending = pieces.count > 1 ? String(pieces.removeLast()) : ""
    stem = pieces.joined(separator: ".")
  }
}
