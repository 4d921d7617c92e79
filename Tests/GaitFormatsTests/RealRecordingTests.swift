import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

@Suite(.requiresRealData)
struct RealRecordingTests {
  private func stale(in folder: URL) throws -> (files: Int, stale: Int) {
    let files = try RealData.recordings(in: folder).map {
      try AnnotatedRecording(contentsOf: $0, ReadingOptions(sampleRate: .hertz(10)))
    }
    #expect(files.allSatisfy { $0.recording.channels.count == 12 && $0.missingRows.isEmpty })
    return (files.count, files.count { $0.recording.repairs == [.droppedStaleFirstRow] })
  }

  @Test func `Most recordings of BoostRunClub begin with a stale row`() throws {
    #expect(try stale(in: RealData.boostRunClub) == (98, 74))
  }

  @Test func `No recording of MotionSense begins with a stale row`() throws {
    // Twelve subjects, few files each: a debug build reads these in seconds.
    let files = try RealData.recordings(in: RealData.motionSense).filter { $0.path.contains("/jog_") }
    for file in files { #expect(try Recording(contentsOf: file, sampleRate: .hertz(50)).repairs == [], "\(file.path)") }
    #expect(files.count == 24)
  }

  @Test func `A recording of MotionSense is written and read back the same`() throws {
    let folder = try TemporaryDirectory()
    let file = RealData.motionSense.appending(path: "jog_16/sub_1.csv")
    let recording = try Recording(contentsOf: file, sampleRate: .hertz(50))
    try recording.write(to: folder.file("copy.csv"))
    let copy = try Recording(contentsOf: folder.file("copy.csv"), sampleRate: .hertz(50))
    #expect(copy.rows == recording.rows && copy.channels == recording.channels)
  }

  @Test func `The numbers of real files have the bits of strtod`() throws {
    let file = RealData.boostRunClub.appending(path: "running/r1.csv")
    let text = try String(contentsOf: file, encoding: .utf8)
    let cells = text.split(whereSeparator: { $0.isNewline || $0 == "," }).filter { Double($0) != nil }
    for cell in cells {
      let value = Array(cell.utf8).withUnsafeBufferPointer { DecimalNumber.parse($0) }
      #expect(value?.bitPattern == strtod(String(cell), nil).bitPattern)
    }
    #expect(cells.count > 7_000)
  }
}
