import Foundation

/// A file in a folder or archive.
struct ContainedFile {
  /// The file's name, without folders.
  let name: String
  /// The file's name in errors: the path of the folder or archive, then the path inside it.
  let label: String
  /// Opens the file from its start.
  let open: () throws(RecordingError) -> any ByteSource

  /// Lists the files in the folder at `url`, sorted by name, without subfolders, hidden files, pipes and devices.
  /// Errors name the folder `label`.
  static func files(inFolder url: URL, label: String) throws(RecordingError) -> [ContainedFile] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    } catch {
      // The folder exists, so its permissions are the cause.
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

  /// The files in the folder or zip archive at `url`; `nil` for any other file.
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

/// A parsed file name: `Accelerometer.csv.gz` has the stem `accelerometer` and the extension `csv`.
struct PartName {
  /// The name in lower case, without the extension and `.gz`.
  let stem: String
  /// The extension before `.gz`, in lower case.
  let ending: String

  init(_ name: String) {
    var pieces = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
    if pieces.count > 2, pieces.last == "gz" { pieces.removeLast() }
    ending = pieces.count > 1 ? String(pieces.removeLast()) : ""
    stem = pieces.joined(separator: ".")
  }
}
