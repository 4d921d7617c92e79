import Foundation
import Gait
import GaitTestSupport

@testable import GaitFormats

/// Motion CSV files for tests, in a folder that is removed when the test ends.
struct MotionCSV {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  static let names = Channel.allCases.map(\.rawValue)
  static let header = "," + names.joined(separator: ",")

  /// A row of `index` and twelve values counted from `first`.
  static func row(_ index: Int, from first: Int = 1) -> String {
    "\(index)," + (first..<first + 12).map { "\(Double($0) / 100)" }.joined(separator: ",")
  }

  /// Writes `text` to `walk.csv`, which errors show as "walk.csv".
  func url(_ text: String) throws -> URL { try url(Array(text.utf8)) }

  func url(_ bytes: [UInt8]) throws -> URL {
    try folder.write(bytes, to: "walk.csv")
    return URL(filePath: "walk.csv", relativeTo: folder.url)
  }

  func table(_ text: String, labelColumn: String? = nil) throws -> RecordingTable {
    try RecordingTable(contentsOf: url(text), labelColumn: labelColumn)
  }

  /// The error of reading `text`, or `nil` if it can be read.
  func error(_ text: String, labelColumn: String? = nil) throws -> RecordingError? {
    let url = try url(text)
    do throws(RecordingError) {
      _ = try RecordingTable(contentsOf: url, labelColumn: labelColumn)
      return nil
    } catch {
      return error
    }
  }
}

extension RecordingTable {
  /// Reads a file in chunks of any size.
  init(contentsOf url: URL, labelColumn: String?, chunkBytes: Int) throws(RecordingError) {
    let options = ReadingOptions(labelColumn: labelColumn)
    self = try RecordingReader(options: options, chunkBytes: chunkBytes).open(url).table()
  }

  /// One channel's values, shape `[count]`.
  subscript(channel: Channel) -> [Float] { rows.map { $0[channel.lane] } }
}

extension SIMD16<Float> {
  /// Whether both hold the same bits, so that a missing value equals a missing value.
  func hasSameBits(as other: Self) -> Bool {
    unsafeBitCast(self, to: SIMD16<UInt32>.self) == unsafeBitCast(other, to: SIMD16<UInt32>.self)
  }
}
