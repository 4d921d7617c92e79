import Gait

/// The rows of a motion CSV, gathered line by line.
struct MotionRows {
  /// The rows so far, each laid out as `MotionSample.row`.
  private(set) var rows: [SIMD16<Float>] = []
  /// The runs of rows in which a channel that the file has is missing.
  private(set) var missing: [Range<Int>] = []
  /// The runs of rows with one label; empty where no column holds labels.
  private(set) var labels: [LabelRun] = []
  /// The bytes of the last run's label.
  private var labelBytes: [UInt8] = []
  /// The lines read so far, the header among them.
  private(set) var line = 1

  private let file: String
  private let columns: MotionColumns
  /// For each column, the lane of its channel, or one of the marks below.
  private let lanes: [Int]
  private static let ignored = -1
  private static let label = -2
  /// A row in which every channel is missing; the lanes of absent channels stay so, spare lanes are 0.
  private let emptyRow: SIMD16<Float>

  init(file: String, columns: MotionColumns) {
    self.file = file
    self.columns = columns
    self.lanes = columns.contents.map { content in
      switch content {
      case .ignored: Self.ignored
      case .label: Self.label
      case .channel(let channel): channel.lane
      }
    }
    var row = SIMD16<Float>(repeating: 0)
    for channel in Channel.allCases { row[channel.lane] = .nan }
    self.emptyRow = row
  }

  /// Makes room for the rows of a file of `byteCount` bytes whose lines are about as long as the first of `chunk`.
  mutating func reserve(byteCount: Int, like chunk: UnsafeBufferPointer<UInt8>) {
    let first = chunk.prefix(1 << 16)
    let lines = first.reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
    rows.reserveCapacity(Int(1.02 * Double(lines) * Double(max(byteCount, chunk.count)) / Double(first.count)))
  }

  /// Reads the lines from `start` to `end`, each of which ends with a line feed.
  mutating func append(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) throws(RecordingError) {
    var cursor = start
    // Lanes are set in memory: setting a lane of a vector that is not a constant moves the whole vector each time.
    try withUnsafeTemporaryAllocation(of: SIMD16<Float>.self, capacity: 1) { row throws(RecordingError) in
      row.initialize(repeating: emptyRow)
      while cursor < end {
        line += 1
        if !Self.skipBlankLine(&cursor) { try appendRow(&cursor, in: row.baseAddress!) }
      }
    }
  }

  private static func skipBlankLine(_ cursor: inout UnsafePointer<UInt8>) -> Bool {
    guard cursor.pointee <= UInt8(ascii: " ") else { return false }
    var p = cursor
    while Cell.isBlank(p.pointee) { p += 1 }
    guard p.pointee == UInt8(ascii: "\n") else { return false }
    cursor = p + 1
    return true
  }

  /// Reads the row at `cursor`, which moves to the next line, into `row` and appends that.
  private mutating func appendRow(
    _ cursor: inout UnsafePointer<UInt8>, in row: UnsafeMutablePointer<SIMD16<Float>>
  ) throws(RecordingError) {
    let start = cursor
    let values = UnsafeMutableRawPointer(row)
    var isMissing = false
    let last = lanes.count - 1
    for column in 0...last {
      let lane = lanes[column]
      if lane >= 0 {
        let value = try number(&cursor, column: column, rowStart: start)
        isMissing = isMissing || value.isNaN
        values.storeBytes(of: value, toByteOffset: lane * MemoryLayout<Float>.stride, as: Float.self)
      } else {
        try skip(&cursor, isLabel: lane == Self.label, column: column, rowStart: start)
      }
      let expected = column == last ? UInt8(ascii: "\n") : UInt8(ascii: ",")
      guard cursor.pointee == expected else { throw fault(inRow: start, column: column) }
      cursor += 1
    }
    if isMissing { noteMissing() }
    rows.append(row.pointee)
  }

  /// The number of the cell at `cursor`, which moves to the cell's end; NaN where the value is missing.
  @inline(__always)
  private func number(
    _ cursor: inout UnsafePointer<UInt8>, column: Int, rowStart: UnsafePointer<UInt8>
  ) throws(RecordingError) -> Float {
    let start = cursor
    if let value = DecimalNumber.scan(&cursor), Cell.isEnd(cursor.pointee) {
      let float = Float(value)
      return float.isFinite ? float : .nan
    }
    cursor = start
    return try unusualNumber(&cursor, column: column, rowStart: rowStart)
  }

