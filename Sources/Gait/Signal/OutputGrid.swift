/// The times of a resampler's outputs, evenly spaced from the stream's first sample on.
struct OutputGrid: Sendable {
  /// The rate of the outputs.
  let rate: SampleRate
  /// The time of the first point, nanoseconds.
  private(set) var origin: Int64 = 0
  /// The index of the next point, from 0.
  private(set) var index = 0
  /// The time of the next point minus the origin, nanoseconds.
  private(set) var offset: Int64 = 0
  /// The time between points if it is a whole number of nanoseconds: `classify/50Hz` is 1.2 times as fast with it.
  private let period: Int64?

  /// A grid of points at `rate`.
  init(rate: SampleRate) {
    self.rate = rate
    period = rate.wholePeriod
  }

  /// Restarts the grid with a point at `time`, in nanoseconds.
  mutating func begin(at time: Int64) {
    (origin, index, offset) = (time, 0, 0)
  }

  /// Moves on to the next point.
  @inline(__always)
  mutating func advance() {
    index &+= 1
    if let period { offset &+= period } else { roundOffset() }
  }

  @inline(never)
  private mutating func roundOffset() { offset = rate.nanoseconds(ofSample: index) }

  /// The times of the points from `first` up to the next one; empty if they are a whole number of nanoseconds apart.
  func unevenTimes(from first: Int) -> [SampleTime] {
    guard period == nil else { return [] }
    return (first..<index).map { SampleTime(nanoseconds: origin + rate.nanoseconds(ofSample: $0)) }
  }
}
