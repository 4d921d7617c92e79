/// Determines from the numbers of an acceleration whether it includes gravity, and whether it has the stated unit.
///
/// Motion averages out over a second, gravity does not, unless the device turns round within the second. A device at
/// rest shows 1 g or 0. Missing values are skipped. Seconds that have only zeros count as missing, as recorders write
/// zeros for missing values, unless all seconds are so.
package struct SteadyAcceleration: Sendable {
  /// A total acceleration whose mean over a second typically has a magnitude below this, in g, does not include
  /// gravity.
  ///
  /// Of the total accelerations of MotionSense, BoostRunClub, DSADS, WISDM and the Oxford step counter, no excerpt of
  /// 10 s is below. Without gravity, 175 of MotionSense's 180 recordings are below (`GravityCheckTests`).
  private static let leastLength = 0.4
  /// An acceleration with a smaller mean over a second, in g, cannot include gravity, even if the caller states it.
  private static let leastStatedLength = 0.25
  /// The largest mean over a second of a moving body, in g, even at a sprinter's wrist.
  package static let largestLength = 8.0
  /// Strong movement does not average out in a second that holds a part of a step: a mean below this, in g, and below
  /// this share of the root mean square does not include gravity.
  private static let strongMovement = (length: 0.65, share: 0.3)
  /// An acceleration whose columns are named as one without gravity nevertheless includes gravity if its mean is within
  /// these, in g.
  private static let namedLengths = 0.7...1.5
  /// The fewest seconds from which it is judged whether gravity is included.
  private static let fewestSeconds = 5
  /// The largest standard deviation of a second at rest, g.
  private static let largestRest: Float = 0.03

  /// One second.
  private struct Second {
    var mean: SIMD4<Float>
    /// The length of the mean, and the root mean square, g.
    var length: Float
    var power: Float
    var isRest: Bool
  }

  /// The number of rows in a second.
  package let secondLength: Int
  private var seconds: [Second] = []
  /// The sums of the values and squares of the current second, their number, and its number of rows.
  private var (sum, squares, count, rowCount) = (SIMD4<Float>.zero, SIMD4<Float>.zero, Float(0), 0)

  /// - Parameters:
  ///   - rate: the rows per second.
  ///   - secondCount: the number of seconds that need no further memory.
  package init(at rate: SampleRate, secondCount: Int = 0) {
    secondLength = max(1, Int(saturating: rate.hertz.rounded()))
    seconds.reserveCapacity(secondCount)
  }

  /// Adds rows with the acceleration as user acceleration.
  package mutating func append(_ rows: [SIMD16<Float>]) {
    for row in rows { append(row.highHalf.highHalf) }
  }

  /// Adds the acceleration of a row.
  @inline(__always)
  package mutating func append(_ acceleration: SIMD4<Float>) {
    if acceleration.sum().isFinite { appendFinite(acceleration) } else { endRow() }
  }

  /// Adds the acceleration of a row that has one.
  @inline(__always)
  package mutating func appendFinite(_ acceleration: SIMD4<Float>) {
    sum += acceleration
    squares += acceleration * acceleration
    count += 1
    endRow()
  }

  /// Whether the last row ended a second.
  package var isBetweenSeconds: Bool { rowCount == 0 }

  @inline(__always)
  private mutating func endRow() {
    rowCount += 1
    if rowCount == secondLength { endSecond() }
  }

  private mutating func endSecond() {
    if count > 0 {
      let mean = sum / count
      let variance = (squares / count - mean * mean).sum()
      seconds.append(
        Second(
          mean: mean, length: (mean * mean).sum().squareRoot(), power: (squares / count).sum().squareRoot(),
          isRest: variance < Self.largestRest * Self.largestRest))
    }
    (sum, squares, count, rowCount) = (.zero, .zero, 0, 0)
  }

  /// What the numbers show.
  package enum Judgement: Equatable, Sendable {
    /// The numbers do not contradict the names.
    case asNamed
    /// The acceleration includes gravity although the names say that it does not, or the reverse; `mean` is in g.
    case gravity(isIncluded: Bool, mean: Double)
    /// The acceleration has the other of the units g and m/s²: its numbers are to be multiplied by `factor`.
    case otherUnit(factor: Double, mean: Double)
    /// Neither rest nor movement has this mean, in g; or the values are 0 throughout.
    case impossible(mean: Double)
    /// The device at rest shows this instead of 1 g: the numbers have another scale.
    case otherScale(rest: Double)
  }

  /// Whether enough was added to show whether gravity is included.
  package var isDecided: Bool { typicalLength != nil }

  /// Judges the seconds so far.
  ///
  /// - Parameters:
  ///   - isTotal: whether the names of the columns say that the acceleration includes gravity.
  ///   - stated: whether the caller states that the acceleration includes gravity; `nil` if the numbers decide.
  package func judgement(isTotal: Bool, stated: Bool? = nil) -> Judgement {
    if stated == nil, isUsual(isTotal: isTotal) { return isTotal ? scale : .asNamed }
    let seconds = judged
    guard !seconds.isEmpty else { return .asNamed }
    let lengths = seconds.map(\.length).sorted()
    let middle = Double(lengths[lengths.count / 2])
    if middle > Self.largestLength {
      return unit.map { .otherUnit(factor: $0, mean: middle) } ?? .impossible(mean: middle)
    }
    guard let length = typicalLength else { return .asNamed }
    if let stated {
      if stated, length < Self.leastStatedLength { return .impossible(mean: length) }
      guard stated == isTotal else { return .gravity(isIncluded: stated, mean: length) }
      return isTotal ? scale : .asNamed
    }
    guard isTotal else {
      return Self.namedLengths ~= length ? .gravity(isIncluded: true, mean: length) : .asNamed
    }
    let powers = seconds.map(\.power).sorted()
    let movement = min(Self.strongMovement.length, Self.strongMovement.share * Double(powers[powers.count / 2]))
    guard length < max(Self.leastLength, movement) else { return scale }
    if let unit { return .otherUnit(factor: unit, mean: length) }
    if isMilligravity || lengths[lengths.count - 1] == 0 { return .impossible(mean: length) }
    return .gravity(isIncluded: false, mean: length)
  }

  /// `.otherScale` if the median length of the seconds at rest is outside `RestLevel.possibleLengths`; `.asNamed`
  /// otherwise, and with fewer than `fewestSeconds`, or fewer than two at rest.
  private var scale: Judgement {
    let rests = judged.filter(\.isRest).map(\.length).sorted()
    guard seconds.count >= Self.fewestSeconds, rests.count >= 2 else { return .asNamed }
    let rest = rests[rests.count / 2]
    return RestLevel.possibleLengths ~= rest ? .asNamed : .otherScale(rest: Double(rest))
  }

  /// Whether every second, and so the middle one, has a length that all limits of `judgement` accept.
  private func isUsual(isTotal: Bool) -> Bool {
    let usual =
      isTotal
      ? Float(Self.strongMovement.length)...Float(Self.largestLength) : 0...Float(Self.namedLengths.lowerBound).nextDown
    return seconds.allSatisfy { usual ~= $0.length }
  }

  /// The seconds with values other than 0, if there are any.
  private var judged: [Second] {
    let values = seconds.filter { $0.power > 0 }
    return values.isEmpty ? seconds : values
  }

  /// The median length of the seconds at rest, or of all seconds if fewer than two are at rest; `nil` with fewer than
  /// `fewestSeconds`.
  private var typicalLength: Double? {
    let seconds = judged
    guard seconds.count >= Self.fewestSeconds else { return nil }
    let rests = seconds.filter(\.isRest)
    let lengths = (rests.count >= 2 ? rests : seconds).map(\.length).sorted()
    return Double(lengths[lengths.count / 2])
  }

  // MARK: Units

  /// The factor that converts the numbers to the other of the units g and m/s², if gravity then has a length of 1 g;
  /// otherwise `nil`.
  private var unit: Double? { [9.80665, 1 / 9.80665].first { isGravity(ofLength: 1 / $0) } }

  /// Whether gravity has a length of 0.001 instead of 1.
  private var isMilligravity: Bool { isGravity(ofLength: 0.001) }

  /// Whether the means of the seconds are typically a gravity of this length. Gravity keeps its direction from second
  /// to second, and is not small compared with the movement, as the mean of a linear acceleration is.
  private func isGravity(ofLength length: Double) -> Bool {
    let seconds = seconds.filter { $0.power > 0 }
    guard seconds.count >= Self.fewestSeconds else { return false }
    let lengths = seconds.map { Double($0.length) / length }.sorted()
    let ratios = seconds.map { Double($0.power / $0.length) }.sorted()
    let turns = zip(seconds, seconds.dropFirst())
    let along = turns.reduce(0) { $0 + Double(($1.0.mean * $1.1.mean).sum()) }
    let most = turns.reduce(0) { $0 + Double($1.0.length) * Double($1.1.length) }
    return 0.88...1.12 ~= lengths[lengths.count / 2] && lengths[lengths.count / 4] > 0.8
      && lengths[lengths.count - 1 - lengths.count / 4] < 1.25 && ratios[ratios.count / 2] < 1.6 && along > 0.8 * most
  }
}
