import Foundation
import Gait

/// The training and held-out rows of a benchmark, the same for every learner.
package struct LearningData: Sendable {
  /// The training features, shape `[windows × features]`.
  package let training: FeatureMatrix
  /// Their labels.
  package let trainingLabels: [Int]
  /// The held-out features, shape `[windows × features]`.
  package let heldOut: FeatureMatrix
  /// Their labels.
  package let heldOutLabels: [Int]
  /// The number of labels.
  package let labelCount: Int

  /// Reads a file: four little-endian UInt32 (training rows, held-out rows, columns, labels), the values as Float32,
  /// row by row, and a label for each row as UInt8.
  ///
  /// - Throws: `LearningDataError`.
  package init(contentsOf url: URL) throws(LearningDataError) {
    let data: Data
    do { data = try Data(contentsOf: url) } catch { throw .cannotRead(file: url.relativePath) }
    let sizes = (0..<4).map { index in
      data.count < 16
        ? 0 : data.withUnsafeBytes { Int(UInt32(littleEndian: $0.load(fromByteOffset: 4 * index, as: UInt32.self))) }
    }
    let (rows, columns, labelCount) = (sizes[0] + sizes[1], sizes[2], sizes[3])
    let (valueCount, overflow) = rows.multipliedReportingOverflow(by: columns)
    guard sizes[0] > 0, sizes[1] > 0, columns > 0, labelCount > 1, !overflow, valueCount <= data.count,
      data.count == 16 + 4 * valueCount + rows
    else { throw .wrongSize(file: url.relativePath) }
    let values = [Float](unsafeUninitializedCapacity: valueCount) { values, count in
      data.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(values).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: $0[16..<16 + 4 * valueCount]))
      }
      count = valueCount
    }
    let labels = data.suffix(rows).map { Int($0) }
    // A byte distinguishes 256 labels. The header's number is not trusted beyond that, because it sizes allocations.
    guard labelCount <= 256, labels.allSatisfy({ $0 < labelCount }) else { throw .wrongLabel(file: url.relativePath) }
    training = FeatureMatrix(columnCount: columns, values: Array(values.prefix(sizes[0] * columns)))
    heldOut = FeatureMatrix(columnCount: columns, values: Array(values.suffix(sizes[1] * columns)))
    trainingLabels = Array(labels.prefix(sizes[0]))
    heldOutLabels = Array(labels.suffix(sizes[1]))
    self.labelCount = labelCount
  }
}

/// An error in reading a file of benchmark rows.
package enum LearningDataError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file does not exist or cannot be read.
  case cannotRead(file: String)
  /// The file's length does not match its header.
  case wrongSize(file: String)
  /// A label is not below the number of labels, or there are more than 256 labels.
  case wrongLabel(file: String)

  /// What is wrong, where, and the cure.
  package var description: String {
    switch self {
    case .cannotRead(let file): "\(file): the file cannot be read; check the path."
    case .wrongSize(let file):
      "\(file): the file's length does not match its header; write it with Benchmarks/peers/learning_data.py."
    case .wrongLabel(let file):
      "\(file): a label is out of range, or there are more than 256 labels; write the file again with"
        + " Benchmarks/peers/learning_data.py."
    }
  }
}
