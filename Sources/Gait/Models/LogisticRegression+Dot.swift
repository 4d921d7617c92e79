extension LogisticRegression {
  /// Σ aᵢbᵢ in Float, always in the same order, with every product and every sum rounded (no fused operations).
  ///
  /// Order: sixteen partial sums, where partial sum j adds the products j, j + 16, j + 32 … of the whole blocks of 16.
  /// They are folded to four (j + (j + 8), then j + (j + 4)). The remaining whole blocks of four are added. The four
  /// are folded to one, (0 + 2) + (1 + 3). The last one to three products are added in order.
  package static func dot(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ count: Int) -> Float {
    var sums = PartialSums()
    for index in stride(from: 0, to: count & ~15, by: 16) { sums.add(Sixteen(a + index), b + index) }
    return sums.total(a, b, count)
  }

  /// The dot products of `a` with two vectors; both are bit-identical to `dot`.
  package static func dots(
    _ a: UnsafePointer<Float>, _ b: (UnsafePointer<Float>, UnsafePointer<Float>), _ count: Int
  ) -> (Float, Float) {
    var (first, second) = (PartialSums(), PartialSums())
    for index in stride(from: 0, to: count & ~15, by: 16) {
      let sixteen = Sixteen(a + index)
      first.add(sixteen, b.0 + index)
      second.add(sixteen, b.1 + index)
    }
    return (first.total(a, b.0, count), second.total(a, b.1, count))
  }
}

/// Sixteen adjacent values.
private struct Sixteen {
  let low: SIMD8<Float>
  let high: SIMD8<Float>

  @inline(__always)
  init(_ values: UnsafePointer<Float>) {
    let bytes = UnsafeRawPointer(values)
    low = bytes.loadUnaligned(as: SIMD8<Float>.self)
    high = bytes.loadUnaligned(fromByteOffset: MemoryLayout<SIMD8<Float>>.size, as: SIMD8<Float>.self)
  }
}

/// The sixteen partial sums of a dot product.
private struct PartialSums {
  private var low = SIMD8<Float>.zero
  private var high = SIMD8<Float>.zero

  /// Adds sixteen products.
  @inline(__always)
  mutating func add(_ a: Sixteen, _ b: UnsafePointer<Float>) {
    let b = Sixteen(b)
    low += a.low * b.low
    high += a.high * b.high
  }

  /// The sum, including the products after the whole blocks of 16.
  @inline(__always)
  func total(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ count: Int) -> Float {
    // The cast keeps the halves in registers; `lowHalf` and `highHalf` copy lane by lane.
    let halves = unsafeBitCast(low + high, to: (SIMD4<Float>, SIMD4<Float>).self)
    var four = halves.0 + halves.1
    for index in stride(from: count & ~15, to: count & ~3, by: 4) {
      four +=
        UnsafeRawPointer(a + index).loadUnaligned(as: SIMD4<Float>.self)
        * UnsafeRawPointer(b + index).loadUnaligned(as: SIMD4<Float>.self)
    }
    let two = four.lowHalf + four.highHalf
    var sum = two[0] + two[1]
    for index in count & ~3..<count { sum += a[index] * b[index] }
    return sum
  }
}
