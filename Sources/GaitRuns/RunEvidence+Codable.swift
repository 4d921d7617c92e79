import Foundation
import Gait

/// As JSON, evidence is an object with `format` = `gait.evidence`, `version` = 1 and `data`, bytes in base 64. A
/// `StoredRun` has the bytes as they are: about 53 bytes for each sample, with a GPS point every second. This is 4.8 MB
/// an hour at 25 Hz.
///
/// The bytes are, in this order:
///
/// 1. the rate in hertz, `Double`;
/// 2. a byte that states whether samples are kept, and a byte that states whether there is a span (1 or 0 each);
/// 3. if there is a span, its first and last time;
/// 4. the numbers of dropped inputs: cached GPS points, GPS points off the clock, samples, and late GPS points;
/// 5. the number of samples, and for each sample the nanoseconds from its time to its arrival;
/// 6. a ``RunInputBatch`` of all inputs;
/// 7. FNV-1a of 64 bits over all bytes before.
///
/// The rate and the checksum are little-endian. The times of 3 and the numbers of 4 and 5 are encoded as in the columns
/// of a stored run (`RunTimeline+Columns.swift`).
extension RunEvidence: Codable {
  private static let format = "gait.evidence"

  private enum CodingKeys: String, CodingKey { case format, version, data }

  /// The largest number of samples, and of dropped inputs of each kind, that is read. A run of years has fewer. The sum
  /// of such numbers fits an `Int` of 32 bits, as on a watch.
  private static let mostDropped = 1 << 29

  /// Reads evidence.
  ///
  /// - Throws: `DecodingError` for another format, a version other than 1, and damaged data.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let format = try values.decode(String.self, forKey: .format)
    try values.check(format == Self.format, at: .format, "is not \(Self.format)")
    try values.checkVersion(.version)
    let data = try values.decode(Data.self, forKey: .data)
    guard let evidence = data.withUnsafeBytes({ RunEvidence(bytes: $0) }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .data, in: values, debugDescription: "is damaged, or of a newer version")
    }
    self = evidence
  }

  /// Writes the evidence.
  public func encode(to encoder: any Encoder) throws {
    try JSONObject(["format": Self.format, "version": FormVersion.current, "data": Data(bytes)]).encode(to: encoder)
  }

  /// The evidence as bytes, as described above.
  var bytes: [UInt8] {
    var inputs: [RunInput] = []
    var delays: [UInt8] = []
    forEach { input, arrival in
      inputs.append(input)
      if case .motion = input { delays.append(integer: arrival.nanoseconds &- input.time.nanoseconds) }
    }
    var bytes: [UInt8] = []
    bytes.append(little: sampleRate.hertz.bitPattern)
    bytes.append(isKept ? 1 : 0)
    bytes.append(span == nil ? 0 : 1)
    if let span { bytes.append(times: [span.lowerBound, span.upperBound]) }
    for count in [
      dropped.cachedLocations, dropped.offClockLocations, dropped.samples, dropped.lateLocations, self.count,
    ] {
      bytes.append(integer: Int64(count))
    }
    bytes += delays
    bytes += RunInputBatch(inputs).bytes
    bytes.append(little: bytes.withUnsafeBytes { Checksum.number($0) })
    return bytes
  }

  /// The evidence of these bytes; `nil` if they are damaged, or if no tracker could have produced them.
  init?(bytes all: UnsafeRawBufferPointer) {
    guard all.count >= MemoryLayout<UInt64>.size else { return nil }
    let bytes = UnsafeRawBufferPointer(rebasing: all.dropLast(MemoryLayout<UInt64>.size))
    var checksum = RecordReader(bytes: all, place: bytes.count)
    guard checksum.next(UInt64.self) == Checksum.number(bytes) else { return nil }
    var reader = RecordReader(bytes: bytes, place: 0)
    guard let rate = reader.nextDouble().flatMap(SampleRate.init(exactly:)), let isKept = reader.next(UInt8.self),
      let hasSpan = reader.next(UInt8.self), max(isKept, hasSpan) <= 1,
      let span = reader.nextTimes(hasSpan == 0 ? 0 : 2),
      span.isEmpty || span[0] <= span[1],
      let counts = reader.nextIntegers(5)?.compactMap({ Int(exactly: $0) }),
      counts.allSatisfy({ 0...Self.mostDropped ~= $0 }),
      counts[4] <= bytes.count - reader.place, let delays = reader.nextIntegers(counts[4]),
      let batch = try? RunInputBatch.Content(in: bytes, at: reader.place), batch.end == bytes.count
    else { return nil }
    self.init(sampleRate: rate, isKept: isKept != 0)
    self.span = span.isEmpty ? nil : span[0]...span[1]
    dropped = DroppedInputs(
      cachedLocations: counts[0], offClockLocations: counts[1], samples: counts[2], lateLocations: counts[3])
    var (next, latest) = (0, (sample: SampleTime.range.lowerBound, arrival: SampleTime.range.lowerBound))
    for input in batch.inputs {
      var arrival = input.time
      if case .motion = input {
        guard next < delays.count, input.time >= latest.sample, delays[next] >= 0 else { return nil }
        arrival.nanoseconds &+= delays[next]
        guard arrival.isValid, arrival >= latest.arrival else { return nil }
        latest = (input.time, arrival)
        next += 1
      }
      guard input.time.isValid else { return nil }
      append(input, arrival: arrival)
    }
    guard next == delays.count, count == (self.isKept ? next : 0) else { return nil }
  }
}
