/// Reads lines from a live source. A line is returned as soon as its line feed arrives.
///
/// Memory: 64 KiB, or the longest line if that is longer.
package struct LiveLines {
  private let chunks: LineChunks
  /// The lines that were read and not yet returned.
  private var rest: Slice<UnsafeBufferPointer<UInt8>> = UnsafeBufferPointer(start: nil, count: 0)[...]

  /// The longest allowed line; a line of motion has about 200 bytes.
  package static let longestMebibytes = 1

  /// The lines of `source`; errors name it `file`.
  package init(_ source: FileBytes, file: String) { self.init(source as any ByteSource, file: file) }

  init(_ source: any ByteSource, file: String) {
    chunks = LineChunks(
      source, file: file, chunkBytes: 1 << 16, longestLine: Self.longestMebibytes << 20, isLive: true)
  }

  /// The next line, without its line ending; `nil` at the end of the source.
  ///
  /// - Throws: `RecordingError` if the source cannot be read, or a line is too long.
  package mutating func next() throws(RecordingError) -> String? {
    if rest.isEmpty {
      guard let chunk = try chunks.next() else { return nil }
      rest = chunk[...]
    }
    let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
    var line = rest[..<end]
    rest = rest[end...].dropFirst()
    chunks.linesBefore += 1
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return String(decoding: line, as: UTF8.self)
  }
}
