/// Sixteen windows of a feature matrix, transposed: the values of one feature in all windows are adjacent, so that SIMD
/// registers compute sixteen windows at a time.
enum WindowBlock {
  /// One value of each window.
  typealias Values = SIMD16<Float>

  /// The number of windows.
  static let rowCount = Values.scalarCount

  /// The number of features that `transpose` copies.
  static let groupSize = 4

  /// Copies four adjacent features of sixteen windows.
  ///
  /// - Parameters:
  ///   - features: the first of the features in the first window.
  ///   - columns: the number of features of a window.
  ///   - values: shape `[4]`.
  @inline(__always)
  static func transpose(
    _ features: UnsafePointer<Float>, columns: Int, into values: UnsafeMutablePointer<Values>
  ) {
    let pitch = columns &* MemoryLayout<Float>.stride
    var (rows, target) = (UnsafeRawPointer(features), UnsafeMutableRawPointer(values))
    for _ in 0..<rowCount / groupSize {
      let a = rows.loadUnaligned(as: SIMD4<Float>.self)
      let b = (rows + pitch).loadUnaligned(as: SIMD4<Float>.self)
      let c = (rows + 2 &* pitch).loadUnaligned(as: SIMD4<Float>.self)
      let d = (rows + 3 &* pitch).loadUnaligned(as: SIMD4<Float>.self)
      let size = MemoryLayout<Values>.stride
      target.storeBytes(of: SIMD4(a[0], b[0], c[0], d[0]), as: SIMD4<Float>.self)
      (target + size).storeBytes(of: SIMD4(a[1], b[1], c[1], d[1]), as: SIMD4<Float>.self)
      (target + 2 * size).storeBytes(of: SIMD4(a[2], b[2], c[2], d[2]), as: SIMD4<Float>.self)
      (target + 3 * size).storeBytes(of: SIMD4(a[3], b[3], c[3], d[3]), as: SIMD4<Float>.self)
      rows += groupSize &* pitch
      target += MemoryLayout<SIMD4<Float>>.stride
    }
  }
}

extension FeatureMatrix {
  /// Calls `block` for blocks of sixteen rows, with the number of their first row and its features. The last block
  /// repeats rows of the one before if the rows are not a multiple of sixteen.
  ///
  /// Calls `single` for every row instead if the rows are fewer than a block, or the columns fewer than a group.
  @inline(__always)
  func forEachBlock(
    _ block: (_ row: Int, _ features: UnsafePointer<Float>) -> Void,
    single: (_ row: Int, _ features: UnsafePointer<Float>) -> Void
  ) {
    values.withUnsafeBufferPointer { values in
      guard let features = values.baseAddress else { return }
      guard rowCount >= WindowBlock.rowCount, columnCount >= WindowBlock.groupSize else {
        for row in 0..<rowCount { single(row, features + row &* columnCount) }
        return
      }
      for start in stride(from: 0, to: rowCount, by: WindowBlock.rowCount) {
        let row = Swift.min(start, rowCount - WindowBlock.rowCount)
        block(row, features + row &* columnCount)
      }
    }
  }
}
