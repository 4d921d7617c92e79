import Gait

/// Checks that gravity, as the columns of a file have it, has a constant magnitude and is part of the acceleration.
enum GravityCheck {
  /// The largest standard deviation of gravity's magnitude, relative to its mean. Above it, the two accelerations whose
  /// difference is gravity are not simultaneous.
  static let largestSpread = 0.1

  /// The range of gravity's magnitude, where gravity is the difference of two accelerations. It is `nil` if the
  /// standard deviation of the magnitude is at most `largestSpread` of its mean.
  struct Spread {
    private var (sum, squares, count) = (0.0, 0.0, 0.0)
    private var range = (least: Double.infinity, greatest: 0.0)

    mutating func append(_ rows: [SIMD16<Float>]) {
      for row in rows {
        let gravity = row.lowHalf.highHalf
        let length = Double((gravity * gravity).sum().squareRoot())
        guard length.isFinite else { continue }
        sum += length
        squares += length * length
        count += 1
        range = (min(range.least, length), max(range.greatest, length))
      }
    }

    var unevenRange: ClosedRange<Double>? {
      let mean = sum / count
      guard count > 1, squares / count - mean * mean > largestSpread * largestSpread * mean * mean else { return nil }
      return range.least...range.greatest
    }
  }

  /// The formats whose unit of acceleration comes from column names or the caller, and may be wrong.
  static let checkedFormats: Set<RecordingFormat> = [.accelerometer, .motionDataCollector]

  /// Whether an acceleration, from which gravity was subtracted, did not include it.
  ///
  /// The mean of the difference along gravity is then −1 g instead of 0. The limit is half of that.
  struct Subtraction {
    private var (along, squares) = (0.0, 0.0)

    mutating func append(_ rows: [SIMD16<Float>]) {
      for row in rows {
        let gravity = row.lowHalf.highHalf
        let (part, square) = ((row.highHalf.highHalf * gravity).sum(), (gravity * gravity).sum())
        guard part.isFinite, square.isFinite else { continue }
        along += Double(part)
        squares += Double(square)
      }
    }

    var isWrong: Bool { along < -0.5 * squares }
  }

  /// The mean length of an acceleration that must include gravity. Rows of zeros, which have no gravity, are skipped.
  struct Lengths {
    private var (sum, count) = (0.0, 0)
    private var usual = 0.5...8

    mutating func append(_ rows: [SIMD16<Float>], of sensor: Sensor) {
      if sensor == .gravity { usual = 0.75...1.25 }
      for row in rows {
        let value = sensor == .gravity ? row.lowHalf.highHalf : row.highHalf.highHalf
        let length = (value * value).sum().squareRoot()
        guard length > 0, length.isFinite else { continue }
        sum += Double(length)
        count += 1
      }
    }

    /// The mean length; `nil` without values.
    var mean: Double? { count > 0 ? sum / Double(count) : nil }

    /// The repairs that report a length that cannot include gravity or has the wrong unit: gravity is near 1 g, and a
    /// total acceleration at most 8 g even at a sprinter's wrist.
    var repairs: [Repair] {
      count > 0 && !(usual ~= sum / Double(count)) ? [.suspectGravity(mean: sum / Double(count))] : []
    }
  }
}
