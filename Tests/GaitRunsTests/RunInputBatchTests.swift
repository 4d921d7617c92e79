import Foundation
import Gait
import GaitRuns
import GaitTestSupport
import Testing

/// Inputs as bytes: nothing is rounded, and no damage is read.
@Suite struct RunInputBatchTests {
  /// The values of an input to the last bit. A missing value is equal to a missing value.
  private static func bits(_ input: RunInput) -> [UInt64?] {
    let time = UInt64(bitPattern: input.time.nanoseconds)
    switch input {
    case .motion(let sample):
      return [1, time] + Channel.allCases.map { UInt64(sample[$0].bitPattern) }
    case .location(let point):
      let values = [
        point.latitude, point.longitude, point.altitude, point.speed, point.horizontalAccuracy, point.verticalAccuracy,
        point.speedAccuracy,
      ]
      return [2, time] + values.map { $0?.bitPattern }
    case .altitude(let sample): return [3, time, sample.relativeAltitude.bitPattern]
    case .pause(let autoResume, _): return [4, time, autoResume ? 1 : 0]
    case .resume: return [5, time]
    case .lap: return [6, time]
    case .policy(let policy, _): return [7, time] + Activity.allCases.map { policy.activities.contains($0) ? 1 : 0 }
    }
  }

  /// An input of any kind, with any bits.
  private static func anyInput(using random: inout SplitMix64) -> RunInput {
    let time = SampleTime(nanoseconds: Int64(bitPattern: random.next()))
    func double() -> Double { Double(bitPattern: random.next()) }
    func optional() -> Double? { Bool.random(using: &random) ? double() : nil }
    func sensor() -> SIMD3<Float> {
      if Bool.random(using: &random) { return SIMD3(repeating: .nan) }
      return SIMD3((0..<3).map { _ in Float(bitPattern: UInt32(truncatingIfNeeded: random.next())) })
    }
    switch Int.random(in: 0..<7, using: &random) {
    case 0:
      return .motion(
        MotionSample(
          time: time, attitude: sensor(), gravity: sensor(), rotationRate: sensor(), userAcceleration: sensor()))
    case 1:
      return .location(
        LocationSample(
          time: time, latitude: double(), longitude: double(), altitude: optional(), speed: optional(),
          horizontalAccuracy: optional(), verticalAccuracy: optional(), speedAccuracy: optional()))
    case 2: return .altitude(AltitudeSample(time: time, relativeAltitude: double()))
    case 3: return .pause(autoResume: Bool.random(using: &random), at: time)
    case 4: return .resume(at: time)
    case 5: return .lap(at: time)
    default:
      let activities = Activity.allCases.filter { _ in Bool.random(using: &random) }
      return .policy(PausePolicy(pausingDuring: Set(activities)), at: time)
    }
  }

  private static func batch(_ count: Int, seed: UInt64, number: Int? = nil) -> RunInputBatch {
    var random = SplitMix64(seed: seed)
    return RunInputBatch((0..<count).map { _ in anyInput(using: &random) }, number: number)
  }

  @Test func `Random inputs of every kind survive the bytes to the last bit`() throws {
    var kinds: Set<UInt64?> = []
    for seed in 0..<UInt64(Optimization.isOn ? 5000 : 200) {
      let sent = Self.batch(Int(seed % 40), seed: seed, number: seed % 3 == 0 ? nil : Int(seed))
      let received = try RunInputBatch(bytes: sent.bytes)
      #expect(received.inputs.map(Self.bits) == sent.inputs.map(Self.bits), "seed \(seed)")
      #expect(received.number == sent.number, "seed \(seed)")
      #expect(received.bytes == sent.bytes, "seed \(seed)")
      kinds.formUnion(sent.inputs.map { Self.bits($0)[0] })
    }
    #expect(kinds.count == 7)
  }

  @Test func `Every truncation, every longer text and every changed byte is an error`() {
    let bytes = Self.batch(9, seed: 4, number: 3).bytes
    for length in bytes.indices {
      #expect(throws: RunInputBatchError.self, "\(length) bytes") { try RunInputBatch(bytes: Array(bytes[..<length])) }
    }
    #expect(throws: RunInputBatchError.self) { try RunInputBatch(bytes: bytes + [0]) }
    #expect(throws: RunInputBatchError.self) { try RunInputBatch(bytes: bytes + bytes) }
    for place in bytes.indices {
      for change in Optimization.isOn ? Array(1...255) : [1, 2, 0x40, 0x80, 0xff] as [UInt8] {
        var damaged = bytes
        damaged[place] ^= change
        #expect(throws: RunInputBatchError.self, "byte \(place) ^ \(change)") { try RunInputBatch(bytes: damaged) }
      }
    }
  }

