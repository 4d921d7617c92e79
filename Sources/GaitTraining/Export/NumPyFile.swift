/// A matrix of features as a NumPy file.
///
/// Source: NumPy, numpy.lib.format, version 1.0.
enum NumPyFile {
  /// The header of a file with little-endian float32 values of shape `[rows × columns]`.
  static func header(rows: Int, columns: Int) -> [UInt8] {
    let shape = "{'descr': '<f4', 'fortran_order': False, 'shape': (\(rows), \(columns)), }"
    // The values begin at a multiple of 64 bytes.
    let length = (10 + shape.utf8.count + 1 + 63) / 64 * 64 - 10
    let text = shape + String(repeating: " ", count: length - shape.utf8.count - 1) + "\n"
    return [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(length & 0xFF), UInt8(length >> 8)] + Array(text.utf8)
  }

  /// Appends the values of a row.
  static func append(_ row: UnsafeMutableBufferPointer<Float>, to bytes: inout [UInt8]) {
    for value in row { withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes += $0 } }
  }
}
