import Foundation
import GaitTestSupport
import Testing

/// Small files that claim, or expand to, huge sizes: memory and work stay bounded.
@Suite(.requiresOptimization) struct BoundedInputTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// The memory limit, mebibytes.
  private static let mostMebibytes = 300
  private static let columns = "gravity.x,gravity.y,gravity.z,userAcceleration.x,userAcceleration.y,userAcceleration.z"
  private static let row = "0,0,-1,0.1,0.2,0.3"

  private static func run(_ script: String, in folder: TemporaryDirectory) throws -> MeasuredProcess {
    let run = try MeasuredProcess(script, in: folder.url)
    if let peak = run.peakMebibytes { #expect(peak <= mostMebibytes, "\(peak) MiB") }
    return run
  }

  /// Checks that `script` ends with the status and one sentence that contains every part.
  private static func check(
    _ script: String, status: Int32 = 65, says parts: [String], in folder: TemporaryDirectory,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let run = try run(script, in: folder)
    #expect(run.status == status, "\(run.complaints)", sourceLocation: sourceLocation)
    #expect(run.output == "", sourceLocation: sourceLocation)
    let lines = run.complaints.split(separator: "\n")
    for part in parts {
      #expect(run.complaints.contains(part), "\(run.complaints)", sourceLocation: sourceLocation)
    }
    #expect(lines.first?.hasPrefix("Error: ") == true, sourceLocation: sourceLocation)
    // The argument parser adds the usage to usage errors only.
    #expect(status == 64 || lines.count == 1, "\(run.complaints)", sourceLocation: sourceLocation)
  }

  // MARK: Packed

  @Test(arguments: [
    "{ echo '\(columns)'; yes '\(row)' | head -c 300000000; } | gzip > a.csv.gz; \"$gait\" inspect a.csv.gz --rate 50",
    "head -c 300000000 /dev/zero | tr '\\0' '\\n' | gzip > a.csv.gz; \"$gait\" inspect a.csv.gz --rate 50",
    "{ echo '\(columns)'; head -c 300000000 /dev/zero | tr '\\0' '\\n'; } | gzip > a.gz; \"$gait\" inspect a.gz --rate 50",
    "{ echo '['; head -c 300000000 /dev/zero | tr '\\0' ' '; } | gzip > a.json; \"$gait\" inspect a.json",
    "{ echo '<gpx>'; head -c 300000000 /dev/zero | tr '\\0' ' '; } | gzip > a.gpx; "
      + "{ echo '\(columns)'; yes '\(row)' | head -n 200; } > a.csv; "
      + "\"$gait\" track running a.csv --rate 50 --location a.gpx",
  ])
  func `Compressed data that expands implausibly is refused`(script: String) throws {
    let run = try Self.run(script, in: TemporaryDirectory())
    #expect(run.status == 65, "\(run.complaints)")
    #expect(run.complaints.split(separator: "\n").count == 1, "\(run.complaints)")
  }

  @Test func `The error states the expansion`() throws {
    try Self.check(
      "{ echo '\(Self.columns)'; yes '\(Self.row)' | head -c 100000000; } | gzip > a.csv.gz; "
        + "\"$gait\" inspect a.csv.gz --rate 50",
      says: ["Error: a.csv.gz holds compressed data that expands more than 200 times, as no recording does; "],
      in: TemporaryDirectory())
  }

  // MARK: Sparse

  @Test func `A sparse file is read up to its hole`() throws {
    try folder.write(Self.columns + "\n" + String(repeating: Self.row + "\n", count: 300), to: "a.csv")
    try Self.extend(folder.file("a.csv"), to: 100 << 30)
    try Self.check("\"$gait\" inspect a.csv --rate 50", says: ["a.csv:302: "], in: folder)
  }

  @Test func `An archive's directory of 4 GB in a hole is not read completely`() throws {
    try folder.write([0x50, 0x4B, 3, 4], to: "a.zip")
    let size: UInt64 = 5 << 30
    try Self.extend(folder.file("a.zip"), to: size)
    let handle = try FileHandle(forUpdating: folder.file("a.zip"))
    try handle.seek(toOffset: size)
    // 65,534 entries in 4,026,531,840 bytes from byte 256 on.
    try handle.write(
      contentsOf: Data([0x50, 0x4B, 5, 6, 0, 0, 0, 0, 0xFE, 0xFF, 0xFE, 0xFF, 0, 0, 0, 0xF0, 0, 1, 0, 0, 0, 0]))
    try handle.close()
    try Self.check("\"$gait\" inspect a.zip", says: ["a.zip", "its directory is truncated"], in: folder)
  }

  private static func extend(_ url: URL, to size: UInt64) throws {
    let handle = try FileHandle(forUpdating: url)
    try handle.truncate(atOffset: size)
    try handle.close()
  }

  // MARK: JSON

  @Test(arguments: [
    ("yes '[' | head -c 4000000 | tr -d '\\n'", "it is nested too deep"),
    ("{ printf '[0'; yes ',0' | head -n 3000000 | tr -d '\\n'; printf ']'; }", "[0] is not valid"),
    (
      "{ o='{\"sensor\":0,\"axisValues\":[{\"x\":1}]}'; printf '[%s' \"$o\"; yes \",$o\" | head -n 99999; printf ']'; }",
      "holds several recordings"
    ),
  ])
  func `JSON of many brackets, values or objects is refused`(text: String, says: String) throws {
    try Self.check("\(text) > a.json; \"$gait\" inspect a.json", says: ["a.json", says], in: TemporaryDirectory())
  }

  // MARK: Text

  @Test func `A line with too many columns is refused`() throws {
    try Self.check(
      "yes 'a,' | tr -d '\\n' | head -c 15000000 > a.csv; echo >> a.csv; \"$gait\" inspect a.csv --rate 50",
      says: ["a.csv:1: the line has more than 10000 columns"], in: TemporaryDirectory())
  }

  @Test func `An endless line on standard input is refused`() throws {
    try Self.check(
      "yes 1 | tr -d '\\n' | \"$gait\" track running - --rate 50",
      says: ["standard input:1: the line is longer than 1 MiB"], in: TemporaryDirectory())
    try Self.check(
      "{ echo '\(Self.columns)'; yes '\(Self.row)' | head -n 50; yes 1 | tr -d '\\n'; } "
        + "| \"$gait\" track running - --rate 50",
      says: ["standard input:52: the line is longer than 1 MiB"], in: TemporaryDirectory())
  }

  // MARK: Locations

  @Test func `A GPX track of 160,000 points is read in one pass`() throws {
    try folder.write(Self.columns + "\n" + String(repeating: Self.row + "\n", count: 500), to: "a.csv")
    let two = { (number: Int) in "\(number + 100)".suffix(2) }
    let points = (0..<160_000).map { index in
      let time = "\(two(index / 3600 % 24)):\(two(index / 60 % 60)):\(two(index % 60))"
      let day = two(index / 86_400 + 1)
      return "<trkpt lat=\"48.1\" lon=\"11.\(index)\"><time>2026-01-\(day)T\(time)Z</time></trkpt>\n"
    }
    try folder.write("<gpx><trk><trkseg>\n\(points.joined())</trkseg></trk></gpx>\n", to: "a.gpx")
    let options = "--location a.gpx --location-offset -1767225600 --json"
    let run = try Self.run("\"$gait\" track running a.csv --rate 50 \(options)", in: folder)
    #expect(run.status == 0, "\(run.complaints)")
    #expect(run.output.contains("\"distance\""), "\(run.complaints)")
  }

  @Test func `GPS points that jump between continents give a bounded list of splits`() throws {
    try folder.write(Self.columns + "\n" + String(repeating: Self.row + "\n", count: 500), to: "a.csv")
    let rows = (0..<2000).map { "\(Double($0) / 200),\($0 % 2 == 0 ? -80 : 80),1" }
    try folder.write("time,latitude,longitude\n" + rows.joined(separator: "\n") + "\n", to: "route.csv")
    let run = try Self.run("\"$gait\" track running a.csv --rate 50 --policy never --location route.csv", in: folder)
    #expect(run.status == 0, "\(run.complaints)")
  }

  // MARK: Options

  @Test(arguments: [
    ("track running a.csv --rate 50 --split 1e-300", "--split must be within 1…1000000 m"),
    ("track running a.csv --rate 50 --split nan", "--split must be within 1…1000000 m"),
    ("track running a.csv --rate 50 --step-length inf", "--step-length within 0.1…5 m"),
    (
      "evaluate running . --layout '{label}.csv' --pauses --seeds 1-18446744073709551615",
      "--hours times the number of --seeds must be at most 200 h"
    ),
    ("evaluate running . --layout '{label}.csv' --pauses --hours inf", "--hours must be within 0.01…200"),
    (
      "train . --layout '{label}.csv' --model forest --trees 9223372036854775807",
      "--trees must be within 1…10000"
    ),
  ])
  func `A number that requires endless work is refused with its range`(arguments: String, says: String) throws {
    try folder.write(Self.columns + "\n", to: "a.csv")
    try Self.check("\"$gait\" \(arguments)", status: 64, says: [says], in: folder)
  }
}
