/// A complex number in each lane.
struct ComplexLanes {
  var real: Lanes
  var imaginary: Lanes

  @inline(__always)
  init(_ real: Lanes, _ imaginary: Lanes) { (self.real, self.imaginary) = (real, imaginary) }

  @inline(__always)
  static func + (a: ComplexLanes, b: ComplexLanes) -> ComplexLanes {
    ComplexLanes(a.real + b.real, a.imaginary + b.imaginary)
  }

  @inline(__always)
  static func - (a: ComplexLanes, b: ComplexLanes) -> ComplexLanes {
    ComplexLanes(a.real - b.real, a.imaginary - b.imaginary)
  }

  /// The product with a twiddle factor, whose cosine and sine are `w[0]` and `w[1]`.
  @inline(__always)
  func rotated(by w: UnsafePointer<Factor>) -> ComplexLanes {
    let (cosine, sine) = (w[0].lanes, w[1].lanes)
    return ComplexLanes(
      (real * cosine).subtracting(imaginary, times: sine), (real * sine).adding(imaginary, times: cosine))
  }

  /// The square of the absolute value.
  @inline(__always)
  var power: Lanes { (real * real).adding(imaginary, times: imaginary) }
}
