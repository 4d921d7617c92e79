import Gait

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads a recording of any length in blocks of samples. The samples are those of `AnnotatedRecording`, but the memory
/// does not grow with the file.
///
/// A text file, gzipped or not, is read in blocks if its times increase at a steady rate. Everything else is one block:
/// short files, archives, folders, JSON and pipes, and files whose rows must be sorted, whose rate changes, or whose
/// gravity must be replaced.
package struct RecordingBlocks {
  private let url: URL
  private let options: ReadingOptions
  private let blockRows: Int
  private let chunkBytes: Int
  /// Threads that read the file; `nil` to read it on the caller's.
  private let workers: Workers?

  /// The recording at `url`.
  ///
  /// - Parameters:
  ///   - url: a file, folder or archive.
  ///   - options: facts that the caller supplies about it.
  ///   - blockRows: the least number of rows in the first block; a shorter file is one block. Each later block has the
  ///     rows of one chunk.
  ///   - chunkBytes: the number of bytes that are read at a time (a chunk).
  ///   - workers: threads that read the file, while the caller uses the blocks before; `nil` to read on the caller's.
  package init(
    contentsOf url: URL, _ options: ReadingOptions = ReadingOptions(), blockRows: Int = 1 << 16,
    chunkBytes: Int = LineChunks.defaultChunkBytes, workers: Workers? = nil
  ) {
    (self.url, self.options, self.blockRows, self.chunkBytes) = (url, options, blockRows, chunkBytes)
    self.workers = workers
  }

  /// Reads the file.
  ///
  /// - Parameters:
  ///   - isWhole: whether the file is to be one block, of any length.
  ///   - begin: called before the first block, with the recording's name, rate and channels, but no samples. If later
  ///     rows show that the first blocks were read wrongly, `begin` is called again, and all blocks follow again.
  ///   - append: called with each block, in order.
  /// - Returns: the recording without samples, but with its repairs, and its length.
  /// - Throws: `RecordingError`, and what `begin` and `append` throw.
  package func read(
    isWhole: Bool = false, begin: (Recording) throws -> Void, append: (RecordingBlock) throws -> Void
  ) throws -> RecordingSummary {
    let reader = PartAhead(Reader(self, isWhole: isWhole), workers)
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
    /// The recording's name, rate and channels, but no samples. All blocks follow. Blocks that came before it are void.
    case beginning(Recording)
    case block(RecordingBlock)
    /// The recording without samples, but with its repairs, and its length. It is the last part; every further call
    /// returns it again.
    case end(RecordingSummary)
  }

  /// Reads the parts of a file, one with each call.
  ///
  /// The first block makes the decisions that all blocks depend on (`Timeline.Decisions`). If all rows show that one of
  /// them is wrong, the file is read again. If the rate of all rows may differ from that of the first rows
  /// (`SteadyTimes.rateMayDiffer`), a first pass reads only the times.
  package struct Reader {
    private let file: RecordingBlocks
    private var isWhole: Bool
    private var decisions: Timeline.Decisions?
    /// The sample rate by all rows; `nil` unless the first pass measured it.
    private var measuredRate: SampleRate?
    /// The number of attempts that are left to read the file in blocks. The first block can be wrong twice: about the
    /// rate, then about broken rows.
    private var attempts = 3
    private var source: (rows: RecordingRows, timeline: Timeline, times: SteadyTimes)?
    private var beginning: Recording?
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
          if source == nil { try open() } else { try readBlock() }
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
      let reader = RecordingReader(options: file.options, chunkBytes: file.chunkBytes, workers: file.workers)
      let content = try reader.open(file.url)
      guard case .rows(var rows) = content, rows.isRepeatable, !isWhole else { return try takeWhole(content.table()) }
      let table = try rows.next(file.blockRows)
      guard table.count > 0 else { return isWhole = true }
      guard table.count >= file.blockRows else { return try takeWhole(consume table) }
      guard RowOrder.isInOrder(table.times), table.sensorsInOwnRows.isEmpty,
        let timing = try? RowTiming(of: table.times, given: file.options.sampleRate, stated: table.statedPeriod),
        timing.parts.isEmpty, !table.mayHaveBursts(period: timing.measuredHertz.map { 1e9 / $0 })
      else { return isWhole = true }
      let times = SteadyTimes(timing, stated: table.statedPeriod)
      source = (rows, Timeline(table.withoutRows, timing, decisions, rate: measuredRate), times)
      if isFirstPass { rows.skipLanes() }
      try append(consume table)
    }

    /// Whether the file is read in blocks, of which the first one was read.
    fileprivate var isInBlocks: Bool { source != nil }

    private mutating func readBlock() throws {
      guard let table = try source?.rows.next(1) else { return }
      guard table.count == 0 else { return try append(consume table) }
      if isFirstPass {
        (measuredRate, source) = (source?.times.sampleRate, nil)
        return isWhole = measuredRate == nil
      }
      guard let end = try source?.timeline.finish(table.repairs), let source else { return }
      guard let rate = source.times.sampleRate, let span = source.timeline.span else { return readAgain(nil) }
      var decisions = end.decisions
      decisions.sampleRate = rate
      guard decisions == source.timeline.decisions else { return readAgain(decisions) }
      if let rows = end.rows { take(rows) }
      guard let beginning else { return readAgain(nil) }
      parts.append(.end(RecordingSummary(beginning, table.format, repairs: end.repairs, span)))
    }

    /// Whether this pass reads only times, because the rate of all rows must be measured first.
    private var isFirstPass: Bool {
      decisions == nil && measuredRate == nil && source?.times.rateMayDiffer ?? false
    }

    /// Begins again with `decisions`. If they are `nil` or no attempts are left, reads the file as one block.
    private mutating func readAgain(_ decisions: Timeline.Decisions?) {
      (source, beginning, attempts, self.decisions) = (nil, nil, attempts - 1, decisions)
      isWhole = decisions == nil || attempts == 0
    }

    private mutating func append(_ table: consuming RecordingTable) throws {
      guard source?.times.append(table.times) ?? false else { return readAgain(nil) }
      if !isFirstPass, let rows = source?.timeline.append(consume table, isLast: false) { take(rows) }
    }

    private mutating func take(_ rows: TimedTable) {
      let block = RecordingBlock(rows)
      if beginning == nil {
        beginning = block.recording[0..<0]
        parts.append(.beginning(block.recording[0..<0]))
      }
      if block.recording.count > 0 { parts.append(.block(block)) }
    }

    private mutating func takeWhole(_ table: consuming RecordingTable) throws {
      let annotated = try AnnotatedRecording(consume table, sampleRate: file.options.sampleRate)
      parts += [
        .beginning(annotated.recording[0..<0]), .block(RecordingBlock(annotated)), .end(RecordingSummary(annotated)),
      ]
    }
  }
}

