import Gait

/// A hash of `length` successive rounded rows of a recording, by which the same rows are found in another recording.
///
/// An anchor depends only on its `length` rows: if other rows are dropped or cut off, the anchor is the same. The rows
/// are those of total acceleration or of user acceleration, rounded to cells of 0.24 mg. A copy may therefore lack
/// other columns, be in another unit or have fewer digits, if most values stay in their cells. Rows are an anchor if
/// the low 16 bits of their hash are below a limit, so a copy has its anchors at the same rows. Rows that change little
/// have no anchor (`fewestBits`).
///
/// Source: sampling by hash value is the "0 mod p" choice of Manber, "Finding similar files in a large file system",
/// USENIX 1994.
struct Anchor: Sendable {
  /// The hash of the rows, of 48 bits.
  let hash: UInt64
  /// The position of the first of the rows.
  let row: Int32
  /// The information of the rows, in bits.
  let bits: Float
  /// How well the anchor survives rounding: the least distance of a value from the edge of its cell, in cells. For user
  /// acceleration of a recording with gravity it is one less, because a copy may separate gravity in another way.
  let stability: Float

  /// The number of rows in a hash.
  static let length = 4
  /// The mean number of anchors per second of movement: 8 of total acceleration, and another 8 of user acceleration.
  static let perSecond = 8.0
  /// The minimum information of an anchor, in bits. With it, different recordings hardly ever share several anchors in
  /// the same order.
  private static let fewestBits: Float = 12
  private static let cellsPerG: Float = 4096
  /// Added to a value in cells, it moves the edges of the cells away from decimal and binary fractions. A little noise
  /// then does not move a rounded value to another cell.
  private static let offset: Float = 0.3
  /// Added to a Float, it leaves the nearest whole number in the low bits.
  private static let roundingBias: Float = 12_582_912

  /// The anchors of a recording: those of total acceleration, then those of user acceleration.
  ///
  /// - Complexity: O(rows).
  static func anchors(of rows: [SIMD16<Float>], sampleRate: SampleRate) -> [Anchor] {
    let limit = UInt64(saturating: perSecond * 65536 / max(perSecond, sampleRate.hertz))
    let total = anchors(of: rows.map { $0.highHalf.highHalf + $0.lowHalf.highHalf }, limit, penalty: 0)
    return total + anchors(of: rows.map(\.highHalf.highHalf), limit, penalty: total.isEmpty ? 0 : 1)
  }

  private static func anchors(of values: [SIMD4<Float>], _ limit: UInt64, penalty: Float) -> [Anchor] {
    guard values.count >= length else { return [] }
    let scaled = values.map { value in
      var scaled = value * cellsPerG + offset
      scaled[3] = 0
      return scaled
    }
    let cells = scaled.map { unsafeBitCast($0 + roundingBias, to: SIMD4<UInt32>.self) }
    var anchors: [Anchor] = []
    var bits = (Float.zero, bits(cells[0], cells[1]), Self.bits(cells[1], cells[2]))
    for start in 0...values.count - length {
      bits = (bits.1, bits.2, Self.bits(cells[start + 2], cells[start + 3]))
      guard bits.0 + bits.1 + bits.2 >= fewestBits else { continue }
      let hash = Self.hash(cells[start..<start + length])
      guard hash & 0xFFFF < limit else { continue }
      let stability = scaled[start..<start + length].map(distanceFromEdge).min() ?? 0
      anchors.append(
        Anchor(
          hash: hash >> 16, row: Int32(clamping: start), bits: bits.0 + bits.1 + bits.2, stability: stability - penalty)
      )
    }
    return anchors
  }

  /// The information in the change from one row to the next, in bits: the sum over the axes of log₂(1 + |change in
  /// cells|). The logarithm is interpolated linearly between powers of two. It is minus infinity if a value is missing.
  private static func bits(_ before: SIMD4<UInt32>, _ after: SIMD4<UInt32>) -> Float {
    let (first, second) = (unsafeBitCast(before, to: SIMD4<Float>.self), unsafeBitCast(after, to: SIMD4<Float>.self))
    let change = second - first
    guard all(change * 0 .== 0) else { return -.infinity }
    // The upper bits of a float, above the 23 of its fraction, are the exponent and its bias.
    let bits = unsafeBitCast(1 + change.replacing(with: -change, where: change .< 0), to: SIMD4<Int32>.self)
    return Float((bits &- 127 << 23).wrappedSum()) / Float(1 << 23)
  }

  private static func hash(_ rows: ArraySlice<SIMD4<UInt32>>) -> UInt64 {
    var hash = UInt64(length)
    for cells in rows {
      hash = stirred(hash &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(cells[0]) << 32 ^ UInt64(cells[1]))
      hash = stirred(hash &+ UInt64(cells[2]))
    }
    return hash
  }

  /// Mixes the bits, so that each bit of the result depends on all bits. It is the finalizer of MurmurHash3 by Appleby,
  /// in the public domain.
  private static func stirred(_ bits: UInt64) -> UInt64 {
    var bits = bits
    bits = (bits ^ (bits >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    bits = (bits ^ (bits >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return bits ^ (bits >> 33)
  }

  private static func distanceFromEdge(_ row: SIMD4<Float>) -> Float {
    let fraction = row - row.rounded(.toNearestOrEven)
    return 0.5 - max(abs(fraction[0]), abs(fraction[1]), abs(fraction[2]))
  }
}
