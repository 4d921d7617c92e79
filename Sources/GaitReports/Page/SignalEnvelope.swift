import Gait
import GaitTraining

/// The smallest and largest number of every channel, and of |userAcceleration|, in parts of a stretch of time, all of
/// the same length but the last.
///
/// No sample is skipped: each is within the range of its part. A part without samples of a channel has no range.
/// Samples can be appended in blocks, however many: before there would be more than 2 · `limit` parts, every two are
/// joined.
///
/// A lane is the index of a channel in a row of 16 numbers, or `magnitudeLane`.
struct SignalEnvelope {
  /// The index of |userAcceleration| in a row; no channel uses it.
  static let magnitudeLane = 15

  /// The stretch, seconds from the recording's start.
  private(set) var seconds: ClosedRange<Double>
  private(set) var low: [SIMD16<Float>] = []
  private(set) var high: [SIMD16<Float>] = []

  /// Whether a page carries 16-bit integers even if every part has at most one number.
  var isCompact = false

  private let limit: Int
  /// The time of the stretch's start, nanoseconds.
  private let start: Int64
  private var partsPerNanosecond: Double

  private static let none = SIMD16<Float>(repeating: .infinity)

  /// The number of parts.
  var count: Int { low.count }

  /// The ranges of a recording in `seconds`, in at most `limit` parts: one for each sample if there are fewer.
  ///
  /// - Complexity: O(samples); no allocation for a sample.
  init(_ recording: Recording, in seconds: ClosedRange<Double>, limit: Int) {
    self.init(of: recording, in: seconds, limit: limit)
    append(recording)
    finish(at: seconds.upperBound)
  }

  /// The ranges of a recording that is read in blocks, without samples yet.
  ///
  /// - Parameters:
  ///   - recording: the recording that follows; only its start and rate are used.
  ///   - seconds: the stretch, whose end may be infinite.
  ///   - limit: the maximum number of parts after `finish`; before, there are up to twice as many.
  init(of recording: Recording, in seconds: ClosedRange<Double>, limit: Int) {
    (self.seconds, self.limit) = (seconds, limit)
    start = recording.start.advanced(bySeconds: seconds.lowerBound).nanoseconds
    partsPerNanosecond = recording.sampleRate.hertz / 1e9
  }

  /// Takes the next samples; those outside of the stretch are ignored.
  mutating func append(_ block: Recording) {
    let end = (seconds.upperBound - seconds.lowerBound) * 1e9
    for index in 0..<block.count {
      let nanoseconds = Double(block.time(at: index).nanoseconds - start)
      guard nanoseconds >= -1e3, nanoseconds <= end + 1e3 else { continue }
      while nanoseconds * partsPerNanosecond + 1e-6 >= Double(2 * limit) { halve() }
      let part = max(0, Int(saturating: nanoseconds * partsPerNanosecond + 1e-6))
      if part >= count { resize(to: part + 1) }
      var row = block.rows[index]
      let (x, y, z) = (row[12], row[13], row[14])
      row[Self.magnitudeLane] = (x * x + y * y + z * z).squareRoot()
      take(row, row, into: part)
    }
  }

  /// Ends the stretch at `end`, seconds from the recording's start, unless its end is earlier.
  mutating func finish(at end: Double) {
    seconds = seconds.lowerBound...max(seconds.lowerBound, min(end, seconds.upperBound))
    let parts = (seconds.upperBound - seconds.lowerBound) * 1e9 * partsPerNanosecond
    let whole = max(1, Int(saturating: min(parts.rounded(), Double(2 * limit))))
    // A sample at the very end belongs to the last part.
    for part in whole..<max(whole, count) { take(low[part], high[part], into: whole - 1) }
    resize(to: whole)
    self = merged(to: limit)
  }

  private mutating func take(_ least: SIMD16<Float>, _ most: SIMD16<Float>, into part: Int) {
    var (low, high) = (low[part], high[part])
    // Comparisons with a missing value are false, so it changes nothing. The compiler turns this loop, unlike a mask,
    // into vector minimum and maximum.
    for lane in 0..<16 {
      low[lane] = least[lane] < low[lane] ? least[lane] : low[lane]
      high[lane] = most[lane] > high[lane] ? most[lane] : high[lane]
    }
    (self.low[part], self.high[part]) = (low, high)
  }

  private mutating func resize(to count: Int) {
    if count < self.count {
      low.removeLast(self.count - count)
      high.removeLast(high.count - count)
    } else {
      low += repeatElement(Self.none, count: count - self.count)
      high += repeatElement(-Self.none, count: count - high.count)
    }
  }

  /// Joins every two parts to one.
  private mutating func halve() {
    for part in 0..<count {
      let (least, most) = (low[part], high[part])
      if part.isMultiple(of: 2) {
        (low[part / 2], high[part / 2]) = (least, most)
      } else {
        take(least, most, into: part / 2)
      }
    }
    resize(to: (count + 1) / 2)
    partsPerNanosecond /= 2
  }

