/// An extended Kalman filter over a runner's place and velocity in a plane tangent to the Earth.
///
/// State: metres east and north, velocity east and north, the receiver's own error east and north, and the relative
/// error of its Doppler speed. The error of a receiver's position lasts for tens of seconds, so it is a state of its
/// own (a first-order Gauss-Markov process), not white noise: otherwise its drift would count as movement. The Doppler
/// speed has no such drift, so it determines the distance; positions correct its scale over long distances.
///
/// Sources: R. E. Kalman, *A New Approach to Linear Filtering and Prediction Problems*, Journal of Basic Engineering 82
/// (1960); Y. Bar-Shalom, X. R. Li, T. Kirubarajan, *Estimation with Applications to Tracking and Navigation* (2001),
/// chapters 6 (constant-velocity model), 8 (correlated measurement noise) and 10 (extended filter).
///
/// Complexity: O(1) for each point; no allocation.
struct RouteKalman: Hashable, Sendable {
  /// East, north, velocity east, velocity north, receiver error east, north, relative Doppler error.
  private var state: SIMD8<Double>
  private var covariance: Covariance

  /// The time over which a receiver's position error lasts, seconds.
  static let errorSeconds = 30.0
  /// The spectral densities of a runner's acceleration in the direction of movement, m²/s³, and of turns, rad²/s.
  /// Without Doppler speeds they are smaller, so that the filter does not follow the noise of positions.
  private static let densities = (doppler: (along: 0.5, turn: 0.15), positions: (along: 0.06, turn: 0.02))
  /// The standard deviation of the Doppler speed's relative error that is assumed at the start. Receivers derive the
  /// speed from carrier phases, so the error is small.
  private static let dopplerScale = 0.002

  /// The variance of an unknown velocity along an axis at the start and after a gap, m²/s².
  static let usualVariance = 9.0

  /// A filter that begins at a point of this accuracy, at an unknown velocity with a variance along each axis, m²/s².
  init(at place: SIMD2<Double>, accuracy: Double, velocityVariance variance: Double = usualVariance) {
    state = SIMD8(place.x, place.y, 0, 0, 0, 0, 0, 0)
    let error = Self.errorVariance(accuracy)
    let scale = Self.dopplerScale * Self.dopplerScale
    covariance = Covariance(diagonal: SIMD8(error, error, variance, variance, error, error, scale, 0))
  }

  /// The speed, m/s.
  var speed: Double { (state[2] * state[2] + state[3] * state[3]).squareRoot() }
  /// The variance of the velocity, m²/s², the mean of both axes.
  var speedVariance: Double { (covariance[2][2] + covariance[3][3]) / 2 }
  /// How much too fast the Doppler speed is, as a share.
  var dopplerError: Double { state[6] }

  /// The variance of a position's error along one axis. An accuracy is the radius that contains 68 % of the errors,
  /// which is 1.5 standard deviations.
  private static func errorVariance(_ accuracy: Double) -> Double {
    let deviation = accuracy / 1.5
    return deviation * deviation
  }

  /// Moves the state on by `seconds`; `accuracy` is that of the next position.
  mutating func predict(seconds: Double, accuracy: Double, hasDoppler: Bool) {
    state[0] += seconds * state[2]
    state[1] += seconds * state[3]
    let decay = exponential(-seconds / Self.errorSeconds)
    state[4] *= decay
    state[5] *= decay
    covariance.propagate(seconds: seconds, decay: decay)
    let error = Self.errorVariance(accuracy) * (1 - decay * decay)
    covariance[4][4] += error
    covariance[5][5] += error
    addAcceleration(seconds: seconds, hasDoppler ? Self.densities.doppler : Self.densities.positions)
  }

  /// Adds the uncertainty of unknown accelerations and turns.
  private mutating func addAcceleration(seconds: Double, _ density: (along: Double, turn: Double)) {
    let speed = speed
    let along = density.along * seconds
    let across = (density.along + density.turn * speed * speed) * seconds
    let (u, v) = speed > 0.1 ? (state[2] / speed, state[3] / speed) : (1, 0)
    let (ee, nn, en) = (along * u * u + across * v * v, along * v * v + across * u * u, (along - across) * u * v)
    let (half, third) = (seconds / 2, seconds * seconds / 3)
    covariance[0][0] += third * ee
    covariance[1][1] += third * nn
    covariance[0][1] += third * en
    covariance[1][0] += third * en
    for (place, velocity, share) in [(0, 2, ee), (0, 3, en), (1, 2, en), (1, 3, nn)] {
      covariance[place][velocity] += half * share
      covariance[velocity][place] += half * share
    }
    covariance[2][2] += ee
    covariance[3][3] += nn
    covariance[2][3] += en
    covariance[3][2] += en
  }

