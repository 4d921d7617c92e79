import Gait

/// Reads the track points of a GPX or TCX document: latitude, longitude, time, elevation and, from extensions, speed and
/// accuracies.
///
/// Tags match by name, ignoring the namespace prefix. Time and elevation are direct children of the point, the others may
/// be at any depth; the first of several counts. A point without valid coordinates is skipped and counted. A point of TCX
/// without coordinates, which has the heart rate only, is skipped. Memory: the points and one buffer.
struct GPXReader {
  private let file: String
  private(set) var samples = LocationList()
  /// The number of points without valid coordinates.
  private(set) var invalidCount = 0
  /// The error of the first such point, for a document without any other.
  private var firstInvalid: LocationFileError?
  /// The number of open tags in the current point, including its own; 0 outside a point.
  private var depth = 0
  private var point = Point()
  /// The field whose text is being read.
  private var field: Field?
  private var text: [UInt8] = []

  private enum Field { case time, latitude, longitude, elevation, speed, accuracy, verticalAccuracy, speedAccuracy }

  /// The values of the current point.
  private struct Point {
    var line = 0
    /// Whether it is a `Trackpoint` of TCX, not a `trkpt` of GPX.
    var isTCX = false
    /// Degrees; `nil` if not a number.
    var latitude: Double??
    var longitude: Double??
    /// The tag of GPX, for errors.
    var shown = ""
    /// The text of the time.
    var stamp: [UInt8]?
    var elevation: Double??
    var speed: Double??
    var accuracy: Double??
    var verticalAccuracy: Double??
    var speedAccuracy: Double??
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

  /// Longer than any number or date.
  private static let longestValue = 128

  private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard field != nil, text.count < Self.longestValue else { return }
    text += bytes.prefix(Self.longestValue)
  }

  private mutating func read(_ tag: XMLTag, line: Int) throws(LocationFileError) {
    let isPoint = tag.isNamed("trkpt") || tag.isNamed("Trackpoint")
    guard depth > 0 || isPoint && !tag.isEnd else { return }
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

  /// Begins a point.
  private mutating func begin(_ tag: XMLTag, line: Int) throws(LocationFileError) {
    guard depth == 0 else { throw malformed("\(pointName) is not closed") }
    point = Point(line: line, isTCX: tag.isNamed("Trackpoint"))
    if !point.isTCX {
      (point.latitude, point.longitude) = (.some(tag.number("lat")), .some(tag.number("lon")))
      point.shown = tag.shown
    }
    depth = tag.isEmpty ? 0 : 1
  }

  /// Begins a tag within a point.
  private mutating func begin(_ tag: XMLTag) {
    text.removeAll(keepingCapacity: true)
    if depth == 2, tag.isNamed("time") || tag.isNamed("Time"), point.stamp == nil {
      field = .time
    } else if depth == 2, tag.isNamed("ele") || tag.isNamed("AltitudeMeters"), point.elevation == nil {
      field = .elevation
    } else {
      field = extensionField(tag)
    }
  }

  /// The field of a tag at any depth: TCX's coordinates, speed by any vendor's extension, accuracies as Gait and Apple
  /// Health write them.
  private func extensionField(_ tag: XMLTag) -> Field? {
    if point.isTCX, tag.isNamed("LatitudeDegrees") { return point.latitude == nil ? .latitude : nil }
    if point.isTCX, tag.isNamed("LongitudeDegrees") { return point.longitude == nil ? .longitude : nil }
    if tag.isNamed("speed") || tag.isNamed("Speed") { return point.speed == nil ? .speed : nil }
    if tag.isNamed("horizontalAccuracy") || tag.isNamed("hAcc") { return point.accuracy == nil ? .accuracy : nil }
    if tag.isNamed("verticalAccuracy") || tag.isNamed("vAcc") {
      return point.verticalAccuracy == nil ? .verticalAccuracy : nil
    }
    if tag.isNamed("speedAccuracy") { return point.speedAccuracy == nil ? .speedAccuracy : nil }
    return nil
  }

  /// Stores the text of the closing tag's field.
  private mutating func storeValue() {
    switch field {
    case .time: point.stamp = Array(text.trimmed)
    case .latitude: point.latitude = .some(text.trimmed.number)
    case .longitude: point.longitude = .some(text.trimmed.number)
    case .elevation: point.elevation = .some(text.trimmed.number)
    case .speed: point.speed = .some(text.trimmed.number)
    case .accuracy: point.accuracy = .some(text.trimmed.number)
    case .verticalAccuracy: point.verticalAccuracy = .some(text.trimmed.number)
    case .speedAccuracy: point.speedAccuracy = .some(text.trimmed.number)
    case nil: break
    }
    field = nil
  }

  private mutating func finish() throws(LocationFileError) {
    if point.isTCX, point.latitude == nil, point.longitude == nil { return }
    guard let latitude = point.latitude ?? nil, let longitude = point.longitude ?? nil, -90...90 ~= latitude,
      -180...180 ~= longitude
    else {
      firstInvalid = firstInvalid ?? malformed(point.isTCX ? "its coordinates are not on the globe" : point.shown)
      return invalidCount += 1
    }
    guard let time = point.stamp?.withUnsafeBufferPointer({ CalendarTime.nanoseconds($0) }) else {
      throw malformed(point.stamp.map { String(decoding: $0, as: UTF8.self) } ?? "no time")
    }
    samples.append(
      LocationSample(
        time: SampleTime(nanoseconds: time), latitude: latitude, longitude: longitude,
        altitude: point.elevation ?? nil, speed: point.speed ?? nil, horizontalAccuracy: point.accuracy ?? nil,
        verticalAccuracy: point.verticalAccuracy ?? nil, speedAccuracy: point.speedAccuracy ?? nil))
  }
}

extension Collection<UInt8> where Self: BidirectionalCollection {
  /// The bytes without leading and trailing blanks.
  fileprivate var trimmed: SubSequence {
    let isBlank = { (byte: UInt8) in byte <= UInt8(ascii: " ") }
    let start = drop(while: isBlank)
    return start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? start
  }
}

extension ArraySlice<UInt8> {
  /// The bytes as a number, if it is finite.
  fileprivate var number: Double? {
    withUnsafeBufferPointer { DecimalNumber.parse($0) }.flatMap { $0.isFinite ? $0 : nil }
  }
}
