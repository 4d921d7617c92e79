import Gait

/// A matrix of features as a NumPy file.
///
/// Source: NumPy, numpy.lib.format, version 1.0.
package enum NumPyFile {
  /// The pieces of a file with little-endian float32 values of shape `[rows × columns]`.
  package static func pieces(_ matrix: FeatureMatrix) -> [[UInt8]] {
    let shape = "{'descr': '<f4', 'fortran_order': False, 'shape': (\(matrix.rowCount), \(matrix.columnCount)), }"
    // The values begin at a multiple of 64 bytes.
    let length = (10 + shape.utf8.count + 1 + 63) / 64 * 64 - 10
    let header = shape + String(repeating: " ", count: length - shape.utf8.count - 1) + "\n"
    let values = [UInt8](unsafeUninitializedCapacity: 4 * matrix.values.count) { bytes, count in
      for (index, value) in matrix.values.enumerated() {
        UnsafeMutableRawBufferPointer(bytes).storeBytes(
          of: value.bitPattern.littleEndian, toByteOffset: 4 * index, as: UInt32.self)
      }
      count = 4 * matrix.values.count
    }
    return [
      [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(length & 0xFF), UInt8(length >> 8)] + Array(header.utf8), values,
    ]
  }
}
