import Gait
import GaitTestSupport

@testable import GaitFormats

extension AnswerText {
  /// Runs of labels.
  static func runs(_ runs: [LabelRun]?) -> String {
    plain(runs.map { runs in runs.map { "\($0.label ?? "none") \($0.rows)" }.joined(separator: ", ") })
  }

  /// What was read from a file: the facts in clear, the numbers by their checksums.
  static func table(_ table: RecordingTable) -> String {
    let channels = Channel.allCases.indices.filter { table.channels.contains(Channel.allCases[$0]) }
    let flags = [
      table.accelerationIncludesGravity, table.gravityIsDifference, table.accelerationIsDifference,
      table.hasOneAcceleration,
      table.assumesAccelerationUnit,
    ]
    return plain(
      "\(table.format) \(table.count) \(exact(channels)) \(exact(table.rows)) \(exact(table.times)) "
        + "\(exact([table.statedPeriod ?? -1])) \(flags.map { $0 ? "y" : "n" }.joined()) \(ranges(table.missingRows)) "
        + "\(runs(table.labelRuns)) \(runs(table.subjectRuns)) \(exact(table.skippedChannels.map(\.lane).sorted())) "
        + "\(exact([table.rowsBeforeSkipping])) \(table.repairs.map(\.description))")
  }

  /// What a text is read as, or its error.
  static func read(
    _ text: String, _ options: ReadingOptions = ReadingOptions(), name: String = "walk.csv", chunkBytes: Int = 1 << 20
  )
    -> String
  {
    outcome {
      let source = try PeekedBytes.unpacked(MemoryBytes(Array(text.utf8)[...]), file: name)
      return table(
        try RecordingReader(options: options, chunkBytes: chunkBytes).open(source, name: name, file: name).table())
    }
  }

  /// Calls a body with a text of bytes that ends with a line feed and has readable bytes after it.
  static func withLine<Result>(
    _ text: String, _ body: (_ cursor: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Result
  ) -> Result {
    (Array(text.utf8) + [0x0A] + [UInt8](repeating: 0, count: 72)).withUnsafeBufferPointer { bytes in
      var cursor = bytes.baseAddress!
      return body(&cursor, cursor + text.utf8.count + 1)
    }
  }
}
