// The lanes of one SIMD register. A baseline build has registers of four; a build for newer processors has eight and
// fused multiply-add.
#if GAIT_X86_64_V3
  typealias Lanes = SIMD8<Float>
  typealias LaneBits = SIMD8<UInt32>
  typealias LaneIntegers = SIMD8<Int32>
#else
  typealias Lanes = SIMD4<Float>
  typealias LaneBits = SIMD4<UInt32>
  typealias LaneIntegers = SIMD4<Int32>
#endif

extension Lanes {
  /// The number of registers in a group of eight lanes.
  static let perGroup = 8 / scalarCount

  @inline(__always)
  var bits: LaneBits { unsafeBitCast(self, to: LaneBits.self) }

  @inline(__always)
  init(bits: LaneBits) { self = unsafeBitCast(bits, to: Lanes.self) }

  /// self − a · b; fused in a build for newer processors.
  @inline(__always)
  func subtracting(_ a: Lanes, times b: Lanes) -> Lanes {
    #if GAIT_X86_64_V3
      // Flip the sign bit: the compiler splits vectors for a unary minus.
      addingProduct(Lanes(bits: a.bits ^ LaneBits(repeating: 0x8000_0000)), b)
    #else
      self - a * b
    #endif
  }

  /// Each axis replaced by the next axis of the same sensor, x → y → z → x. The fourth lane is unused. It becomes
  /// x: with the fourth lane in its own place, the compiler moves lanes around for no result that is read.
  @inline(__always)
  var nextOfSensor: Lanes {
    #if GAIT_X86_64_V3
      Lanes(self[1], self[2], self[0], self[0], self[5], self[6], self[4], self[4])
    #else
      Lanes(self[1], self[2], self[0], self[0])
    #endif
  }

  /// The natural logarithm of each lane, for positive normal values; within 2e-6.
  ///
  /// x = m · 2ᵉ with m from √½ to √2, and ln m by the minimax polynomial in m − 1.
  @inline(__always)
  var logarithms: Lanes {
    // The bits of √½ are subtracted first, so that m starts at √½ instead of 1.
    let exponent = LaneIntegers(truncatingIfNeeded: bits &- LaneBits(repeating: 0x3f35_04f3)) &>> 23
    let t = Lanes(bits: bits &- LaneBits(truncatingIfNeeded: exponent &<< 23)) - Lanes(repeating: 1)
    var series = Lanes(repeating: 0.220_707_48).adding(t, times: Lanes(repeating: -0.141_064_48))
    series = Lanes(repeating: -0.254_588_35).adding(series, times: t)
    series = Lanes(repeating: 0.332_623_61).adding(series, times: t)
    series = Lanes(repeating: -0.499_875_08).adding(series, times: t)
    series = t.adding(series, times: t * t)
    return series.adding(Lanes(exponent), times: Lanes(repeating: 0.693_147_18))
  }

  /// The square root of each lane's magnitude. A magnitude is never negative, so the compiler takes all roots at once.
  /// For other numbers it would test each lane and call the C library.
  @inline(__always)
  var roots: Lanes { magnitudes.squareRoot() }

  /// e to the power of each lane, for −87…88; relative error below 3e-7.
  ///
  /// x = n · ln 2 + r with a whole n, and eʳ by its Taylor series.
  var exponentials: Lanes {
    // Adding 1.5 · 2²³ leaves no fraction bits: the last bits are then n.
    let whole = Lanes(repeating: 12_582_912)
    let shifted = whole.adding(self, times: Lanes(repeating: 1.442_695_04))
    let n = shifted - whole
    // ln 2 is split in two; n times the first part is exact.
    let r = subtracting(n, times: Lanes(repeating: 0.693_359_375)).adding(n, times: Lanes(repeating: 2.121_944_4e-4))
    var series = Lanes(repeating: 1 / 720).adding(r, times: Lanes(repeating: 1 / 5040))
    series = Lanes(repeating: 1 / 120).adding(series, times: r)
    series = Lanes(repeating: 1 / 24).adding(series, times: r)
    series = Lanes(repeating: 1 / 6).adding(series, times: r)
    series = Lanes(repeating: 1 / 2).adding(series, times: r)
    series = Lanes(repeating: 1).adding(series, times: r)
    series = Lanes(repeating: 1).adding(series, times: r)
    return Lanes(bits: series.bits &+ shifted.bits &<< LaneBits(repeating: 23))
  }
}

