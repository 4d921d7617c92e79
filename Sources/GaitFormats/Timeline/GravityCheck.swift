import Gait

/// Checks that the total acceleration includes gravity, and that gravity has a constant magnitude.
enum GravityCheck {
  /// An acceleration whose mean over a second typically has a magnitude below this, in g, does not include gravity.
  ///
  /// Motion averages out over a second, gravity does not, unless the device turns round within the second. Of the total
  /// accelerations of MotionSense, BoostRunClub, DSADS, WISDM and the Oxford step counter, no excerpt of 10 s is below.
  /// Without gravity, 175 of MotionSense's 180 recordings are below and 92 of BoostRunClub's 98; the others keep an
  /// offset or are shorter (`GravityCheckTests`).
  static let leastSteadyLength = 0.4
  /// The number of blocks that the check needs.
  static let fewestBlocks = 10
  private static let blockSeconds = 1.0

  /// The median magnitude, in g, of the mean of the total acceleration over each second; `nil` for recordings that are
  /// too short. Missing values are skipped.
  static func steadyLength(of rows: [SIMD16<Float>], at rate: SampleRate) -> Double? {
    let length = max(1, Int((rate.hertz * blockSeconds).rounded()))
    guard rows.count / length >= fewestBlocks else { return nil }
    var lengths: [Float] = []
    lengths.reserveCapacity(rows.count / length)
    for start in stride(from: 0, through: rows.count - length, by: length) {
      var (sum, count) = (SIMD4<Float>.zero, Float(0))
      for row in start..<start + length {
        let total = rows[row].highHalf.highHalf
        guard total.sum().isFinite else { continue }
        sum += total
        count += 1
      }
      if count > 0 { lengths.append((sum * sum).sum().squareRoot() / count) }
    }
    guard lengths.count >= fewestBlocks else { return nil }
    return Double(lengths.sorted()[lengths.count / 2])
  }

  /// The largest standard deviation of gravity's magnitude, relative to its mean, of two simultaneous accelerations.
  static let largestSpread = 0.1

  /// The range of gravity's magnitude if it varies: if its standard deviation is above `largestSpread` of its mean;
  /// else `nil`. Gravity is the difference of two accelerations here.
  static func unevenRange(of rows: [SIMD16<Float>]) -> ClosedRange<Double>? {
    var (sum, squares, count) = (0.0, 0.0, 0.0)
    var range = (least: Double.infinity, greatest: 0.0)
    for row in rows {
      let gravity = row.lowHalf.highHalf
      let length = Double((gravity * gravity).sum().squareRoot())
      guard length.isFinite else { continue }
      sum += length
      squares += length * length
      count += 1
      range = (min(range.least, length), max(range.greatest, length))
    }
    let mean = sum / count
    guard count > 1, squares / count - mean * mean > largestSpread * largestSpread * mean * mean else { return nil }
    return range.least...range.greatest
  }
}
