import Dispatch
import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

/// A file read in blocks has the samples, labels and repairs of the file read as a whole.
struct RecordingBlocksTests {
  /// What is special about a file.
  enum Feature: CaseIterable {
    case untimed, even, jitter, gaps, brokenRows, brokenRowsAtRate, manyBrokenRows, longBrokenRuns, staleFirstRow,
      lonelyFirstRow
    case labels, total, truncated, unusualRate, givenRate, totalAndUser
    case unevenGravity, laterDisorder, laterRate

    /// Whether the file cannot be read in blocks.
    var needsWhole: Bool { [.laterDisorder, .laterRate].contains(self) }
  }

  /// A file of 1,200 rows, and its sample rate if it states none.
  private static func text(_ feature: Feature, _ random: inout SplitMix64) -> (text: String, rate: Double?) {
    let isTotal = feature == .total
    let isDifference = [.totalAndUser, .unevenGravity].contains(feature)
    let isUntimed = [.untimed, .brokenRowsAtRate, .longBrokenRuns].contains(feature)
    var names = isTotal ? ["acc_x (g)", "acc_y (g)", "acc_z (g)"] : Channel.allCases.map(\.rawValue)
    if isDifference {
      names = ["acc_x (g)", "acc_y (g)", "acc_z (g)", "linear_acc_x (g)", "linear_acc_y (g)", "linear_acc_z (g)"]
    }
    let timeName = isTotal || isDifference ? "time (s)" : "timeIntervalSince1970"
    if feature == .labels { names.append("label") }
    let header = (isUntimed ? [""] : [feature == .labels ? "time" : timeName]) + names
    var lines = [header.joined(separator: ",")]
    var (time, brokenRun) = (1000.0, 0)
    for row in 0..<1200 {
      let hertz = feature == .laterRate && row > 800 ? 100.0 : feature == .unusualRate ? 33.371 : 50
      time += 1 / hertz * (feature == .jitter ? Double.random(in: 0.6...1.4, using: &random) : 1)
      if feature == .unusualRate, row > 700 { time += 0.001 }
      if feature == .gaps, Int.random(in: 0..<150, using: &random) == 0 {
        time += Double.random(in: 0.2...30, using: &random)
      }
      if feature == .lonelyFirstRow, row == 1 { time += 4 }
      if brokenRun == 0 {
        switch feature {
        case .brokenRows, .brokenRowsAtRate:
          if Int.random(in: 0..<90, using: &random) == 0 { brokenRun = Int.random(in: 1...6, using: &random) }
        case .manyBrokenRows: if Int.random(in: 0..<5, using: &random) == 0 { brokenRun = 1 }
        case .longBrokenRuns:
          if Int.random(in: 0..<300, using: &random) == 0 { brokenRun = Int.random(in: 1...250, using: &random) }
        default: break
        }
      } else {
        brokenRun -= 1
      }
      let isStale = feature == .staleFirstRow && row == 0
      var cells = names.indices.map { column -> String in
        let scale: Float = feature == .unevenGravity && row > 900 && column < 3 ? 3 : 1
        let value =
          Float(column % 3 == 2 && !(isDifference && column > 2) ? 1 : 0.01) * scale
          + Float.random(in: -0.02...0.02, using: &random)
        return "\((isStale && column < 6 ? -value : value))"
      }
      if brokenRun > 0 { cells[isTotal || isDifference ? 1 : 4] = "" }
      if feature == .labels { cells[cells.count - 1] = ["walk", "run", ""][row / 170 % 3] }
      lines.append(((isUntimed ? ["\(row)"] : ["\(time)"]) + cells).joined(separator: ","))
    }
    if feature == .laterDisorder { lines.swapAt(1000, 1002) }
    var text = lines.joined(separator: "\n") + "\n"
    if feature == .truncated { text.removeLast(9) }
    return (text, isUntimed ? (feature == .longBrokenRuns ? 60 : 50) : feature == .givenRate ? 49 : nil)
  }

  @Test(arguments: Feature.allCases)
  func `Blocks have the samples, labels and repairs of the whole file`(feature: Feature) throws {
    let folder = try TemporaryDirectory()
    for seed in Array(1...12).thinnedInDebug(by: 5) {
      var random = SplitMix64(seed: UInt64(seed))
      let (text, rate) = Self.text(feature, &random)
      let url = try folder.write(text, to: "run\(seed).csv")
      let channels = seed % 2 == 0 ? Set(Sensor.gravity.channels + Sensor.userAcceleration.channels) : nil
      let options = ReadingOptions(sampleRate: rate.map { .hertz($0) }, channels: channels)
      let whole = try AnnotatedRecording(contentsOf: url, options)
      let blocks = RecordingBlocks(
        contentsOf: url, options, blockRows: [130, 300, 700][seed % 3], chunkBytes: [700, 3000, 20_000][seed / 3 % 3],
        workers: seed % 2 == 0 ? .threads : nil)
      var (joined, count, beginnings) = (Joined(), 0, 0)
      let summary = try blocks.read { begun in
        (joined, count) = (Joined(), 0)
        beginnings += 1
        #expect(begun.sampleRate.hertz > 0)
        #expect(begun.count == 0)
      } append: {
        joined.append($0)
        count += 1
      }
      let place = "\(feature), seed \(seed)"
      // An unusual rate is measured before the first block; 130 rows of jitter do not show the nominal rate.
      let mayRepeat = feature.needsWhole || [.manyBrokenRows, .jitter, .unevenGravity].contains(feature)
      #expect(beginnings == 1 || mayRepeat, "\(place): the blocks followed \(beginnings) times")
      #expect(feature.needsWhole ? count == 1 : count > 1, "\(place): \(count) blocks")
      let recording = whole.recording
      #expect(joined.times == recording.nanoseconds, "\(place): times")
      #expect(joined.rows.count == recording.count, "\(place): rows")
      let different = zip(joined.rows, recording.rows).enumerated().first { !$1.0.hasSameBits(as: $1.1) }
      #expect(different == nil, "\(place): row \(different?.offset ?? 0)")
      #expect(summary.recording.repairs == recording.repairs, "\(place)")
      #expect(summary.recording.sampleRate == recording.sampleRate, "\(place)")
      #expect(joined.channels == recording.channels, "\(place)")
      #expect(joined.isEstimated == recording.gravityIsEstimated, "\(place)")
      #expect(summary.count == recording.count, "\(place)")
      #expect(abs(summary.duration - recording.duration) < 1e-9, "\(place)")
      #expect(joined.labels == (whole.labels ?? []), "\(place): labels")
      #expect(joined.missing == whole.missingRows, "\(place): missing rows")
    }
  }

