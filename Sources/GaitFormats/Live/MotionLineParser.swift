import Gait

/// Parses lines of CSV motion data into samples, for a live stream.
///
/// The first line is the header, as in a file: channels by their Core Motion names, and optionally `time` in seconds.
/// Without a time column, rows are evenly spaced. User acceleration is required; without gravity, samples lack it. Empty cells and `nan` are
/// missing values.
///
/// A line of unquoted numbers takes about a microsecond. For files, `RecordingTable` is faster.
public struct MotionLineParser: Sendable {
  private let name: String
  private let sampleRate: SampleRate?
  private var columns: [Column] = []
  /// The channels in the header; empty before it.
  package private(set) var channels: Set<Channel> = []
  private var line = 0
  private var row = 0

  private enum Column: Sendable {
    case ignored
    case time
    case channel(Channel)
  }

  /// Creates a parser that expects the header first.
  ///
  /// - Parameters:
  ///   - name: the stream's name in errors.
  ///   - sampleRate: the rate of rows without a time column; `nil` if a time column is required.
  public init(name: String, sampleRate: SampleRate? = nil) {
    self.name = name
    self.sampleRate = sampleRate
  }

  /// Parses the next line, without its line ending.
  ///
  /// - Returns: the line's sample, or `nil` for the header, comments (`#`) before it and blank lines.
  /// - Throws: `RecordingError` with line and column.
  public mutating func parse(_ text: some StringProtocol) throws(RecordingError) -> MotionSample? {
    line += 1
    guard text.utf8.contains(where: { !Cell.isBlank($0) }) else { return nil }
    // Gait's own recordings begin with comments.
    let mark = text.utf8.first(where: { ![0xEF, 0xBB, 0xBF].contains($0) })
    guard !columns.isEmpty || mark != UInt8(ascii: "#") else { return nil }
    let bytes = Array(text.utf8.drop { [0xEF, 0xBB, 0xBF].contains($0) }) + [UInt8(ascii: "\n")]
    return try bytes.withUnsafeBufferPointer { bytes throws(RecordingError) in
      guard !columns.isEmpty else {
        try readHeader(bytes.baseAddress!)
        return nil
      }
      return try sample(bytes.baseAddress!)
    }
  }

  private mutating func readHeader(_ start: UnsafePointer<UInt8>) throws(RecordingError) {
    var cursor = start
    let names = try Header.cells(&cursor, dialect: .comma, line: line, file: name)
    let channels = Set(names.compactMap(Channel.init(rawValue:)))
    guard FirstLine(cells: names).namesColumns else { throw .noHeader(file: name) }
    let hasGravity = !channels.isDisjoint(with: Sensor.gravity.channels)
    let needed = (hasGravity ? Sensor.gravity.channels : []) + Sensor.userAcceleration.channels
    if let missing = needed.first(where: { !channels.contains($0) }) {
      throw .missingColumn(missing.rawValue, file: name, found: names)
    }
    guard sampleRate != nil || names.contains("time") else { throw .timing(.noSampleRate, file: name) }
    self.channels = channels
    columns = names.map { $0 == "time" ? .time : Channel(rawValue: $0).map(Column.channel) ?? .ignored }
  }

  /// The largest absolute time, in seconds.
  private static let farthest = Double(SampleTime.farthest / 1_000_000_000)

  /// The sample in the line at `start`; without a time column, its time follows from the rate.
  private mutating func sample(_ start: UnsafePointer<UInt8>) throws(RecordingError) -> MotionSample {
    var sample = MotionSample(
      time: SampleTime(nanoseconds: sampleRate?.nanoseconds(ofSample: row) ?? 0), gravity: SIMD3(repeating: .nan),
      userAcceleration: SIMD3(repeating: .nan))
    row += 1
    var (cursor, count) = (start, 0)
    var wrong: RecordingError?
    repeat {
      guard let cell = Cell.scan(&cursor, .comma) else {
        throw .badQuote(file: name, line: line, column: count + 1)
      }
      if count < columns.count, wrong == nil { wrong = set(count, to: cell, in: &sample) }
      count += 1
      cursor += 1
    } while cursor[-1] != UInt8(ascii: "\n")
    guard count == columns.count else {
      throw .raggedRow(file: name, line: line, fields: count, expected: columns.count)
    }
    if let wrong { throw wrong }
    return sample
  }

  /// Sets a column's value in `sample`; returns the error of an invalid cell.
  private func set(_ column: Int, to cell: Cell, in sample: inout MotionSample) -> RecordingError? {
    if case .ignored = columns[column] { return nil }
    let value = cell.isMissing ? .nan : DecimalNumber.parse(cell.bytes)
    var wrongName: String?
    switch columns[column] {
    case .ignored: break
    case .time:
      guard let value, !value.isNaN else {
        wrongName = "time"
        break
      }
      guard value.magnitude <= Self.farthest else {
        return .timeOutOfRange(
          file: name, line: line, column: column + 1, name: "time", found: String((cell.text ?? "").prefix(40)))
      }
      sample.time = .seconds(value)
    case .channel(let channel):
      let number = value.map { Float($0) }
      sample[channel] = number.map { $0.isFinite ? $0 : .nan } ?? .nan
      if number == nil { wrongName = channel.rawValue }
    }
    return wrongName.map {
      .notANumber(file: name, line: line, column: column + 1, name: $0, found: String((cell.text ?? "").prefix(40)))
    }
  }
}
