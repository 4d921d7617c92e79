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
    var reader = Reader(self, isWhole: isWhole)
    while true {
      switch try reader.next() {
      case .beginning(let recording): try begin(recording)
      case .block(let block): try append(block)
      case .end(let summary): return summary
      }
    }
  }

  /// A part of a file.
  package enum Part {
    /// The recording's name, rate and channels, but no samples. All blocks follow, again if there were some before.
    case beginning(Recording)
    case block(RecordingBlock)
    /// The recording without samples, but with its repairs, and its length. It is the last part, and follows again.
    case end(RecordingSummary)
  }

  /// Reads the parts of a file, one with each call.
  package struct Reader {
    private let file: RecordingBlocks
    private var isWhole: Bool
    private var assumption: BlockTimeline.Assumption?
    /// How often the file may be read again: the rate, then the broken rows, can be wrong.
    private var attempts = 3
    private var source: (rows: RecordingRows, timeline: BlockTimeline)?
    private var first: Recording?
    private var parts: [Part] = []

    /// A reader of `file`.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - isWhole: whether the file is to be one block, of any length.
    package init(_ file: RecordingBlocks, isWhole: Bool = false) { (self.file, self.isWhole) = (file, isWhole) }

    /// The next part.
    ///
    /// - Throws: `RecordingError`.
    package mutating func next() throws -> Part {
      while parts.isEmpty {
        do {
          if isWhole {
            takeWhole(try AnnotatedRecording(contentsOf: file.url, file.options))
          } else if source == nil {
            try open()
          } else {
            try readBlock()
          }
        } catch let failure as BlockTimeline.Failure {
          (source, first, attempts) = (nil, nil, attempts - 1)
          if case .wrong(let other) = failure { assumption = other }
          isWhole = failure == .needsWhole || attempts == 0
        } catch {
          // The next call repeats the error.
          (source, isWhole) = (nil, true)
          throw error
        }
      }
      if case .end = parts[0] { return parts[0] }
      return parts.removeFirst()
    }

    /// Reads the first block.
    private mutating func open() throws {
      let reader = RecordingReader(options: file.options, chunkBytes: file.chunkBytes)
      guard let rows = try reader.rows(at: file.url) else { return isWhole = true }
      let table = try rows.next(file.blockRows)
      guard table.count >= file.blockRows else {
        if table.count == 0 { return isWhole = true }
        return takeWhole(try AnnotatedRecording(table, sampleRate: file.options.sampleRate))
      }
      var timeline = try BlockTimeline(table, options: file.options, assumption ?? BlockTimeline.Assumption())
      if assumption == nil, timeline.rateMayDiffer, let measured = try measured(by: reader) {
        assumption = measured
        timeline = try BlockTimeline(table, options: file.options, measured)
      }
      take(try timeline.append(table))
      source = (rows, timeline)
    }

    /// The rate by the times of all rows, which are read alone.
    private func measured(by reader: RecordingReader) throws -> BlockTimeline.Assumption? {
      do {
        guard let rows = try reader.rows(at: file.url, timesOnly: true) else { return nil }
        var table = try rows.next(file.blockRows)
        var timeline = try BlockTimeline(table, options: file.options, BlockTimeline.Assumption())
        while table.count > 0 {
          try timeline.takeTimes(table.times)
          table = try rows.next(1)
        }
        return BlockTimeline.Assumption(sampleRate: try timeline.measuredRate())
      } catch is RecordingError {
        // It may not be the file's first error; reading all columns will find that.
        return nil
      }
    }

    private mutating func readBlock() throws {
      guard let table = try source?.rows.next(1) else { return }
      if table.count > 0 {
        if let block = try source?.timeline.append(table) { take(block) }
      } else if let (block, repairs) = try source?.timeline.finish(table) {
        if let block { take(block) }
        guard let first, let span = source?.timeline.span else { return isWhole = true }
        let summary = RecordingSummary(
          first, table.format, repairs: repairs, start: span.start, end: span.end, count: span.count)
        parts.append(.end(summary))
      }
    }

    private mutating func take(_ block: RecordingBlock) {
      if first == nil {
        let beginning = block.recording[0..<0]
        first = beginning
        parts.append(.beginning(beginning))
      }
      if block.recording.count > 0 { parts.append(.block(block)) }
    }

    private mutating func takeWhole(_ annotated: AnnotatedRecording) {
      parts += [
        .beginning(annotated.recording[0..<0]), .block(RecordingBlock(annotated)), .end(RecordingSummary(annotated)),
      ]
    }
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
