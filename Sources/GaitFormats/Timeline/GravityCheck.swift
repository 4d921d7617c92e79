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
  struct SteadyLength {
    private let blockLength: Int
    private var lengths: [Float] = []
    /// The sum and number of the values of the current second, and its number of rows.
    private var (sum, count, rowCount) = (SIMD4<Float>.zero, Float(0), 0)

    init(at rate: SampleRate) { blockLength = max(1, Int(saturating: (rate.hertz * blockSeconds).rounded())) }

    mutating func append(_ rows: [SIMD16<Float>]) {
      for row in rows {
        let total = row.highHalf.highHalf
        if total.sum().isFinite {
          sum += total
          count += 1
        }
        rowCount += 1
        guard rowCount == blockLength else { continue }
        if count > 0 { lengths.append((sum * sum).sum().squareRoot() / count) }
        (sum, count, rowCount) = (.zero, 0, 0)
      }
    }

    var median: Double? { lengths.count >= fewestBlocks ? Double(lengths.sorted()[lengths.count / 2]) : nil }

    /// Throws if the total acceleration of the file does not include gravity.
    func check(file: String) throws(RecordingError) {
      if let median, median < leastSteadyLength { throw .withoutGravity(file: file, mean: median) }
    }
  }

  /// The largest standard deviation of gravity's magnitude, relative to its mean, of two simultaneous accelerations.
  static let largestSpread = 0.1

  /// The range of gravity's magnitude if it varies: if its standard deviation is above `largestSpread` of its mean;
  /// else `nil`. Gravity is the difference of two accelerations here.
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

  /// Whether the unit of a format's accelerations comes from column names or the caller, and may be wrong.
  static func checksLength(of format: RecordingFormat) -> Bool {
    format == .accelerometer || format == .motionDataCollector
  }

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
  struct MeanLength {
    private var (sum, count) = (0.0, 0)

    mutating func append(_ rows: [SIMD16<Float>], of sensor: Sensor) {
      for row in rows {
        let value = sensor == .gravity ? row.lowHalf.highHalf : row.highHalf.highHalf
        let length = (value * value).sum().squareRoot()
        guard length > 0, length.isFinite else { continue }
        sum += Double(length)
        count += 1
      }
    }

    /// The repair that reports a length that cannot include gravity or has the wrong unit: it is near 1 g, and at most
    /// 8 g even at a sprinter's wrist.
    var repair: [Repair] {
      count > 0 && !(0.5...8 ~= sum / Double(count)) ? [.suspectGravity(mean: sum / Double(count))] : []
    }
  }
}
