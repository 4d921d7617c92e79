import Foundation
import Gait

/// The summaries of a folder's files in one file, so that a list opens one file instead of thousands.
///
/// An entry holds only while its file has the stamp with which it was read; the others are read again. So the index is never
/// out of date, whatever was written or killed since, and a damaged or missing index costs time only.
///
/// The file is a line, `gait.index 1`, the number of entries, each entry, and FNV-1a of 64 bits over all before.
struct SummaryIndex {
  /// The name of the file in the folder.
  static let name = "summaries.index"
  private static let line = Array("gait.index 1\n".utf8)

  /// What changes when a file is written: every atomic write makes a new file.
  struct Stamp: Hashable {
    var size: Int64
    /// Nanoseconds since 1970.
    var modified: Int64
    var number: UInt64

    /// The stamp of a file; `nil` if there is none.
    init?(of path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      self.init(status)
    }

    /// The stamp of an open file, which stays that of what is read if another file takes its name.
    init?(of handle: FileHandle) {
      var status = stat()
      guard fstat(handle.fileDescriptor, &status) == 0 else { return nil }
      self.init(status)
    }

    private init?(_ status: stat) {
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      size = Int64(clamping: status.st_size)
      modified = Int64(clamping: time.tv_sec) &* 1_000_000_000 &+ Int64(clamping: time.tv_nsec)
      number = UInt64(truncatingIfNeeded: status.st_ino)
    }

    init(size: Int64, modified: Int64, number: UInt64) {
      (self.size, self.modified, self.number) = (size, modified, number)
    }
  }

  struct Entry {
    var stamp: Stamp
    var summary: RunSummary
  }

  /// The entries by the name of the file.
  var entries: [String: Entry] = [:]

  init() {}

  /// The entries of the index of a folder that can be relied on; none if it is missing or damaged.
  ///
  /// A file that was written as late as the index may have changed after it was read without another stamp, if the clock of the
  /// files stood still in between: its entry is left out.
  init(in folder: URL) {
    let url = folder.appending(path: Self.name)
    guard let stamp = Stamp(of: url.path), let data = try? Data(contentsOf: url) else { return }
    entries = data.withUnsafeBytes { Self.entries(in: $0) ?? [:] }.filter { $0.value.stamp.modified < stamp.modified }
  }

  static func entries(in bytes: UnsafeRawBufferPointer) -> [String: Entry]? {
    let end = bytes.count - MemoryLayout<UInt64>.size
    guard end > line.count, bytes.starts(with: line) else { return nil }
    let content = UnsafeRawBufferPointer(rebasing: bytes[..<end])
    var checksum = RecordReader(bytes: bytes, place: end)
    guard checksum.next(UInt64.self) == Checksum.number(content) else { return nil }
    var reader = RecordReader(bytes: content, place: line.count)
    guard let count = reader.nextCount() else { return nil }
    var zones: [String: TimeZone?] = [:]
    var entries: [String: Entry] = [:]
    entries.reserveCapacity(count)
    for _ in 0..<count {
      guard let name = reader.nextText(), let size = reader.next(Int64.self), let modified = reader.next(Int64.self),
        let number = reader.next(UInt64.self), let summary = RunSummary(from: &reader, zones: &zones)
      else { return nil }
      entries[name] = Entry(stamp: Stamp(size: size, modified: modified, number: number), summary: summary)
    }
    return entries
  }

  var bytes: [UInt8] {
    var bytes = Self.line
    bytes.append(count: entries.count)
    for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
      bytes.append(text: name)
      bytes.append(little: entry.stamp.size)
      bytes.append(little: entry.stamp.modified)
      bytes.append(little: entry.stamp.number)
      entry.summary.encode(into: &bytes)
    }
    bytes.append(little: bytes.withUnsafeBytes { Checksum.number($0) })
    return bytes
  }

  /// Writes the index whole or not at all. In a folder that cannot be written, every list reads the files.
  func write(in folder: URL) { try? Data(bytes).write(to: folder.appending(path: Self.name), options: .atomic) }
}
