import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitRuns

/// The bytes of run files, columns, summaries, indexes and evidence at their limits, and cut anywhere.
@Suite struct RunFileLimitTests {
  private static func read<Value>(_ bytes: [UInt8], _ body: (inout RecordReader) -> Value) -> (Value, place: Int) {
    bytes.withUnsafeBytes { bytes in
      var reader = RecordReader(bytes: bytes, place: 0)
      let value = body(&reader)
      return (value, reader.place)
    }
  }

  // MARK: - Columns

  @Test func `Counts and integers have seven bits a byte`() {
    let cases: [(Int, [UInt8])] = [
      (0, [0]), (1, [1]), (127, [127]), (128, [128, 1]), (300, [172, 2]), (16_383, [255, 127]),
      (16_384, [128, 128, 1]),
    ]
    for (count, expected) in cases {
      var bytes: [UInt8] = []
      bytes.append(count: count)
      #expect(bytes == expected)
      #expect(Self.read(bytes + Array(repeating: 0, count: 20_000)) { $0.nextCount() } == (count, bytes.count))
    }
    for (integer, expected) in [(0, [0]), (-1, [1]), (1, [2]), (-2, [3]), (63, [126]), (-64, [127]), (64, [128, 1])]
      as [(Int64, [UInt8])]
    {
      var bytes: [UInt8] = []
      bytes.append(integer: integer)
      #expect(bytes == expected)
      #expect(Self.read(bytes) { $0.nextInteger() }.0 == integer)
    }
    for integer in [Int64.min, .min + 1, .max, .max - 1, 1 << 62, -1 << 62] {
      var bytes: [UInt8] = []
      bytes.append(integer: integer)
      #expect(bytes.count == 10 || integer.magnitude <= 1 << 62)
      #expect(Self.read(bytes) { $0.nextInteger() } == (integer, bytes.count))
      #expect(Self.read(Array(bytes.dropLast())) { $0.nextInteger() }.0 == nil)
    }
    #expect(Self.read(Array(repeating: 0x80, count: 11)) { $0.nextInteger() } == (nil, 10))
    #expect(Self.read([1, 2, 3, 4]) { $0.nextIntegers(4) ?? [] } == ([-1, 1, -2, 2], 4))
    #expect(Self.read([1, 2, 3, 4]) { $0.nextIntegers(5) }.0 == nil)
    #expect(Self.read([1]) { $0.nextIntegers(0) }.0 == [])
  }

  @Test func `A count is at most the number of bytes after it`() {
    #expect(Self.read([3, 0, 0, 0]) { $0.nextCount() }.0 == 3)
    #expect(Self.read([4, 0, 0, 0]) { $0.nextCount() }.0 == nil)
    #expect(Self.read([0]) { $0.nextCount() }.0 == 0)
    #expect(Self.read([]) { $0.nextCount() }.0 == nil)
    #expect(Self.read([2, 65, 66]) { $0.nextText() } == ("AB", 3))
    #expect(Self.read([3, 65, 66]) { $0.nextText() }.0 == nil)
    #expect(Self.read([1, 2]) { $0.nextBytes(2)?.count } == (2, 2))
    #expect(Self.read([1, 2]) { $0.nextBytes(3)?.count }.0 == nil)
    #expect(Self.read([1]) { $0.nextBytes(-1)?.count }.0 == nil)
    #expect(Self.read([1]) { $0.nextBytes(0)?.count } == (0, 0))
  }