  private struct Joined {
    var times: [Int64] = []
    var rows: [SIMD16<Float>] = []
    var labels: [LabelRun] = []
    var missing: [Range<Int>] = []
    var channels: Set<Channel> = []
    var isEstimated = false

    mutating func append(_ block: RecordingBlock) {
      let first = rows.count
      for run in block.labels ?? [] {
        labels.append(run.label, first + run.rows.lowerBound..<first + run.rows.upperBound)
      }
      for rows in block.missingRows {
        missing.append(adjoining: first + rows.lowerBound..<first + rows.upperBound)
      }
      times += block.recording.nanoseconds
      rows += block.recording.rows
      (channels, isEstimated) = (block.recording.channels, block.recording.gravityIsEstimated)
    }
  }

  @Test(arguments: [1, 2]) func `An error in a later block names its line`(threadCount: Int) throws {
    let folder = try TemporaryDirectory()
    var random = SplitMix64(seed: 1)
    var lines = Self.text(.even, &random).text.split(separator: "\n").map(String.init)
    lines[1100] = "word" + lines[1100].drop { $0 != "," }
    let url = try folder.write(lines.joined(separator: "\n"), to: "run.csv")
    let error = #expect(throws: RecordingError.self) {
      try RecordingBlocks(
        contentsOf: url, blockRows: 200, chunkBytes: 4000, workers: threadCount == 1 ? nil : .threads
      ).read { _ in
      } append: { _ in
      }
    }
    #expect("\(try #require(error))".contains("run.csv:1101: column 1"), "\(String(describing: error))")
  }

  /// Rows whose decimal mark shows late, comments, blank lines, empty cells, and at last a fault, in small chunks.
  @Test(arguments: ["", "word", "\0", "1;2"])
  func `Threads read the same rows, and name the same line of a fault`(fault: String) throws {
    let folder = try TemporaryDirectory()
    var lines = ["time;accelerationX;accelerationY;accelerationZ;label"]
    for row in 0..<3000 {
      if row % 97 == 5 { lines.append("# a comment") }
      if row % 89 == 7 { lines.append("") }
      let value = row < 400 ? "1" : row % 53 == 0 ? "" : "\(row % 7),\(row)"
      lines.append("\(row * 20);\(value);0;1;\(["walk", "run"][row / 500 % 2])")
    }
    lines[2500] = fault + lines[2500]
    lines[0] = lines[0].replacing("time", with: "time_ms")
    let url = try folder.write(lines.joined(separator: "\n"), to: "run.csv")
    var options = ReadingOptions(format: .accelerometer, units: RecordingUnits(acceleration: .gravity))
    options.labelColumn = "label"
    func outcome(_ workers: Workers?) -> String {
      Result {
        var joined = Joined()
        let summary = try RecordingBlocks(
          contentsOf: url, options, blockRows: 300, chunkBytes: 1500, workers: workers
        ).read { _ in
          joined = Joined()
        } append: {
          joined.append($0)
        }
        // The order of a set varies.
        let channels = joined.channels.map(\.rawValue).sorted()
        joined.channels = []
        return "\(joined) \(channels) \(summary.recording.repairs)"
      }.description
    }
    #expect(outcome(.threads) == outcome(nil))
    #expect(outcome(nil).contains("run.csv:2501") == !fault.isEmpty)
  }

  @Test func `The rate of a stream of times is that of all times`() throws {
    for seed in 1...20 {
      var random = SplitMix64(seed: UInt64(seed))
      var times: [Int64] = [0]
      for _ in 0..<(seed % 4 == 0 ? 90_000 : 1000 * seed) {
        let isGap = Int.random(in: 0..<400, using: &random) == 0
        times.append(
          times[times.count - 1]
            + Int64.random(in: isGap ? 100_000_000...9_000_000_000 : 9_000_000...31_000_000, using: &random))
      }
      let whole = try #require(RateEstimate(times: times))
      var steps = StepTotals(period: try #require(RateEstimate(times: Array(times[..<400]))).period)
      for (before, after) in zip(times, times.dropFirst()) { steps.append(after - before) }
      let streamed = try #require(RateEstimate(steps), "seed \(seed)")
      #expect(streamed.period == whole.period, "seed \(seed)")
      #expect(streamed.median == whole.median, "seed \(seed)")
    }
  }
}

extension Workers {
  /// Two threads.
  fileprivate static let threads = Workers(count: 2) { waits, work in
    let item = DispatchWorkItem(block: work)
    (waits ? DispatchQueue(label: "reading") : .global()).async(execute: item)
    return { item.wait() }
  }
}

extension Result where Success == String {
  /// The text, or the error's.
  fileprivate var description: String {
    switch self {
    case .success(let text): text
    case .failure(let error): "\(error)"
    }
  }
}
