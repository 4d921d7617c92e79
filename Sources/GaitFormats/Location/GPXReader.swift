import Gait

/// Reads the track points of a GPX or TCX document: latitude, longitude, time, elevation and, from extensions, speed
/// and accuracies.
///
/// Tags match by name, ignoring the namespace prefix. Time and elevation must be direct children of the point; the
/// others may be at any depth. If a value occurs several times, the first one counts. A point without valid coordinates
/// is skipped and counted. A TCX point that has no coordinates at all, such as one with a heart rate only, is skipped
/// without being counted. Memory: the points and one buffer.
struct GPXReader {
  private let file: String
  private(set) var samples = LocationList()
  /// The number of points without valid coordinates.
  private(set) var invalidCount = 0
  /// Whether the next point is the first of a segment.
  private var beginsSegment = false
  /// Whether the next track of TCX is the first of its lap. This track continues the segment of the lap before.
  private var beginsLap = false
  /// The times of the current lap's points, and the lap's `TotalTimeSeconds`, which does not include the device's
  /// pauses; `nil` if not stated.
  private var lapTimes: [SampleTime] = []
  private var lapSeconds: Double?
  private var readsLapSeconds = false
  /// The error of the first point without valid coordinates; it is thrown if no point has valid ones.
  private var firstInvalid: LocationFileError?
  /// The number of open tags in the current point, including its own; 0 outside a point.
  private var depth = 0
  private var point = Point()
  /// The field whose text is being read.
  private var field: LocationField?
  private var text: [UInt8] = []

  /// The tags of the fields: GPX's and TCX's own, speed by any vendor's extension, accuracies as Gait and Apple Health
  /// write them.
  private static let tags: [(field: LocationField, names: [StaticString])] = [
    (.time, ["time", "Time"]), (.altitude, ["ele", "AltitudeMeters"]), (.latitude, ["LatitudeDegrees"]),
    (.longitude, ["LongitudeDegrees"]), (.speed, ["speed", "Speed"]), (.accuracy, ["horizontalAccuracy", "hAcc"]),
    (.verticalAccuracy, ["verticalAccuracy", "vAcc"]), (.speedAccuracy, ["speedAccuracy"]),
  ]

  /// The values of the current point.
  private struct Point {
    var line = 0
    /// Whether it is a `Trackpoint` of TCX, not a `trkpt` of GPX.
    var isTCX = false
    /// The tag of GPX, for errors.
    var shown = ""
    /// The text of the time.
    var stamp: [UInt8]?
    /// The numbers of the other fields that occurred; `nil` for other text.
    var numbers: [LocationField: Double?] = [:]

    func has(_ field: LocationField) -> Bool { field == .time ? stamp != nil : numbers[field] != nil }
    subscript(field: LocationField) -> Double? { numbers[field] ?? nil }
  }

  /// Reads the points in `source`, in the file's order; errors name it `file`.
  init(
    _ source: any ByteSource, file: String, bufferBytes: Int = XMLText.defaultBufferBytes
  ) throws(LocationFileError) {
    self.file = file
    var xml = XMLText(source, file: file, bufferBytes: bufferBytes)
    while let piece = try xml.next() {
      switch piece {
      case .text(let bytes): append(bytes)
      case .tag(let tag): try read(XMLTag(tag), line: xml.line)
      }
    }
    guard depth == 0 else { throw malformed("\(pointName) is not closed") }
    if samples.samples.isEmpty, let firstInvalid { throw firstInvalid }
  }

  private func malformed(_ found: String) -> LocationFileError { .malformed(found, file: file, line: point.line) }

  private var pointName: String { point.isTCX ? "Trackpoint" : "trkpt" }

  /// The number of bytes after which the text of a value is cut off: more than any number or date has.
  private static let longestValue = 128

