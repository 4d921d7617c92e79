import Foundation
import GaitTestSupport
import Testing

@testable import GaitFormats

/// Damaged files give rows or an error, the same for every chunk size.
struct DamagedFileTests {
  /// The result of reading `bytes` as text, so that missing values compare equal.
  private func outcome(_ bytes: [UInt8], chunkBytes: Int) -> String {
    do {
      let (header, rows) = try DelimitedFileTests.read(bytes, chunkBytes: chunkBytes)
      return "\(header) \(rows)"
    } catch {
      return "\(error)"
    }
  }

  private func expectOneOutcome(_ bytes: [UInt8], at location: SourceLocation = #_sourceLocation) {
    let outcomes = Set([2, 7, 64, 1 << 20].map { outcome(bytes, chunkBytes: $0) })
    #expect(outcomes.count == 1, "\(String(decoding: bytes, as: UTF8.self))", sourceLocation: location)
  }

  private let texts = [
    "# made\nt,x,y,s,-,z\n0.00,1.5,-0.25,walk,q,0.1738204956054687\n0.02,-1.125,,walk,\"r, s\",1e-3\n0.04,2,nan,run,,-7.5\n",
    "\"t\";\"x (m/s^2)\";\"y\"\r\n0,000;3,82E-2;-1,5\r\n0,010;4,1E-2;2\r\n0,020;;3,25\r\n",
    "x\ty\ts\n1.5\t-2.5\ta\n3\t\tb\n",
  ]

  @Test func `A file truncated anywhere loses at most its last line`() throws {
    for text in texts {
      let bytes = Array(text.utf8)
      let whole = try DelimitedFileTests.read(bytes).rows
      let headerEnd = text.utf8.split(separator: 10, omittingEmptySubsequences: false).prefix { $0.first == 35 }.count
      let first = bytes.indices.filter { bytes[$0] == 10 }[headerEnd] + 1
      for count in first...bytes.count {
        let cut = Array(bytes[..<count])
        expectOneOutcome(cut)
        let rows = try DelimitedFileTests.read(cut).rows
        let complete = cut[first...].count { $0 == 10 }
        #expect((complete...complete + 1).contains(rows.rows.count))
        for index in 0..<min(complete, rows.rows.count) {
          #expect("\(rows.rows[index])" == "\(whole.rows[index])")
        }
      }
    }
  }

  @Test(arguments: ["", "4,5", "4,5,"])
  func `Zero bytes at the end of a file count as a truncated line`(start: String) throws {
    let folder = try TemporaryDirectory()
    let rows = "time_s,acc_x_g,acc_y_g,acc_z_g\n1,0,0,1\n2,0,0,1\n"
    for (end, isRead) in [("", true), ("\n", false)] {
      try folder.write(rows + start + String(repeating: "\0", count: 4096) + end, to: "run.csv")
      let table = try? RecordingTable(contentsOf: folder.url.appending(path: "run.csv"))
      #expect(table?.count == (isRead ? 2 : nil))
      #expect(table?.repairs.contains(.droppedTruncatedLastLine) ?? !isRead)
    }
  }

  @Test func `Random edits give rows or an error`() {
    let pieces = [",", ";", "\t", "\"", "\n", "\r", "\0", "-", ".", "e", "9", " ", "nan", "#", "\u{E9}", "\u{FEFF}"].map
    {
      Array($0.utf8)
    }
    var generator = SplitMix64(seed: 13)
    for index in 0..<2_000 {
      var bytes = Array(texts[index % texts.count].utf8)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let start = Int.random(in: 0..<bytes.count, using: &generator)
        let end = min(bytes.count, start + .random(in: 0...2, using: &generator))
        bytes.replaceSubrange(start..<end, with: pieces.randomElement(using: &generator)!)
      }
      expectOneOutcome(bytes)
    }
  }

  @Test func `Random bytes give rows or an error`() {
    var generator = SplitMix64(seed: 14)
    let likely = Array("0123456789.,;\t\n\r\"-+eE# xyt".utf8)
    for index in 0..<1_000 {
      let start = index % 2 == 0 ? Array("x,y,t,s\n".utf8) : []
      let bytes = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
        Bool.random(using: &generator)
          ? likely.randomElement(using: &generator)! : .random(in: 0...255, using: &generator)
      }
      expectOneOutcome(start + bytes)
      #expect(throws: RecordingError.self) { try DelimitedFileTests.read([0x1F, 0x8B] + bytes) }
    }
  }

  @Test func `Damaged gzip data gives an error or the original`() throws {
    let packed = try InflaterTests.gzip(Array(texts[0].utf8))
    let whole = outcome(Array(texts[0].utf8), chunkBytes: 1 << 20)
    var generator = SplitMix64(seed: 15)
    var errors = 0
    for _ in 0..<500 {
      var bytes = packed
      bytes[.random(in: 2..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
      for chunkBytes in [2, 64, 1 << 20] {
        let outcome = outcome(bytes, chunkBytes: chunkBytes)
        if outcome != whole {
          errors += 1
          #expect(outcome.hasPrefix("f.csv"), "\(outcome)")
        }
      }
    }
    #expect(errors > 1_000)
  }
}