/// A factor for every lane. It is stored in every lane unless the processor broadcasts a loaded number for free.
struct Factor: Sendable {
  #if GAIT_X86_64_V3
    private let value: Float
    init(_ value: Double) { self.value = Float(value) }
    /// The number in every lane.
    @inline(__always)
    var lanes: Lanes { Lanes(repeating: value) }
  #else
    let lanes: Lanes
    init(_ value: Double) { lanes = Lanes(repeating: Float(value)) }
  #endif
}

/// Eight lanes side by side in a packed row: two registers in a baseline build, one in a build for newer processors.
typealias LaneGroup = SIMD8<Float>

extension SIMD8<Float> {
  /// Each lane's absolute value.
  @inline(__always)
  var magnitudes: LaneGroup {
    let mask = SIMD8<UInt32>(repeating: 0x7fff_ffff)
    return unsafeBitCast(unsafeBitCast(self, to: SIMD8<UInt32>.self) & mask, to: LaneGroup.self)
  }

  /// self + a · b; fused in a build for newer processors.
  @inline(__always)
  func adding(_ a: LaneGroup, times b: LaneGroup) -> LaneGroup {
    #if GAIT_X86_64_V3
      addingProduct(a, b)
    #else
      self + a * b
    #endif
  }

  /// The lanes in reverse order.
  @inline(__always)
  var reversed: LaneGroup { LaneGroup(self[7], self[6], self[5], self[4], self[3], self[2], self[1], self[0]) }

  /// The sum of all lanes, by pairwise addition.
  @inline(__always)
  var total: Float {
    let fours = lowHalf + highHalf
    let twos = fours.lowHalf + fours.highHalf
    return twos.x + twos.y
  }

  /// The greatest of all lanes.
  @inline(__always)
  var greatest: Float {
    let fours = lowHalf.greater(highHalf)
    let twos = fours.greater(SIMD4(lowHalf: fours.highHalf, highHalf: fours.highHalf))
    return twos.x < twos.y ? twos.y : twos.x
  }

  /// The least of all lanes.
  @inline(__always)
  var least: Float {
    let fours = lowHalf.lesser(highHalf)
    let twos = fours.lesser(SIMD4(lowHalf: fours.highHalf, highHalf: fours.highHalf))
    return twos.y < twos.x ? twos.y : twos.x
  }

  /// The smaller of two values in each lane.
  @inline(__always)
  func lesser(_ other: LaneGroup) -> LaneGroup { replacing(with: other, where: other .< self) }

  @inline(__always)
  func greater(_ other: LaneGroup) -> LaneGroup { replacing(with: other, where: other .> self) }
}

extension SIMD4<Float> {
  /// self + a · b.
  @inline(__always)
  func adding(_ a: SIMD4, times b: SIMD4) -> SIMD4 {
    #if GAIT_X86_64_V3
      addingProduct(a, b)
    #else
      self + a * b
    #endif
  }

  /// Each lane's absolute value.
  @inline(__always)
  var magnitudes: SIMD4 {
    let mask = SIMD4<UInt32>(repeating: 0x7fff_ffff)
    return unsafeBitCast(unsafeBitCast(self, to: SIMD4<UInt32>.self) & mask, to: SIMD4.self)
  }

  /// The smaller of two values in each lane.
  @inline(__always)
  func lesser(_ other: SIMD4) -> SIMD4 { replacing(with: other, where: other .< self) }

  /// The greater of two values in each lane.
  @inline(__always)
  func greater(_ other: SIMD4) -> SIMD4 { replacing(with: other, where: other .> self) }
}

