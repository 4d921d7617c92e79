/// Every lane of eight samples, channels and derived: 24 columns of eight Floats.
///
/// Columns 0–15 follow `MotionSample.row`, four for each sensor: its three channels and a derived lane. Columns 16 and
/// 17 are vertical and horizontal. Columns 20–22 are ĝ, the unit vector of gravity; they begin a register, because only
/// the mean of ĝ is used. The other columns are 0.
enum DerivedLanes {
  /// The number of columns.
  static let count = 24

  /// A set of lanes to compute. Lanes outside the set may be computed as well.
  struct Wanted: OptionSet, Sendable {
    let rawValue: UInt16
    static let attitude = Wanted(rawValue: 1)
    static let gravity = Wanted(rawValue: 2)
    static let rotation = Wanted(rawValue: 4)
    static let rotationMagnitude = Wanted(rawValue: 8)
    static let acceleration = Wanted(rawValue: 16)
    static let accelerationMagnitude = Wanted(rawValue: 32)
    static let jerk = Wanted(rawValue: 64)
    static let total = Wanted(rawValue: 128)
    static let direction = Wanted(rawValue: 256)
    static let vertical = Wanted(rawValue: 512)
    static let horizontal = Wanted(rawValue: 1024)

    /// The lanes of the columns at `positions`.
    init(positions: some Sequence<Int>) {
      self = positions.reduce(into: []) { $0.formUnion(Wanted(position: $1)) }
    }

    init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    private init(position: Int) {
      switch position {
      case 3: self = .jerk
      case 7: self = .total
      case 11: self = .rotationMagnitude
      case 15: self = .accelerationMagnitude
      case 0..<4: self = .attitude
      case 4..<8: self = .gravity
      case 8..<12: self = .rotation
      case 12..<16: self = .acceleration
      case 16: self = .vertical
      case 17: self = .horizontal
      case 20..<23: self = .direction
      default: self = []
      }
    }
  }

  /// Computes the lanes of eight samples.
  ///
  /// - Parameters:
  ///   - rows: the samples, laid out as `MotionSample.row`, shape `[8]`, preceded in memory by the previous sample.
  ///   - wanted: the lanes to compute.
  ///   - rate: the sample rate, hertz.
  ///   - columns: receives the lanes, shape `[count]`.
  @inline(__always)
  static func derive(
    from rows: UnsafePointer<SIMD16<Float>>, wanted: Wanted, rate: Float, into columns: UnsafeMutablePointer<LaneGroup>
  ) {
    if wanted.contains(.attitude) { LaneVector(lane: 0, of: rows).store(to: columns) }
    if !wanted.isDisjoint(with: [.rotation, .rotationMagnitude]) {
      let rotation = LaneVector(lane: 8, of: rows)
      rotation.store(to: columns + 8)
      columns[11] = rotation.length
    }
    // Write acceleration and gravity even if they are not wanted: with a condition the compiler would load the rows
    // again for each use below.
    let acceleration = LaneVector(lane: 12, of: rows)
    acceleration.store(to: columns + 12)
    let gravity = LaneVector(lane: 4, of: rows)
    gravity.store(to: columns + 4)
    if wanted.contains(.accelerationMagnitude) { columns[15] = acceleration.length }
    if wanted.contains(.jerk) {
      columns[3] = (acceleration - acceleration.delayed(by: rows[-1].highHalf.highHalf)).length * rate
    }
    if wanted.contains(.total) { columns[7] = (gravity + acceleration).length }
    guard !wanted.isDisjoint(with: [.direction, .vertical, .horizontal]) else { return }
    let direction = (1 / gravity.length) * gravity
    let along = acceleration.dot(direction)
    direction.store(to: columns + 20)
    columns[16] = -along
    if wanted.contains(.horizontal) { columns[17] = (acceleration - along * direction).length }
  }

  /// The columns of a lane: one, or three for the direction of gravity.
  static func positions(of lane: Lane) -> [Int] {
    let first = firstPosition(of: lane)
    return lane == .gravityDirection ? [first, first + 1, first + 2] : [first]
  }

  /// The first column of a lane.
  static func firstPosition(of lane: Lane) -> Int {
    switch lane {
    case .channel(let channel): channel.lane
    case .jerk: 3
    case .total: 7
    case .rotationRateMagnitude: 11
    case .userAccelerationMagnitude: 15
    case .gravityDirection: 20
    case .vertical: 16
    case .horizontal: 17
    }
  }

  /// A column that is always 0.
  static let alwaysZero = 23

  /// The columns of angles.
  static let angles = 0..<3
}

/// A vector quantity, such as gravity, of eight samples.
struct LaneVector {
  var x: LaneGroup
  var y: LaneGroup
  var z: LaneGroup

  @inline(__always)
  init(x: LaneGroup, y: LaneGroup, z: LaneGroup) {
    (self.x, self.y, self.z) = (x, y, z)
  }

