import Gait

/// Reads GyroData's JSON from a file, of which no more than a buffer is kept.
///
/// Members of other names are passed over; of two with one name the first counts. That the text is no JSON is said before
/// anything else that is wrong with it, wherever it is.
struct GyroDataReader {
  /// One sensor's object.
  struct Content {
    var sensor: Int
    /// Seconds since 2001.
    var date: Double?
    /// The readings; an axis without a value, or with one too large, is NaN.
    var values: [SIMD3<Float>]
  }

  private let file: String
  /// How many bytes the text is expected to have.
  private let expectedByteCount: Int

  /// What `source`, which errors call `file`, holds: one object, or an array of them.
  static func contents(
    of source: any ByteSource, file: String, bufferBytes: Int = JSONText.defaultBufferBytes
  ) throws(RecordingError) -> [Content] {
    let reader = GyroDataReader(file: file, expectedByteCount: source.expectedByteCount)
    var text = try JSONText(source, file: file, bufferBytes: bufferBytes)
    var contents: [Content] = []
    var wrong: RecordingError?
    func keep(_ found: Found<Content>) {
      switch found {
      case .nothing: break
      case .value(let content): contents.append(content)
      case .wrong(let error): wrong = wrong ?? error
      }
    }
    if try text.peekAfterBlanks() == UInt8(ascii: "[") {
      try text.readArray { text, index throws(RecordingError) in
        // Behind an object that is wrong only the JSON counts.
        guard wrong == nil else { return try text.skipValue() }
        keep(try reader.readContent(&text, index: index))
      }
    } else {
      keep(try reader.readContent(&text, index: nil))
    }
    guard try text.peekAfterBlanks() == 0, text.hasEnded else { throw text.fault() }
    if let wrong { throw wrong }
    return contents
  }

  /// How many objects a recording has: an accelerometer and a gyroscope.
  private static let mostContents = 2

  /// About as many bytes as a reading has whose numbers have all their digits.
  private static let typicalReadingBytes = 72

  /// What became of a member that is wanted.
  private enum Found<Value> {
    case nothing
    case value(Value)
    case wrong(RecordingError)

    var isNothing: Bool { if case .nothing = self { true } else { false } }

    /// The value, if there is one.
    func get() throws(RecordingError) -> Value? {
      switch self {
      case .nothing: nil
      case .value(let value): value
      case .wrong(let error): throw error
      }
    }
  }

  /// Where a value stands in the text; put into words only where it is wrong.
  private struct Path {
    /// The object's place in the array, if there is one.
    let index: Int?
    /// The object's member; empty for the object itself.
    var member = ""

    var text: String {
      let object = index.map { "Index \($0)" } ?? ""
      return member.isEmpty ? object : object.isEmpty ? member : "\(object).\(member)"
    }
  }

  /// The error of a value at `place` that cannot be what `path` should be.
  private func misfit(_ path: String, _ place: JSONText.Place) -> RecordingError {
    .notGyroData(file: file, reason: "\(path.isEmpty ? "it" : path) is not what it should be (\(place))")
  }

  private func misfit(_ path: Path, _ place: JSONText.Place) -> RecordingError { misfit(path.text, place) }

  private func missing(_ name: String) -> RecordingError {
    .notGyroData(file: file, reason: "\(name) is missing")
  }
}

// MARK: Members

extension GyroDataReader {
  private static let (sensor, date) = (JSONName("sensor"), JSONName("date"))
  private static let (axisValues, axisValue) = (JSONName("axisValues"), JSONName("axisValue"))

  private func readContent(_ text: inout JSONText, index: Int?) throws(RecordingError) -> Found<Content> {
    let place = text.place
    guard try text.peek() == UInt8(ascii: "{") else {
      try text.skipValue()
      return .wrong(misfit(Path(index: index), place))
    }
    var (sensor, date) = (Found<Int>.nothing, Found<Double?>.nothing)
    var (values, oldValues) = (Found<[SIMD3<Float>]>.nothing, Found<[SIMD3<Float>]>.nothing)
    try text.readObject { text, name throws(RecordingError) in
      let path = { Path(index: index, member: $0) }
      switch name {
      case Self.sensor where sensor.isNothing: sensor = try readSensor(&text, path("sensor"))
      case Self.date where date.isNothing: date = try readDate(&text, path("date"))
      case Self.axisValues where values.isNothing: values = try readValues(&text, path("axisValues"))
      case Self.axisValue where oldValues.isNothing: oldValues = try readValues(&text, path("axisValue"))
      default: try text.skipValue()
      }
    }
    do throws(RecordingError) {
      guard let number = try sensor.get() else { throw missing("sensor") }
      let seconds = try date.get() ?? nil
      guard let values = try oldValues.isNothing ? values.get() : oldValues.get() else { throw missing("axisValues") }
      return .value(Content(sensor: number, date: seconds, values: values))
    } catch {
      return .wrong(error)
    }
  }

