import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

struct RecordingWriterTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test func `A written recording reads back the same to the last bit`() throws {
    var generator = SplitMix64(seed: 9)
    let columns = Dictionary(
      uniqueKeysWithValues: Channel.allCases.map { channel in
        (channel, (0..<500).map { _ in Self.anyFloat(&generator) })
      })
    let recording = Recording(name: "r", sampleRate: .hertz(50), columns: columns)
    let url = folder.file("r.csv")
    try recording.write(to: url)
    let table = try RecordingTable(contentsOf: url)
    #expect(table.channels == recording.channels)
    for channel in Channel.allCases {
      #expect(table[channel].map(\.canonicalBits) == recording[channel].map(\.canonicalBits), "\(channel)")
    }
  }

  /// A random finite float, sometimes a missing one.
  private static func anyFloat(_ generator: inout SplitMix64) -> Float {
    let value = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
    return value.isFinite ? value : .nan
  }

  @Test func `The format is MotionDataCollector's, with the recording's sensors`() throws {
    let recording = Recording(
      name: "r", sampleRate: .hertz(10),
      columns: [
        .gravityX: [0, -0.1], .gravityY: [1, 1e-5], .gravityZ: [.nan, 3],
        .userAccelerationX: [0.33333334, -0.0], .userAccelerationY: [.infinity, 2],
        .userAccelerationZ: [16_777_216, 1],
      ])
    let url = folder.file("r.csv")
    try recording.writeWithoutTimes(to: url)
    #expect(
      try String(contentsOf: url, encoding: .utf8) == """
        ,gravity.x,gravity.y,gravity.z,userAcceleration.x,userAcceleration.y,userAcceleration.z
        0,0.0,1.0,,0.33333334,,16777216.0
        1,-0.1,1e-05,3.0,-0.0,2.0,1.0

        """)
  }

  @Test func `Gait's own format has times, labels, subjects and repairs`() throws {
    let table = RecordingTable(
      name: "folder/walk, 1.csv", format: .sensorLog,
      channels: Set(Sensor.gravity.channels + Sensor.userAcceleration.channels),
      rows: (0..<3).map { TimedRows.row($0) }, times: [-500_000_000, 0, 500_000_001],
      repairs: [.droppedTruncatedLastLine],
      labelRuns: [LabelRun(label: "a \"b\", c", rows: 0..<2), LabelRun(label: nil, rows: 2..<3)],
      subjectRuns: [LabelRun(label: "7", rows: 0..<3)])
    let recording = try AnnotatedRecording(table, sampleRate: .hertz(2))
    let url = folder.file("r.csv")
    try recording.write(to: url)
    #expect(
      try String(contentsOf: url, encoding: .utf8) == """
        # gait recording: s, rad, g, rad/s
        # source: walk, 1.csv (sensorLog)
        # repaired: dropped the last line, which was cut short
        time,gravity.x,gravity.y,gravity.z,userAcceleration.x,userAcceleration.y,userAcceleration.z,label,subject
        -0.5,0.0,0.0,-1.0,0.0,0.0,0.0,"a ""b"", c",7
        0,0.0,0.0,-1.0,0.001,0.0,0.0,"a ""b"", c",7
        0.500000001,0.0,0.0,-1.0,0.002,0.0,0.0,,7

        """)
  }

  @Test func `Times, gaps, labels and estimated gravity read back the same for any number of rows`() throws {
    var random = SplitMix64(seed: 3)
    for count in [2, 40, 4095, 4096, 4097, 9000] {
      var time: Int64 = 1_732_000_000_000_000_000
      let times = (0..<count).map { index in
        time += Int64.random(in: 15_000_000...25_000_000, using: &random) + (index % 1000 == 999 ? 5_000_000_000 : 0)
        return time
      }
      let labels = stride(from: 0, to: count, by: 70).map {
        LabelRun(label: $0 % 140 == 0 ? "läuft" : nil, rows: $0..<min($0 + 70, count))
      }
      let table = RecordingTable(
        name: "bare.csv", format: .phyphox, channels: Set(Sensor.userAcceleration.channels),
        rows: times.indices.map { index in
          MotionSample(
            time: .seconds(0), gravity: SIMD3(repeating: .nan),
            userAcceleration: SIMD3(Float.random(in: -1...1, using: &random), 0.1, -1)
          ).row
        }, times: times, accelerationIncludesGravity: true, labelRuns: labels)
      let recording = try AnnotatedRecording(table, sampleRate: .hertz(50))
      try recording.write(to: folder.file("r.csv"))
      let copy = try AnnotatedRecording(contentsOf: folder.file("r.csv"))
      #expect(copy.recording.nanoseconds == recording.recording.nanoseconds)
      #expect(copy.recording.gaps == recording.recording.gaps)
      #expect(copy.recording.gravityIsEstimated)
      #expect(copy.recording.channels == recording.recording.channels)
      #expect(copy.labels == recording.labels)
      #expect(copy.subjects == nil)
      #expect(copy.format == .gait)
      for channel in recording.recording.channels {
        #expect(copy.recording[channel].map(\.canonicalBits) == recording.recording[channel].map(\.canonicalBits))
      }
    }
  }

  @Test func `A recording is not written into a folder that does not exist`() throws {
    let recording = Recording(name: "r", sampleRate: .hertz(10), columns: [.gravityX: [0]])
    #expect(throws: FileWriteError.noFolder(file: "none/r.csv", folder: "none")) {
      try recording.write(to: URL(filePath: "none/r.csv", relativeTo: folder.url))
    }
    #expect(try folder.contents == [])
  }
}

extension Float {
  /// The value's bits, the same for all missing values.
  fileprivate var canonicalBits: UInt32 { isNaN ? Float.nan.bitPattern : bitPattern }
}
