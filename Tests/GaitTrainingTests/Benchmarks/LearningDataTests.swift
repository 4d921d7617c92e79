import Foundation
import GaitBenchmarks
import GaitTestSupport
import GaitTraining
import Testing

struct LearningDataTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A file of two rows with one value each and the header `sizes`.
  private func data(sizes: [UInt32], labels: [UInt8] = [0, 1]) throws -> LearningData {
    let header = sizes.flatMap { size in (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) } }
    let url = try folder.write(header + [UInt8](repeating: 0, count: 8) + labels, to: "rows")
    return try LearningData(contentsOf: URL(filePath: "rows", relativeTo: url.deletingLastPathComponent()))
  }

  @Test func `Rows are read according to the header`() throws {
    let data = try data(sizes: [1, 1, 1, 2])
    #expect(data.training.rowCount == 1)
    #expect(data.heldOut.rowCount == 1)
    #expect(data.labelCount == 2)
    #expect(data.trainingLabels == [0])
    #expect(data.heldOutLabels == [1])
  }

  @Test func `A header with larger counts than the file is an error`() throws {
    for sizes: [UInt32] in [[.max, .max, .max, 2], [1 << 31, 1 << 31, 1 << 30, 2], [1, 1, 2, 2], [0, 2, 1, 2]] {
      #expect(throws: LearningDataError.wrongSize(file: "rows")) { try data(sizes: sizes) }
    }
    for count: UInt32 in [.max, 257] {
      #expect(throws: LearningDataError.wrongLabel(file: "rows")) { try data(sizes: [1, 1, 1, count]) }
    }
  }
}
