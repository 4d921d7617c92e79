/// A transform matrix for a few bins of the periodogram of one lane.
///
/// It includes the window's weights, zero-padding and scale. For a few bins of a short window it costs less than an
/// FFT.
struct SpectrumMatrix: Sendable {
  private let length: Int
  /// The number of powers: the number of bins, rounded up to a multiple of four.
  private let powerCount: Int
  /// The matrix, shape `[powerCount / 4 × foldedLength]`.
  ///
  /// For four bins and one pair of samples, a group holds four cosines and their sines.
  private let basis: [LaneGroup]
  /// Half the window's length, rounded up to a multiple of eight.
  private let foldedLength: Int

  /// A plan for `bins` of windows of `length` samples.
  init(length: Int, bins: Range<Int>) {
    self.length = length
    powerCount = (bins.count + 3) / 4 * 4
    foldedLength = (length / 2 + 7) / 8 * 8
    basis = Self.basis(
      bins: bins, length: length, foldedLength: foldedLength,
      transformLength: Periodogram.transformLength(for: length))
  }

  /// Cosines and sines about the middle of the window. The sum of two samples that mirror each other is multiplied by
  /// the cosine, their difference by the sine.
  private static func basis(bins: Range<Int>, length: Int, foldedLength: Int, transformLength: Int) -> [LaneGroup] {
    guard !bins.isEmpty else { return [] }
    let weights = Periodogram.weights(length)
    let wave = wave(transformLength)
    var basis = [LaneGroup](repeating: .zero, count: (bins.count + 3) / 4 * foldedLength)
    basis.withUnsafeMutableBytes { bytes in
      let floats = bytes.baseAddress!.assumingMemoryBound(to: Float.self)
      wave.withUnsafeBufferPointer { wave in
        for (index, bin) in bins.enumerated() {
          let scale = Periodogram.scale(of: bin, transformLength: transformLength)
          var place = floats + (index / 4 * foldedLength * LaneGroup.scalarCount + index % 4)
          // Count half samples, so that a window of odd length has a middle too. 2T is a power of two.
          var halves = bin &* length
          for weight in weights[1...max(1, length / 2)] {
            halves &-= 2 &* bin
            let (cosine, sine) = (halves &+ transformLength / 2, halves)
            let last = 2 &* transformLength &- 1
            place[0] = Float(scale * weight * wave[cosine & last])
            place[4] = Float(scale * weight * wave[sine & last])
            place += LaneGroup.scalarCount
          }
        }
      }
    }
    return basis
  }

  /// sin(πn ÷ T) for n from 0 up to 2T. A quarter of it is computed and mirrored, so that the C library is not called
  /// for every entry.
  static func wave(_ transformLength: Int) -> [Double] {
    let quarter = transformLength / 2
    var wave = [Double](repeating: 0, count: 4 * quarter)
    for n in 0...quarter {
      let value = sine(Double.pi * Double(n) / Double(transformLength))
      (wave[n], wave[2 * quarter - n]) = (value, value)
      if n > 0 { (wave[2 * quarter + n], wave[4 * quarter - n]) = (-value, -value) }
    }
    return wave
  }

  /// The scratch that a window needs, in Floats.
  var scratchCount: Int { 2 * foldedLength }

  /// About how many instructions a window with this number of samples and bins takes.
  static func cost(length: Int, binCount: Int) -> Int { 6 * ((binCount + 3) / 4) * (length / 2) }

  /// The powers of a window; see `Periodogram.powers`.
  func powers(
    of series: UnsafePointer<Float>, into powers: UnsafeMutablePointer<Float>, scratch: UnsafeMutablePointer<Float>
  ) {
    let (even, odd) = (scratch, scratch + foldedLength)
    fold(series, even, odd)
    let output = UnsafeMutableRawPointer(powers)
    basis.withUnsafeBufferPointer { basis in
      guard let groups = basis.baseAddress else { return }
      @inline(__always)
      func store(_ sums: LaneGroup, _ quad: Int) {
        let squares = sums * sums
        output.storeBytes(of: squares.lowHalf + squares.highHalf, toByteOffset: 16 &* quad, as: SIMD4<Float>.self)
      }
      @inline(__always)
      func values(_ pair: Int) -> LaneGroup {
        LaneGroup(lowHalf: SIMD4(repeating: even[pair]), highHalf: SIMD4(repeating: odd[pair]))
      }
      /// Computes and stores `count` quads of bins from `quad` on. They are at most four and share the loads of the
      /// samples. `count` is a constant at every call.
      @inline(__always)
      func storeSums(of count: Int, from quad: Int) {
        let first = groups + quad &* foldedLength
        let (second, third, fourth) = (
          first + foldedLength, first + 2 &* foldedLength, first + 3 &* foldedLength
        )
        var (s0, s1, s2, s3) = (LaneGroup.zero, LaneGroup.zero, LaneGroup.zero, LaneGroup.zero)
        for pair in 0..<length / 2 {
          let values = values(pair)
          s0 = s0.adding(values, times: first[pair])
          if count > 1 { s1 = s1.adding(values, times: second[pair]) }
          if count > 2 { s2 = s2.adding(values, times: third[pair]) }
          if count > 3 { s3 = s3.adding(values, times: fourth[pair]) }
        }
        store(s0, quad)
        if count > 1 { store(s1, quad &+ 1) }
        if count > 2 { store(s2, quad &+ 2) }
        if count > 3 { store(s3, quad &+ 3) }
      }
      let count = powerCount / 4
      var quad = 0
      while quad &+ 4 <= count {
        storeSums(of: 4, from: quad)
        quad &+= 4
      }
      switch count &- quad {
      case 3: storeSums(of: 3, from: quad)
      case 2: storeSums(of: 2, from: quad)
      case 1: storeSums(of: 1, from: quad)
      default: break
      }
    }
  }

  /// Writes the sums and differences of samples that mirror each other, from the second and the last sample inwards.
  /// The first sample has no mirror image, and its weight is 0.
  @inline(__always)
  private func fold(
    _ series: UnsafePointer<Float>, _ even: UnsafeMutablePointer<Float>, _ odd: UnsafeMutablePointer<Float>
  ) {
    let half = length / 2
    var pair = 0
    while pair + 8 <= half {
      let early = SeriesKernels.group(series, at: pair + 1)
      let late = SeriesKernels.group(series, at: length - 8 - pair).reversed
      UnsafeMutableRawPointer(even + pair).storeBytes(of: early + late, as: LaneGroup.self)
      UnsafeMutableRawPointer(odd + pair).storeBytes(of: early - late, as: LaneGroup.self)
      pair &+= 8
    }
    while pair < half {
      even[pair] = series[pair + 1] + series[length - 1 - pair]
      odd[pair] = series[pair + 1] - series[length - 1 - pair]
      pair &+= 1
    }
    // The middle sample of an even length is its own mirror image.
    if length.isMultiple(of: 2) { even[half - 1] = series[half] }
  }
}
