import Foundation
import Gait

@testable import GaitFormats

/// The naive twin of `StaleFirstRow`, with the library's sine, cosine and arctangent and a full sort.
enum NaiveStaleFirstRow {
  static func isStale(_ rows: [SIMD16<Float>]) -> Bool {
    let poses = rows.prefix(StaleFirstRow.rowsToJudge.upperBound).map(Pose.init)
    let changes = zip(poses, poses.dropFirst()).map(Change.init)
    let known = changes.dropFirst().filter { $0.turn.isFinite }
    guard let first = changes.first, first.turn.isFinite, known.count + 2 >= StaleFirstRow.rowsToJudge.lowerBound else {
      return false
    }
    let periods = known.filter { $0.rate > 0 }.map { $0.turn / $0.rate }.sorted()
    let period = periods.isEmpty ? 0 : periods[periods.count / 2]
    let others = known.map { $0.turn - period * $0.rate }.sorted()
    let usual = others[Int(StaleFirstRow.quantile * Double(others.count - 1))]
    return first.turn - period * first.rate > max(StaleFirstRow.smallestTurn, StaleFirstRow.excess * usual)
  }

  private struct Pose {
    /// The attitude as a unit quaternion, or the direction of gravity.
    var direction: [Double]
    var isAttitude: Bool
    var rate: Double

    init(_ row: SIMD16<Float>) {
      let values = (0..<16).map { Double(row[$0]) }
      let (angles, gravity, rotation) = (values[0..<3], Array(values[4..<7]), Array(values[8..<11]))
      isAttitude = angles.allSatisfy(\.isFinite)
      let down = gravity.map { $0 / length(gravity) }
      let alongDown = zip(rotation, down).map(*).reduce(0, +)
      let turning = isAttitude ? rotation : zip(rotation, down).map { $0 - $1 * alongDown }
      rate = length(turning).isFinite ? length(turning) : 0
      let (s, c) = (angles.map { sin($0 / 2) }, angles.map { cos($0 / 2) })
      direction =
        isAttitude
        ? [
          c[2] * s[1] * c[0] - s[2] * c[1] * s[0], c[2] * c[1] * s[0] + s[2] * s[1] * c[0],
          c[2] * s[1] * s[0] + s[2] * c[1] * c[0], c[2] * c[1] * c[0] - s[2] * s[1] * s[0],
        ] : down
    }
  }

  private struct Change {
    var turn: Double
    var rate: Double

    init(_ first: Pose, _ second: Pose) {
      let difference = length(zip(first.direction, second.direction).map { $1 - $0 })
      let sum = length(zip(first.direction, second.direction).map { $1 + $0 })
      rate = max(first.rate, second.rate)
      turn = first.isAttitude ? 4 * atan2(min(difference, sum), max(difference, sum)) : 2 * atan2(difference, sum)
      if first.isAttitude != second.isAttitude { turn = .nan }
    }
  }

  private static func length(_ vector: [Double]) -> Double {
    vector.map { $0 * $0 }.reduce(0, +).squareRoot()
  }
}
