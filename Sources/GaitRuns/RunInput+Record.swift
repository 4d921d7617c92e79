import Gait

/// The record of an input, in journals and batches: its kind and its presence bits, a byte each; the time in
/// nanoseconds as `Int64`; and the values. A presence bit states whether a value is in the record. Numbers are
/// little-endian.
extension RunInput {
  private enum Kind: UInt8 { case motion = 1, location, altitude, pause, resume, lap, policy }

  /// The most bytes of a record.
  static let largestRecord = 2 + 8 + 7 * 8

  /// Writes the record of the input.
  @inline(__always)
  func encode(into writer: inout RecordWriter) {
    switch self {
    case .motion(let sample):
      let start = writer.end
      writer.begin(Kind.motion.rawValue, 0, sample.time)
      let bits = withUnsafeBytes(of: sample.row) { row in
        var bits: UInt8 = 0
        for sensor in 0..<4 where writer.appendSensor(of: row, sensor) { bits |= 1 << UInt8(sensor) }
        return bits
      }
      start.storeBytes(of: bits, toByteOffset: 1, as: UInt8.self)
    case .location(let sample):
      var bits: UInt8 = 0
      if sample.altitude != nil { bits |= 1 }
      if sample.speed != nil { bits |= 1 << 1 }
      if sample.horizontalAccuracy != nil { bits |= 1 << 2 }
      if sample.verticalAccuracy != nil { bits |= 1 << 3 }
      if sample.speedAccuracy != nil { bits |= 1 << 4 }
      writer.begin(Kind.location.rawValue, bits, sample.time)
      writer.append(sample.latitude.bitPattern)
      writer.append(sample.longitude.bitPattern)
      if let value = sample.altitude { writer.append(value.bitPattern) }
      if let value = sample.speed { writer.append(value.bitPattern) }
      if let value = sample.horizontalAccuracy { writer.append(value.bitPattern) }
      if let value = sample.verticalAccuracy { writer.append(value.bitPattern) }
      if let value = sample.speedAccuracy { writer.append(value.bitPattern) }
    case .altitude(let sample):
      writer.begin(Kind.altitude.rawValue, 0, sample.time)
      writer.append(sample.relativeAltitude.bitPattern)
    case .pause(let autoResume, let time): writer.begin(Kind.pause.rawValue, autoResume ? 1 : 0, time)
    case .resume(let time): writer.begin(Kind.resume.rawValue, 0, time)
    case .lap(let time): writer.begin(Kind.lap.rawValue, 0, time)
    case .policy(let policy, let time):
      var bits: UInt8 = 0
      for (index, activity) in Activity.allCases.enumerated() where policy.activities.contains(activity) {
        bits |= 1 << UInt8(index)
      }
      writer.begin(Kind.policy.rawValue, bits, time)
    }
  }

  /// Reads the next record; `nil` if it is incomplete or of an unknown kind.
  init?(from reader: inout RecordReader) {
    guard let first = reader.next(UInt8.self), let kind = Kind(rawValue: first), let bits = reader.next(UInt8.self),
      let nanoseconds = reader.next(Int64.self)
    else { return nil }
    let time = SampleTime(nanoseconds: nanoseconds)
    switch kind {
    case .motion:
      guard reader.bytes.count - reader.place >= 12 * (bits & 0b1111).nonzeroBitCount else { return nil }
      var row = MotionSample.emptyRow
      withUnsafeMutableBytes(of: &row) { row in
        for sensor in 0..<4 where bits >> sensor & 1 == 1 { reader.readSensor(into: row, sensor) }
      }
      self = .motion(MotionSample(time: time, row: row))
    case .location:
      let present = bits & 0b11111
      guard reader.bytes.count - reader.place >= 8 * (2 + present.nonzeroBitCount),
        let latitude = reader.nextDouble(), let longitude = reader.nextDouble()
      else { return nil }
      var sample = LocationSample(time: time, latitude: latitude, longitude: longitude)
      if present & 1 != 0 { sample.altitude = reader.nextDouble() }
      if present & 1 << 1 != 0 { sample.speed = reader.nextDouble() }
      if present & 1 << 2 != 0 { sample.horizontalAccuracy = reader.nextDouble() }
      if present & 1 << 3 != 0 { sample.verticalAccuracy = reader.nextDouble() }
      if present & 1 << 4 != 0 { sample.speedAccuracy = reader.nextDouble() }
      self = .location(sample)
    case .altitude:
      guard let altitude = reader.nextDouble() else { return nil }
      self = .altitude(AltitudeSample(time: time, relativeAltitude: altitude))
    case .pause: self = .pause(autoResume: bits & 1 == 1, at: time)
    case .resume: self = .resume(at: time)
    case .lap: self = .lap(at: time)
    case .policy:
      let activities = Activity.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element)
      self = .policy(PausePolicy(pausingDuring: Set(activities)), at: time)
    }
  }
}