  @Test func `Numbers state which of their bytes follow`() {
    let cases: [([Double], [UInt8])] = [
      ([], []), ([0], [0]), ([0, 0], [0]), ([0, 0, 0], [0, 0]),
      // A Float has zeros in its three lowest bytes; 1 is 0x3FF0…0.
      ([1], [13, 0, 0, 0, 0xF0, 0x3F]), ([1, 1], [13, 0, 0, 0, 0xF0, 0x3F]),
      ([1, 0], [0xDD, 0, 0, 0, 0xF0, 0x3F, 0, 0, 0, 0xF0, 0x3F]),
      ([Double(bitPattern: 1)], [1, 1]), ([Double(bitPattern: 0x0203)], [2, 3, 2]),
      ([Double(bitPattern: 0xFF_FFFF)], [3, 255, 255, 255]), ([Double(bitPattern: 0x100_0000)], [9, 1]),
      ([Double(bitPattern: 0x100_0001)], [4, 1, 0, 0, 1]),
      ([Double(bitPattern: 0x0102_0304_0506_0708)], [8, 8, 7, 6, 5, 4, 3, 2, 1]),
    ]
    for (numbers, expected) in cases {
      var bytes: [UInt8] = []
      bytes.append(numbers: numbers)
      #expect(bytes == expected, "\(numbers)")
      #expect(Self.read(bytes) { $0.nextNumbers(numbers.count) ?? [.nan] } == (numbers, bytes.count))
      for cut in 0..<bytes.count { #expect(Self.read(Array(bytes[..<cut])) { $0.nextNumbers(numbers.count) }.0 == nil) }
    }
    // More than the five bytes above the three lowest.
    for code in 14...15 as ClosedRange<UInt8> {
      #expect(Self.read([code] + Array(repeating: 1, count: 20)) { $0.nextNumbers(1) }.0 == nil)
    }
    #expect(Self.read([13] + Array(repeating: 1, count: 20)) { $0.nextNumbers(1)?.count } == (1, 6))
    #expect(Self.read([8] + Array(repeating: 1, count: 20)) { $0.nextNumbers(1)?.count } == (1, 9))
  }

  @Test func `Optional numbers have a bit each, and times the differences of their steps`() {
    for count in 0...17 {
      for missing in 0...count {
        let numbers = (0..<count).map { (index: Int) -> Double? in
          if index == missing || index % 5 == 2 { return nil }
          return Double(index) + 0.1
        }
        var bytes: [UInt8] = []
        bytes.append(optionals: numbers)
        #expect(Self.read(bytes) { $0.nextOptionals(count) ?? [-1] } == (numbers, bytes.count))
        if !bytes.isEmpty { #expect(Self.read(Array(bytes.dropLast())) { $0.nextOptionals(count) }.0 == nil) }
      }
    }
    var bytes: [UInt8] = []
    bytes.append(optionals: [0, nil, 0, nil, nil, nil, nil, 0, 0])
    #expect(bytes == [0b1000_0101, 1, 0, 0])
    let times = [10, 13, 16, 19, 18].map { SampleTime(nanoseconds: $0) }
    bytes = []
    bytes.append(times: times)
    #expect(bytes == [20, 13, 0, 0, 7])
    #expect(Self.read(bytes) { $0.nextTimes(5) ?? [] } == (times, 5))
    let farthest: Int64 = 4_000_000_000_000_000_000
    let limits: [(Int64, Bool)] = [(farthest, true), (farthest + 1, false), (-farthest, true), (-farthest - 1, false)]
    for (nanoseconds, isValid) in limits {
      bytes = []
      bytes.append(times: [SampleTime(nanoseconds: 0), SampleTime(nanoseconds: nanoseconds)])
      #expect((Self.read(bytes) { $0.nextTimes(2) }.0 != nil) == isValid)
    }
  }

  @Test func `Columns that were cut anywhere, and lists of a run without them, are refused`() throws {
    let run = try RunStoreTests.stored(2).timeline
    let columns = run.columns
    func read(_ bytes: [UInt8], _ rest: RunTimeline) -> RunTimeline? {
      Self.read(bytes) { rest.with(columnsFrom: &$0) }.0
    }
    let rest = run.withoutColumns
    #expect(rest.route.isEmpty)
    #expect(rest.cadencePoints.isEmpty)
    #expect(rest.path == [])
    #expect(rest.barometer == [])
    #expect(read(columns, rest) == run)
    #expect(Self.read(columns) { rest.with(columnsFrom: &$0) }.place == columns.count)
    for cut in stride(from: 0, to: columns.count, by: 7) + [columns.count - 1] {
      #expect(read(Array(columns[..<cut]), rest) == nil, "cut at \(cut)")
    }
    var (without, noPath, noBarometer) = (run, run, run)
    (without.path, without.barometer) = (nil, nil)
    (noPath.path, noBarometer.barometer) = (nil, nil)
    #expect(without.withoutColumns.path == nil)
    #expect(without.withoutColumns.barometer == nil)
    #expect(read(without.columns, without.withoutColumns) == without)
    #expect(read(noPath.columns, noPath.withoutColumns) == noPath)
    #expect(read(noBarometer.columns, noBarometer.withoutColumns) == noBarometer)
    for known in [without, noPath, noBarometer] { #expect(read(columns, known.withoutColumns) == nil) }
    // An unknown kind of a step of the way.
    var single = RunTimeline(start: .seconds(0), end: .seconds(9))
    single.path = [PathStep(start: .seconds(1), end: .seconds(2), meters: 3, kind: .bridged)]
    let bytes = single.columns
    #expect(bytes.last == 2)
    #expect(read(bytes, single.withoutColumns) == single)
    #expect(read(bytes.dropLast() + [3], single.withoutColumns) == nil)
  }

  // MARK: - Files

  /// The bytes with right checksums of a summary of `head` bytes and a body of `length` bytes.
  private static func stated(_ head: UInt32, _ length: UInt32) -> [UInt8] {
    var bytes = Array("gait.run 2\n".utf8)
    bytes.append(little: head)
    bytes.append(little: length)
    return bytes
  }

  private static func reason(_ bytes: [UInt8]) -> String? {
    do throws(RunStoreError) {
      _ = try StoredRun(data: Data(bytes), name: "x")
      return nil
    } catch { return error.description }
  }

  @Test func `A part of more than 512 MiB, a missing end and other versions are named`() {
    #expect(RunFile.largestPart == 1 << 29)
    #expect(RunFile.usualHead == 2048)
    let missing = "cannot read the run x: its end is missing, or not its own; restore it from a backup."
    let damaged = "cannot read the run x: its first bytes are missing or damaged; restore it from a backup."
    #expect(Self.reason(Self.stated(1 << 29, 0)) == missing)
    #expect(Self.reason(Self.stated(0, 1 << 29)) == missing)
    #expect(Self.reason(Self.stated(1 << 29 + 1, 0)) == damaged)
    #expect(Self.reason(Self.stated(0, 1 << 29 + 1)) == damaged)
    #expect(Self.reason(Array(Self.stated(0, 0).dropLast())) == damaged)
    #expect(Self.reason(Self.stated(0, 0)) == missing)
    #expect(
      Self.reason(Self.stated(0, 0) + Array(repeating: 0, count: 16))
        == "cannot read the run x: its summary is damaged; restore it from a backup.")
    for (text, reason) in [
      ("gait.run 3\n", "it is of version 3, but this Gait reads 1 and 2; update the app"),
      ("gait.run 12345678901\n", "it is of version 123456789, but this Gait reads 1 and 2; update the app"),
      ("gait.run 2x", "it is of version 2, but this Gait reads 1 and 2; update the app"),
      ("gait.run x", "its first line is damaged; restore it from a backup"),
      ("gait.run ", "its first line is damaged; restore it from a backup"),
    ] { #expect(Self.reason(Array(text.utf8)) == "cannot read the run x: \(reason).") }
  }

  @Test func `A summary is read from just its bytes and their checksum`() throws {
    let run = try RunStoreTests.stored(1)
    let bytes = try run.data()
    let file = RunFile(name: "x")
    var zones: [String: TimeZone?] = [:]
    let head = 19 + Int(bytes[11]) + 256 * Int(bytes[12]) + 8
    let size = Int64(bytes.count)
    #expect(try file.summary(in: bytes.prefix(head), size: size, zones: &zones) == run.summary)
    #expect(try file.summary(in: bytes.prefix(head - 1), size: size, zones: &zones) == nil)
    #expect(try file.summary(in: Data("{}".utf8), size: 2, zones: &zones) == nil)
    for wrong in [size - 1, size + 1] {
      #expect(throws: RunStoreError.self) { try file.summary(in: bytes, size: wrong, zones: &zones) }
    }
    #expect(zones.keys.sorted() == ["Europe/Berlin"])
  }

  @Test func `A start is within 1e11 seconds of 1970`() throws {
    for (seconds, isDate) in [(1e11, false), (-1e11, false), (9.9e10, true), (-9.9e10, true)] {
      var run = StoredRun(RunTimeline(start: .seconds(0), end: .seconds(1)), startedAt: Date(timeIntervalSince1970: 0))
      run.startedAt = Date(timeIntervalSince1970: seconds)
      if isDate {
        #expect(try StoredRun(data: run.data()) == run)
      } else {
        let error = #expect(throws: RunStoreError.self) { try run.data() }
        #expect(error?.description == "cannot write run \(run.id): its start is not a date; set startedAt.")
      }
      var summary: [UInt8] = []
      run.summary.encode(into: &summary)
      var zones: [String: TimeZone?] = [:]
      #expect((Self.read(summary) { RunSummary(from: &$0, zones: &zones) }.0 != nil) == isDate)
      let json = try JSONEncoder().encode(run.summary)
      #expect(((try? JSONDecoder().decode(RunSummary.self, from: json)) != nil) == isDate)
    }
  }

  @Test func `A summary that was cut anywhere is refused, and unknown figures stay unknown`() throws {
    var run = try RunStoreTests.stored(4)
    for (zone, mass) in [("Europe/Berlin", 70.0), (nil, nil)] as [(String?, Double?)] {
      (run.timeZone, run.bodyMass) = (zone.flatMap { TimeZone(identifier: $0) }, mass)
      let summary = run.summary
      #expect((summary.energy == nil) == (mass == nil))
      #expect((summary.timeZone == nil) == (zone == nil))
      var bytes: [UInt8] = []
      summary.encode(into: &bytes)
      var zones: [String: TimeZone?] = [:]
      for _ in 0..<2 { #expect(Self.read(bytes) { RunSummary(from: &$0, zones: &zones) } == (summary, bytes.count)) }
      for cut in bytes.indices {
        #expect(Self.read(Array(bytes[..<cut])) { RunSummary(from: &$0, zones: &zones) }.0 == nil, "cut at \(cut)")
      }
      let decoded = try JSONDecoder().decode(RunSummary.self, from: JSONEncoder().encode(summary))
      #expect(decoded == summary)
      #expect(decoded.id == summary.id)
      #expect(decoded.energy == summary.energy)
    }
  }

  @Test func `Totals end where they start or later`() throws {
    func decoded(_ start: Int, _ end: Int) -> RunTotals? {
      let text =
        #"{"version":1,"start":\#(start),"end":\#(end),"runCount":2,"meters":3,"movingSeconds":4,"climb":5}"#
      return try? JSONDecoder().decode(RunTotals.self, from: Data(text.utf8))
    }
    #expect(decoded(5, 5) != nil)
    #expect(decoded(5, 4) == nil)
    let totals = try #require(decoded(5, 9))
    #expect(totals.runCount == 2)
    #expect(totals.meters == 3)
    #expect(totals.movingSeconds == 4)
    #expect(totals.climb == 5)
    #expect(try JSONDecoder().decode(RunTotals.self, from: JSONEncoder().encode(totals)) == totals)
  }

  // MARK: - Folders

  private static func set(_ date: Date, _ store: RunStore, _ name: String) throws {
    let path = store.directory.appending(path: name).path
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
  }

  private static func date(_ store: RunStore, _ name: String) throws -> Date {
    let path = store.directory.appending(path: name).path
    return try #require(try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date)
  }

  @Test func `A file as new as the index is opened again, an older one is not`() throws {
    let folder = try TemporaryDirectory()
    let store = RunStore(directory: folder.url)
    let run = try RunStoreTests.stored(0)
    try store.save(run)
    let moment = Date(timeIntervalSince1970: 1_700_000_000)
    try Self.set(moment, store, "\(run.id.uuidString).run")
    #expect(store.listed().openedCount == 1)
    for (seconds, opened) in [(0.0, 1), (1, 0), (-1, 1)] {
      try Self.set(moment.addingTimeInterval(seconds), store, SummaryIndex.name)
      #expect(store.listed().openedCount == opened, "\(seconds) s later")
    }
  }

  @Test func `The index is written again after a change, and not for a file that cannot be read`() throws {
    let folder = try TemporaryDirectory()
    let store = RunStore(directory: folder.url)
    let runs = try (0..<3).map(RunStoreTests.stored)
    for run in runs { try store.save(run) }
    _ = store.listed()
    let later = Date(timeIntervalSinceNow: 3600)
    try Self.set(later, store, SummaryIndex.name)
    let settled = try Self.date(store, SummaryIndex.name)
    try folder.write("gait.run 9\n", to: "newer.run")
    try folder.write("no run", to: "notes.txt")
    for _ in 0..<2 {
      let list = store.listed()
      #expect(list.openedCount == 1)
      #expect(list.unreadable.count == 1)
      #expect(list.summaries.count == 3)
      #expect(try Self.date(store, SummaryIndex.name) == settled)
    }
    try store.remove(runs[1].id)
    #expect(store.listed().summaries == [runs[0].summary, runs[2].summary])
    #expect(try Self.date(store, SummaryIndex.name) < settled)
  }

  @Test func `Runs of one moment are in order of their identities, and long notes are read whole`() throws {
    let folder = try TemporaryDirectory()
    let store = RunStore(directory: folder.url)
    var runs = try (0..<5).map(RunStoreTests.stored)
    for index in runs.indices {
      runs[index].startedAt = runs[index < 3 ? 0 : 3].startedAt
      runs[index].notes = String(repeating: "ä", count: 500 * index)
    }
    for run in runs.reversed() { try store.save(run) }
    #expect(store.summaries().summaries == runs.map(\.summary))
    #expect(store.contents().runs == runs)
    let index = SummaryIndex(in: store.directory)
    #expect(index.bytes.starts(with: Array("gait.index 1\n".utf8)))
    for id in runs.map(\.id) {
      #expect(store.contains(id))
      try store.remove(id)
      #expect(!store.contains(id))
    }
    #expect(store.listed().files.isEmpty)
  }

  @Test func `The entries of an index are those that were written, and none of cut bytes`() throws {
    var index = SummaryIndex()
    for number in 0..<3 {
      let stamp = SummaryIndex.Stamp(size: Int64(number), modified: -5, number: .max)
      index.entries["\(number).run"] = SummaryIndex.Entry(
        stamp: stamp, summary: try RunStoreTests.stored(number).summary)
    }
    let bytes = index.bytes
    let read = try #require(bytes.withUnsafeBytes { SummaryIndex.entries(in: $0) })
    #expect(read.mapValues(\.summary) == index.entries.mapValues(\.summary))
    #expect(read.mapValues(\.stamp) == index.entries.mapValues(\.stamp))
    for cut in bytes.indices {
      #expect(Array(bytes[..<cut]).withUnsafeBytes { SummaryIndex.entries(in: $0) }?.count == nil, "cut at \(cut)")
    }
    #expect(SummaryIndex().bytes.withUnsafeBytes { SummaryIndex.entries(in: $0)?.count } == 0)
  }
}