/// Reads the next part of a file on another thread, while the caller uses the part before.
///
/// Only one thread uses it at a time: the worker until it ends, then the caller, who waits for it.
private final class PartAhead: @unchecked Sendable {
  private var reader: RecordingBlocks.Reader
  private let workers: Workers?
  private var part: Result<RecordingBlocks.Part, any Error>?
  private var wait: (() -> Void)?

  /// - Parameter workers: other threads; `nil` to read on the caller's.
  init(_ reader: RecordingBlocks.Reader, _ workers: Workers?) { (self.reader, self.workers) = (reader, workers) }

  /// Returns the next part, and starts reading the one after it. Files of one block are read on the caller's thread.
  func next() throws -> RecordingBlocks.Part {
    wait?()
    wait = nil
    let part = try part.map { try $0.get() } ?? reader.next()
    self.part = nil
    if case .end = part { return part }
    if let workers, reader.isInBlocks {
      wait = workers.start(true) { self.part = Result { try self.reader.next() } }
    }
    return part
  }
}

/// Consecutive samples of a recording, with their labels.
package struct RecordingBlock: Sendable {
  /// The samples.
  package let recording: Recording
  /// The runs of samples in which a value of the recording's channels is missing, in order.
  package let missingRows: [Range<Int>]
  /// The samples' labels and subjects as runs that cover `0..<recording.count` in order; `nil` if there are none.
  package let labels: [LabelRun]?
  package let subjects: [LabelRun]?
}

extension RecordingBlock {
  /// A whole recording.
  package init(_ annotated: AnnotatedRecording) {
    self.init(
      recording: annotated.recording, missingRows: annotated.missingRows, labels: annotated.labels,
      subjects: annotated.subjects)
  }

  fileprivate init(_ rows: TimedTable) {
    self.init(
      recording: rows.recording(), missingRows: rows.table.missingRows, labels: rows.table.labelRuns,
      subjects: rows.table.subjectRuns)
  }
}

/// Facts about a recording that was read in blocks, without its samples.
package struct RecordingSummary: Sendable {
  /// The recording's name, rate, channels and repairs, without samples.
  package let recording: Recording
  /// The time from the first sample to one period after the last, in seconds.
  package let duration: Double
  /// The number of samples.
  package let count: Int
  /// The file's format.
  package let format: RecordingFormat

  /// Facts about a recording that was read as a whole.
  package init(_ annotated: AnnotatedRecording) {
    let recording = annotated.recording
    let end = recording.count > 0 ? recording.time(at: recording.count - 1) : recording.start
    self.init(
      recording, annotated.format, repairs: recording.repairs,
      (recording.start.nanoseconds, end.nanoseconds, recording.count))
  }

  fileprivate init(
    _ recording: Recording, _ format: RecordingFormat, repairs: [Repair], _ span: (start: Int64, end: Int64, count: Int)
  ) {
    self.recording = Recording(
      name: recording.name, sampleRate: recording.sampleRate, start: SampleTime(nanoseconds: span.start),
      channels: recording.channels, rows: [], gravityIsEstimated: recording.gravityIsEstimated,
      sampleRates: recording.sampleRates, readerNotes: repairs)
    duration = span.count > 0 ? Double(span.end - span.start) / 1e9 + 1 / recording.sampleRate.hertz : 0
    (count, self.format) = (span.count, format)
  }
}
