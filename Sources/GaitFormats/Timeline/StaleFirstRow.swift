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
/// Measured: finds 74 of the 98 recordings of BoostRunClub and 0 of 180 of MotionSense; of 5,560 recordings begun at a
/// random later row it finds 0, and with the first row replaced by a random one of another recording 94% at 10 Hz and
/// 99.6% at 50 Hz. The rest are turned so little that they cannot be told from their neighbours. Without attitude and
/// rotation rate it finds 46 of the 98.
enum StaleFirstRow {
  /// A turn that a real first row may leave unexplained, radians.
  static let smallestTurn = 0.1
  /// How many times more than the rows after it the first row must leave unexplained.
  static let excess = 3.0
  /// The fraction of the later changes that set the measure.
  static let quantile = 0.99
  /// How many rows it takes to judge, and how many are looked at.
  static let rowsToJudge = 10...1000

  static func isStale(_ rows: [SIMD16<Float>]) -> Bool {
    // No turn leaves more unexplained than all of it.
    guard rows.count > 1, !(Change(Pose(rows[0]), Pose(rows[1])).turn <= smallestTurn) else { return false }
    let poses = rows.prefix(rowsToJudge.upperBound).map(Pose.init)
    let changes = zip(poses, poses.dropFirst()).map(Change.init)
    let known = changes.dropFirst().filter(\.isKnown)
    guard let first = changes.first, first.isKnown, known.count + 2 >= rowsToJudge.lowerBound else { return false }
    let period = medianPeriod(of: known)
    var others = known.map { $0.unexplained(period: period) }
    let usual = others.partition(around: Int(quantile * Double(others.count - 1)))
    return first.unexplained(period: period) > max(smallestTurn, excess * usual)
  }

  /// Seconds from row to row as the gyroscope sees them; any value will do where nothing turns.
  private static func medianPeriod(of changes: [Change]) -> Double {
    var periods = changes.filter { $0.rate > 0 }.map { $0.turn / $0.rate }
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
      let gravity = SIMD4<Double>(row.lowHalf.highHalf)
      let rotation = SIMD4<Double>(row.highHalf.lowHalf)
      let attitude = row.lowHalf.lowHalf
      isAttitude = attitude.x.isFinite && attitude.y.isFinite && attitude.z.isFinite
      let down = gravity / length(gravity)
      direction = isAttitude ? Self.quaternion(SIMD4<Double>(attitude)) : down
      // Rotation about the vertical turns the attitude, but not gravity.
      let turning = isAttitude ? rotation : rotation - down * (rotation * down).sum()
      rate = length(turning).isFinite ? length(turning) : 0
    }

    /// Core Motion's angles: rotate by roll about y, then by pitch about x, then by yaw about z.
    private static func quaternion(_ angles: SIMD4<Double>) -> SIMD4<Double> {
      let (sr, cr) = (sin(angles.x / 2), cos(angles.x / 2))
      let (sp, cp) = (sin(angles.y / 2), cos(angles.y / 2))
      let (sy, cy) = (sin(angles.z / 2), cos(angles.z / 2))
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
      let difference = length(second.direction - first.direction)
      let sum = length(second.direction + first.direction)
      if first.isAttitude != second.isAttitude {
        turn = .nan
      } else if first.isAttitude {
        // A quaternion and its opposite are one attitude, which turns by twice the angle between quaternions.
        turn = 4 * atan2(min(difference, sum), max(difference, sum))
      } else {
        turn = 2 * atan2(difference, sum)
      }
      rate = max(first.rate, second.rate)
    }

    var isKnown: Bool { turn.isFinite }

    func unexplained(period: Double) -> Double { turn - period * rate }
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