  /// Takes a position. One more than three standard deviations from the predicted position counts less.
  ///
  /// - Returns: the square of its distance from the predicted position, in standard deviations.
  @discardableResult
  mutating func update(_ place: SIMD2<Double>, accuracy: Double) -> Double {
    let apart = SIMD2(place.x - state[0] - state[4], place.y - state[1] - state[5])
    let white = 1 + 0.1 * accuracy * accuracy
    let spread = covariance[0][0] + covariance[4][4] + 2 * covariance[0][4] + white
    let other = covariance[1][1] + covariance[5][5] + 2 * covariance[1][5] + white
    let square = apart.x * apart.x / spread + apart.y * apart.y / other
    let variance = white + max(0, square / 9 - 1) * max(spread, other)
    correct(SIMD8(1, 0, 0, 0, 1, 0, 0, 0), residual: apart.x, variance: variance)
    let rest = place.y - state[1] - state[5]
    correct(SIMD8(0, 1, 0, 0, 0, 1, 0, 0), residual: rest, variance: variance)
    return square
  }

  /// Takes a Doppler speed, m/s.
  mutating func update(doppler: Double, accuracy: Double) {
    let speed = speed
    guard speed > 0.3 else { return }
    let scale = 1 + state[6]
    let row = SIMD8(0, 0, scale * state[2] / speed, scale * state[3] / speed, 0, 0, speed, 0)
    correct(row, residual: doppler - scale * speed, variance: accuracy * accuracy)
  }

  /// Takes a speed from steps, m/s.
  mutating func update(speed measured: Double, deviation: Double) {
    let speed = speed
    guard speed > 0.3 else { return }
    let row = SIMD8(0, 0, state[2] / speed, state[3] / speed, 0, 0, 0, 0)
    correct(row, residual: measured - speed, variance: deviation * deviation)
  }

  /// Restarts at a point after an unknown distance or a sharp turn. The estimate of the Doppler error stays.
  mutating func restart(at place: SIMD2<Double>, accuracy: Double, velocityVariance: Double = usualVariance) {
    let scale = (error: state[6], variance: covariance[6][6])
    self = RouteKalman(at: place, accuracy: accuracy, velocityVariance: velocityVariance)
    state[6] = scale.error
    covariance[6][6] = scale.variance
  }

  /// Moves the origin of the plane.
  mutating func moveOrigin(to place: SIMD2<Double>) {
    state[0] -= place.x
    state[1] -= place.y
  }

  /// Takes a measured velocity of 0, as the runner stands.
  mutating func stand() {
    correct(SIMD8(0, 0, 1, 0, 0, 0, 0, 0), residual: -state[2], variance: 0.01)
    correct(SIMD8(0, 0, 0, 1, 0, 0, 0, 0), residual: -state[3], variance: 0.01)
  }

  /// The update with one measured number: `row` is its derivative by the state.
  private mutating func correct(_ row: SIMD8<Double>, residual: Double, variance: Double) {
    let product = covariance.times(row)
    let spread = (row * product).sum() + variance
    guard spread > 0 else { return }
    state += product * (residual / spread)
    covariance.subtract(product, over: spread)
  }
}

/// The covariance of the seven states, in columns.
private struct Covariance: Hashable, Sendable {
  private var (c0, c1, c2, c3) = (SIMD8<Double>.zero, SIMD8<Double>.zero, SIMD8<Double>.zero, SIMD8<Double>.zero)
  private var (c4, c5, c6) = (SIMD8<Double>.zero, SIMD8<Double>.zero, SIMD8<Double>.zero)

  init(diagonal: SIMD8<Double>) {
    for index in 0..<7 { self[index][index] = diagonal[index] }
  }

  subscript(index: Int) -> SIMD8<Double> {
    get {
      switch index {
      case 0: c0
      case 1: c1
      case 2: c2
      case 3: c3
      case 4: c4
      case 5: c5
      default: c6
      }
    }
    set {
      switch index {
      case 0: c0 = newValue
      case 1: c1 = newValue
      case 2: c2 = newValue
      case 3: c3 = newValue
      case 4: c4 = newValue
      case 5: c5 = newValue
      default: c6 = newValue
      }
    }
  }

  /// The product with a vector.
  func times(_ row: SIMD8<Double>) -> SIMD8<Double> {
    var sum = SIMD8<Double>.zero
    for index in 0..<7 { sum += self[index] * row[index] }
    return sum
  }

  /// Subtracts the outer product of a vector with itself, divided by `divisor`.
  mutating func subtract(_ vector: SIMD8<Double>, over divisor: Double) {
    let scaled = vector / divisor
    for index in 0..<7 { self[index] -= vector * scaled[index] }
  }

  /// The covariance after the place moved by velocity × `seconds` and the receiver's error shrank by `decay`.
  mutating func propagate(seconds: Double, decay: Double) {
    c0 += c2 * seconds
    c1 += c3 * seconds
    c4 *= decay
    c5 *= decay
    for index in 0..<7 {
      var column = self[index]
      column[0] += seconds * column[2]
      column[1] += seconds * column[3]
      column[4] *= decay
      column[5] *= decay
      self[index] = column
    }
  }
}
