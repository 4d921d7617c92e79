import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

struct RecordingWriterTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test func `What is written reads back the same to the last bit`() throws {
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

  /// Any finite float, now and then a missing one.
  private static func anyFloat(_ generator: inout SplitMix64) -> Float {
    let value = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
    return value.isFinite ? value : .nan
  }

  @Test func `The form is that of MotionDataCollector with the sensors that there are`() throws {
    let recording = Recording(
      name: "r", sampleRate: .hertz(10),
      columns: [
        .gravityX: [0, -0.1], .gravityY: [1, 1e-5], .gravityZ: [.nan, 3],
        .userAccelerationX: [0.33333334, -0.0], .userAccelerationY: [.infinity, 2],
        .userAccelerationZ: [16_777_216, 1],
      ])
    let url = folder.file("r.csv")
    try recording.write(to: url)
    #expect(
      try String(contentsOf: url, encoding: .utf8) == """
        ,gravity.x,gravity.y,gravity.z,userAcceleration.x,userAcceleration.y,userAcceleration.z
        0,0.0,1.0,,0.33333334,,16777216.0
        1,-0.1,1e-05,3.0,-0.0,2.0,1.0

        """)
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
  /// The value's bits, all missing values alike.
  fileprivate var canonicalBits: UInt32 { isNaN ? Float.nan.bitPattern : bitPattern }
}
