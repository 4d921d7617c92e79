import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

/// Unused channels are skipped after the rows that decide whether the first is stale, and nothing else changes.
struct SkippedChannelsTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static let needed = Set(Sensor.gravity.channels + Sensor.userAcceleration.channels)

  private static func options(_ channels: Set<Channel>?) -> ReadingOptions {
    ReadingOptions(sampleRate: .hertz(50), channels: channels)
  }

  /// Rows of MotionDataCollector; a stale first one has another orientation.
  private static func text(rows: Int, isStale: Bool, lineEnd: String = "\n") -> String {
    let header = [""] + Channel.allCases.map(\.rawValue)
    let lines = (0..<rows).map { row in
      let cells = Channel.allCases.indices.map { column in
        let value = 0.001 * Double((row * 7 + column * 13) % 11) + Double(column % 3 == 0 ? 1 : 0)
        return String(isStale && row == 0 && column < 6 ? -value : value)
      }
      return ([String(row)] + cells).joined(separator: ",")
    }
    return ([header.joined(separator: ",")] + lines).joined(separator: lineEnd) + lineEnd
  }

  @Test(
    .requiresOptimization,
    arguments: [
      (9, false), (32, false), (33, true), (40, false), (40, true), (119, true), (120, true), (121, true), (122, false),
      (999, true), (20_000, false), (20_000, true),
    ],
    ["\n", "\r\n"])
  func `Used channels are the same as if all were read`(_ file: (rows: Int, isStale: Bool), _ lineEnd: String) throws {
    let url = try folder.write(
      Self.text(rows: file.rows, isStale: file.isStale, lineEnd: lineEnd), to: "run.csv")
    let whole = try AnnotatedRecording(contentsOf: url, Self.options(nil)).recording
    let part = try AnnotatedRecording(contentsOf: url, Self.options(Self.needed)).recording
    #expect(part.count == whole.count)
    #expect(part.count == file.rows - (file.isStale ? 1 : 0))
    #expect(part.repairs.changes == whole.repairs.changes)
    for channel in Self.needed { #expect(part[channel] == whole[channel], "\(channel.rawValue)") }
  }

  /// Rows with times, with a stale first one; if swapped, it follows the second in the file.
  private static func timedText(rows: Int, isSwapped: Bool) -> String {
    var lines = text(rows: rows, isStale: true).split(separator: "\n").enumerated().map { index, line in
      (index == 0 ? "timeIntervalSince1970" : String(1000 + Double(index) / 50)) + line.drop { $0 != "," }
    }
    if isSwapped { lines.swapAt(1, 2) }
    return lines.joined(separator: "\n") + "\n"
  }

  @Test(arguments: [false, true])
  func `A stale first row is detected at any position in the file`(isSwapped: Bool) throws {
    let url = try folder.write(Self.timedText(rows: 400, isSwapped: isSwapped), to: "run.csv")
    let whole = try AnnotatedRecording(contentsOf: url, Self.options(nil)).recording
    let part = try AnnotatedRecording(contentsOf: url, Self.options(Self.needed)).recording
    #expect(whole.count == 399)
    #expect(part.repairs.changes == whole.repairs.changes)
    for channel in Self.needed { #expect(part[channel] == whole[channel], "\(channel.rawValue)") }
  }

  /// A kind of disorder of rows with times.
  enum Disorder: CaseIterable {
    case none, swappedRows, repeatedRows, repeatedTimes, clockSetBack, noTime
  }

  @Test(arguments: Disorder.allCases)
  func `Rows are sorted and repaired the same if channels are skipped`(disorder: Disorder) throws {
    var lines = Self.timedText(rows: 600, isSwapped: false).split(separator: "\n").map(String.init)
    func setTime(_ time: String, ofLine line: Int) { lines[line] = time + lines[line].drop { $0 != "," } }
    switch disorder {
    case .none: break
    case .swappedRows: lines.swapAt(400, 401)
    case .repeatedRows: lines.append(contentsOf: lines[50..<150])
    case .repeatedTimes: setTime(String(lines[400].prefix { $0 != "," }), ofLine: 401)
    case .clockSetBack: for line in 450..<600 { setTime(String(1000 + Double(line - 200) / 50), ofLine: line) }
    case .noTime: setTime("", ofLine: 500)
    }
    let url = try folder.write(lines.joined(separator: "\n") + "\n", to: "run.csv")
    let whole = try AnnotatedRecording(contentsOf: url, Self.options(nil)).recording
    let part = try AnnotatedRecording(contentsOf: url, Self.options(Self.needed)).recording
    #expect(part.repairs.changes == whole.repairs.changes)
    #expect(part.channels == Self.needed)
    #expect(whole.channels == Set(Channel.allCases))
    try #require(part.count == whole.count)
    for channel in Self.needed { #expect(part[channel] == whole[channel], "\(channel.rawValue)") }
    #expect((0..<part.count).allSatisfy { part.time(at: $0) == whole.time(at: $0) })
  }

  @Test func `All channels of a short recording are read`() throws {
    for (rows, isStale) in [(100, false), (100, true), (120, false), (121, true), (122, false)] {
      let url = try folder.write(Self.text(rows: rows, isStale: isStale), to: "\(rows).csv")
      let part = try AnnotatedRecording(contentsOf: url, Self.options(Self.needed)).recording
      #expect(part.channels == (rows > 120 ? Self.needed : Set(Channel.allCases)), "\(rows) rows")
    }
  }

  /// Units are converted before detection: 720° is not a rotation, 12.57° is, although 12.57 rad ≈ 4π would not be.
  @Test(arguments: [12.57, 720])
  func `A first row in degrees is detected the same if channels are skipped`(jump: Double) throws {
    let header =
      ["timeIntervalSince1970", "attitude.roll (deg)", "attitude.pitch (deg)", "attitude.yaw (deg)"]
      + Sensor.gravity.channels.map(\.rawValue) + Sensor.rotationRate.channels.map(\.rawValue)
      + Sensor.userAcceleration.channels.map(\.rawValue)
    let lines = (0..<400).map { row in
      let time = 1000 + Double(row) / 50
      let roll = 0.2 * Double(row % 5) + (row == 0 ? jump : 0)
      let numbers =
        [time, roll, 0.1, 0.2] + [0, 0.01, -1] + [0.001, 0.002, 0] + [0.01, 0.02, 0.03 * Double(row % 3)]
      return numbers.map { "\($0)" }.joined(separator: ",")
    }
    let url = try folder.write(([header.joined(separator: ",")] + lines).joined(separator: "\n") + "\n", to: "run.csv")
    let whole = try AnnotatedRecording(contentsOf: url, Self.options(nil)).recording
    let part = try AnnotatedRecording(contentsOf: url, Self.options(Self.needed)).recording
    #expect(whole.count == (jump == 720 ? 400 : 399))
    #expect(part.count == whole.count)
    #expect(part.repairs.changes == whole.repairs.changes)
    #expect(part.channels == Self.needed)
  }

  @Test func `A missing value in a skipped channel is not listed`() throws {
    var lines = Self.text(rows: 400, isStale: false).split(separator: "\n").map(String.init)
    func empty(row: Int, column: Int) {
      var cells = lines[row + 1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      cells[column] = ""
      lines[row + 1] = cells.joined(separator: ",")
    }
    for row in [3, 4, 300] { empty(row: row, column: 1) }
    for row in [50, 118, 310] { for later in 0..<20 { empty(row: row + later, column: 4) } }
    let url = try folder.write(lines.joined(separator: "\n") + "\n", to: "run.csv")
    let part = try AnnotatedRecording(contentsOf: url, Self.options(Self.needed))
    #expect(part.missingRows == [50..<70, 118..<138, 310..<330])
    let whole = try AnnotatedRecording(contentsOf: url, Self.options(nil))
    #expect(whole.missingRows == [3..<5, 50..<70, 118..<138, 300..<301, 310..<330])
  }

  @Test func `The same broken rows are dropped if channels are skipped`() throws {
    var lines = Self.text(rows: 400, isStale: true).split(separator: "\n").map(String.init)
    for row in [50, 119, 120, 310] {
      var cells = lines[row + 1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      cells[4] = ""
      lines[row + 1] = cells.joined(separator: ",")
    }
    let url = try folder.write(lines.joined(separator: "\n") + "\n", to: "run.csv")
    let part = try AnnotatedRecording(contentsOf: url, Self.options(Self.needed)).recording
    let whole = try AnnotatedRecording(contentsOf: url, Self.options(nil)).recording
    #expect(part.repairs == [.droppedStaleFirstRow, .droppedBrokenRows(count: 4)])
    #expect(part.repairs.changes == whole.repairs.changes)
    #expect(part.count == 395)
    #expect(whole.count == 395)
    for channel in Channel.allCases {
      #expect(part[channel].elementsEqual(whole[channel]) { $0 == $1 || !Self.needed.contains(channel) && $0.isNaN })
    }
  }

  @Test func `A long recording lacks the skipped channels from its first row on`() throws {
    let url = try folder.write(Self.text(rows: 20_000, isStale: false), to: "run.csv")
    let part = try AnnotatedRecording(contentsOf: url, Self.options(Self.needed)).recording
    #expect(part.channels == Self.needed)
    for channel in Channel.allCases where !Self.needed.contains(channel) {
      let isMissing = part[channel].allSatisfy { $0.isNaN }
      #expect(isMissing, "\(channel.rawValue)")
    }
  }

  @Test func `Invalid cells are refused in the first rows and in used channels, and ignored in skipped ones`()
    throws
  {
    let text = Self.text(rows: 20_000, isStale: false)
    let lines = text.split(separator: "\n")
    func file(_ row: Int, _ column: Int) throws -> URL {
      var lines = lines.map(String.init)
      var cells = lines[row].split(separator: ",").map(String.init)
      cells[column] = "odd"
      lines[row] = cells.joined(separator: ",")
      return try folder.write(lines.joined(separator: "\n") + "\n", to: "\(row)-\(column).csv")
    }
    let options = Self.options(Self.needed)
    for (row, column) in [(5, 1), (5, 4), (19_000, 4)] {
      let url = try file(row, column)
      #expect(throws: RecordingError.self) { try AnnotatedRecording(contentsOf: url, options) }
    }
    let skipped = try file(19_000, 1)
    #expect(try AnnotatedRecording(contentsOf: skipped, options).recording.count == 20_000)
  }
}
