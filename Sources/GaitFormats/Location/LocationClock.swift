import Gait

extension LocationFile {
  /// The time to add to a file's GPS points to bring them onto the clock of a recording.
  package struct ClockShift: Equatable, Sendable {
    /// Nanoseconds to add.
    package var nanoseconds: Int64
    /// Where the shift comes from; `nil` if the clocks are the same.
    package var reason: String?
  }
}

/// Finds the offset between the clock of GPS points and that of a recording.
///
/// The rules, in order; spans are without the receiver's cached first points:
///
/// 1. Columns that both files share, such as `seconds_elapsed`, give the offset.
/// 2. Spans of equal length whose starts or ends are a whole number of quarter hours apart: another time zone, day or
///    year.
/// 3. Spans of equal length, of which one starts and ends more than `largestDelay` later: they start together. Who stops two
///    recorders at different times started them so, too, and not by the same difference.
/// 4. Spans that overlap by at least half of the shorter one: the same clock, unless the stops of the GPS points are clearly
///    the motion's at another offset of up to ten minutes (`StopAlignment`).
/// 5. Spans of which the GPS points' fits into the recording's after a whole number of quarter hours, with at most
///    `largestSlack` to spare: another time zone, day or year. In the recording's own folder, 14 minutes may be spare.
/// 6. Spans of equal length: they start together, as boot time and calendar time.
/// 7. Files of one folder, of which the GPS points last up to `largestSlack` less: they end together, as a receiver needs time
///    for its first point.
/// 8. A clock that starts at 0 with its file: they start together, if the GPS points last no longer than the recording.
///
/// Otherwise the offset is not certain, and there is none.
struct LocationClock {
  /// The times of the first and the last motion sample, nanoseconds.
  let motion: ClosedRange<Int64>
  /// The times of the first and the last GPS point that was not cached, nanoseconds.
  let route: ClosedRange<Int64>
  /// Whether the GPS points are in the folder or archive of the recording.
  let isSameFolder: Bool

  /// Spans whose lengths differ by less are equal, nanoseconds.
  static let tolerance: Int64 = 5_000_000_000
  /// The largest difference of lengths in rule 5, nanoseconds.
  static let largestSlack: Int64 = 60_000_000_000
  /// How much earlier than the recording the GPS points may start in rule 5, nanoseconds: cached first points less than
  /// `cachedStep` apart from the next ones are not recognised.
  static let cachedLead: Int64 = 30_000_000_000
  /// A step to the next point that is longer ends the cached first points, nanoseconds; and how many there may be.
  static let cachedStep: Int64 = 10_000_000_000
  static let mostCached = 10
  /// How much later one of two spans of equal length starts at most, if both have one clock, nanoseconds.
  static let largestDelay: Int64 = 10_000_000_000
  private static let quarterHour: Int64 = 900_000_000_000
  private static let second: Int64 = 1_000_000_000

  init(motion: ClosedRange<Int64>, samples: [LocationSample], isSameFolder: Bool = false) {
    self.motion = motion
    self.isSameFolder = isSameFolder
    route = Self.firstFresh(of: samples)...samples[samples.count - 1].time.nanoseconds
  }

  /// The time of the first point that the receiver had not cached: cached ones are apart from the others.
  private static func firstFresh(of samples: [LocationSample]) -> Int64 {
    let times = samples.prefix(mostCached + 1).map(\.time.nanoseconds)
    let last = times.indices.dropFirst().last { times[$0] - times[$0 - 1] > cachedStep }
    // Points that are all far apart are a slow receiver's.
    guard let last, samples.count > 2 * mostCached else { return times[0] }
    return times[last]
  }

  private var motionLength: Int64 { motion.upperBound - motion.lowerBound }
  private var routeLength: Int64 { route.upperBound - route.lowerBound }
  /// How much later the GPS points start.
  private var delay: Int64 { route.lowerBound - motion.lowerBound }
  private var areEqual: Bool { abs(motionLength - routeLength) <= Self.tolerance }