  /// The vectors at positions `lane`, `lane` + 1 and `lane` + 2 of eight rows laid out as `MotionSample.row`; `lane` is
  /// 0, 4, 8 or 12.
  @inline(__always)
  init(lane: Int, of rows: UnsafePointer<SIMD16<Float>>) {
    let rows = UnsafeRawPointer(rows)
    @inline(__always)
    func pair(_ row: Int) -> LaneGroup {
      let place = rows + (row &* 64 &+ lane &* 4)
      return LaneGroup(lowHalf: place.load(as: SIMD4.self), highHalf: (place + 4 * 64).load(as: SIMD4.self))
    }
    (x, y, z, _) = LaneGroup.transposedHalves(pair(0), pair(1), pair(2), pair(3))
  }

  /// The vectors delayed by one sample: `first`, then all but the last.
  @inline(__always)
  func delayed(by first: SIMD4<Float>) -> LaneVector {
    LaneVector(x: x.delayed(by: first.x), y: y.delayed(by: first.y), z: z.delayed(by: first.z))
  }

  @inline(__always)
  static func + (a: LaneVector, b: LaneVector) -> LaneVector { LaneVector(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z) }

  @inline(__always)
  static func - (a: LaneVector, b: LaneVector) -> LaneVector { LaneVector(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z) }

  @inline(__always)
  static func * (scale: LaneGroup, a: LaneVector) -> LaneVector {
    LaneVector(x: scale * a.x, y: scale * a.y, z: scale * a.z)
  }

  /// The scalar product of each pair.
  @inline(__always)
  func dot(_ other: LaneVector) -> LaneGroup { x * other.x + y * other.y + z * other.z }

  @inline(__always)
  var length: LaneGroup { dot(self).squareRoot() }

  /// Writes x, y and z to successive columns.
  @inline(__always)
  func store(to columns: UnsafeMutablePointer<LaneGroup>) { (columns[0], columns[1], columns[2]) = (x, y, z) }
}

extension SIMD8<Float> {
  /// Transposes two 4 × 4 matrices, one in the low halves of the rows and one in the high halves.
  @inline(__always)
  static func transposedHalves(_ a: SIMD8, _ b: SIMD8, _ c: SIMD8, _ d: SIMD8) -> (SIMD8, SIMD8, SIMD8, SIMD8) {
    let (abLow, cdLow) = (
      SIMD8(a[0], b[0], a[1], b[1], a[4], b[4], a[5], b[5]), SIMD8(c[0], d[0], c[1], d[1], c[4], d[4], c[5], d[5])
    )
    let (abHigh, cdHigh) = (
      SIMD8(a[2], b[2], a[3], b[3], a[6], b[6], a[7], b[7]), SIMD8(c[2], d[2], c[3], d[3], c[6], d[6], c[7], d[7])
    )
    return (
      evenPairs(abLow, cdLow), oddPairs(abLow, cdLow), evenPairs(abHigh, cdHigh), oddPairs(abHigh, cdHigh)
    )
  }

  /// The pairs of lanes 0–1 and 4–5 of both rows, alternating. Pairs are moved as numbers of eight bytes: if they were
  /// moved lane by lane, the compiler would split the rows again.
  @inline(__always)
  private static func evenPairs(_ a: SIMD8, _ b: SIMD8) -> SIMD8 {
    let (a, b) = (unsafeBitCast(a, to: SIMD4<Double>.self), unsafeBitCast(b, to: SIMD4<Double>.self))
    return unsafeBitCast(SIMD4(a[0], b[0], a[2], b[2]), to: SIMD8.self)
  }

  @inline(__always)
  private static func oddPairs(_ a: SIMD8, _ b: SIMD8) -> SIMD8 {
    let (a, b) = (unsafeBitCast(a, to: SIMD4<Double>.self), unsafeBitCast(b, to: SIMD4<Double>.self))
    return unsafeBitCast(SIMD4(a[1], b[1], a[3], b[3]), to: SIMD8.self)
  }

  /// The lanes delayed by one: `first`, then all but the last.
  @inline(__always)
  fileprivate func delayed(by first: Float) -> SIMD8 {
    SIMD8(first, self[0], self[1], self[2], self[3], self[4], self[5], self[6])
  }
}

extension SIMD4<Float> {
  /// The lane sums of four vectors.
  @inline(__always)
  static func totals(_ a: SIMD4, _ b: SIMD4, _ c: SIMD4, _ d: SIMD4) -> SIMD4 {
    let ab = SIMD4(a.x, b.x, a.y, b.y) + SIMD4(a.z, b.z, a.w, b.w)
    let cd = SIMD4(c.x, d.x, c.y, d.y) + SIMD4(c.z, d.z, c.w, d.w)
    return SIMD4(lowHalf: ab.lowHalf, highHalf: cd.lowHalf) + SIMD4(lowHalf: ab.highHalf, highHalf: cd.highHalf)
  }
}

extension SIMD8<Float> {
  /// The lane sums of four vectors.
  @inline(__always)
  static func totals(_ a: SIMD8, _ b: SIMD8, _ c: SIMD8, _ d: SIMD8) -> SIMD4<Float> {
    SIMD4.totals(a.lowHalf + a.highHalf, b.lowHalf + b.highHalf, c.lowHalf + c.highHalf, d.lowHalf + d.highHalf)
  }
}