  private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard field != nil || readsLapSeconds, text.count < Self.longestValue else { return }
    text += bytes.prefix(Self.longestValue)
  }

  private mutating func read(_ tag: XMLTag, line: Int) throws(LocationFileError) {
    let isPoint = tag.isNamed("trkpt") || tag.isNamed("Trackpoint")
    guard depth > 0 || isPoint && !tag.isEnd else { return noteSegment(tag) }
    if tag.isEnd {
      storeValue()
      // A stray end tag does not end the point.
      depth = isPoint ? 0 : max(1, depth - 1)
    } else if isPoint {
      try begin(tag, line: line)
    } else if !tag.isEmpty {
      depth += 1
      begin(tag)
    }
    if depth == 0 { try finish() }
  }

  /// Notes where segments and laps begin and end, and the time that a lap states.
  private mutating func noteSegment(_ tag: XMLTag) {
    if tag.isNamed("TotalTimeSeconds") { noteLapSeconds(tag) }
    if tag.isNamed("Lap") {
      if tag.isEnd { splitLap() }
      (lapTimes, lapSeconds) = ([], nil)
    }
    guard !tag.isEnd else { return }
    if tag.isNamed("Lap") { beginsLap = true }
    guard tag.isNamed("trkseg") || tag.isNamed("Track") else { return }
    if !beginsLap { beginsSegment = true }
    beginsLap = false
  }

  private mutating func noteLapSeconds(_ tag: XMLTag) {
    if readsLapSeconds { lapSeconds = text.trimmed.withUnsafeBufferPointer { DecimalNumber.parse($0) } }
    readsLapSeconds = !tag.isEnd && !tag.isEmpty
    text.removeAll(keepingCapacity: true)
  }

  /// The shortest pause of a device that is detected, seconds; and the seconds by which a step between points may be
  /// longer than the time still to be explained by pauses.
  private static let devicePause = (shortest: 3.0, longerSteps: 2.0)

  /// Splits the lap where the device paused, if the lap's points span more time than its `TotalTimeSeconds`. The
  /// difference is the sum of all pauses, each of which is a step between two points. From the longest step on, those
  /// that fit into the difference are taken as pauses.
  private mutating func splitLap() {
    guard let lapSeconds, lapSeconds > 0, let first = lapTimes.first, let last = lapTimes.last else { return }
    var paused = last.seconds(since: first) - lapSeconds
    let steps = zip(lapTimes, lapTimes.dropFirst()).map { (end: $1, seconds: $1.seconds(since: $0)) }
    for step in steps where samples.segmentStarts.contains(step.end) { paused -= step.seconds }
    for step in steps.sorted(by: { ($0.seconds, $1.end) > ($1.seconds, $0.end) }) {
      guard min(paused, step.seconds) >= Self.devicePause.shortest else { return }
      guard step.seconds <= paused + Self.devicePause.longerSteps, !samples.segmentStarts.contains(step.end) else {
        continue
      }
      samples.segmentStarts.insert(step.end)
      paused -= step.seconds
    }
  }

  /// Begins a point.
  private mutating func begin(_ tag: XMLTag, line: Int) throws(LocationFileError) {
    guard depth == 0 else { throw malformed("\(pointName) is not closed") }
    point = Point(line: line, isTCX: tag.isNamed("Trackpoint"))
    if !point.isTCX {
      point.numbers = [.latitude: tag.number("lat"), .longitude: tag.number("lon")]
      point.shown = tag.shown
    }
    depth = tag.isEmpty ? 0 : 1
  }

  /// Begins a tag within a point.
  private mutating func begin(_ tag: XMLTag) {
    text.removeAll(keepingCapacity: true)
    field = Self.tags.first { $0.names.contains(where: tag.isNamed) }?.field
    let isUsed =
      switch field {
      case .time?, .altitude?: depth == 2
      case .latitude?, .longitude?: point.isTCX
      default: true
      }
    if !isUsed || field.map(point.has) ?? false { field = nil }
  }

  /// Stores the text of the closing tag's field.
  private mutating func storeValue() {
    guard let field else { return }
    let text = text.trimmed
    if field == .time {
      point.stamp = Array(text)
    } else {
      let number = text.withUnsafeBufferPointer { DecimalNumber.parse($0) }
      point.numbers.updateValue(number.flatMap { $0.isFinite ? $0 : nil }, forKey: field)
    }
    self.field = nil
  }

  private mutating func finish() throws(LocationFileError) {
    if point.isTCX, !point.has(.latitude), !point.has(.longitude) { return }
    guard var sample = LocationSample(of: { point[$0] }) else {
      firstInvalid = firstInvalid ?? malformed(point.isTCX ? "its coordinates are not on the globe" : point.shown)
      return invalidCount += 1
    }
    guard let time = point.stamp?.withUnsafeBufferPointer({ CalendarTime.nanoseconds($0) }) else {
      throw malformed(point.stamp.map { String(decoding: $0, as: UTF8.self) } ?? "no time")
    }
    sample.time = SampleTime(nanoseconds: time)
    if beginsSegment { samples.segmentStarts.insert(sample.time) }
    beginsSegment = false
    if point.isTCX { lapTimes.append(sample.time) }
    samples.append(sample)
  }
}
