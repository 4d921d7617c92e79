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
    #expect(try stale(in: RealData.boostRunClub) == (98, 75))
  }

  @Test func `No recording of MotionSense begins with a stale row`() throws {
    // Twelve subjects with few files each, so that a debug build reads them in seconds.
    let files = try RealData.recordings(in: RealData.motionSense).filter { $0.path.contains("/jog_") }
    for file in files { #expect(try Recording(contentsOf: file, sampleRate: .hertz(50)).repairs == [], "\(file.path)") }
    #expect(files.count == 24)
  }

  @Test func `Recordings of people at rest expand less than a tenth of the limit`() throws {
    let files = try RealData.recordings(in: RealData.motionSense).filter { $0.path.contains("/sit_") }
    for file in files {
      let text = try Array(Data(contentsOf: file))
      #expect(try text.count * 10 < RecordingError.largestExpansion * InflaterTests.gzip(text).count, "\(file.path)")
    }
    #expect(!files.isEmpty)
  }

  @Test func `A recording of MotionSense is written and read back the same`() throws {
    let folder = try TemporaryDirectory()
    let file = RealData.motionSense.appending(path: "jog_16/sub_1.csv")
    let recording = try Recording(contentsOf: file, sampleRate: .hertz(50))
    try recording.write(to: folder.file("copy.csv"))
    let copy = try Recording(contentsOf: folder.file("copy.csv"), sampleRate: .hertz(50))
    #expect(copy.rows == recording.rows)
    #expect(copy.channels == recording.channels)
  }

  @Test(.requiresOptimization, arguments: ["boostrunclub", "motionsense"])
  func `Every number of the real files has the bits of strtod, in the lanes too`(folder: String) throws {
    var files = try RealData.recordings(in: #require(RealData.directory).appending(path: folder))
    #if DEBUG
      files = files.enumerated().filter { $0.offset % 40 == 0 }.map(\.element)
    #endif
    var count = 0
    for file in files {
      let bytes = try Array(Data(contentsOf: file)) + [0]
      let lanes = try DelimitedFile.read(MemoryBytes(bytes.dropLast()), file: file.path) { header in
        header.names.indices.map { $0 == 0 ? .ignored : .lane($0 - 1) }
      }.rows.rows
      try bytes.withUnsafeBufferPointer { bytes in
        count += try Self.compare(bytes, with: lanes)
      }
    }
    #expect(count > 12 * 1_000 * files.count / 4)
  }

  /// Compares every cell except the first of a line and the header's; the bytes end with a zero.
  private static func compare(_ bytes: UnsafeBufferPointer<UInt8>, with lanes: [SIMD16<Float>]) throws -> Int {
    var count = 0
    for (line, row) in zip(bytes.dropLast().split(separator: UInt8(ascii: "\n")).dropFirst(), lanes) {
      for (lane, cell) in line.split(separator: UInt8(ascii: ",")).dropFirst().enumerated() {
        let text = UnsafeBufferPointer(rebasing: cell)
        // strtod stops at the separator, the line feed, or the zero.
        let expected = UnsafeRawPointer(text.baseAddress!).withMemoryRebound(to: CChar.self, capacity: text.count + 1) {
          strtod($0, nil)
        }
        let value = try #require(DecimalNumber.parse(text))
        if value.bitPattern != expected.bitPattern || row[lane].bitPattern != Float(expected).bitPattern {
          Issue.record("\(String(decoding: cell, as: UTF8.self))")
        }
        count += 1
      }
    }
    return count
  }
}
