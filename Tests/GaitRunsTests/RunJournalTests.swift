import Foundation
import Gait
import GaitRuns
import GaitTestSupport
import Testing

/// A run survives a kill at any moment.
@Suite struct RunJournalTests {
  private let folder: TemporaryDirectory
  private let url: URL

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("run.journal")
  }

  private static let every: [RunInput] = [
    .motion(MotionSample(time: .seconds(1), gravity: [0, 0, -1], userAcceleration: [0.1, -0, .infinity])),
    .motion(
      MotionSample(
        time: .seconds(-2), attitude: [1, 2, 3], gravity: [.nan, 0, -1], rotationRate: [4, .nan, 5],
        userAcceleration: [.nan, .nan, .nan])),
    .location(LocationSample(time: .seconds(3), latitude: 52.5, longitude: 13.4)),
    .location(
      LocationSample(
        time: .seconds(3.5), latitude: .nan, longitude: 200, altitude: 34, speed: -1, horizontalAccuracy: 5,
        verticalAccuracy: 6, speedAccuracy: .nan)),
    .altitude(AltitudeSample(time: .seconds(4), relativeAltitude: -0.25)), .pause(autoResume: true, at: .seconds(5)),
    .pause(autoResume: false, at: .seconds(6)), .resume(at: SampleTime(nanoseconds: .max)), .lap(at: .seconds(7)),
  ]

  /// The bits of an input: NaN is equal to itself, and −0 is not 0.
  private static func bits(_ input: RunInput) -> String { "\(input)" }

  private static func restored(from url: URL) throws -> (inputs: [RunInput], dropped: Int) {
    var inputs: [RunInput] = []
    let journal = try RunJournal(at: url, for: SimulatedInputs.tracker()) { inputs.append($0) }
    #expect(journal.count == inputs.count)
    return (inputs, journal.droppedByteCount)
  }

  private static func written(_ inputs: [RunInput], to url: URL) throws {
    var journal = try RunJournal(at: url, for: SimulatedInputs.tracker()) { _ in
      Issue.record("a new journal has no inputs")
    }
    for input in inputs { try journal.append(input) }
  }

  @Test("every kind of input, with every kind of missing value, is restored bit for bit")
  func everyKind() throws {
    try Self.written(Self.every, to: url)
    let (inputs, dropped) = try Self.restored(from: url)
    #expect(inputs.map(Self.bits) == Self.every.map(Self.bits))
    #expect(dropped == 0)
    var journal = try RunJournal(at: url, for: SimulatedInputs.tracker()) { _ in }
    try journal.append(.resume(at: .seconds(9)))
    #expect(journal.count == Self.every.count + 1)
    try journal.remove()
    #expect(try folder.contents.isEmpty)
  }

  @Test("a file that was cut anywhere gives the inputs before the cut, and goes on from there")
  func cutAnywhere() throws {
    let whole = folder.file("whole.journal")
    try Self.written(Self.every, to: whole)
    let bytes = [UInt8](try Data(contentsOf: whole))
    var counts: [Int] = []
    for length in 0...bytes.count where Optimization.isOn || length % 9 == 0 {
      let url = try folder.write(Array(bytes[..<length]), to: "cut.journal")
      let (inputs, dropped) = try Self.restored(from: url)
      #expect(inputs.map(Self.bits) == Self.every.prefix(inputs.count).map(Self.bits), "cut at \(length)")
      #expect(dropped < RunJournal.largestRecord)
      counts.append(inputs.count)
      do {
        var journal = try RunJournal(at: url, for: SimulatedInputs.tracker()) { _ in }
        try journal.append(Self.every[0])
      }
      #expect(try Self.restored(from: url).inputs.count == inputs.count + 1, "cut at \(length)")
    }
    #expect(counts == counts.sorted())
    #expect((counts.last ?? 0) >= Self.every.count - 1)
  }

  @Test("any changed byte takes at most one input, is counted, and changes nothing in the file")
  func damage() throws {
    let whole = folder.file("whole.journal")
    try Self.written(Self.every, to: whole)
    let bytes = [UInt8](try Data(contentsOf: whole))
    let expected = Self.every.map(Self.bits)
    for place in bytes.indices where Optimization.isOn || place % 5 == 3 {
      var damaged = bytes
      damaged[place] ^= 4
      let url = try folder.write(damaged, to: "damaged.journal")
      var inputs: [String] = []
      do {
        let journal = try RunJournal(
          at: url, for: SimulatedInputs.tracker(), allowsOtherSettings: true, allowsDamagedFirstLine: true
        ) {
          inputs.append(Self.bits($0))
        }
        #expect(inputs.count == expected.count || journal.droppedByteCount > 0, "byte \(place)")
      }
      #expect(inputs.count >= expected.count - 1, "byte \(place)")
      #expect(inputs.allSatisfy(expected.contains), "byte \(place)")
      #expect(try [UInt8](Data(contentsOf: url)) == damaged, "byte \(place)")
    }
  }

  @Test("a damaged first line is named, and the records are read if the app agrees")
  func damagedFirstLine() throws {
    let whole = folder.file("whole.journal")
    try Self.written(Self.every, to: whole)
    let bytes = [UInt8](try Data(contentsOf: whole))
    let line = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
    let digits = bytes[..<line].indices.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[$0]) }
    #expect(digits.count > 20)
    for place in digits {
      var damaged = bytes
      damaged[place] = damaged[place] == UInt8(ascii: "1") ? UInt8(ascii: "3") : UInt8(ascii: "1")
      let url = try folder.write(damaged, to: "damaged.journal")
      #expect(throws: RunJournalError.damagedFirstLine(file: url.relativePath), "digit \(place)") {
        _ = try RunJournal(at: url, for: SimulatedInputs.tracker(), allowsOtherSettings: true) { _ in
          Issue.record("nothing is restored")
        }
      }
      var inputs: [RunInput] = []
      _ = try RunJournal(at: url, for: SimulatedInputs.tracker(), allowsDamagedFirstLine: true) { inputs.append($0) }
      #expect(inputs.map(Self.bits) == Self.every.map(Self.bits), "digit \(place)")
    }
  }

  @Test("a run whose first line is damaged began its length before the file was last written")
  func startOfDamagedFirstLine() throws {
    try Self.written((0...60).map { .lap(at: .seconds(5000 + 10 * Double($0))) }, to: url)
    var bytes = [UInt8](try Data(contentsOf: url))
    bytes[30] ^= 4
    try Data(bytes).write(to: url)
    let last = Date(timeIntervalSince1970: 1_800_000_600)
    try FileManager.default.setAttributes([.modificationDate: last], ofItemAtPath: url.path)
    let journal = try RunJournal(at: url, for: SimulatedInputs.tracker(), allowsDamagedFirstLine: true) { _ in }
    #expect(abs(journal.startedAt.timeIntervalSince1970 - 1_800_000_000) < 1)
  }

  @Test("a journal of 0.1.0, which has no checksum of its first line, opens")
  func journalWithoutChecksum() throws {
    try Self.written(Self.every, to: url)
    let bytes = try Data(contentsOf: url)
    let end = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
    let line = String(decoding: bytes[..<end], as: UTF8.self)
    let old = line.replacing(#/"checksum":\d+,/#, with: "")
    #expect(old != line)
    try (Data(old.utf8) + bytes[end...]).write(to: url)
    #expect(try Self.restored(from: url).inputs.count == Self.every.count)
  }

  @Test("a batch is one write: the bytes are those of single inputs, and its end is a record's")
  func batches() throws {
    let (single, batch) = (folder.file("single.journal"), folder.file("batch.journal"))
    let date = Date(timeIntervalSince1970: 1_800_000_000)
    do {
      var journal = try RunJournal(at: single, for: SimulatedInputs.tracker(), startedAt: date) { _ in }
      for input in Self.every { try journal.append(input) }
      var batches = try RunJournal(at: batch, for: SimulatedInputs.tracker(), startedAt: date) { _ in }
      try batches.append(contentsOf: Self.every[..<4])
      try batches.append(contentsOf: [])
      try batches.append(contentsOf: Self.every[4...])
      #expect(batches.count == journal.count)
    }
    #expect(try Data(contentsOf: single) == Data(contentsOf: batch))
  }

  @Test("the longest record has the stated number of bytes")
  func longestRecord() throws {
    var journal = try RunJournal(at: url, for: SimulatedInputs.tracker()) { _ in }
    var lengths: [Int] = []
    for input in Self.every {
      let before = try Data(contentsOf: url).count
      try journal.append(input)
      lengths.append(try Data(contentsOf: url).count - before)
    }
    #expect(lengths.max() == RunJournal.largestRecord)
  }

  @Test("the clock of a journal without an input has no offset, whenever the phone started")
  func offsetWithoutInputs() throws {
    let start = Date(timeIntervalSince1970: 1_800_000_000)
    let journal = try RunJournal(at: folder.file("run.journal"), for: SimulatedInputs.tracker(), startedAt: start) {
      _ in
    }
    #expect(journal.clockOffset(bootDate: start.addingTimeInterval(-5000)) == 0)
    #expect(journal.clockOffset(bootDate: start.addingTimeInterval(5000)) == 0)
  }

  @Test("a second writer is refused until the first one is closed")
  func secondWriter() throws {
    do {
      let first = try RunJournal(at: url, for: SimulatedInputs.tracker()) { _ in }
      #expect(throws: RunJournalError.inUse(file: url.relativePath)) { _ = try Self.restored(from: url) }
      #expect(first.count == 0)
    }
    #expect(try Self.restored(from: url).inputs.isEmpty)
  }

  @Test("other settings are reported before anything is restored, and the app may go on with them")
  func otherSettings() throws {
    let startedAt = Date(timeIntervalSince1970: 1_800_000_000)
    do {
      var journal = try RunJournal(at: url, for: SimulatedInputs.tracker(), startedAt: startedAt) { _ in }
      try journal.append(Self.every[0])
    }
    let bytes = try Data(contentsOf: url)
    let options = RunOptions(splitMeters: Split.mile)
    for other in [try RunTracker(sampleRate: .hertz(100)), try RunTracker(sampleRate: .hertz(50), options: options)] {
      #expect(throws: RunJournalError.self) {
        _ = try RunJournal(at: url, for: other) { _ in Issue.record("nothing is restored") }
      }
      #expect(try Data(contentsOf: url) == bytes)
      let journal = try RunJournal(at: url, for: other, allowsOtherSettings: true) { _ in }
      #expect(journal.count == 1)
      #expect(journal.startedAt == startedAt)
    }
  }

  @Test("a journal of version 1 has no settings: the app decides whether to go on")
  func version1() throws {
    try Self.written(Self.every, to: url)
    let bytes = try Data(contentsOf: url)
    let records = bytes[(bytes.firstIndex(of: UInt8(ascii: "\n"))! + 1)...]
    try (Data("gait.journal 1\n".utf8) + records).write(to: url)
    #expect(throws: RunJournalError.self) { _ = try Self.restored(from: url) }
    let journal = try RunJournal(at: url, for: SimulatedInputs.tracker(), allowsOtherSettings: true) { _ in }
    #expect(journal.count == Self.every.count)
    #expect(journal.droppedByteCount == 0)
  }

  @Test("a run goes on after a reboot, by the offset of the clock")
  func reboot() throws {
    let boot = Date(timeIntervalSince1970: 1_800_000_000)
    do {
      let startedAt = boot.addingTimeInterval(5000)
      var journal = try RunJournal(at: url, for: SimulatedInputs.tracker(), startedAt: startedAt) { _ in }
      for second in 0..<60 { try journal.append(.lap(at: .seconds(5000 + Double(second)))) }
    }
    let journal = try RunJournal(at: url, for: SimulatedInputs.tracker()) { _ in }
    #expect(journal.clockOffset(bootDate: boot.addingTimeInterval(3)) == 0)
    let offset = journal.clockOffset(bootDate: boot.addingTimeInterval(5120))
    #expect(offset == 5120)
    #expect(RunInput.lap(at: .seconds(7)).advanced(bySeconds: offset).time == .seconds(5127))
  }

  @Test func `A GPS point from before the run does not move the clock`() throws {
    let boot = Date(timeIntervalSince1970: 1_800_000_000)
    do {
      var journal = try RunJournal(at: url, for: SimulatedInputs.tracker(), startedAt: boot.addingTimeInterval(5000)) {
        _ in
      }
      try journal.append(.location(LocationSample(time: .seconds(4700), latitude: 48, longitude: 11)))
      for second in 0..<60 {
        try journal.append(
          .motion(
            MotionSample(time: .seconds(5000 + Double(second)), gravity: SIMD3(0, 0, -1), userAcceleration: .zero)))
      }
    }
    let journal = try RunJournal(at: url, for: SimulatedInputs.tracker()) { _ in }
    #expect(journal.clockOffset(bootDate: boot.addingTimeInterval(3)) == 0)
    #expect(journal.clockOffset(bootDate: boot.addingTimeInterval(200)) == 200)
  }

  @Test(
    "time in which the phone slept between a kill and the next start is a gap of the run",
    arguments: [30, 1200, 50_000])
  func sleep(seconds: Double) throws {
    let boot = Date(timeIntervalSince1970: 1_800_000_000)
    do {
      let startedAt = boot.addingTimeInterval(5000)
      var journal = try RunJournal(at: url, for: SimulatedInputs.tracker(), startedAt: startedAt) { _ in }
      for second in 0..<600 { try journal.append(.lap(at: .seconds(5000 + Double(second)))) }
    }
    var journal = try RunJournal(at: url, for: SimulatedInputs.tracker()) { _ in }
    // The clock of the sensors stood still, so the boot date that it gives is later.
    let offset = journal.clockOffset(bootDate: boot.addingTimeInterval(seconds))
    #expect(offset == seconds)
    // After another kill, the inputs of the file are on the clock of the run's beginning.
    try journal.append(RunInput.lap(at: .seconds(5700)).advanced(bySeconds: offset))
    #expect(journal.clockOffset(bootDate: boot.addingTimeInterval(seconds + 90)) == seconds + 90)
  }

  @Test("another file is refused and stays as it is", arguments: ["time,ax\n1,2\n", "gait.journal 4\n", "x"])
  func otherFiles(text: String) throws {
    let url = try folder.write(text, to: "walk.csv")
    #expect(throws: RunJournalError.notAJournal(file: url.relativePath)) {
      _ = try RunJournal(at: url, for: SimulatedInputs.tracker()) { _ in }
    }
    #expect(try String(contentsOf: url, encoding: .utf8) == text)
    #expect(throws: RunJournalError.self) {
      _ = try RunJournal(at: folder.file("missing/run.journal"), for: SimulatedInputs.tracker()) { _ in }
    }
  }

  @Test("killed at random moments, the restored run equals the uninterrupted one, byte for byte")
  func kills() throws {
    let inputs = SimulatedInputs.of(seed: 11, seconds: 120)
    var tracker = try SimulatedInputs.tracker()
    for input in inputs { tracker.append(input) }
    let expected = try Self.json(tracker.finish())
    try Self.written(inputs, to: url)
    let bytes = [UInt8](try Data(contentsOf: url))
    var random = SplitMix64(seed: 3)
    for _ in 0..<(Optimization.isOn ? 1000 : 3) {
      let kill = Int.random(in: 0...bytes.count, using: &random)
      try Data(bytes[..<kill]).write(to: url)
      var tracker = try SimulatedInputs.tracker()
      var journal = try RunJournal(at: url, for: tracker) { tracker.append($0) }
      let start = journal.count
      for input in inputs[start...] {
        if Int.random(in: 0..<100, using: &random) == 0, journal.count < start + 50 { try journal.append(input) }
        tracker.append(input)
      }
      let isEqual = try Self.json(tracker.finish()) == expected
      #expect(isEqual, "killed after byte \(kill), input \(start)")
    }
  }

  private static func json(_ run: RunTimeline) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(run)
  }
}
