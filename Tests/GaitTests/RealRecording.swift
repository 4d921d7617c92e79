import Foundation
import Gait

/// Some rows of a real recording, parsed here, because the reader is not under test.
///
/// - Parameters:
///   - url: a table whose header names channels.
///   - rows: the rows to take, clamped to the file; row 0 follows the header.
func realRecording(_ url: URL, rate: SampleRate, rows: Range<Int>) throws -> Recording {
  let text = try String(contentsOf: url, encoding: .utf8)
  let lines = text.utf8.split(separator: UInt8(ascii: "\n"), maxSplits: rows.upperBound + 1)
  let cells = lines.prefix(rows.upperBound + 1).map {
    $0.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
  }
  let taken = cells.dropFirst(rows.lowerBound + 1)
  let columns = cells[0].enumerated().compactMap { index, name in
    Channel(rawValue: String(Substring(name))).map { ($0, taken.map { Float(Substring($0[index])) ?? .nan }) }
  }
  return Recording(name: url.path, sampleRate: rate, columns: Dictionary(uniqueKeysWithValues: columns))
}