  /// The number of a cell that has more to it than digits: blanks, quotes, a missing value, or a mistake.
  @inline(never)
  private func unusualNumber(
    _ cursor: inout UnsafePointer<UInt8>, column: Int, rowStart: UnsafePointer<UInt8>
  ) throws(RecordingError) -> Float {
    guard let cell = Cell.scan(&cursor) else { throw fault(inRow: rowStart, column: column) }
    if cell.isMissing { return .nan }
    guard let value = cell.number else { throw fault(inRow: rowStart, column: column) }
    let float = Float(value)
    return float.isFinite ? float : .nan
  }

  /// Passes over a cell that is no number, taking its label if it holds one.
  @inline(__always)
  private mutating func skip(
    _ cursor: inout UnsafePointer<UInt8>, isLabel: Bool, column: Int, rowStart: UnsafePointer<UInt8>
  ) throws(RecordingError) {
    if !isLabel {
      var p = cursor
      while Cell.isBlank(p.pointee) { p += 1 }
      // Only the first quote of a field quotes; later ones are text.
      if p.pointee != UInt8(ascii: "\"") {
        while !Cell.isEnd(p.pointee) { p += 1 }
        cursor = p
        return
      }
    }
    try scanText(&cursor, isLabel: isLabel, column: column, rowStart: rowStart)
  }

  private mutating func scanText(
    _ cursor: inout UnsafePointer<UInt8>, isLabel: Bool, column: Int, rowStart: UnsafePointer<UInt8>
  ) throws(RecordingError) {
    guard let cell = Cell.scan(&cursor) else { throw fault(inRow: rowStart, column: column) }
    guard isLabel else { return }
    if let last = labels.last, cell.bytes.elementsEqual(labelBytes) {
      labels[labels.count - 1].rows = last.rows.lowerBound..<rows.count + 1
    } else {
      guard let text = cell.text else { throw .notText(file: file, line: line) }
      labels.append(LabelRun(label: text.isEmpty ? nil : text, rows: rows.count..<rows.count + 1))
      labelBytes = Array(cell.bytes)
    }
  }

  /// Extends the last run of missing rows by the row being read, or begins one.
  private mutating func noteMissing() {
    if let last = missing.last, last.upperBound == rows.count {
      missing[missing.count - 1] = last.lowerBound..<rows.count + 1
    } else {
      missing.append(rows.count..<rows.count + 1)
    }
  }

  /// Drops the first row from everything that was gathered.
  mutating func dropFirst() {
    rows.removeFirst()
    missing = missing.map(Self.earlier).filter { !$0.isEmpty }
    labels = labels.map { LabelRun(label: $0.label, rows: Self.earlier($0.rows)) }.filter { !$0.rows.isEmpty }
  }

  private static func earlier(_ range: Range<Int>) -> Range<Int> {
    max(range.lowerBound - 1, 0)..<range.upperBound - 1
  }
}

extension MotionRows {
  /// What is wrong with the row at `start`, whose reading stopped in `column`: the row's shape, if that is wrong, else
  /// the cell.
  @inline(never)
  private func fault(inRow start: UnsafePointer<UInt8>, column: Int) -> RecordingError {
    var cursor = start
    var fields = 0
    var stopped: Cell?
    while true {
      guard let cell = Cell.scan(&cursor) else { return .badQuote(file: file, line: line, column: fields + 1) }
      if fields == column { stopped = cell }
      fields += 1
      if cursor.pointee == UInt8(ascii: "\n") { break }
      cursor += 1
    }
    guard fields == lanes.count, let stopped else {
      return .raggedRow(file: file, line: line, fields: fields, expected: lanes.count)
    }
    guard let text = stopped.text else { return .notText(file: file, line: line) }
    let found = text.count > 40 ? text.prefix(39) + "…" : text[...]
    return .notANumber(
      file: file, line: line, column: column + 1, name: columns.names[column], found: String(found))
  }
}
