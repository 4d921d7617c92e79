import Foundation
import Gait

/// Tells whether the first row of a file is left over from the recording before.
///
/// MotionDataCollector keeps the last sample it was given and writes it first when it starts again, so that row 0 shows
/// the phone turned some other way than row 1 a tenth of a second later. The gyroscope tells whether the phone can have
/// turned so: from one row to the next it turns by about rate × period, and the period follows from the other rows. A
/// row is stale if it leaves more turn unexplained than 3 × what 99% of the rows after it leave, and more than 0.1 rad.
///
/// The turn is that of the attitude where the file has one, else that of gravity; without a rotation rate all of it
/// counts as unexplained.
///
/// It finds 75 of the 98 recordings of BoostRunClub (10 Hz) and none of 180 of MotionSense (50 Hz). Of 5,560 beginnings at a
/// random later row it holds none for stale, and with a random row of another recording in the place of the first 96.0 % at
/// 10 Hz and 99.8 % at 50 Hz: the rest are turned so little that they cannot be told from their neighbours. Without attitude
/// and rotation rate it finds 44 of the 98, holds 2 of the 5,560 for stale, and 78.2 % and 89.7 % of the replaced rows.
/// `Scripts/judge-first-rows` prints this. More rows would not judge better: among them are more that leave a turn unexplained.
enum StaleFirstRow {
  /// A turn that a real first row may leave unexplained, radians.
  static let smallestTurn = 0.1
  /// How many times more than the rows after it the first row must leave unexplained.
  static let excess = 3.0
  /// The fraction of the later changes that set the measure.
  static let quantile = 0.99
  /// How many rows it takes to judge, and how many are looked at.
  static let rowsToJudge = 10...120

  static func isStale(_ rows: [SIMD16<Float>]) -> Bool {
    guard rows.count > 1 else { return false }
    var before = Pose(rows[1])
    let first = Change(Pose(rows[0]), before)
    guard first.isSuspect else { return false }
    var others: [Change] = []
    others.reserveCapacity(min(rows.count, rowsToJudge.upperBound))
    for row in rows[2..<max(2, min(rows.count, rowsToJudge.upperBound))] {
      let pose = Pose(row)
      let change = Change(before, pose)
      if change.isKnown { others.append(change) }
      before = pose
    }
    guard others.count + 2 >= rowsToJudge.lowerBound else { return false }
    let period = medianPeriod(of: others)
    let unexplained = first.unexplained(period: period)
    // That many of the others lie at or below the quantile, so if one of them is not exceeded, neither is that.
    let exceeded = others.count { excess * $0.unexplained(period: period) < unexplained }
    return unexplained > smallestTurn && exceeded > Int(quantile * Double(others.count - 1))
  }

  /// Seconds from row to row as the gyroscope sees them; any value will do where nothing turns.
  private static func medianPeriod(of changes: [Change]) -> Double {
    var periods: [Double] = []
    periods.reserveCapacity(changes.count)
    for change in changes where change.rate > 0 { periods.append(change.turn / change.rate) }
    return periods.isEmpty ? 0 : periods.partition(around: periods.count / 2)
  }

  /// How the phone is turned in one row, and how fast it turns.
  private struct Pose {
    /// The attitude as a unit quaternion, or the direction of gravity.
    let direction: SIMD4<Double>
    let isAttitude: Bool
    /// Radians per second; 0 where unknown.
    let rate: Double

    init(_ row: SIMD16<Float>) {
      let rotation = SIMD4<Double>(row.highHalf.lowHalf)
      let attitude = row.lowHalf.lowHalf
      isAttitude = attitude.x.isFinite && attitude.y.isFinite && attitude.z.isFinite
      // Rotation about the vertical turns the attitude, but not gravity.
      var turning = rotation
      if isAttitude {
        direction = Self.quaternion(SIMD4<Double>(attitude))
      } else {
        let gravity = SIMD4<Double>(row.lowHalf.highHalf)
        let down = gravity / length(gravity)
        direction = down
        turning -= down * (rotation * down).sum()
      }
      rate = length(turning).isFinite ? length(turning) : 0
    }

    /// Core Motion's angles: rotate by roll about y, then by pitch about x, then by yaw about z.
    private static func quaternion(_ angles: SIMD4<Double>) -> SIMD4<Double> {
      let (s, c) = HalfAngles.sinesAndCosines(of: angles)
      let (sr, cr) = (s.x, c.x)
      let (sp, cp) = (s.y, c.y)
      let (sy, cy) = (s.z, c.z)
      return SIMD4(
        cy * sp * cr - sy * cp * sr,
        cy * cp * sr + sy * sp * cr,
        cy * sp * sr + sy * cp * cr,
        cy * cp * cr - sy * sp * sr)
    }
  }

  /// What happens from one row to the next.
  private struct Change {
    /// The angle between the two poses, radians.
    let turn: Double
    /// The faster of the two rates, radians per second.
    let rate: Double

    init(_ first: Pose, _ second: Pose) {
      rate = max(first.rate, second.rate)
      if first.isAttitude != second.isAttitude {
        turn = .nan
      } else if first.isAttitude {
        // A quaternion and its opposite are one attitude, which turns by twice the angle between quaternions.
        let isOpposite = (first.direction * second.direction).sum() < 0
        turn = 2 * Self.angle(between: isOpposite ? -first.direction : first.direction, and: second.direction)
      } else {
        turn = Self.angle(between: first.direction, and: second.direction)
      }
    }

    var isKnown: Bool { turn.isFinite }

    /// No turn leaves more unexplained than all of it.
    var isSuspect: Bool { isKnown && turn > smallestTurn }

    func unexplained(period: Double) -> Double { turn - period * rate }

    /// The angle between two unit vectors.
    private static func angle(between first: SIMD4<Double>, and second: SIMD4<Double>) -> Double {
      let difference = length(second - first)
      guard difference < 0.25 else { return 2 * atan2(difference, length(second + first)) }
      return 2 * HalfAngles.arcSine(difference / 2)
    }
  }

  private static func length(_ vector: SIMD4<Double>) -> Double {
    (vector * vector).sum().squareRoot()
  }
}

extension [Double] {
  /// The element that would stand at `index` if they were sorted; those before it are no larger then, those behind it no
  /// smaller (Hoare's quickselect).
  fileprivate mutating func partition(around index: Int) -> Double {
    var (first, last) = (0, count - 1)
    while first < last {
      let pivot = self[(first + last) / 2]
      var (low, high) = (first, last)
      while low <= high {
        while self[low] < pivot { low += 1 }
        while self[high] > pivot { high -= 1 }
        guard low <= high else { break }
        swapAt(low, high)
        low += 1
        high -= 1
      }
      if index <= high { last = high } else if index >= low { first = low } else { break }
    }
    return self[index]
  }
}
