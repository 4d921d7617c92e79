import Gait

extension RunInput {
  private enum Kind: UInt8 { case motion = 1, location, altitude, pause, resume, lap, policy }

  /// Appends the record of the input.
  func encode(into bytes: inout [UInt8]) {
    let start = bytes.count
    switch self {
    case .motion(let sample):
      let sensors = [sample.attitude, sample.gravity, sample.rotationRate, sample.userAcceleration]
      let isPresent = sensors.map { sensor in
        (0..<3).contains { sensor[$0].bitPattern != Float.nan.bitPattern }
      }
      bytes.begin(Kind.motion.rawValue, isPresent, sample.time)
      for (sensor, isPresent) in zip(sensors, isPresent) where isPresent {
        for axis in 0..<3 { bytes.append(little: sensor[axis].bitPattern) }
      }
    case .location(let sample):
      let values = [
        sample.altitude, sample.speed, sample.horizontalAccuracy, sample.verticalAccuracy, sample.speedAccuracy,
      ]
      bytes.begin(Kind.location.rawValue, values.map { $0 != nil }, sample.time)
      for value in [sample.latitude, sample.longitude] + values.compactMap(\.self) {
        bytes.append(little: value.bitPattern)
      }
    case .altitude(let sample):
      bytes.begin(Kind.altitude.rawValue, [], sample.time)
      bytes.append(little: sample.relativeAltitude.bitPattern)
    case .pause(let autoResume, let time): bytes.begin(Kind.pause.rawValue, [autoResume], time)
    case .resume(let time): bytes.begin(Kind.resume.rawValue, [], time)
    case .lap(let time): bytes.begin(Kind.lap.rawValue, [], time)
    case .policy(let policy, let time):
      bytes.begin(Kind.policy.rawValue, Activity.allCases.map(policy.activities.contains), time)
    }
    bytes.append(little: bytes[start...].withUnsafeBytes(Self.hash))
  }

  /// The input of the record at `start` and the record's length; `nil` if no whole, undamaged record is there.
  static func decoded(from bytes: UnsafeRawBufferPointer, at start: Int) -> (RunInput, length: Int)? {
    var reader = RecordReader(bytes: bytes, place: start)
    guard let first = reader.next(UInt8.self), let kind = Kind(rawValue: first), let bits = reader.next(UInt8.self),
      let nanoseconds = reader.next(Int64.self)
    else { return nil }
    let time = SampleTime(nanoseconds: nanoseconds)
    let input: RunInput
    switch kind {
    case .motion:
      var row = SIMD16<Float>(repeating: .nan)
      for sensor in 0..<4 {
        row[4 * sensor + 3] = 0
        for axis in 0..<3 where bits >> sensor & 1 == 1 {
          guard let pattern = reader.next(UInt32.self) else { return nil }
          row[4 * sensor + axis] = Float(bitPattern: pattern)
        }
      }
      input = .motion(MotionSample(time: time, row: row))
    case .location:
      guard let latitude = reader.nextDouble(), let longitude = reader.nextDouble() else { return nil }
      var values = [Double?](repeating: nil, count: 5)
      for index in values.indices where bits >> index & 1 == 1 {
        guard let value = reader.nextDouble() else { return nil }
        values[index] = value
      }
      input = .location(
        LocationSample(
          time: time, latitude: latitude, longitude: longitude, altitude: values[0], speed: values[1],
          horizontalAccuracy: values[2], verticalAccuracy: values[3], speedAccuracy: values[4]))
    case .altitude:
      guard let altitude = reader.nextDouble() else { return nil }
      input = .altitude(AltitudeSample(time: time, relativeAltitude: altitude))
    case .pause: input = .pause(autoResume: bits & 1 == 1, at: time)
    case .resume: input = .resume(at: time)
    case .lap: input = .lap(at: time)
    case .policy:
      let activities = Activity.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element)
      input = .policy(PausePolicy(pausingDuring: Set(activities)), at: time)
    }
    let hash = hash(UnsafeRawBufferPointer(rebasing: bytes[start..<reader.place]))
    guard let stated = reader.next(UInt32.self), stated == hash else { return nil }
    return (input, reader.place - start)
  }

  /// FNV-1a of 32 bits.
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    bytes.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}

/// Reads little-endian numbers one after the other.
struct RecordReader {
  let bytes: UnsafeRawBufferPointer
  var place: Int

  mutating func next<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
    let size = MemoryLayout<Number>.size
    guard bytes.count - place >= size else { return nil }
    defer { place += size }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
  }

  mutating func nextDouble() -> Double? { next(UInt64.self).map(Double.init(bitPattern:)) }
}

extension [UInt8] {
  mutating func append(little number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  /// Begins a record: kind, bits, time.
  fileprivate mutating func begin(_ kind: UInt8, _ bits: [Bool], _ time: SampleTime) {
    append(kind)
    append(bits.enumerated().reduce(0) { $1.element ? $0 | 1 << UInt8($1.offset) : $0 })
    append(little: time.nanoseconds)
  }
}
