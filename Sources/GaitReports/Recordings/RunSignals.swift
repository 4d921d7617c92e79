import Gait
import GaitFormats
import GaitTraining

/// What the sensors of a run showed: the largest |userAcceleration| of each fifth of a second, and every change of the
/// stopping probability.
struct RunSignals: Sendable {
  /// The length of a part with one largest acceleration, seconds.
  static let partSeconds = 0.2
  /// Motion that is missing for longer than this breaks the curves, seconds.
  private static let longestHole = 0.5
  /// Smaller changes of the probability are not kept.
  private static let leastChange: Float = 1e-5

  /// The parts with samples: their starts, seconds, and the largest |userAcceleration|, g; a point with NaN breaks the
  /// curve.
  private(set) var peaks: [Plot.Point] = []
  /// The times at which the stopping probability changed, seconds, with its value; a point with NaN breaks the curve.
  private(set) var stopping: [Plot.Point] = []

  private var part = Int.min
  private var latest: Double?
  private var probability: Float = .nan

  /// Takes a sample: its time, its |userAcceleration| (NaN if missing), and the stopping probability after it.
  mutating func append(at seconds: Double, acceleration: Float, stopping value: Float) {
    guard acceleration.isFinite else { return }
    if let latest, seconds - latest > Self.longestHole { close(at: latest) }
    latest = seconds
    let index = Int(saturating: (seconds / Self.partSeconds + 1e-6).rounded(.down))
    if index == part {
      peaks[peaks.count - 1].y = max(peaks[peaks.count - 1].y, Double(acceleration))
    } else {
      peaks.append(Plot.Point(x: Double(index) * Self.partSeconds, y: Double(acceleration)))
      part = index
    }
    guard !((value - probability).magnitude < Self.leastChange) else { return }
    stopping.append(Plot.Point(x: seconds, y: Double(value)))
    probability = value
  }

  /// Ends the curves at the last sample.
  mutating func finish() {
    if let latest { close(at: latest) }
  }

  private mutating func close(at seconds: Double) {
    peaks.append(Plot.Point(x: max(seconds, peaks.last?.x ?? seconds), y: .nan))
    stopping.append(Plot.Point(x: seconds, y: .nan))
    (part, probability) = (Int.min, .nan)
  }

  /// The signals with `seconds` added to all times.
  func shifted(by seconds: Double) -> RunSignals {
    guard seconds != 0 else { return self }
    var shifted = self
    for index in peaks.indices { shifted.peaks[index].x += seconds }
    for index in stopping.indices { shifted.stopping[index].x += seconds }
    return shifted
  }

  /// The stopping probability in a range, from the value that holds at its start.
  func stopping(in range: ClosedRange<Double>) -> [Plot.Point] {
    var inside = stopping.filter { range.contains($0.x) }
    if let held = stopping.last(where: { $0.x < range.lowerBound }), held.y.isFinite {
      inside.insert(Plot.Point(x: range.lowerBound, y: held.y), at: 0)
    }
    if let last = inside.last, last.y.isFinite { inside.append(Plot.Point(x: range.upperBound, y: .nan)) }
    return inside
  }

  /// The largest accelerations in at most `limit` parts of equal length, and that length.
  func peaks(in range: ClosedRange<Double>, limit: Int) -> (points: [Plot.Point], seconds: Double) {
    let inside = peaks.filter { range.contains($0.x) }
    let size = max(1, (inside.count + limit - 1) / limit)
    guard size > 1 else { return (inside, Self.partSeconds) }
    let length = Double(size) * Self.partSeconds
    var joined: [Plot.Point] = []
    for point in inside {
      let x = (point.x / length + 1e-6).rounded(.down) * length
      if let last = joined.last, last.x == x, last.y.isFinite, point.y.isFinite {
        joined[joined.count - 1].y = max(last.y, point.y)
      } else {
        joined.append(Plot.Point(x: point.y.isFinite ? x : point.x, y: point.y))
      }
    }
    return (joined, length)
  }
}
