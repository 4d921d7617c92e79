import Gait

/// Checks gravity, as the columns of a file give it: whether its magnitude is constant, and whether the acceleration
/// includes it.
enum GravityCheck {
  /// The largest standard deviation of gravity's magnitude, relative to its mean. Above it, the two accelerations whose
  /// difference is gravity are not simultaneous.
  static let largestSpread = 0.1

  /// Measures the magnitude of gravity that is the difference of two accelerations.
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
  static let checkedFormats: [RecordingFormat] = [.accelerometer, .motionDataCollector]

  /// Detects that gravity was subtracted from an acceleration that did not include it.
  ///
  /// The mean of the difference along gravity is then −1 g instead of 0; the limit is −0.5 g.
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

  /// The mean magnitude of gravity, or of an acceleration that must include it. Rows of zeros, which have no gravity,
  /// are skipped.
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

    /// The mean magnitude in g; `nil` without values.
    var mean: Double? { count > 0 ? sum / Double(count) : nil }

    /// A repair that reports the mean magnitude if it shows a wrong unit, or that gravity is not included. Gravity must
    /// have 0.75 to 1.25 g, and a total acceleration 0.5 to 8 g, which not even a sprinter's wrist exceeds.
    var repairs: [Repair] {
      count > 0 && !(usual ~= sum / Double(count)) ? [.suspectGravity(mean: sum / Double(count))] : []
    }
  }
}