  @Test func `A second of twelve channels at 50 Hz and a GPS point has at most 62 bytes a sample`() {
    let motion: [RunInput] = (0..<50).map { index in
      .motion(
        MotionSample(
          time: .seconds(Double(index) / 50), attitude: [1, 2, 3], gravity: [0, 0, -1], rotationRate: [1, 1, 1],
          userAcceleration: [0, 1, 0]))
    }
    let point = RunInput.location(
      LocationSample(
        time: .seconds(0.5), latitude: 1, longitude: 2, altitude: 3, speed: 4, horizontalAccuracy: 5,
        verticalAccuracy: 6, speedAccuracy: 7))
    #expect(RunInputBatch(motion + [point]).bytes.count <= 62 * 50)
    let points = RunInputBatch(Array(repeating: point, count: 7))
    #expect(points.bytes.count == RunInputBatch.largestByteCount(ofInputs: 7))
  }

  @Test func `Too many inputs, another version and other bytes are refused in a sentence with the cure`() {
    let batch = Self.batch(20, seed: 1)
    func sentence(_ bytes: [UInt8], largestCount: Int = 20) -> String? {
      do {
        _ = try RunInputBatch(bytes: bytes, largestCount: largestCount)
        return nil
      } catch { return error.localizedDescription }
    }
    #expect(sentence(batch.bytes) == nil)
    #expect(
      sentence(batch.bytes, largestCount: 19)
        == "the batch has 20 inputs, more than the 19 that are accepted; send several batches.")
    var newer = batch.bytes
    newer[11] = UInt8(ascii: "2")
    #expect(sentence(newer) == "the batch of inputs is of another version than 1; update the receiver.")
    #expect(
      sentence(Array("time,x\n".utf8)) == "the bytes do not begin as a batch of inputs; send those of RunInputBatch.")
    #expect(
      sentence(batch.bytes.dropLast())
        == "the batch has \(batch.bytes.count - 1) bytes instead of \(batch.bytes.count); send it again, whole and alone."
    )
    var changed = batch.bytes
    changed[60] ^= 1
    #expect(sentence(changed) == "a byte of the batch has changed on the way; send it again.")
  }
}

/// Numbered batches in a journal: each counts once, also after a kill.
@Suite struct JournalBatchTests {
  /// The batches of a run, of three seconds each.
  private static let batches: [RunInputBatch] = {
    let inputs = SimulatedInputs.of(seed: 5, seconds: 24)
    let size = inputs.count / 8 + 1
    return (0..<8).map { RunInputBatch(inputs[($0 * size)..<min(inputs.count, ($0 + 1) * size)], number: $0) }
  }()

  private static func opened(_ url: URL, restoring inputs: inout [RunInput]) throws -> RunJournal {
    var restored: [RunInput] = []
    let journal = try RunJournal(at: url, for: SimulatedInputs.tracker()) { restored.append($0) }
    inputs = restored
    return journal
  }

  private static func text(_ inputs: some Sequence<RunInput>) -> [String] { inputs.map { "\($0)" } }

  @Test func `A batch that is sent again or too early is not written`() throws {
    let folder = try TemporaryDirectory()
    let url = folder.file("run.journal")
    var inputs: [RunInput] = []
    do {
      var journal = try Self.opened(url, restoring: &inputs)
      #expect(journal.nextBatchNumber == 0)
      for (number, isNext) in [(1, false), (0, true), (0, false), (2, false), (1, true), (1, false), (2, true)] {
        #expect(try journal.append(Self.batches[number]) == isNext)
      }
      #expect(journal.nextBatchNumber == 3)
      // Inputs of the server itself have no number.
      #expect(try journal.append(RunInputBatch([.lap(at: .seconds(1))])))
      try journal.append(.lap(at: .seconds(2)))
      #expect(journal.nextBatchNumber == 3)
    }
    let journal = try Self.opened(url, restoring: &inputs)
    #expect(journal.nextBatchNumber == 3)
    #expect(journal.droppedByteCount == 0)
    #expect(journal.count == inputs.count)
    let expected = Self.batches[..<3].flatMap(\.inputs) + [.lap(at: .seconds(1)), .lap(at: .seconds(2))]
    #expect(Self.text(inputs) == Self.text(expected))
  }

