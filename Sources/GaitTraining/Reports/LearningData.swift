import Foundation
import Gait

/// Rows to learn from and rows to judge by, as a benchmark hands them to every learner alike.
public struct LearningData: Sendable {
  /// Features to learn from, shape `[windows × features]`.
  public let training: FeatureMatrix
  /// Their labels.
  public let trainingLabels: [Int]
  /// Features to judge by.
  public let heldOut: FeatureMatrix
  /// Their labels.
  public let heldOutLabels: [Int]
  /// The number of labels.
  public let labelCount: Int

  /// Reads a file: four little-endian UInt32 (training rows, held-out rows, columns, labels), the values as Float32, row
  /// after row, and a label for each row as UInt8.
  ///
  /// - Throws: `LearningDataError`.
  public init(contentsOf url: URL) throws(LearningDataError) {
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
    // A byte tells 256 of them apart; what is made for each label must not follow a number that only stands there.
    guard labelCount <= 256, labels.allSatisfy({ $0 < labelCount }) else { throw .wrongLabel(file: url.relativePath) }
    training = FeatureMatrix(columnCount: columns, values: Array(values.prefix(sizes[0] * columns)))
    heldOut = FeatureMatrix(columnCount: columns, values: Array(values.suffix(sizes[1] * columns)))
    trainingLabels = Array(labels.prefix(sizes[0]))
    heldOutLabels = Array(labels.suffix(sizes[1]))
    self.labelCount = labelCount
  }
}

/// A file of rows to learn from that cannot be used.
public enum LearningDataError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file is not there or may not be read.
  case cannotRead(file: String)
  /// The file's length is not what its header asks for.
  case wrongSize(file: String)
  /// A label is not below the number of labels, or that is above 256.
  case wrongLabel(file: String)

  /// One sentence that names the file and the cure.
  public var description: String {
    switch self {
    case .cannotRead(let file): "\(file): cannot read the rows to learn from; check the path."
    case .wrongSize(let file):
      "\(file): the file is not as long as its header asks for; write it with Benchmarks/peers/learning_data.py."
    case .wrongLabel(let file):
      "\(file): a label is not below the header's number of labels, or that is above 256; write the file anew."
    }
  }
}