  private var slack: Int64 { isSameFolder ? Self.quarterHour - 60 * Self.second : Self.largestSlack }

  /// The shift; `nil` if it is not certain.
  ///
  /// - Parameters:
  ///   - shared: the shift by columns that both files share.
  ///   - stops: the shift that the stops show, seconds; `nil` if they show none.
  func shift(
    shared: (nanoseconds: Int64, name: String)?, stops: () -> Int? = { nil }
  ) -> LocationFile.ClockShift? {
    if let shared, abs(shared.nanoseconds) >= Self.second, overlaps(after: shared.nanoseconds) {
      return LocationFile.ClockShift(nanoseconds: shared.nanoseconds, reason: "by \(shared.name)")
    }
    if areEqual, let shift = wholeShift, shift != 0 { return wholeHours(shift) }
    if overlaps(after: 0) {
      guard shared == nil else { return LocationFile.ClockShift(nanoseconds: 0, reason: nil) }
      if areEqual, abs(delay) > Self.largestDelay { return startingTogether }
      let stops = stops().map { Int64($0) * Self.second } ?? 0
      return LocationFile.ClockShift(
        nanoseconds: stops, reason: stops == 0 ? nil : "as its stops are those of the motion then")
    }
    if let shift = wholeShift, fits(after: shift) { return wholeHours(shift) }
    if areEqual { return startingTogether }
    if isSameFolder, 0...Self.largestSlack ~= motionLength - routeLength {
      return LocationFile.ClockShift(
        nanoseconds: motion.upperBound - route.upperBound, reason: "as both are of one recording, they end together")
    }
    guard isRelative(motion.lowerBound) || isRelative(route.lowerBound),
      routeLength <= motionLength + Self.tolerance
    else { return nil }
    return LocationFile.ClockShift(nanoseconds: -delay, reason: "as one clock starts at 0, they start together")
  }

  private var startingTogether: LocationFile.ClockShift {
    LocationFile.ClockShift(nanoseconds: -delay, reason: "as both last equally long, they start together")
  }

  private func wholeHours(_ shift: Int64) -> LocationFile.ClockShift {
    LocationFile.ClockShift(nanoseconds: shift, reason: "a whole number of quarter hours, as for a time zone")
  }

  /// The whole number of quarter hours after which the spans start together.
  private var wholeShift: Int64? {
    let early = Double(delay) / Double(Self.quarterHour)
    let lead = Double(Self.cachedLead) / Double(Self.quarterHour)
    let quarters = isSameFolder && !areEqual ? (early + lead).rounded(.down) : early.rounded()
    let shift = -Int64(quarters) * Self.quarterHour
    guard areEqual else { return -Self.cachedLead...slack ~= delay + shift ? shift : nil }
    let endsTogether = abs(route.upperBound + shift - motion.upperBound) <= Self.tolerance
    return abs(delay + shift) <= Self.tolerance || endsTogether && delay + shift >= -Self.cachedLead ? shift : nil
  }

  /// Whether the shifted GPS points lie within the recording, with little to spare.
  private func fits(after shift: Int64) -> Bool {
    route.lowerBound + shift >= motion.lowerBound - Self.cachedLead
      && route.upperBound + shift <= motion.upperBound + Self.tolerance
      && motionLength - routeLength <= slack
  }

  /// Whether at least half of the shorter span lies in the other one.
  private func overlaps(after shift: Int64) -> Bool {
    let (start, overflows) = route.lowerBound.addingReportingOverflow(shift)
    let (end, overflowsToo) = route.upperBound.addingReportingOverflow(shift)
    guard !overflows, !overflowsToo else { return false }
    let first = max(start, motion.lowerBound)
    let last = min(end, motion.upperBound)
    return first <= last && last - first >= min(motionLength, routeLength) / 2
  }

  /// Whether a clock starts with its file.
  private func isRelative(_ start: Int64) -> Bool { abs(start) < Self.second }
}