/// A record followed by its own checksum, FNV-1a of 32 bits, as in journals.
extension RunInput {
  /// The most bytes of a record and its checksum.
  static let largestCheckedRecord = largestRecord + MemoryLayout<UInt32>.size

  func encodeChecked(into writer: inout RecordWriter) {
    let start = writer.end
    encode(into: &writer)
    writer.append(Self.hash(UnsafeRawBufferPointer(start: start, count: writer.end - start)))
  }

  /// The input of the record at `start` and the record's length; `nil` if there is no complete, undamaged record.
  static func decoded(from bytes: UnsafeRawBufferPointer, at start: Int) -> (RunInput, length: Int)? {
    var reader = RecordReader(bytes: bytes, place: start)
    guard let input = RunInput(from: &reader) else { return nil }
    let hash = hash(UnsafeRawBufferPointer(rebasing: bytes[start..<reader.place]))
    guard let stated = reader.next(UInt32.self), stated == hash else { return nil }
    return (input, reader.place - start)
  }

  /// FNV-1a of 32 bits.
  static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    bytes.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}

/// Reads little-endian numbers one after the other.
struct RecordReader {
  let bytes: UnsafeRawBufferPointer
  var place: Int

  @inline(__always)
  mutating func next<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
    let size = MemoryLayout<Number>.size
    guard bytes.count - place >= size else { return nil }
    defer { place += size }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
  }

  mutating func nextDouble() -> Double? { next(UInt64.self).map(Double.init(bitPattern:)) }

  /// Reads the three values of a sensor into its place in a row. The record must have them, as its presence bit states.
  @inline(__always)
  fileprivate mutating func readSensor(into row: UnsafeMutableRawBufferPointer, _ sensor: Int) {
    for axis in 0..<3 {
      let value = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place + 4 * axis, as: UInt32.self))
      row.storeBytes(of: value, toByteOffset: 16 * sensor + 4 * axis, as: UInt32.self)
    }
    place += 12
  }
}

/// Writes little-endian numbers one after the other, into memory with room for them.
struct RecordWriter {
  /// The position at which the next number is written.
  private(set) var end: UnsafeMutableRawPointer

  init(at start: UnsafeMutableRawPointer) { end = start }

  @inline(__always)
  mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    end.storeBytes(of: number.littleEndian, as: Number.self)
    end += MemoryLayout<Number>.size
  }

  /// Writes the three values of a sensor in a row, unless all are missing. Returns whether they were written.
  @inline(__always)
  fileprivate mutating func appendSensor(of row: UnsafeRawBufferPointer, _ sensor: Int) -> Bool {
    var difference: UInt32 = 0
    for axis in 0..<3 {
      let value = row.load(fromByteOffset: 16 * sensor + 4 * axis, as: UInt32.self)
      difference |= value ^ Float.nan.bitPattern
      end.storeBytes(of: value.littleEndian, toByteOffset: 4 * axis, as: UInt32.self)
    }
    if difference != 0 { end += 12 }
    return difference != 0
  }

  /// Begins a record: kind, bits, time.
  @inline(__always)
  fileprivate mutating func begin(_ kind: UInt8, _ bits: UInt8, _ time: SampleTime) {
    append(kind)
    append(bits)
    append(time.nanoseconds)
  }
}
