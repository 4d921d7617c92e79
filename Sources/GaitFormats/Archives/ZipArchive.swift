import CGaitZlib

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The files in a zip archive.
///
/// Supports single-part archives with stored or deflated entries, as listed by the central directory at the archive's
/// end. Zip64 archives are rejected, and an encrypted entry is when it is opened. An entry that gives more bytes than
/// the directory states, or other bytes than its checksum states, is an error. Entries must not overlap: together they
/// must not have more bytes than the archive.
///
/// Source: PKWARE, APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16.
struct ZipArchive {
  /// The files in the directory's order, without folders and the operating system's files.
  let entries: [ZipEntry]
  private let bytes: FileRegion
  private let label: String

  /// Reads the directory of the archive at `url`. Errors give the archive the name `label`.
  init(contentsOf url: URL, label: String) throws(RecordingError) {
    let bytes = try FileRegion(contentsOf: url, file: label)
    let end = try Self.end(of: bytes, label: label)
    // The directory is read in pieces, because the size that the end record states may be wrong.
    var directory = ByteReader(try bytes.source(end.offset..<end.offset + end.byteCount))
    var entries: [ZipEntry] = []
    var storedByteCount = 0
    for _ in 0..<end.entryCount {
      guard let entry = try ZipEntry(&directory) else { throw Self.damaged(label, "its directory is truncated") }
      storedByteCount += ZipEntry.localHeaderBytes + entry.packedByteCount
      guard storedByteCount <= bytes.count else { throw Self.damaged(label, "its entries overlap or are truncated") }
      entries.append(entry)
    }
    self.bytes = bytes
    self.label = label
    self.entries = entries.filter { !$0.isSystemFile }
  }

  /// Reads the directory of the archive at `url`; `nil` if the file is not a zip archive.
  init?(in url: URL) throws(RecordingError) {
    // The bytes of a pipe can be read only once, so they are not inspected here.
    if PathKind(at: url.path) == .special { return nil }
    let label = url.relativePath
    let start = try FileBytes(contentsOf: url, file: label).next(Self.magicByteCount)
    guard Self.isArchive(start) else { return nil }
    try self.init(contentsOf: url, label: label)
  }

  /// The entry at a path that leads into an archive, such as `run.zip/Accelerometer.csv`. `nil` if a file or folder
  /// exists at the path, if no part of the path is an archive, or if the archive has no such entry.
  static func entry(at url: URL) throws(RecordingError) -> ContainedFile? {
    guard url.isFileURL, PathKind(at: url.path) == nil else { return nil }
    var (archive, inside) = (url.deletingLastPathComponent(), url.lastPathComponent)
    while PathKind(at: archive.path) == nil, archive.pathComponents.count > 1 {
      inside = archive.lastPathComponent + "/" + inside
      archive.deleteLastPathComponent()
    }
    guard PathKind(at: archive.path) == .file, let zip = try ZipArchive(in: archive) else { return nil }
    return zip.entries.first { $0.path == inside }.map(zip.file)
  }

  /// The number of first bytes that show whether a file is an archive.
  static let magicByteCount = 4

  /// Whether a file that starts with `bytes` is a zip archive.
  static func isArchive(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
  }

  /// All files at one depth of folders: the smallest at which there is a CSV, text or JSON file. All files of the
  /// archive if there is no such file.
  var files: [ContainedFile] {
    let depths = entries.filter(\.isData).map { $0.folders.count }
    guard let depth = depths.min() else { return entries.map(file) }
    return entries.filter { $0.folders.count == depth }.map(file)
  }

  /// The first file whose path, in lower case, ends with `path`; `nil` if there is none.
  func file(endingWith path: String) -> ContainedFile? {
    entries.first { $0.path.lowercased().hasSuffix(path) }.map(file)
  }

  private func file(_ entry: ZipEntry) -> ContainedFile {
    let label = label + "/" + entry.path
    return ContainedFile(name: entry.name, label: label) { () throws(RecordingError) in
      try open(entry, label: label)
    }
  }

  private func open(_ entry: ZipEntry, label: String) throws(RecordingError) -> any ByteSource {
    guard !entry.isEncrypted else { throw .unreadableArchive(file: label, reason: "it is encrypted") }
    var header = ByteReader(try bytes.read(entry.offset..<entry.offset + ZipEntry.localHeaderBytes))
    guard try header.uint32() == 0x0403_4B50, try header.skip(22), let name = try header.uint16(),
      let extra = try header.uint16()
    else { throw Self.damaged(label, "the entry does not begin where the directory states") }
    let start = entry.offset + ZipEntry.localHeaderBytes + Int(name) + Int(extra)
    let packed = try bytes.source(start..<start + entry.packedByteCount)
    let content: any ByteSource
    switch entry.method {
    case 0: content = packed
    case 8: content = Inflater(packed, form: .rawDeflate, file: label, byteCount: entry.byteCount)
    default: throw .unreadableArchive(file: label, reason: "its compression method is \(entry.method), not deflate (8)")
    }
    return ZipEntryBytes(content, entry: entry, label: label)
  }

