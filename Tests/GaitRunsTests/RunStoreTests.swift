import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitRuns

/// Runs are kept whole, listed without being opened, and named if they are damaged.
@Suite struct RunStoreTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Different small runs with everything that a run may have, a day apart from the first of May.
  static func stored(_ number: Int) throws -> StoredRun {
    let start = try Date("2026-05-01T07:00:00Z", strategy: .iso8601).addingTimeInterval(Double(number) * 86_400)
    var id = UUID().uuid
    withUnsafeMutableBytes(of: &id) { bytes in for index in bytes.indices { bytes[index] = UInt8(number % 200 + index) }
    }
    return StoredRun(
      run(number), startedAt: start, timeZone: TimeZone(identifier: "Europe/Berlin"), name: "Läufe \(number)",
      notes: "wind\nand rain", metadata: ["shoes": "blue", "": "no key"], bodyMass: 70, id: UUID(uuid: id))
  }

  private static func run(_ number: Int) -> RunTimeline {
    var random = SplitMix64(seed: UInt64(number))
    func noise() -> Double { Double.random(in: -1...1, using: &random) }
    let route = (0..<120).map { (second: Int) -> LocationSample in
      let (time, latitude) = (Double(second) + noise() / 100, 52.5 + Double(second) * 3e-5 + noise() * 1e-5)
      let altitude: Double? = second % 7 == 0 ? nil : 34 + noise()
      return LocationSample(
        time: .seconds(time), latitude: latitude, longitude: 13.4 + noise() * 1e-5, altitude: altitude,
        speed: 3 + noise() / 10, horizontalAccuracy: 4, speedAccuracy: number % 2 == 0 ? nil : 0.5)
    }
    let activities = [ActivityChange(decidedAt: .seconds(3), onset: .seconds(2), activity: .running)]
    var run = RunTimeline(start: .seconds(-1), end: .seconds(121), activities: activities, route: route)
    run.addPause(from: .seconds(20), to: .seconds(30))
    run.markLap(at: .seconds(40))
    run.cadencePoints = (0..<80).map { (index: Int) -> CadencePoint in
      CadencePoint(
        time: .seconds(Double(index) * 1.28), stepsPerMinute: 160 + Double(Float(noise())),
        gyroscopeCadence: index % 3 == 0 ? nil : 159)
    }
    // The way and the barometer, as a tracker leaves them.
    run.path = (0..<119).map { (index: Int) -> PathStep in
      let (start, meters) = (SampleTime.seconds(Double(index)), 3 + noise() / 10)
      return PathStep(
        start: start, end: start.advanced(bySeconds: 1), meters: meters, kind: index % 50 == 0 ? .bridged : .measured)
    }
    run.barometer = (0..<120).map { (index: Int) -> AltitudeSample in
      AltitudeSample(time: .seconds(Double(index)), relativeAltitude: noise())
    }
    return run
  }

  @Test func `A run is the same after its compact form, to the last bit, which is shorter than its JSON`() throws {
    for number in 0..<3 {
      let run = try Self.stored(number)
      let data = try run.data()
      let read = try StoredRun(data: data)
      #expect(read == run)
      #expect(read.timeline.path == run.timeline.path)
      #expect(read.summary == run.summary)
      let json = try JSONEncoder().encode(run)
      #expect(try StoredRun(data: json) == run)
      #expect(data.count < json.count / 3, "\(data.count) of \(json.count) bytes")
    }
    let empty = StoredRun(
      RunTimeline(start: .seconds(0), end: .seconds(0)), startedAt: Date(timeIntervalSince1970: 0))
    #expect(try StoredRun(data: empty.data()) == empty)
  }

  @Test func `Numbers of every kind are the same after their columns`() {
    let numbers: [Double] = [
      0, -0, 1, -1, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .pi,
      Double(Float.pi), 52.5,
    ]
    let times = [0, 1, -1, .max, .min, 1_000_000_000, 2_000_000_000, 3_000_000_000].map(SampleTime.init(nanoseconds:))
    let valid = times.filter(\.isValid)
    for count in 0...numbers.count {
      var bytes: [UInt8] = []
      let optionals = numbers.prefix(count).enumerated().map { $0.offset % 3 == 1 ? nil : $0.element }
      bytes.append(numbers: Array(numbers.prefix(count)))
      bytes.append(optionals: optionals)
      bytes.append(times: valid)
      bytes.append(text: "ä\(count)")
      bytes.withUnsafeBytes { bytes in
        var reader = RecordReader(bytes: bytes, place: 0)
        #expect(reader.nextNumbers(count)?.map(\.bitPattern) == numbers.prefix(count).map(\.bitPattern))
        #expect(reader.nextOptionals(count)?.map(\.?.bitPattern) == optionals.map(\.?.bitPattern))
        #expect(reader.nextTimes(valid.count) == valid)
        #expect(reader.nextText() == "ä\(count)")
        #expect(reader.place == bytes.count)
      }
    }
    // A time that is too far from its origin is refused.
    var bytes: [UInt8] = []
    bytes.append(times: times)
    bytes.withUnsafeBytes { bytes in
      var reader = RecordReader(bytes: bytes, place: 0)
      #expect(reader.nextTimes(times.count) == nil)
    }
  }

  @Test func `A list opens only the files that changed since the last one`() throws {
    let store = RunStore(directory: folder.file("runs"))
    #expect(store.summaries().summaries.isEmpty)
    let runs = try (0..<20).map(Self.stored)
    for run in runs.reversed() { try store.save(run) }
    #expect(store.listed().openedCount == 20)
    try Self.settle(store)
    #expect(store.listed().openedCount == 0)
    #expect(store.summaries().summaries == runs.map(\.summary))
    #expect(store.summaries().unreadable.isEmpty)

    var changed = runs[7]
    changed.notes = "longer notes than before"
    try store.save(changed)
    try store.remove(runs[3].id)
    let list = store.listed()
    #expect(list.openedCount == 1)
    #expect(list.summaries.count == 19)
    #expect(list.summaries.contains(changed.summary))
    #expect(!list.summaries.contains(runs[3].summary))
    #expect(try store.run(changed.id) == changed)
    #expect(throws: RunStoreError.noRun(id: runs[3].id, folder: store.directory.relativePath)) {
      try store.run(runs[3].id)
    }
    #expect(throws: RunStoreError.self) { try store.remove(runs[3].id) }
  }

  /// Moves the index into the future, as its files' clock would do a moment later.
  private static func settle(_ store: RunStore) throws {
    let path = store.directory.appending(path: SummaryIndex.name).path
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: path)
  }

  @Test func `An index that was cut or changed anywhere, or is of another folder, never decides`() throws {
    let store = RunStore(directory: folder.url)
    let runs = try (0..<4).map(Self.stored)
    for run in runs { try store.save(run) }
    let expected = store.summaries().summaries
    let url = folder.file(SummaryIndex.name)
    let bytes = [UInt8](try Data(contentsOf: url))
    for place in stride(from: 0, to: bytes.count, by: 11) {
      var damaged = bytes
      damaged[place] ^= 1 << UInt8(place % 8)
      for content in [damaged, Array(bytes[..<place])] {
        try Data(content).write(to: url)
        try Self.settle(store)
        let list = store.listed()
        #expect(list.summaries == expected, "byte \(place)")
        #expect(list.unreadable.isEmpty, "byte \(place)")
        #expect(list.openedCount == 4, "byte \(place)")
      }
    }
    try Data(bytes).write(to: url)
    try Self.settle(store)
    // The same name and size, but another run.
    var other = runs[0]
    other.name = "Laufen 0"
    #expect(try other.data().count == runs[0].data().count)
    try store.save(other)
    #expect(store.summaries().summaries[0] == other.summary)
  }

  @Test func `Runs are found by dates, and totals by day, week, month and year need summaries only`() throws {
    let store = RunStore(directory: folder.url)
    for number in 0..<60 { try store.save(Self.stored(number)) }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let summaries = store.summaries().summaries
    let months = RunTotals.of(summaries, by: .month, in: calendar)
    #expect(months.map(\.runCount) == [31, 29])
    for month in months { #expect(store.summaries(in: month.interval).summaries.count == month.runCount) }
    #expect(
      RunTotals.of(summaries.shuffled(), by: .day, in: calendar).map(\.runCount) == Array(repeating: 1, count: 60))
    #expect(RunTotals.of(summaries, by: .week, in: calendar).reduce(0) { $0 + $1.runCount } == 60)
    let years = RunTotals.of(summaries, by: .year, in: calendar)
    #expect(years == RunTotals.of(try (0..<60).map(Self.stored), by: .year, in: calendar))
    #expect((years[0].meters - summaries.reduce(0) { $0 + ($1.distance ?? 0) }).magnitude < 1e-6)
  }

  @Test func `A run that starts at midnight is of the day that begins, and of no other`() throws {
    let store = RunStore(directory: folder.url)
    let midnight = try Date("2026-05-02T00:00:00Z", strategy: .iso8601)
    for (number, seconds) in [-1.0, 0, 86_399, 86_400].enumerated() {
      var run = try Self.stored(number)
      run.startedAt = midnight.addingTimeInterval(seconds)
      try store.save(run)
    }
    func starts(_ day: DateInterval) -> [Double] {
      store.summaries(in: day).summaries.map { $0.startedAt.timeIntervalSince(midnight) }
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let days = RunTotals.of(store.summaries().summaries, by: .day, in: calendar)
    #expect(days.map { $0.interval.start.timeIntervalSince(midnight) } == [-86_400, 0, 86_400])
    #expect(days.map(\.runCount) == [1, 2, 1])
    #expect(days.map { starts($0.interval) } == [[-1], [0, 86_399], [86_400]])
  }

  @Test func `Today's JSON files are read, and replaced by the compact form when they are saved`() throws {
    let store = RunStore(directory: folder.url)
    let runs = try (0..<3).map(Self.stored)
    try folder.write([UInt8](JSONEncoder().encode(runs[0])), to: "\(runs[0].id.uuidString).json")
    try folder.write([UInt8](JSONEncoder().encode(runs[1])), to: "imported.json")
    try store.save(runs[2])
    #expect(store.summaries().summaries == runs.map(\.summary))
    #expect(store.contents().runs == runs)
    for run in runs { #expect(try store.run(run.id) == run) }
    var changed = runs[0]
    changed.name = "renamed"
    try store.save(changed)
    #expect(try !folder.contents.contains("\(runs[0].id.uuidString).json"))
    // As after a kill between writing one form and deleting the other.
    try folder.write([UInt8](JSONEncoder().encode(runs[0])), to: "\(runs[0].id.uuidString).json")
    #expect(store.summaries().summaries.first == changed.summary)
    #expect(store.contents().runs.first == changed)
    #expect(try store.run(changed.id) == changed)
    try store.remove(changed.id)
    #expect(store.summaries().summaries == runs.dropFirst().map(\.summary))
  }

  @Test func `A damaged file is named with the reason and the cure, and hides no other`() throws {
    let store = RunStore(directory: folder.url)
    let runs = try (0..<3).map(Self.stored)
    for run in runs { try store.save(run) }
    let names = runs.map { "\($0.id.uuidString).run" }
    let bytes = [UInt8](try Data(contentsOf: folder.file(names[1])))
    try folder.write(Array(bytes.dropLast()), to: names[1])
    try folder.write("gait.run 9\nwhatever", to: "newer.run")
    let unreadable = store.summaries().unreadable
    let sentences = Dictionary(uniqueKeysWithValues: unreadable.map { ($0.key.lastPathComponent, $0.value) })
    #expect(store.summaries().summaries == [runs[0].summary, runs[2].summary])
    #expect(
      sentences[names[1]]?.hasSuffix(
        "\(names[1]): its end is missing, or not its own; restore it from a backup.") == true)
    #expect(
      sentences["newer.run"]?.hasSuffix(
        "newer.run: it is of version 9, but this Gait reads 1 and 2; update the app.") == true)
    // A changed byte in the run itself is found when the run is loaded.
    var changed = bytes
    changed[bytes.count - 100] ^= 1
    try folder.write(changed, to: names[1])
    #expect(store.summaries().summaries.count == 3)
    let error = #expect(throws: RunStoreError.self) { try store.run(runs[1].id) }
    #expect(error?.description.hasSuffix("a byte of it has changed; restore it from a backup.") == true)
    #expect(store.contents().runs == [runs[0], runs[2]])
    #expect(store.contents().unreadable.count == 2)
  }

  @Test func `Two thousand random changes and cuts give an error or the same run, with and without valid checksums`()
    throws
  {
    let run = try Self.stored(1)
    let bytes = [UInt8](try run.data())
    var random = SplitMix64(seed: 37)
    for trial in 0..<2000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if trial % 4 == 0 { damaged.removeLast(Int.random(in: 0..<damaged.count, using: &random)) }
      if trial % 2 == 0 { Self.repairChecksums(of: &damaged) }
      if let read = try? StoredRun(data: Data(damaged)), trial % 2 == 1 {
        #expect(read == run, "trial \(trial)")
      }
      // The columns alone, whose bytes no checksum protects here.
      var columns = run.timeline.columns
      columns[Int.random(in: columns.indices, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      let read = columns.withUnsafeBytes { bytes in
        var reader = RecordReader(bytes: bytes, place: 0)
        return run.timeline.withoutColumns.with(columnsFrom: &reader)
      }
      if let read, read.fault == nil { _ = read.distance }
    }
  }

  /// Writes checksums that are right, so that what is behind them is read.
  private static func repairChecksums(of bytes: inout [UInt8]) {
    let lengths = bytes.withUnsafeBytes { bytes -> (Int, Int)? in
      var reader = RecordReader(bytes: bytes, place: 11)
      guard let head = reader.next(UInt32.self), let body = reader.next(UInt32.self) else { return nil }
      return (Int(head), Int(body))
    }
    guard let (head, body) = lengths, bytes.count == 35 + head + body else { return }
    func checksum(_ range: Range<Int>) -> [UInt8] {
      var sum: [UInt8] = []
      sum.append(little: bytes[range].withUnsafeBytes { Checksum.number($0) })
      return sum
    }
    bytes.replaceSubrange(19 + head..<27 + head, with: checksum(0..<19 + head))
    bytes.replaceSubrange(27 + head + body..<35 + head + body, with: checksum(27 + head..<27 + head + body))
  }
}
