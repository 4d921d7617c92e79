import Foundation
import GaitTestSupport
import Testing

@testable import GaitFormats

struct ZipArchiveTests {
  private let fixture: FormatFixture
  private let text = RecorderFile.motionDataCollector(SyntheticMotion())

  init() throws { fixture = try FormatFixture() }

  private func error(_ archive: [UInt8]) throws -> RecordingError? {
    try fixture.folder.write(archive, to: "walk.zip")
    return fixture.error(reading: "walk.zip")
  }

  @Test func `Only the data of a recording is used`() throws {
    let files = [
      ("run/", ""), ("run/walk.csv", text), ("__MACOSX/run/._walk.csv", "x"), ("run/.DS_Store", "y"),
      ("__MACOSX/run/copy.csv", text), ("run/notes.pdf", "z"), ("run/more/other.csv", text), ("readme.md", "w"),
    ]
    try fixture.folder.write(ZipWriter.archive(files, comment: "PK\u{5}\u{6}, an archive"), to: "walk.zip")
    let archive = try ZipArchive(contentsOf: fixture.url("walk.zip"), label: "walk.zip")
    #expect(archive.files.map(\.label) == ["walk.zip/run/walk.csv", "walk.zip/run/notes.pdf"])
    #expect(try RecordingTable(contentsOf: fixture.url("walk.zip")).count == 120)
  }

  @Test(arguments: [true, false], [0, 1, 100_000])
  func `An entry gives its bytes for any read size`(isDeflated: Bool, count: Int) throws {
    let content = String(repeating: "Gait! ", count: count)
    try fixture.folder.write(
      ZipWriter.archive([("a.csv", content), ("b.csv", "b")], isDeflated: isDeflated), to: "a.zip")
    let file = try #require(ZipArchive(contentsOf: fixture.url("a.zip"), label: "a.zip").files.first)
    for step in [1000, 77_777] {
      let source = try file.open()
      var bytes: [UInt8] = []
      while true {
        let next = try source.next(step)
        guard !next.isEmpty else { break }
        bytes += next
      }
      #expect(bytes == Array(content.utf8))
    }
  }

  @Test(arguments: [
    (ZipWriter.Flaw.encrypted, "walk.zip/walk.csv", "it is encrypted"),
    (.otherMethod, "walk.zip/walk.csv", "its compression method is 12, not deflate (8)"),
    (.wrongChecksum, "walk.zip/walk.csv", "its data does not match its checksum"),
    (.understatedSize, "walk.zip/walk.csv", "it expands to more bytes than the directory states"),
    (.zip64, "walk.zip", "it is a zip64 archive"),
  ])
  func `An unreadable archive is refused with the reason`(flaw: ZipWriter.Flaw, file: String, reason: String) throws {
    let expected = RecordingError.unreadableArchive(file: file, reason: reason)
    #expect(try error(ZipWriter.archive([("walk.csv", text)], flaw: flaw)) == expected)
    #expect(
      expected.description == "cannot read \(file): \(reason); unpack it and give the folder, or export it again.")
  }

  @Test func `A zip bomb is stopped at the size that its directory states`() throws {
    let bomb = String(repeating: " ", count: 10_000_000)
    try fixture.folder.write(ZipWriter.archive([("bomb.csv", bomb)], flaw: .understatedSize), to: "bomb.zip")
    let source = try #require(ZipArchive(contentsOf: fixture.url("bomb.zip"), label: "bomb.zip").files.first).open()
    var count = 0
    #expect(throws: RecordingError.self) {
      while true { count += try source.next(1000).count }
    }
    #expect(count == 5_000_000)
  }

  @Test func `A truncated archive is an error`() throws {
    let short = RecorderFile.motionDataCollector(SyntheticMotion(count: 3))
    for isDeflated in [true, false] {
      let whole = try ZipWriter.archive([("walk.csv", short)], isDeflated: isDeflated)
      for length in stride(from: 4, to: whole.count, by: 5) {
        #expect(try error(Array(whole[..<length])) != nil, "\(length) of \(whole.count) bytes")
      }
      #expect(try error(whole) == nil)
    }
  }

  @Test func `A damaged archive gives the same table or an error`() throws {
    let short = RecorderFile.motionDataCollector(SyntheticMotion(count: 3))
    var random = SplitMix64(seed: 9)
    for isDeflated in [true, false] {
      let whole = try ZipWriter.archive([("walk.csv", short)], isDeflated: isDeflated)
      for _ in 0..<300 {
        var bytes = whole
        bytes[.random(in: 4..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
        if try error(bytes) == nil {
          #expect(try RecordingTable(contentsOf: fixture.url("walk.zip")).count == 3)
        }
      }
    }
  }

  @Test func `An archive without files holds no recording`() throws {
    #expect(try error(ZipWriter.archive([])) == .noRecording(file: "walk.zip", found: []))
  }
}