  /// The length of each part but the last, which may be shorter, seconds.
  var partSeconds: Double { 1 / (partsPerNanosecond * 1e9) }

  /// The ranges in at most `limit` parts, each of which joins the same number of parts.
  func merged(to limit: Int) -> SignalEnvelope {
    guard count > limit else { return self }
    let size = (count + limit - 1) / limit
    var merged = self
    merged.partsPerNanosecond /= Double(size)
    let whole = (count + size - 1) / size
    merged.low = Array(repeating: Self.none, count: whole)
    merged.high = Array(repeating: -Self.none, count: whole)
    for part in 0..<count { merged.take(low[part], high[part], into: part / size) }
    return merged
  }

  /// The ranges of a lane in each of at most `limit` parts, with its ends in seconds; the range is NaN for a part
  /// without samples.
  func parts(_ lane: Int, limit: Int = drawnParts) -> [(from: Double, to: Double, low: Double, high: Double)] {
    let drawn = merged(to: limit)
    let width = drawn.partSeconds
    return (0..<drawn.count).map { part in
      let from = seconds.lowerBound + Double(part) * width
      let (least, most) = (drawn.low[part][lane], drawn.high[part][lane])
      return least <= most ? (from, from + width, Double(least), Double(most)) : (from, from + width, .nan, .nan)
    }
  }

  /// The parts of a drawing without zoom: more than one for each pixel on a desktop.
  static let drawnParts = 1400

  /// The smallest and largest number of a lane; `nil` if all are missing.
  func range(_ lane: Int) -> ClosedRange<Double>? {
    let least = low.reduce(Float.infinity) { min($0, $1[lane]) }
    let most = high.reduce(-Float.infinity) { max($0, $1[lane]) }
    return least <= most && least.isFinite && most.isFinite ? Double(least)...Double(most) : nil
  }

  /// The largest |userAcceleration| and the time, as text.
  var summary: String {
    "at most \(range(Self.magnitudeLane).map { $0.upperBound.fixed(2) } ?? "–") g from \(seconds.lowerBound.clock) to "
      + seconds.upperBound.clock
  }

  /// The data of a lane for the script, as JSON. If every part has at most one number, and `isCompact` is false, the
  /// data are 32-bit floats. Otherwise they are two lists of 16-bit integers, of the smallest and of the largest
  /// numbers: 0 at the axis' lower end, 65,534 at its upper end, 65,535 for a part without numbers. If both lists are
  /// equal, the second is left out.
  func json(_ lane: Int, on axis: Axis) -> String {
    let parts = "\"count\":\(count),\"width\":\(partSeconds)"
    let isKnown = (0..<count).map { low[$0][lane] <= high[$0][lane] }
    let isExact = isExact(lane)
    if isExact, !isCompact {
      let numbers = (0..<count).map { isKnown[$0] ? low[$0][lane].bitPattern : Float.nan.bitPattern }
      return "{\(parts),\"exact\":\"\(PlotData.base64(numbers.map(\.littleEndian)))\"}"
    }
    let domain = axis.scale.domain
    let lists = [low, high].map { values in
      (0..<count).map { part -> UInt16 in
        guard isKnown[part] else { return UInt16.max.littleEndian }
        let place = (Double(values[part][lane]) - domain.lowerBound) / (domain.upperBound - domain.lowerBound)
        return UInt16(saturating: (min(max(place, 0), 1) * 65_534).rounded()).littleEndian
      }
    }
    let texts = zip(["low", "high"], isExact ? [lists[0]] : lists).map { "\"\($0)\":\"\(PlotData.base64($1))\"" }
    return "{\(([parts] + texts).joined(separator: ","))}"
  }

  /// Whether every part has at most one number of a lane.
  func isExact(_ lane: Int) -> Bool { (0..<count).allSatisfy { low[$0][lane] >= high[$0][lane] } }
}

extension Plot {
  /// A plot of |userAcceleration| of a recording in a stretch, with marks behind and in front of the curve.
  init(
    magnitudeOf name: String, _ signal: SignalEnvelope, upTo top: Double? = nil, series: Int, behind: [Mark] = [],
    before: [Mark] = []
  ) {
    let lane = SignalEnvelope.magnitudeLane
    let most = top ?? max(0.1, 1.05 * (signal.range(lane)?.upperBound ?? 0))
    self.init(
      title: "|userAcceleration| of \(name)", description: signal.summary, axis: .time(signal.seconds),
      panels: [
        Panel(
          title: "|userAcceleration|, g", axis: Axis(title: "", scale: LinearScale(0...most)), height: 90,
          marks: behind + [.envelope(signal, lane: lane, series: series)] + before)
      ])
  }
}
