import Foundation
import Gait
import GaitFormats
import GaitTraining

/// Measures the speed of reading a file into rows, on one core, and upper bounds on it.
///
/// The file is read once to warm the system's cache, then again for every repetition.
package struct ReadingBenchmark: Sendable, Encodable {
  /// The speed of one kind of reading.
  package struct Speed: Hashable, Sendable, Encodable {
    /// `rows` for reading a recording's rows, ready for resampling. The others are bounds: `lanes` for a pass over
    /// those rows in memory that sums them; `line feeds` for counting line feeds; `bytes` for reading only; `memory`
    /// for a pass over the file's bytes in memory; `copy` for copying them in memory.
    package let name: String
    /// Megabytes of the file per second, the median over repetitions.
    package let megabytesPerSecond: Double
    /// The slowest repetition minus the fastest, as a fraction of the median.
    package let spread: Double
  }

  /// The size of the file, bytes.
  package let bytes: Int
  /// The number of rows.
  package let rows: Int
  /// The kinds of reading, `rows` first.
  package let speeds: [Speed]
  /// A checksum for every channel, by its name: the sum of value × row number (from 1) over all rows modulo 2⁶⁴, where
  /// a value is the 32 bits of its `Float`. Equal checksums of another reader mean equal values, almost certainly.
  package let fingerprints: [String: UInt64]

  /// Times reading the file at `url`.
  ///
  /// - Throws: `RecordingError` if it cannot be read as a recording.
  package init(contentsOf url: URL, repetitions: Int) throws(RecordingError) {
    let table = try RecordingTable(contentsOf: url)
    rows = table.count
    fingerprints = Self.fingerprints(of: table)
    bytes = try Self.read(url) { $0.count }
    let start = try FileStart(contentsOf: url)
    func speed(
      _ name: String, of bytes: Int, _ work: () throws(RecordingError) -> Int
    ) throws(RecordingError) -> Speed {
      let timing = try Timing(repetitions: repetitions) { () throws(RecordingError) in Float(try work()) }
      return Speed(name: name, megabytesPerSecond: Double(bytes) / timing.median / 1e6, spread: timing.spread)
    }
    speeds = [
      try speed("rows", of: bytes) { () throws(RecordingError) in try RecordingTable(contentsOf: url).count },
      try speed("lanes", of: bytes) { Self.sum(of: table.rows) },
      try speed("line feeds", of: bytes) { () throws(RecordingError) in try Self.read(url, Self.lineFeeds) },
      try speed("bytes", of: bytes) { () throws(RecordingError) in try Self.read(url) { $0.count } },
      try speed("memory", of: start.count) { start.sum() },
      try speed("copy", of: start.count) { start.copy() },
    ]
  }

  /// A checksum of all lanes of all rows.
  private static func sum(of rows: [SIMD16<Float>]) -> Int {
    let bits = rows.reduce(into: SIMD16<UInt32>.zero) { $0 ^= unsafeBitCast($1, to: SIMD16<UInt32>.self) }
    return Int(bits.wrappedSum())
  }

  private static func fingerprints(of table: RecordingTable) -> [String: UInt64] {
    let sums = table.rows.enumerated().reduce(into: SIMD16<UInt64>.zero) { sums, row in
      let bits = unsafeBitCast(row.element, to: SIMD16<UInt32>.self)
      sums &+= SIMD16<UInt64>(truncatingIfNeeded: bits) &* UInt64(row.offset + 1)
    }
    return Dictionary(uniqueKeysWithValues: table.channels.map { ($0.rawValue, sums[$0.lane]) })
  }

  /// The sum of `body` over the file's chunks.
  fileprivate static func read(
    _ url: URL, _ body: (UnsafeRawBufferPointer) -> Int
  ) throws(RecordingError) -> Int {
    let source = try FileBytes(contentsOf: url, file: url.relativePath)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
    defer { buffer.deallocate() }
    var sum = 0
    while true {
      let count = try source.fill(buffer)
      if count == 0 { return sum }
      sum += body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  private static func lineFeeds(_ bytes: UnsafeRawBufferPointer) -> Int {
    let end = bytes.baseAddress! + bytes.count
    var (next, count) = (bytes.baseAddress!, 0)
    while let found = memchr(next, CInt(UInt8(ascii: "\n")), end - next) {
      next = UnsafeRawPointer(found) + 1
      count += 1
    }
    return count
  }
}

/// The first bytes of a file in memory, and a buffer of the same size, for measuring memory speed.
private final class FileStart {
  private static let largestCount = 256 << 20
  private let bytes: UnsafeMutableRawBufferPointer
  private let target: UnsafeMutableRawBufferPointer
  /// The number of bytes, a multiple of 64.
  private(set) var count = 0

  init(contentsOf url: URL) throws(RecordingError) {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.largestCount, alignment: 64)
    self.bytes = bytes
    target = .allocate(byteCount: Self.largestCount, alignment: 64)
    var filled = 0
    _ = try ReadingBenchmark.read(url) { chunk in
      let part = min(chunk.count, bytes.count - filled)
      bytes.baseAddress!.advanced(by: filled).copyMemory(from: chunk.baseAddress!, byteCount: part)
      filled += part
      return 0
    }
    count = filled / 64 * 64
    _ = copy()
  }

  deinit {
    bytes.deallocate()
    target.deallocate()
  }

  /// A checksum of the bytes.
  func sum() -> Int {
    let blocks = UnsafeRawBufferPointer(rebasing: bytes[..<count]).bindMemory(to: SIMD16<UInt32>.self)
    return Int(blocks.reduce(into: SIMD16<UInt32>.zero) { $0 ^= $1 }.wrappedSum())
  }

  /// Copies the bytes; returns the last of them.
  func copy() -> Int {
    target.baseAddress!.copyMemory(from: bytes.baseAddress!, byteCount: count)
    return count > 0 ? Int(target[count - 1]) : 0
  }
}
