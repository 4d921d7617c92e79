import Foundation
import Gait
import Testing

/// No computed number can trap where it becomes an integer, and no sum of times.
@Suite struct ConversionTests {
  @Test func `A number that no integer represents becomes the nearest, or 0`() {
    #expect(Int(saturating: -2.9) == -2)
    #expect(Int(saturating: Float(2.9)) == 2)
    #expect(Int(saturating: Double.infinity) == .max)
    #expect(Int(saturating: -Double.infinity) == .min)
    #expect(Int(saturating: 0x1p63) == .max)
    #expect(Int(saturating: -0x1p63) == .min)
    #expect(Int(saturating: 1e300) == .max)
    #expect(Int(saturating: Double.nan) == 0)
    #expect(Int(saturating: Float.nan) == 0)
    #expect(UInt8(saturating: 255.9) == 255)
    #expect(UInt8(saturating: 300.0) == 255)
    #expect(UInt8(saturating: -1.0) == 0)
    #expect(Int32(saturating: 3e9) == .max)
    #expect(Int64(saturating: 0x1p62) == 1 << 62)
  }

  /// The conversions without a label in the code of a source file.
  private static func conversions(in source: String) -> [String] {
    let code = source.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
    return matches(of: #"\bU?Int(?:8|16|32|64)?\((?!\s*\w+: )"#, in: code).map { match in
      var depth = 0
      let end = code[match.lowerBound...].firstIndex { character in
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        return character == ")" && depth == 0
      }
      let conversion = code[match.lowerBound...(end ?? match.lowerBound)]
      return conversion.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    }
  }

  @Test func `The scan finds conversions and skips labels and comments`() {
    let source = "  /// Int(x)\n  Int(a(1) + 2) + UInt8(ascii: \"a\") + Int64(saturating: x)\n  Int32(y)"
    #expect(Self.conversions(in: source) == ["Int(a(1) + 2)", "Int32(y)"])
  }

  /// The lines of a source file that add to a time, which may not fit 64 bits as the difference of two times does, or
  /// make one of computed seconds, which traps outside of 292 years.
  private static func sumsOfTimes(in source: String) -> [String] {
    let sums = [
      #"\+=? \(?[\w.$!?\[\]]*\.nanoseconds\b(?!\()"#, #"\.nanoseconds \+=? "#, #"\btimes\[[^\]]*\] \+=? "#,
      #"\.nanoseconds - [\w.$!?]+\.nanoseconds [-+]"#, #"SampleTime(?:\.seconds\(|\(seconds: )(?!-?\d)"#,
      #"time: \.seconds\((?!-?\d)"#,
    ]
    let code = source.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.hasPrefix("//") }
      .joined(separator: "\n")
    let lines = matches(of: "(?m)^.*(?:\(sums.joined(separator: "|"))).*$", in: code)
    return lines.map { String(code[$0]) }
  }

  /// By Foundation's expressions, which are as fast in a debug build.
  private static func matches(of pattern: String, in text: String) -> [Range<String.Index>] {
    let expression = try? NSRegularExpression(pattern: pattern)
    let whole = NSRange(text.startIndex..., in: text)
    return expression?.matches(in: text, range: whole).compactMap { Range($0.range, in: text) } ?? []
  }

  @Test func `The scan finds sums of three times, and not the differences of two`() {
    let sums = [
      "$0 + $1.upperBound.nanoseconds - $1.lowerBound.nanoseconds", "end.nanoseconds - start.nanoseconds - paused",
      "start.nanoseconds + step", "times[row] += shift", "SampleTime.seconds(elapsed)",
      "Fix(time: .seconds(data.time))",
    ]
    let others = [
      "end.nanoseconds - start.nanoseconds", "// a.nanoseconds + b", "SampleTime.seconds(1e9)", "seconds + 1",
    ]
    #expect(Self.sumsOfTimes(in: (sums + others).joined(separator: "\n  ")) == sums)
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

  /// `Tests/read-arithmetic.tsv` lists what was read and cannot trap: conversions of integers that fit, or of numbers
  /// that the code around them bounds, and sums that fit because valid times are within 126 years of their origin.
  @Test func `Numbers become integers by the checked conversion, and times are added, only where it was read`() throws {
    let list = try String(contentsOf: Self.root.appending(path: "Tests/read-arithmetic.tsv"), encoding: .utf8)
    let read = list.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    let modules = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: "Sources").path)
    for module in modules.map({ "Sources/\($0)" }) + ["Benchmarks/GaitBenchmarks"] {
      let folder = Self.root.appending(path: module)
      let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
      var found: Set<String> = []
      for case let file as URL in files
      where file.pathExtension == "swift" && file.lastPathComponent != "Mathematics.swift" {
        let source = try String(contentsOf: file, encoding: .utf8)
        found.formUnion(Self.conversions(in: source) + Self.sumsOfTimes(in: source))
      }
      let known = Set(read.filter { $0[0] == module }.map { $0[1] })
      #expect(found.subtracting(known).sorted() == [], "\(module): use saturating:, or add it to the list once read")
      #expect(known.subtracting(found).sorted() == [], "\(module): no longer in the code; remove it from the list")
    }
  }
}
