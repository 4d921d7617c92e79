import Gait

/// Parses lines of CSV motion data into samples, for a live stream.
///
/// The first line is the header, as in a file: channels by their Core Motion names, and optionally `time` in seconds.
/// Without a time column, rows are evenly spaced. Gravity and user acceleration are required. Empty cells and `nan` are
/// missing values.
///
/// A line of unquoted numbers takes less than a microsecond. For files, `RecordingTable` is faster.
public struct MotionLineParser: Sendable {
  private let name: String
  private let sampleRate: SampleRate?
  private var columns: [Column] = []
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
  /// - Returns: the line's sample, or `nil` for the header and blank lines.
  /// - Throws: `RecordingError` with line and column.
  public mutating func parse(_ text: some StringProtocol) throws(RecordingError) -> MotionSample? {
    line += 1
    var text = String(text)
    if let sample = text.withUTF8({ numericSample($0) }) {
      row += 1
      return sample
    }
    let cells = text.split(separator: ",", omittingEmptySubsequences: false).map { Self.trimmed($0) }
    guard cells != [""] else { return nil }
    guard !columns.isEmpty else {
      try readHeader(cells)
      return nil
    }
    guard cells.count == columns.count else {
      throw .raggedRow(file: name, line: line, fields: cells.count, expected: columns.count)
    }
    var sample = emptySample
    row += 1
    for (index, cell) in cells.enumerated() {
      switch columns[index] {
      case .ignored: continue
      case .time: sample.time = .seconds(try number(cell, column: index, isTime: true))
      case .channel(let channel): sample[channel] = Float(try number(cell, column: index, isTime: false))
      }
    }
    return sample
  }

  /// The next sample with missing values, and its time if the rate is given.
  private var emptySample: MotionSample {
    MotionSample(
      time: SampleTime(nanoseconds: sampleRate?.nanoseconds(ofSample: row) ?? 0), gravity: SIMD3(repeating: .nan),
      userAcceleration: SIMD3(repeating: .nan))
  }

  /// The fast path: the sample in a line of unquoted numbers, which most lines are; `nil` for any other line.
  private func numericSample(_ line: UnsafeBufferPointer<UInt8>) -> MotionSample? {
    guard !columns.isEmpty else { return nil }
    var sample = emptySample
    var start = line.startIndex
    for (index, column) in columns.enumerated() {
      let end = line[start...].firstIndex(of: UInt8(ascii: ",")) ?? line.endIndex
      // Only the last cell ends at the line's end.
      guard (end == line.endIndex) == (index == columns.count - 1) else { return nil }
      guard set(column, to: line[start..<end], in: &sample) else { return nil }
      start = min(end + 1, line.endIndex)
    }
    return sample
  }

  /// Sets a column's value in `sample`; returns `false` if the cell is not an unquoted number.
  private func set(
    _ column: Column, to cell: Slice<UnsafeBufferPointer<UInt8>>, in sample: inout MotionSample
  ) -> Bool {
    if case .ignored = column { return true }
    guard let number = DecimalNumber.parse(UnsafeBufferPointer(rebasing: cell)), number.isFinite else { return false }
    switch column {
    case .ignored: break
    case .time:
      guard number.magnitude <= Self.farthest else { return false }
      sample.time = .seconds(number)
    case .channel(let channel): sample[channel] = Float(number)
    }
    return true
  }

  private mutating func readHeader(_ names: [String]) throws(RecordingError) {
    let channels = Set(names.compactMap(Channel.init(rawValue:)))
    guard FirstLine(cells: names).namesColumns else { throw .noHeader(file: name) }
    let needed = Sensor.gravity.channels + Sensor.userAcceleration.channels
    if let missing = needed.first(where: { !channels.contains($0) }) {
      throw .missingColumn(missing.rawValue, file: name, found: names)
    }
    guard sampleRate != nil || names.contains("time") else { throw .timing(.noSampleRate, file: name) }
    columns = names.map { $0 == "time" ? .time : Channel(rawValue: $0).map(Column.channel) ?? .ignored }
  }

  /// The largest absolute time, in seconds.
  private static let farthest = Double(SampleTime.farthest / 1_000_000_000)

  private func number(_ cell: String, column: Int, isTime: Bool) throws(RecordingError) -> Double {
    if cell.isEmpty, !isTime { return .nan }
    guard let value = Double(cell), !isTime || !value.isNaN else {
      throw .notANumber(file: name, line: line, column: column + 1, name: isTime ? "time" : "", found: cell)
    }
    guard !isTime || value.magnitude <= Self.farthest else {
      throw .timeOutOfRange(file: name, line: line, column: column + 1, name: "time", found: cell)
    }
    return value.isFinite ? value : .nan
  }

  private static func trimmed(_ cell: Substring) -> String {
    var cell = cell.drop { $0 == " " || $0 == "\"" || $0 == "\u{FEFF}" }
    while let last = cell.last, last == " " || last == "\"" || last == "\r" { cell = cell.dropLast() }
    return String(cell)
  }
}
