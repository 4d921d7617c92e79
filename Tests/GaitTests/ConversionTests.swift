import Foundation
import Testing

@testable import Gait

/// No computed number can trap where it becomes an integer.
@Suite struct ConversionTests {
  @Test func `A number that no integer represents becomes the nearest, or 0`() {
    #expect(Int(saturating: -2.9) == -2 && Int(saturating: Float(2.9)) == 2)
    #expect(Int(saturating: Double.infinity) == .max && Int(saturating: -Double.infinity) == .min)
    #expect(Int(saturating: 0x1p63) == .max && Int(saturating: -0x1p63) == .min && Int(saturating: 1e300) == .max)
    #expect(Int(saturating: Double.nan) == 0 && Int(saturating: Float.nan) == 0)
    #expect(UInt8(saturating: 255.9) == 255 && UInt8(saturating: 300.0) == 255 && UInt8(saturating: -1.0) == 0)
    #expect(Int32(saturating: 3e9) == .max && Int64(saturating: 0x1p62) == 1 << 62)
  }

  /// Unlabelled conversions whose argument is an integer. Any other in `Gait` and `GaitRuns` needs `saturating:`.
  private static let integers: Set = [
    "Int(rightChildren[node])", "Int(leftChildren[node])", "Int(features[node])", "Int(feature)", "Int(root)",
    "Int(roots[tree])", "Int(place)", "Int(places[index])", "Int(threshold.bitPattern)", "Int(sources[slot])",
    "Int(node.next(features))", "Int(sources[group + slot])", "Int32(place)", "Int32(nodes.count)",
    "Int32(base + queue.count)", "Int32(matrix.rowCount)", "Int32(labelCount)", "Int32(featureCount)",
    "Int32(gait_blas_row_major)", "Int32(gait_blas_no_transpose)", "Int32(gait_blas_transpose)",
    "UInt8(source ?? DerivedLanes.alwaysZero)", "UInt8($1.offset)", "UInt32($1)", "UInt64($1)", "UInt64(byte)",
    "UInt64(Self.farthest)", "UInt64(Self.phaseCount)", "Int(UInt64(bitPattern: phase) % UInt64(Self.phaseCount))",
    "UInt(whole % 60)",
  ]

  /// The conversions without a label in the code of a source file.
  private static func conversions(in source: String) -> [String] {
    let code = source.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
    return code.matches(of: #/\bU?Int(?:8|16|32|64)?\((?!\s*\w+: )/#).map { match in
      var depth = 0
      let end = code[match.range.lowerBound...].firstIndex { character in
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        return character == ")" && depth == 0
      }
      return String(code[match.range.lowerBound...(end ?? match.range.lowerBound)])
    }
  }

  @Test func `The scan finds conversions and skips labels and comments`() {
    let source = "  /// Int(x)\n  Int(a(1) + 2) + UInt8(ascii: \"a\") + Int64(saturating: x)\n  Int32(y)"
    #expect(Self.conversions(in: source) == ["Int(a(1) + 2)", "Int32(y)"])
  }

  @Test(arguments: ["Gait", "GaitRuns"])
  func `Numbers become integers by the checked conversion only`(module: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/\(module)")
      .standardized
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var found: Set<String> = []
    for case let file as URL in files
    where file.pathExtension == "swift" && file.lastPathComponent != "Mathematics.swift" {
      let conversions = Self.conversions(in: try String(contentsOf: file, encoding: .utf8))
      found.formUnion(conversions)
      let unchecked = conversions.filter { !Self.integers.contains($0) }
      #expect(unchecked.isEmpty, "\(file.lastPathComponent): use \(unchecked) with saturating:")
    }
    #expect(!found.isEmpty)
  }
}
