import Gait

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Foundation
#endif

/// Detects a first row that is left over from the previous recording.
///
/// MotionDataCollector keeps its last sample and writes it first when it starts again. The first row then shows a
/// different orientation of the phone than the second. The gyroscope shows whether that rotation is possible: between
/// rows the phone turns by about rotation rate × period, and the period follows from the other rows. The rest of the
/// rotation is unexplained. A first row is stale if its unexplained rotation is more than 0.1 rad and more than 3 times
/// that of 99 % of the rows after it.
///
/// The rotation is that of the attitude, or of gravity if the file has no attitude. Without a rotation rate, all of the
/// rotation is unexplained. A stale row with an orientation like the next row's is not detected.
enum StaleFirstRow {
  /// The unexplained rotation that a stale first row must exceed, radians.
  static let smallestTurn = 0.1
  /// The ratio to the unexplained rotation of later rows that a stale first row must exceed.
  static let excess = 3.0
  /// The quantile of the later rows' unexplained rotation that the first row is compared with.
  static let quantile = 0.99
  /// The number of rows that detection needs, and the number that it uses at most.
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
    // Exceeding the quantile means exceeding every change up to it, so counting replaces sorting.
    let exceeded = others.count { excess * $0.unexplained(period: period) < unexplained }
    return unexplained > smallestTurn && exceeded > Int(saturating: quantile * Double(others.count - 1))
  }

  /// The median of rotation ÷ rotation rate, which is the period, in seconds; 0 if nothing rotates, where any value
  /// would do.
  private static func medianPeriod(of changes: [Change]) -> Double {
    var periods: [Double] = []
    periods.reserveCapacity(changes.count)
    for change in changes where change.rate > 0 { periods.append(change.turn / change.rate) }
    return periods.isEmpty ? 0 : periods.sorted()[periods.count / 2]
  }

  /// The orientation of the phone in one row, and its rotation rate.
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
      // Rotation about the vertical changes the attitude, but not gravity.
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

  /// The rotation from one row to the next.
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
        // A quaternion and its negative are the same attitude, and the rotation is twice the angle between quaternions.
        let isOpposite = (first.direction * second.direction).sum() < 0
        turn = 2 * Self.angle(between: isOpposite ? -first.direction : first.direction, and: second.direction)
      } else {
        turn = Self.angle(between: first.direction, and: second.direction)
      }
    }

    var isKnown: Bool { turn.isFinite }

    /// Whether the rotation exceeds `smallestTurn`, even before the explained part is subtracted.
    var isSuspect: Bool { isKnown && turn > smallestTurn }

    func unexplained(period: Double) -> Double { turn - period * rate }

    /// The angle between two unit vectors.
    private static func angle(between first: SIMD4<Double>, and second: SIMD4<Double>) -> Double {
      2 * atan2(length(second - first), length(second + first))
    }
  }

  private static func length(_ vector: SIMD4<Double>) -> Double {
    (vector * vector).sum().squareRoot()
  }
}
