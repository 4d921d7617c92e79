import Gait

/// Whether accelerations that should have gravity in them, or be gravity, are like it.
enum GravityCheck {
  /// Below this many g, the usual length of an acceleration's mean over a second shows that gravity is not in it.
  ///
  /// However a device is moved, gravity stays in a mean over a second, unless the device turns round within it. Of the total
  /// accelerations of MotionSense, BoostRunClub, DSADS, WISDM and the Oxford step counter none is below in any excerpt of
  /// 10 s. Without gravity, 175 of MotionSense's 180 recordings are and 92 of BoostRunClub's 98; the others keep an offset, or are shorter
  /// (`GravityCheckTests`).
  static let leastSteadyLength = 0.4
  /// With fewer blocks than these, nothing is judged.
  static let fewestBlocks = 10
  private static let blockSeconds = 1.0

  /// The length, in g, that the mean of the total acceleration over a second usually has (the median); `nil` for
  /// recordings too short to tell. Missing values are left out.
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

  /// More of a spread of gravity's length, as a share of its mean, shows that its two accelerations are not of one moment.
  static let largestSpread = 0.1

  /// The least and the greatest length of a gravity that was made from two accelerations, where it is not the same
  /// throughout: root of its mean squared deviation above `largestSpread` of the mean.
  static func swing(of rows: [SIMD16<Float>]) -> ClosedRange<Double>? {
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