  /// Finds the directory by the end record, the last record of the archive. The record is searched backwards from the
  /// archive's end, because a comment of up to 65,535 bytes may follow it.
  private static func end(
    of bytes: FileRegion, label: String
  ) throws(RecordingError) -> (offset: Int, byteCount: Int, entryCount: Int) {
    let recordBytes = 22
    let tail = try bytes.read(max(0, bytes.count - recordBytes - 65_535)..<bytes.count)
    guard tail.count >= recordBytes else { throw damaged(label, "it is truncated") }
    for start in stride(from: tail.count - recordBytes, through: 0, by: -1) {
      guard tail[start...].starts(with: [0x50, 0x4B, 0x05, 0x06]) else { continue }
      var record = ByteReader(Array(tail[start..<start + recordBytes]))
      guard try record.skip(10), let count = try record.uint16(), let byteCount = try record.uint32(),
        let offset = try record.uint32(), let comment = try record.uint16(),
        Int(comment) <= tail.count - start - recordBytes
      else { continue }
      guard count != .max, byteCount != .max, offset != .max else {
        throw .unreadableArchive(file: label, reason: "it is a zip64 archive")
      }
      return (Int(offset), Int(byteCount), Int(count))
    }
    throw damaged(label, "it is truncated: its directory is missing")
  }

  private static func damaged(_ label: String, _ reason: String) -> RecordingError {
    .unreadableArchive(file: label, reason: reason)
  }
}

/// An entry in the central directory of a zip archive.
struct ZipEntry {
  static let localHeaderBytes = 30

  /// The path inside the archive.
  let path: String
  let method: UInt16
  let isEncrypted: Bool
  let checksum: UInt32
  let packedByteCount: Int
  let byteCount: Int
  /// The offset of the entry's local header.
  let offset: Int

  /// Reads the next entry of a directory; `nil` if the directory is truncated or damaged.
  init?(_ directory: inout ByteReader) throws(RecordingError) {
    guard try directory.uint32() == 0x0201_4B50, try directory.skip(4), let flags = try directory.uint16(),
      let method = try directory.uint16(), try directory.skip(4), let checksum = try directory.uint32(),
      let packed = try directory.uint32(), let unpacked = try directory.uint32(),
      let nameLength = try directory.uint16(), let extraLength = try directory.uint16(),
      let commentLength = try directory.uint16(), try directory.skip(8), let offset = try directory.uint32(),
      let name = try directory.bytes(Int(nameLength)), try directory.skip(Int(extraLength) + Int(commentLength))
    else { return nil }
    path = String(decoding: name, as: UTF8.self)
    self.method = method
    isEncrypted = flags & 1 != 0
    self.checksum = checksum
    packedByteCount = Int(packed)
    byteCount = Int(unpacked)
    self.offset = Int(offset)
  }

  /// The name without folders.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }
  /// The folders that contain the file, outermost first.
  var folders: [Substring] { path.split(separator: "/").dropLast() }

  /// Whether the entry is a folder, or a file that the operating system adds.
  var isSystemFile: Bool { path.hasSuffix("/") || folders.first == "__MACOSX" || name.hasPrefix(".") }

  /// Whether the file may contain a recording, by its extension: CSV, text or JSON.
  var isData: Bool { ["csv", "txt", "json"].contains(PartName(name).ending) }
}

/// Reads little-endian numbers from a source.
///
/// Memory: 64 KiB, or the largest single request if that is more.
struct ByteReader {
  private let source: any ByteSource
  private var rest: ArraySlice<UInt8> = []
  private static let pieceBytes = 1 << 16

  init(_ source: any ByteSource) { self.source = source }

  init(_ bytes: [UInt8]) { self.init(MemoryBytes(bytes[...])) }

  /// Reads the next `count` bytes; `nil` if fewer are left.
  mutating func bytes(_ count: Int) throws(RecordingError) -> ArraySlice<UInt8>? {
    if rest.count < count {
      rest = try (Array(rest) + source.next(max(count, min(Self.pieceBytes, source.expectedByteCount))))[...]
    }
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// Skips `count` bytes; returns `false` if fewer are left.
  mutating func skip(_ count: Int) throws(RecordingError) -> Bool { try bytes(count) != nil }

  mutating func uint16() throws(RecordingError) -> UInt16? {
    try bytes(2).map { $0.reversed().reduce(0) { $0 << 8 | UInt16($1) } }
  }

  mutating func uint32() throws(RecordingError) -> UInt32? {
    try bytes(4).map { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
  }
}

/// The bytes of a zip entry, checked against the size and checksum in the directory.
final class ZipEntryBytes: ByteSource {
  private let content: any ByteSource
  private let entry: ZipEntry
  private let label: String
  private var count = 0
  private var checksum = crc32(0, nil, 0)

  init(_ content: any ByteSource, entry: ZipEntry, label: String) {
    self.content = content
    self.entry = entry
    self.label = label
  }

  var expectedByteCount: Int { min(entry.byteCount, content.expectedByteCount) }

  func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    let filled = try content.fill(buffer)
    count += filled
    guard count <= entry.byteCount else { throw damaged("it expands to more bytes than the directory states") }
    if filled == 0 {
      guard count == entry.byteCount, checksum == UInt(entry.checksum) else {
        throw damaged("its data does not match its checksum")
      }
      return 0
    }
    checksum = crc32_z(checksum, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), filled)
    return filled
  }

  private func damaged(_ reason: String) -> RecordingError { .unreadableArchive(file: label, reason: reason) }
}
