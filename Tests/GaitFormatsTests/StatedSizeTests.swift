import Foundation
import GaitTestSupport
import Testing

@testable import GaitFormats

/// Files whose stated size is wrong.
struct StatedSizeTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func drain(_ source: any ByteSource) throws -> Int {
    var count = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let filled = try buffer.withUnsafeMutableBytes { try source.fill($0) }
      if filled == 0 { return count }
      count += filled
    }
  }

  private func unpacked(_ packed: [UInt8]) throws -> Int {
    try drain(PeekedBytes.unpacked(MemoryBytes(packed[...]), file: "walk.csv"))
  }

  // MARK: Expected sizes

  @Test func `An entry that states 4 GB has an expected size limited by its compressed bytes`() throws {
    let archive = try ZipWriter.archive([("walk.csv", "gravity.x\n1\n")], flaw: .overstatedSize)
    try folder.write(archive, to: "walk.zip")
    let file = try #require(ZipArchive(contentsOf: folder.file("walk.zip"), label: "walk.zip").files.first)
    let source = try file.open()
    #expect(source.expectedByteCount <= 32 * archive.count)
    #expect(throws: RecordingError.self) { try drain(source) }
  }

  @Test func `A sparse file has a small expected size`() throws {
    let url = try folder.write("gravity.x\n1\n", to: "walk.csv")
    let handle = try FileHandle(forUpdating: url)
    try handle.truncate(atOffset: 1 << 40)
    try handle.close()
    #expect(try FileBytes(contentsOf: url, file: "walk.csv").expectedByteCount <= 1 << 22)
    let whole = try folder.write([UInt8](repeating: 1, count: 300_000), to: "whole.csv")
    #expect(try FileBytes(contentsOf: whole, file: "whole.csv").expectedByteCount == 300_000)
  }

  @Test func `JSON that is longer than the limit is refused`() throws {
    let url = try folder.write("{", to: "walk.json")
    let handle = try FileHandle(forUpdating: url)
    try handle.truncate(atOffset: UInt64(GyroData.largestByteCount) + 1)
    try handle.close()
    let file = URL(filePath: "walk.json", relativeTo: folder.url)
    #expect(throws: RecordingError.notGyroData(file: "walk.json", reason: "it is longer than 128 MiB")) {
      try RecordingTable(contentsOf: file)
    }
  }

  // MARK: Archives

  @Test func `Overlapping entries are rejected`() throws {
    let files = (0..<50).map { (name: "\($0).csv", text: String(repeating: "gravity.x\n", count: 100)) }
    try folder.write(ZipWriter.archive(files, isDeflated: false, flaw: .overlapping), to: "walk.zip")
    let expected = RecordingError.unreadableArchive(file: "walk.zip", reason: "its entries overlap or are truncated")
    #expect(throws: expected) { try ZipArchive(contentsOf: folder.file("walk.zip"), label: "walk.zip") }
    try folder.write(ZipWriter.archive(files, isDeflated: false), to: "valid.zip")
    #expect(try ZipArchive(contentsOf: folder.file("valid.zip"), label: "valid.zip").entries.count == 50)
  }

  // MARK: Compressed data

  @Test func `Zeros are decompressed up to the size allowed at any ratio`() throws {
    let free = [UInt8](repeating: 0, count: Inflater.freeByteCount)
    #expect(try unpacked(InflaterTests.gzip(free)) == free.count)
    #expect(throws: expandsTooFar) { try unpacked(InflaterTests.gzip(free + free + free)) }
  }

  private let expandsTooFar = RecordingError.invalid(
    file: "walk.csv",
    "holds compressed data that expands more than 200 times, as no recording does; export it again, or "
      + "unpack it first if it is sound")

  @Test func `The ratio limit covers all members together`() throws {
    let member = try InflaterTests.gzip([UInt8](repeating: 0, count: 1 << 20))
    var members: [UInt8] = []
    for _ in 0..<24 { members += member }
    #expect(throws: expandsTooFar) { try unpacked(members) }
  }

  @Test func `Data that is compressed twice is rejected by its inner ratio`() throws {
    let inner = try InflaterTests.gzip([UInt8](repeating: 0, count: 40 << 20))
    let outer = try InflaterTests.gzip(inner)
    #expect(throws: expandsTooFar) {
      try drain(PeekedBytes.unpacked(PeekedBytes.unpacked(MemoryBytes(outer[...]), file: "walk.csv"), file: "walk.csv"))
    }
  }

  @Test func `Large data with the ratio of recordings is decompressed`() throws {
    var generator = SplitMix64(seed: 5)
    let row = (0..<40_000).map { _ in UInt8.random(in: 48...57, using: &generator) }
    // Repeats are further apart than deflate's window, so the ratio is 2.3.
    var text: [UInt8] = []
    for _ in 0..<300 { text += row }
    #expect(try unpacked(InflaterTests.gzip(text)) == text.count)
  }

  // MARK: Columns

  @Test func `More columns than any recorder writes are rejected`() throws {
    let csv = try MotionCSV()
    let sentence = "the line has more than 10000 columns; check that the file is a recording"
    #expect(
      try csv.error(String(repeating: "a,", count: 10_001) + "b\n1\n")
        == .invalid(file: "walk.csv", line: 1, sentence))
  }
}
