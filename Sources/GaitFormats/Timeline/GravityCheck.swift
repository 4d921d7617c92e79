import Gait

/// Tells whether an acceleration includes gravity, and checks that gravity has a constant magnitude.
enum GravityCheck {
  /// A total acceleration whose mean over a second typically has a magnitude below this, in g, does not include gravity.
  ///
  /// Motion averages out over a second, gravity does not, unless the device turns round within the second. Of the total
  /// accelerations of MotionSense, BoostRunClub, DSADS, WISDM and the Oxford step counter, no excerpt of 10 s is below.
  /// Without gravity, 175 of MotionSense's 180 recordings are below (`GravityCheckTests`).
  static let leastSteadyLength = 0.4
  /// Strong movement does not average out in a second that holds a part of a step: a mean below this, in g, and below this
  /// share of the root mean square does not include gravity.
  private static let strongMovement = (length: 0.65, share: 0.3)
  /// A linear acceleration, by the names of its columns, with a mean above this, in g, includes gravity.
  private static let leastNamedLength = 0.7
  /// The number of blocks that the check needs.
  static let fewestBlocks = 5
  private static let blockSeconds = 1.0

  /// Measures whether an acceleration includes gravity, second by second. Missing values are skipped.
  ///
  /// A device at rest shows 1 g or 0. Without two seconds at rest the median over all seconds decides. Seconds of zeros alone
  /// are missing values, as recorders fill them in, unless there is nothing else.
  struct SteadyLength {
    /// The largest standard deviation of a second at rest, g.
    private static let largestRest: Float = 0.03
    /// 1 g in a unit that was taken for another: g for m/s², mg for g, and their spread.
    private static let (wrongUnits, spread) = ([1 / 9.80665, 0.001], 0.12)

    private let blockLength: Int
    /// The magnitude of the mean of each second and the root mean square, in g, and whether the device was at rest.
    private var blocks: [(length: Float, power: Float, isRest: Bool)] = []
    /// The sums of the values and squares of the current second, their number, and its number of rows.
    private var (sum, squares, count, rowCount) = (SIMD4<Float>.zero, SIMD4<Float>.zero, Float(0), 0)

    init(at rate: SampleRate) { blockLength = max(1, Int(saturating: (rate.hertz * blockSeconds).rounded())) }

    mutating func append(_ rows: [SIMD16<Float>]) {
      for row in rows {
        let total = row.highHalf.highHalf
        if total.sum().isFinite {
          sum += total
          squares += total * total
          count += 1
        }
        rowCount += 1
        guard rowCount == blockLength else { continue }
        if count > 0 {
          let mean = sum / count
          let variance = (squares / count - mean * mean).sum()
          let power = (squares / count).sum().squareRoot()
          blocks.append(((mean * mean).sum().squareRoot(), power, variance < Self.largestRest * Self.largestRest))
        }
        (sum, squares, count, rowCount) = (.zero, .zero, 0, 0)
      }
    }

    /// The median magnitude of the seconds at rest, or of all without two at rest; `nil` for a recording that is too
    /// short.
    var median: Double? {
      let values = blocks.filter { $0.power > 0 }
      let blocks = values.isEmpty ? blocks : values
      guard blocks.count >= fewestBlocks else { return nil }
      let rests = blocks.filter(\.isRest)
      let lengths = (rests.count >= 2 ? rests : blocks).map(\.length).sorted()
      return Double(lengths[lengths.count / 2])
    }

    /// Whether the acceleration includes gravity, and the mean that shows it; `nil` if it is as the columns' names say.
    ///
    /// - Parameter named: whether the columns' names say that it does.
    /// - Throws: `RecordingError.withoutGravity` if the numbers are 0 throughout, or 1 g in another unit.
    func otherwise(named: Bool, file: String) throws(RecordingError) -> (includesGravity: Bool, mean: Double)? {
      guard let median else { return nil }
      if !named { return leastNamedLength...1.5 ~= median ? (true, median) : nil }
      let powers = blocks.map(\.power).filter { $0 > 0 }.sorted()
      let power = powers.isEmpty ? 0 : Double(powers[powers.count / 2])
      let limit = min(strongMovement.length, strongMovement.share * power)
      guard median < max(leastSteadyLength, limit) else { return nil }
      if isWrongUnit || blocks.allSatisfy({ $0.length == 0 }) { throw .withoutGravity(file: file, mean: median) }
      return (false, median)
    }

    /// Whether nearly every second has the same magnitude: that of gravity in another unit.
    private var isWrongUnit: Bool {
      let lengths = blocks.filter { $0.power > 0 }.map { Double($0.length) }.sorted()
      guard !lengths.isEmpty else { return false }
      let usual = lengths[lengths.count / 10]...lengths[lengths.count - 1 - lengths.count / 10]
      return Self.wrongUnits.contains {
        usual.lowerBound > $0 * (1 - Self.spread) && usual.upperBound < $0 * (1 + Self.spread)
      }
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

  /// The mean length of an acceleration that must include gravity, and the fastest rotation. Rows of zeros, which have no gravity,
  /// are skipped.
  struct Lengths {
    private var (sum, count, fastest) = (0.0, 0, Float.zero)
    /// rad/s; sensors measure up to 35, which is 2000 degrees per second.
    private static let fastestRotation: Float = 40

    mutating func append(_ rows: [SIMD16<Float>], of sensor: Sensor) {
      for row in rows {
        let (rotation, value) = (
          row.highHalf.lowHalf, sensor == .gravity ? row.lowHalf.highHalf : row.highHalf.highHalf
        )
        let square = (rotation * rotation).sum()
        if square > fastest, square.isFinite { fastest = square }
        let length = (value * value).sum().squareRoot()
        guard length > 0, length.isFinite else { continue }
        sum += Double(length)
        count += 1
      }
    }

    /// The repairs that report a length that cannot include gravity or has the wrong unit, as it is near 1 g, and at most
    /// 8 g even at a sprinter's wrist, and a rotation faster than sensors measure.
    var repairs: [Repair] {
      let fastest = fastest.squareRoot()
      return (count > 0 && !(0.5...8 ~= sum / Double(count)) ? [.suspectGravity(mean: sum / Double(count))] : [])
        + (fastest > Self.fastestRotation ? [.suspectRotation(radiansPerSecond: Double(fastest))] : [])
    }
  }
}
