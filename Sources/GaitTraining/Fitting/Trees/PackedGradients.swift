/// The first and second derivatives of every window's loss as whole numbers, two to a 64-bit word.
///
/// The upper half holds the first derivative, signed; the lower half the second. Words are added like numbers: no sum of
/// second derivatives reaches the upper half, because the scales leave room for all windows at once. Whole numbers make sums
/// exact, so a histogram does not depend on the order of its windows, on threads, or on having been subtracted from its
/// parent's.
///
/// Rounding to the scale costs at most 1/43,000 of the largest derivative for 100,000 windows, and less for fewer. It decides
/// only where a node is split; the leaves' values come from the derivatives themselves.
struct PackedGradients: Sendable {
  /// Shape `[windows]`.
  let words: [UInt64]
  /// What one unit of the first derivatives stands for.
  let gradientUnit: Float
  /// What one unit of the second derivatives stands for.
  let curvatureUnit: Float

  /// - Parameters:
  ///   - gradients: first derivatives, shape `[windows]`.
  ///   - curvatures: second derivatives, none negative, shape `[windows]`.
  init(gradients: [Float], curvatures: [Float]) {
    let room = Float(Int32.max / Int32(gradients.count))
    let gradientScale = room / max(gradients.reduce(0) { max($0, $1.magnitude) }, .leastNormalMagnitude * room)
    let curvatureScale = room / max(curvatures.reduce(0) { max($0, $1) }, .leastNormalMagnitude * room)
    words = [UInt64](unsafeUninitializedCapacity: gradients.count) { words, count in
      count = gradients.count
      for row in 0..<count {
        let gradient = Int64(Int32((gradients[row] * gradientScale).rounded()))
        let curvature = Int32((curvatures[row] * curvatureScale).rounded())
        words[row] = UInt64(bitPattern: gradient) << 32 &+ UInt64(UInt32(bitPattern: curvature))
      }
    }
    gradientUnit = 1 / gradientScale
    curvatureUnit = 1 / curvatureScale
  }
}
