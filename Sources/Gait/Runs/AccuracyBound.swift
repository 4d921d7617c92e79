/// The largest accuracy of GPS points that are used. Where no point is as accurate as it should be for `patience` seconds, those up
/// to `factor` times the bound are used: a way with a large error is better than none.
struct AccuracyBound: Hashable, Sendable {
  private let largest: Double
  /// The time of the first inaccurate point since the latest accurate one.
  private var inaccurateSince: SampleTime?

  private static let (patience, factor) = (20.0, 2.0)

  /// - Parameter largest: metres.
  init(_ largest: Double) { self.largest = largest }

  /// Whether a point of this accuracy, metres, is used.
  mutating func admits(_ accuracy: Double, at time: SampleTime) -> Bool {
    guard accuracy > largest else {
      inaccurateSince = nil
      return true
    }
    guard accuracy <= Self.factor * largest else { return false }
    let since = inaccurateSince ?? time
    inaccurateSince = since
    return time.seconds(since: since) >= Self.patience
  }
}
