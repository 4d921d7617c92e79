/// Every lane of eight samples, channels and derived: 24 columns of eight Floats.
///
/// Columns 0–15 follow `MotionSample.row`; the spare fourth lane of each sensor holds a derived lane. Columns 16 and 17
/// are vertical and horizontal. Columns 20–22 are ĝ, in a register of its own, as only its mean is used. The rest is 0.
enum DerivedLanes {
  /// The number of columns.
  static let count = 24

  /// The lanes to compute; others may be computed too.
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
    // Written unconditionally: otherwise the compiler loads the rows again for each use below.
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

  /// The columns of a lane.
  static func positions(of lane: Lane) -> [Int] {
    switch lane {
    case .channel(let channel): [channel.lane]
    case .jerk: [3]
    case .total: [7]
    case .rotationRateMagnitude: [11]
    case .userAccelerationMagnitude: [15]
    case .gravityDirection: [20, 21, 22]
    case .vertical: [16]
    case .horizontal: [17]
    }
  }

  /// A column that is always 0.
  static let alwaysZero = 23

  /// The columns of angles.
  static let angles = 0..<3
}
