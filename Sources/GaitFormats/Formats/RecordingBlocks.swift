import Gait

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads a recording of any length in blocks of samples: the same samples as of `AnnotatedRecording`, in memory that does
/// not grow with the file.
///
/// A text file, gzipped or not, is read in blocks if its times increase at a steady rate. Everything else is one block:
/// short files, archives, folders, JSON and pipes, and files whose rows must be sorted, whose rate changes, or whose
/// gravity must be replaced.
package struct RecordingBlocks {
  private let url: URL
  private let options: ReadingOptions
  private let blockRows: Int
  private let chunkBytes: Int

  /// The recording at `url`.
  ///
  /// - Parameters:
  ///   - url: a file, folder or archive.
  ///   - options: facts that the caller supplies about it.
  ///   - blockRows: the rows of the first block; a file that has no more is one block. The later blocks have those of a
  ///     chunk.
  ///   - chunkBytes: the bytes of a chunk.
  package init(
    contentsOf url: URL, _ options: ReadingOptions = ReadingOptions(), blockRows: Int = 1 << 16,
    chunkBytes: Int = LineChunks.defaultChunkBytes
  ) {
    (self.url, self.options, self.blockRows, self.chunkBytes) = (url, options, blockRows, chunkBytes)
  }

  /// Reads the file.
  ///
  /// - Parameters:
  ///   - isWhole: whether the file is to be one block, of any length.
  ///   - begin: called before the first block with the recording's name, rate and channels, but no samples. If a later
  ///     part of the file shows that the first blocks were read wrongly, all blocks follow again after
  ///     `begin`.
  ///   - append: called with each block, in order.
  /// - Returns: the recording without samples, but with its repairs, and its length.
  /// - Throws: `RecordingError`, and what `begin` and `append` throw.
  package func read(
    isWhole: Bool = false, begin: (Recording) throws -> Void, append: (RecordingBlock) throws -> Void
  ) throws -> RecordingSummary {
    var assumption = BlockTimeline.Assumption()
    // The rate, then the broken rows, can be wrong.
    for _ in 0..<(isWhole ? 0 : 3) {
      do {
        if let summary = try blocks(assumption, begin, append) { return summary }
        break
      } catch BlockTimeline.Failure.wrong(let other) {
        assumption = other
      } catch BlockTimeline.Failure.needsWhole { break }
    }
    return try whole(AnnotatedRecording(contentsOf: url, options), begin, append)
  }

  /// Reads the file in blocks; `nil` if it cannot be.
  private func blocks(
    _ assumption: BlockTimeline.Assumption, _ begin: (Recording) throws -> Void,
    _ append: (RecordingBlock) throws -> Void
  ) throws -> RecordingSummary? {
    let reader = RecordingReader(options: options, chunkBytes: chunkBytes)
    guard let rows = try reader.rows(at: url) else { return nil }
    var table = try rows.next(blockRows)
    guard table.count >= blockRows else {
      guard table.count > 0 else { return nil }
      return try whole(AnnotatedRecording(table, sampleRate: options.sampleRate), begin, append)
    }
    var timeline = try BlockTimeline(table, options: options, assumption)
    var first: Recording?
    func take(_ block: RecordingBlock) throws {
      if first == nil {
        first = block.recording[0..<0]
        try begin(block.recording[0..<0])
      }
      if block.recording.count > 0 { try append(block) }
    }
    while table.count > 0 {
      try take(timeline.append(table))
      table = try rows.next(1)
    }
    let (block, repairs) = try timeline.finish(table)
    if let block { try take(block) }
    guard let first, let span = timeline.span else { return nil }
    return RecordingSummary(first, table.format, repairs: repairs, start: span.start, end: span.end, count: span.count)
  }

  private func whole(
    _ annotated: AnnotatedRecording, _ begin: (Recording) throws -> Void, _ append: (RecordingBlock) throws -> Void
  ) throws -> RecordingSummary {
    try begin(annotated.recording[0..<0])
    try append(RecordingBlock(annotated))
    return RecordingSummary(annotated)
  }
}

/// What is known of a recording that was read in blocks.
package struct RecordingSummary: Sendable {
  /// The recording's name, rate, channels and repairs, without samples.
  package let recording: Recording
  /// The time from the first sample to one period after the last, in seconds.
  package let duration: Double
  /// The number of samples.
  package let count: Int
  /// The file's format.
  package let format: RecordingFormat

  /// What is known of a whole recording.
  package init(_ annotated: AnnotatedRecording) {
    let recording = annotated.recording
    let end = recording.count > 0 ? recording.time(at: recording.count - 1) : recording.start
    self.init(
      recording, annotated.format, repairs: recording.repairs, start: recording.start.nanoseconds,
      end: end.nanoseconds, count: recording.count)
  }

  fileprivate init(
    _ recording: Recording, _ format: RecordingFormat, repairs: [Repair], start: Int64, end: Int64, count: Int
  ) {
    self.recording = Recording(
      name: recording.name, sampleRate: recording.sampleRate, start: SampleTime(nanoseconds: start),
      channels: recording.channels, rows: [], gravityIsEstimated: recording.gravityIsEstimated,
      sampleRates: recording.sampleRates, readerNotes: repairs)
    duration = count > 0 ? Double(end - start) / 1e9 + 1 / recording.sampleRate.hertz : 0
    (self.count, self.format) = (count, format)
  }
}
