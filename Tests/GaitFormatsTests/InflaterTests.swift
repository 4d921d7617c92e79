import CGaitZlib
import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

struct InflaterTests {
  private let text = Array((0..<40_000).map { "\($0 &* 7_919 % 10_007)," }.joined().utf8)

  /// Compresses `bytes` with zlib: 31 window bits for gzip, −15 for raw deflate data.
  static func compressed(_ bytes: [UInt8], windowBits: CInt) throws -> [UInt8] {
    var stream = z_stream()
    try #require(
      deflateInit2_(
        &stream, 6, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
        == Z_OK)
    defer { deflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))) + 32)
    let count = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        _ = deflate(&stream, Z_FINISH)
        return output.count - Int(stream.avail_out)
      }
    }
    return Array(output[..<count])
  }

  static func gzip(_ bytes: [UInt8]) throws -> [UInt8] { try compressed(bytes, windowBits: 31) }

  /// All bytes of `source`, read `step` bytes at a time.
  private func all(of source: any ByteSource, step: Int = 1000) throws -> [UInt8] {
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: step)
    while true {
      let count = try buffer.withUnsafeMutableBytes { try source.fill($0) }
      if count == 0 { return result }
      result += buffer[..<count]
    }
  }

  private func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
    try all(of: PeekedBytes.unpacked(MemoryBytes(bytes[...]), file: "walk.csv"))
  }

  @Test(arguments: [1, 7, 1000, 1 << 20])
  func `Raw deflate data is decompressed with any read size`(step: Int) throws {
    let packed = try Self.compressed(text, windowBits: -15)
    let inflater = Inflater(MemoryBytes(packed[...]), form: .rawDeflate, file: "walk.csv", byteCount: text.count)
    #expect(inflater.expectedByteCount == text.count)
    #expect(try all(of: inflater, step: step) == text)
  }

  @Test func `Data that ends before its last bytes were read is whole`() throws {
    // The last match of zeros is longer than each read, so that all of the source is used up before.
    let zeros = [UInt8](repeating: 0, count: 4_000)
    let packed = try Self.compressed(zeros, windowBits: -15)
    for step in 1..<40 {
      #expect(try all(of: Inflater(MemoryBytes(packed[...]), form: .rawDeflate, file: "walk.csv"), step: step) == zeros)
    }
  }

  @Test func `Bytes after raw deflate data are ignored`() throws {
    let packed = try Self.compressed(text, windowBits: -15) + [1, 2, 3]
    #expect(try all(of: Inflater(MemoryBytes(packed[...]), form: .rawDeflate, file: "walk.csv")) == text)
  }

  @Test func `Only a source with gzip's magic bytes is decompressed`() throws {
    #expect(try unpacked(Self.gzip(text)) == text)
    for plain in [[], [0x1F], [0x1F, 0x1F, 0x8B], text] { #expect(try unpacked(plain) == plain) }
  }

  @Test func `Consecutive gzip members are one file, and zeros may follow`() throws {
    let cut = text.count / 3
    let packed = try Self.gzip(Array(text[..<cut])) + Self.gzip([]) + Self.gzip(Array(text[cut...]))
    #expect(try unpacked(packed) == text)
    #expect(try unpacked(packed + [UInt8](repeating: 0, count: 200_000)) == text)
  }

  @Test func `Compressed data truncated anywhere is an error`() throws {
    let packed = try Self.gzip(Array(text[..<2000]))
    let expected = RecordingError.invalid(
      file: "walk.csv",
      "ends in the middle of its compressed data; copy or export it again, whole")
    for count in 2..<packed.count {
      #expect(throws: expected) { try unpacked(Array(packed[..<count])) }
    }
  }

  @Test func `Damaged compressed data is an error`() throws {
    var packed = try Self.gzip(text)
    packed[packed.count - 6] ^= 1
    for (packed, reason) in [(packed, "data"), (try Self.gzip(text) + [1, 2, 3], "header")] {
      let sentence = "holds damaged compressed data (incorrect \(reason) check); copy or export it again"
      #expect(throws: RecordingError.invalid(file: "walk.csv", sentence)) { try unpacked(packed) }
    }
  }

  @Test func `A gzip file is read like the file inside`() throws {
    let csv = try MotionCSV()
    let text = ([MotionCSV.header] + (0..<5).map { MotionCSV.row($0) }).joined(separator: "\n")
    let plain = try csv.table(text)
    let packed = try RecordingTable(contentsOf: csv.url(Self.gzip(Array(text.utf8))))
    #expect(packed.rows == plain.rows)
    #expect(packed.name == "walk.csv")
  }
}
