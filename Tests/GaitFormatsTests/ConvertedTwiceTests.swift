import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

/// Reading a file that Gait wrote and writing it again gives the same file.
struct ConvertedTwiceTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A recording in a random format, with or without times, with damaged cells, rows and times.
  private func text(_ random: inout SplitMix64) -> String {
    let isTotal = Bool.random(using: &random)
    let isTimed = Int.random(in: 0..<4, using: &random) > 0
    let axes = ["x", "y", "z"]
    let names =
      isTotal
      ? axes.map { "acc_\($0) (g)" } + axes.map { "gyro_\($0) (rad/s)" }
      : axes.map { "gravity.\($0)" } + axes.map { "userAcceleration.\($0)" }
    var text =
      ((isTimed ? [isTotal ? "time (s)" : "timeIntervalSince1970"] : [""]) + names).joined(separator: ",") + "\n"
    let fall = Int.random(in: 0..<400, using: &random)..<400
    var time = 0.0
    for row in 0..<400 {
      let step = Int.random(in: 0..<60, using: &random)
      time += step == 0 ? Double.random(in: 0.03...0.4, using: &random) : step == 1 ? -0.1 : step == 2 ? 0 : 0.02
      let rest: [Double] =
        isTotal && fall.contains(row) && row < fall.lowerBound + 120
        ? [0, 0, 0] : [0.02, Double.random(in: -0.3...0.3, using: &random), -1]
      let cells = (rest + [0.1, 0.2, Double(row) / 400]).map { value in
        Int.random(in: 0..<80, using: &random) == 0 ? ["", "nan", "1e39"].randomElement(using: &random)! : "\(value)"
      }
      let first = isTimed ? (Int.random(in: 0..<90, using: &random) == 0 ? "" : "\(time)") : "\(row)"
      text += ([first] + cells).joined(separator: ",") + "\n"
    }
    return text
  }

  @Test func `Converting a damaged recording twice gives the same file`() throws {
    var random = SplitMix64(seed: 18)
    var (converted, broken) = (0, 0)
    for number in 0..<150 {
      try folder.write(text(&random), to: "damaged \(number).csv")
      let options = ReadingOptions(sampleRate: .hertz(50))
      guard let first = try? AnnotatedRecording(contentsOf: folder.file("damaged \(number).csv"), options) else {
        continue
      }
      try first.write(to: folder.file("once.csv"))
      let again = try AnnotatedRecording(contentsOf: folder.file("once.csv"), options)
      try again.write(to: folder.file("twice.csv"))
      let (once, twice) = try (
        String(contentsOf: folder.file("once.csv"), encoding: .utf8),
        String(contentsOf: folder.file("twice.csv"), encoding: .utf8)
      )
      #expect(once == twice, "\(number): \(first.recording.repairs), then \(again.recording.repairs)")
      #expect(again.missingRows == first.missingRows)
      #expect(again.recording.count == first.recording.count)
      converted += 1
      if !first.missingRows.isEmpty { broken += 1 }
    }
    #expect(converted > 100)
    #expect(broken > 50)
  }

  @Test func `Broken rows are dropped from a file in Gait's format that Gait did not write`() throws {
    let rows = (0..<200).map { "\(Double($0) / 50),0,0,\($0 == 50 ? "" : "-1"),0.\($0 % 7),0,0\n" }.joined()
    let header = "time,gravity.x,gravity.y,gravity.z,userAcceleration.x,userAcceleration.y,userAcceleration.z\n"
    try folder.write(header + rows, to: "own.csv")
    #expect(try Recording(contentsOf: folder.file("own.csv")).repairs == [.droppedBrokenRows(count: 1)])
    try folder.write("# gait recording: s, rad, g, rad/s\n" + header + rows, to: "gaits.csv")
    let kept = try AnnotatedRecording(contentsOf: folder.file("gaits.csv"))
    #expect(kept.recording.repairs == [])
    #expect(kept.missingRows == [50..<51])
  }
}
