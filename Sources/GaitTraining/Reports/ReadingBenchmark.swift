import Foundation
import Gait
import GaitFormats

/// How fast a file is read into rows, on one core, and what bounds it.
///
/// The file is read once to bring it into the system's cache, then again for every repetition.
public struct ReadingBenchmark: Sendable, Encodable {
  /// One kind of reading.
  public struct Speed: Hashable, Sendable, Encodable {
    /// `rows` for a recording's rows, ready to be resampled; `line feeds` for counting these; `bytes` for reading alone.
    public let name: String
    /// Millions of bytes a second, the median over repetitions.
    public let megabytesPerSecond: Double
    /// The slowest repetition less the fastest, as a fraction of the median.
    public let spread: Double
  }

  /// The size of the file, bytes.
  public let bytes: Int
  /// How many rows it has.
  public let rows: Int
  /// The kinds of reading, `rows` first.
  public let speeds: [Speed]
  /// For every channel of the file, by its name, the sum of value × row number over all rows, counted from 1, where a value
  /// is the 32 bits of its `Float`, modulo 2⁶⁴: equal where another reader has the same values, and hardly elsewhere.
  public let fingerprints: [String: UInt64]

  /// Times reading the file at `url`.
  ///
  /// - Throws: `RecordingError` where it is no recording.
  public init(contentsOf url: URL, repetitions: Int) throws(RecordingError) {
    let table = try RecordingTable(contentsOf: url)
    rows = table.count
    fingerprints = Self.fingerprints(of: table)
    bytes = try Self.read(url) { $0.count }
    speeds = [
      try Self.speed("rows", bytes, repetitions) { () throws(RecordingError) in
        try RecordingTable(contentsOf: url).count
      },
      try Self.speed("line feeds", bytes, repetitions) { () throws(RecordingError) in try Self.read(url, Self.lineFeeds)
      },
      try Self.speed("bytes", bytes, repetitions) { () throws(RecordingError) in try Self.read(url) { $0.count } },
    ]
  }

  private static func fingerprints(of table: RecordingTable) -> [String: UInt64] {
    let sums = table.rows.enumerated().reduce(into: SIMD16<UInt64>.zero) { sums, row in
      let bits = unsafeBitCast(row.element, to: SIMD16<UInt32>.self)
      sums &+= SIMD16<UInt64>(truncatingIfNeeded: bits) &* UInt64(row.offset + 1)
    }
    return Dictionary(uniqueKeysWithValues: table.channels.map { ($0.rawValue, sums[$0.lane]) })
  }

  private static func speed(
    _ name: String, _ bytes: Int, _ repetitions: Int, _ work: () throws(RecordingError) -> Int
  ) throws(RecordingError) -> Speed {
    let clock = ContinuousClock()
    var (times, results) = ([Double](), 0)
    for _ in 0..<repetitions {
      let start = clock.now
      results &+= try work()
      times.append((clock.now - start) / .seconds(1))
    }
    precondition(results >= 0, "what was read is used, so that no compiler may leave it out")
    times.sort()
    let median = times[times.count / 2]
    return Speed(
      name: name, megabytesPerSecond: Double(bytes) / median / 1e6, spread: (times.last! - times[0]) / median)
  }

  /// The sum of what `body` makes of the file's chunks.
  private static func read(
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