  private func readSensor(_ text: inout JSONText, _ path: Path) throws(RecordingError) -> Found<Int> {
    let place = text.place
    let number = try readNumber(&text)
    return number.flatMap { Int(exactly: $0) }.map { .value($0) } ?? .wrong(misfit(path, place))
  }

  private func readDate(_ text: inout JSONText, _ path: Path) throws(RecordingError) -> Found<Double?> {
    let place = text.place
    if try text.peek() == UInt8(ascii: "n") {
      try text.skip("null")
      return .value(nil)
    }
    guard let date = try readNumber(&text), Self.dates ~= date else {
      return .wrong(misfit(path, place))
    }
    return .value(date)
  }

  /// The seconds from 2001 that a time may be.
  private static let dates = -Double(SampleTime.farthest) / 1e9...Double(SampleTime.farthest) / 1e9

  /// The number at the cursor; `nil` where there is something else.
  private func readNumber(_ text: inout JSONText) throws(RecordingError) -> Double? {
    guard JSONText.beginsNumber(try text.peek()) else {
      try text.skipValue()
      return nil
    }
    return try text.readNumber()
  }
}

// MARK: Readings

extension GyroDataReader {
  private func readValues(
    _ text: inout JSONText, _ path: Path
  ) throws(RecordingError) -> Found<[SIMD3<Float>]> {
    let place = text.place
    guard try text.peek() == UInt8(ascii: "[") else {
      try text.skipValue()
      return .wrong(misfit(path, place))
    }
    var values: [SIMD3<Float>] = []
    values.reserveLongCapacity(expectedCount(in: text, path))
    var wrong: RecordingError?
    try text.readArray { text, index throws(RecordingError) in
      guard try text.peek() == UInt8(ascii: "{") else {
        return try skipMisfit(&text, "\(path.text).Index \(index)", &wrong)
      }
      values.append(try readAxes(&text, path, index, &wrong))
    }
    return wrong.map { .wrong($0) } ?? .value(values)
  }

  /// About how many readings follow in the object: all of the text's where a recording has it, else few.
  private func expectedCount(in text: borrowing JSONText, _ path: Path) -> Int {
    guard path.index ?? 0 < Self.mostContents else { return 0 }
    return max(0, expectedByteCount - text.offset) / Self.typicalReadingBytes
  }

  @inline(__always)
  private func readAxes(
    _ text: inout JSONText, _ path: Path, _ index: Int, _ wrong: inout RecordingError?
  ) throws(RecordingError) -> SIMD3<Float> {
    var axes = SIMD3<Float>(repeating: .nan)
    var isRead = SIMD4<UInt8>.zero
    try text.readObject { text, name throws(RecordingError) in
      let axis = Int(name.letter) - Int(UInt8(ascii: "x"))
      guard 0..<3 ~= axis, isRead[axis] == 0 else { return try text.skipValue() }
      isRead[axis] = 1
      let first = try text.peek()
      if JSONText.beginsNumber(first) {
        let value = Float(try text.readNumber())
        axes[axis] = value.isFinite ? value : .nan
      } else if first == UInt8(ascii: "n") {
        try text.skip("null")
      } else {
        try skipMisfit(&text, "\(path.text).Index \(index).\(["x", "y", "z"][axis])", &wrong)
      }
    }
    return axes
  }

  /// Passes over a value that cannot be what `path` should be, and says so if it is the first.
  @inline(never)
  private func skipMisfit(
    _ text: inout JSONText, _ path: @autoclosure () -> String, _ wrong: inout RecordingError?
  ) throws(RecordingError) {
    if wrong == nil { wrong = misfit(path(), text.place) }
    try text.skipValue()
  }
}