  @Test func `After a kill anywhere in a batch, the sender repeats it and every input counts once`() throws {
    let folder = try TemporaryDirectory()
    let (whole, cut) = (folder.file("whole.journal"), folder.file("cut.journal"))
    var inputs: [RunInput] = []
    do {
      var journal = try Self.opened(whole, restoring: &inputs)
      for batch in Self.batches { _ = try journal.append(batch) }
    }
    let bytes = try Data(contentsOf: whole)
    let all = Self.text(Self.batches.flatMap(\.inputs))
    let start = try #require(bytes.firstIndex(of: UInt8(ascii: "\n"))) + 1
    var random = SplitMix64(seed: 8)
    for _ in 0..<(Optimization.isOn ? 300 : 12) {
      let length = Int.random(in: start...bytes.count, using: &random)
      try bytes[..<length].write(to: cut)
      var written = start
      let complete = Self.batches.prefix { batch in
        written += batch.bytes.count
        return written <= length
      }.count
      do {
        var journal = try Self.opened(cut, restoring: &inputs)
        #expect(journal.nextBatchNumber == complete, "cut at \(length)")
        for batch in Self.batches[max(0, complete - 1)...] { _ = try journal.append(batch) }
      }
      let journal = try Self.opened(cut, restoring: &inputs)
      #expect(journal.nextBatchNumber == Self.batches.count, "cut at \(length)")
      #expect(Self.text(inputs) == all, "cut at \(length)")
    }
  }

  @Test func `A changed byte takes at most one batch, and is counted`() throws {
    let folder = try TemporaryDirectory()
    let (whole, damaged) = (folder.file("whole.journal"), folder.file("damaged.journal"))
    var inputs: [RunInput] = []
    do {
      var journal = try Self.opened(whole, restoring: &inputs)
      for batch in Self.batches { _ = try journal.append(batch) }
    }
    var bytes = [UInt8](try Data(contentsOf: whole))
    let start = bytes.firstIndex(of: UInt8(ascii: "\n"))! + 1
    let counts = Self.batches.map(\.inputs.count)
    var random = SplitMix64(seed: 9)
    for _ in 0..<(Optimization.isOn ? 200 : 6) {
      let place = Int.random(in: start..<bytes.count, using: &random)
      bytes[place] ^= 16
      try Data(bytes).write(to: damaged)
      let journal = try Self.opened(damaged, restoring: &inputs)
      #expect(counts.contains(counts.reduce(0, +) - inputs.count), "byte \(place)")
      #expect(journal.droppedByteCount > 0, "byte \(place)")
      bytes[place] ^= 16
    }
  }

  @Test func `A journal of nothing but beginnings of batches takes no longer than its length allows`() throws {
    let folder = try TemporaryDirectory()
    let url = folder.file("run.journal")
    var inputs: [RunInput] = []
    do {
      var journal = try Self.opened(url, restoring: &inputs)
      _ = try journal.append(Self.batches[0])
    }
    // Each states that it is as long as the rest, so the time to compare all with their checksums grows with the
    // square.
    let (count, size) = (Optimization.isOn ? 40_000 : 2000, 29)
    var bytes = [UInt8](try Data(contentsOf: url))
    for index in 0..<count {
      let length = UInt32(max(0, (count - index) * size - size - 8))
      bytes += Self.batches[0].bytes[..<25]
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    }
    try Data(bytes).write(to: url)
    let journal = try Self.opened(url, restoring: &inputs)
    #expect(journal.nextBatchNumber == 1)
    #expect(journal.droppedByteCount == count * size)
  }

  @Test func `A journal of version 2, byte for byte, is read and goes on with batches`() throws {
    let folder = try TemporaryDirectory()
    let line = """
      gait.journal 2 {"checksum":2079478608,"model":"fnv1a64:0000000000000000","options":"","sampleRate":50,"startedAt":1800000000}

      """
    let hexadecimal =
      "010a00ca9a3b000000000000000000000000000080bf0000003f0000000000000000c305fd6b"
      + "020200943577000000000000000000404a40cdcccccccccc2a40000000000000084088195b66"
      + "0401005ed0b2000000009a46376d"
    let digits = Array(hexadecimal)
    let records = stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16)! }
    let url = try folder.write(Array(line.utf8) + records, to: "run.journal")
    let tracker = try SimulatedInputs.tracker()
    do {
      var inputs: [RunInput] = []
      var journal = try RunJournal(at: url, for: tracker, allowsOtherSettings: true) { inputs.append($0) }
      let motion = MotionSample(time: .seconds(1), gravity: [0, 0, -1], userAcceleration: [0.5, 0, 0])
      let point = LocationSample(time: .seconds(2), latitude: 52.5, longitude: 13.4, speed: 3)
      let expected: [RunInput] = [.motion(motion), .location(point), .pause(autoResume: true, at: .seconds(3))]
      #expect(Self.text(inputs) == Self.text(expected))
      #expect(journal.startedAt == Date(timeIntervalSince1970: 1_800_000_000))
      #expect(try journal.append(Self.batches[0]))
    }
    let journal = try RunJournal(at: url, for: tracker, allowsOtherSettings: true) { _ in }
    #expect(journal.nextBatchNumber == 1)
    #expect(journal.count == 3 + Self.batches[0].inputs.count)
    #expect(try Data(contentsOf: url).starts(with: Array(line.utf8) + records))
  }
}