/// The rows of a window for the lanes of one register: from every row, the register at the same position.
struct LaneRows {
  let first: UnsafePointer<Lanes>
  /// The number of registers from one row to the next.
  let stride: Int

  @inline(__always)
  subscript(row: Int) -> Lanes { first[row &* stride] }
}

/// Kernels over the rows of a window, several lanes at a time.
///
/// The mean is summed relative to the first row, and powers about the mean: a lane of 1e6 ± 0.1 keeps its 0.1.
/// Two interleaved accumulators are added in a fixed order, so the same rows always give the same bits.
enum LaneKernels {
  /// The sum over the rows; `add` adds a row's term to the sum.
  @inline(__always)
  private static func sum(_ rows: Range<Int>, _ add: (_ row: Int, _ sum: inout Lanes) -> Void) -> Lanes {
    var (even, odd) = (Lanes.zero, Lanes.zero)
    var row = rows.lowerBound
    for _ in 0..<rows.count / 2 {
      add(row, &even)
      add(row &+ 1, &odd)
      row &+= 2
    }
    if row < rows.upperBound { add(row, &even) }
    return even + odd
  }

  /// Each lane's mean minus its value in the first row.
  static func meanFromFirst(_ rows: LaneRows, count: Int) -> Lanes {
    let first = rows[0]
    return sum(1..<count) { $1 += rows[$0] - first } * (1 / Float(count))
  }

  /// The sum of the absolute deviations and the number of mean crossings. The sum is 0 if `absolute` is false. A sample
  /// at the mean counts as above it.
  @inline(__always)
  static func deviationSums(
    _ deviations: UnsafePointer<Lanes>, count: Int, absolute: Bool
  ) -> (absolute: Lanes, crossings: LaneBits) {
    var (before, crossings) = (deviations[0].bits, LaneBits.zero)
    let sum = sum(0..<count) { row, sum in
      let here = deviations[row]
      if absolute { sum += here.magnitudes }
      // A difference is never −0, so its sign bit shows whether the sample is below the mean.
      crossings &+= (here.bits ^ before) &>> LaneBits(repeating: 31)
      before = here.bits
    }
    return (sum, crossings)
  }

  /// The smallest and the largest value of each lane.
  static func extrema(_ rows: LaneRows, count: Int) -> (minimum: Lanes, maximum: Lanes) {
    var (minimum, maximum) = (rows[0], rows[0])
    var next = rows.first
    for _ in 1..<count {
      next += rows.stride
      minimum = next[0].lesser(minimum)
      maximum = next[0].greater(maximum)
    }
    return (minimum, maximum)
  }
}

/// The samples of a window in memory, oldest first. Either each lane is contiguous in time (a plane), or each sample is
/// a row of groups of eight lanes.
struct LaneWindow {
  let base: UnsafePointer<Float>
  /// The number of Floats from one sample to the next; 1 if lanes are contiguous.
  let width: Int
  /// The number of Floats from one lane to the next, if lanes are contiguous.
  let planeStride: Int

  /// The first sample of the lane in `slot`; its samples are `width` Floats apart.
  @inline(__always)
  func lane(_ slot: Int) -> UnsafePointer<Float> { width == 1 ? base + slot * planeStride : base + slot }

  /// The rows, shape `[samples × groups]`, if samples are rows.
  var rows: UnsafePointer<LaneGroup> { UnsafeRawPointer(base).assumingMemoryBound(to: LaneGroup.self) }
}

/// The destination of samples to be written; see `LaneWindow`.
struct MutableLaneWindow {
  let base: UnsafeMutablePointer<Float>
  let width: Int
  let planeStride: Int
  let times: UnsafeMutablePointer<Int64>

  /// The destination `samples` samples later.
  @inline(__always)
  func advanced(by samples: Int) -> MutableLaneWindow {
    MutableLaneWindow(base: base + samples * width, width: width, planeStride: planeStride, times: times + samples)
  }
}
