import Gait

extension LocationFile {
  /// The offset between the clock of a file's GPS points and that of a recording.
  package struct ClockShift: Equatable, Sendable {
    /// The nanoseconds to add to the times of the GPS points.
    package var nanoseconds: Int64
    /// The reason for the shift, as a part of a sentence; `nil` if the clocks are the same.
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
/// 3. Spans of equal length that overlap, but start more than `largestDelay` apart: they start together. Equal lengths
///    mean one Start and one Stop button for both files, and the difference is a clock error.
/// 4. Spans that overlap by at least half of the shorter one: the same clock, unless the stops of the GPS points
///    clearly match those of the motion at another offset of up to ten minutes (`StopAlignment`).
/// 5. The GPS points' span fits into the recording's after a shift by a whole number of quarter hours: another time
///    zone, day or year. It is at most `largestSlack` shorter; in the recording's own folder, at most 14 minutes.
/// 6. Spans of equal length: they start together. One clock may count from boot, the other from 1970.
/// 7. Files of one folder, if the GPS points' span is up to `largestSlack` shorter: they end together. A receiver needs
///    time for its first point.
/// 8. A clock that starts at 0 with its file: they start together, if the GPS points last no longer than the recording.
///
/// In all other cases the offset is not certain, and `shift` is `nil`.
struct LocationClock {
  /// The times of the first and the last motion sample, nanoseconds.
  let motion: ClosedRange<Int64>
  /// The times of the first and the last GPS point that was not cached, nanoseconds.
  let route: ClosedRange<Int64>
  /// Whether the GPS points are in the folder or archive of the recording.
  let isSameFolder: Bool

  /// The largest difference of two lengths that count as equal, nanoseconds.
  static let tolerance: Int64 = 5_000_000_000
  /// The largest difference of lengths in rules 5 and 7, nanoseconds.
  static let largestSlack: Int64 = 60_000_000_000
  /// How much earlier than the recording the GPS points may start in rule 5, nanoseconds. Cached first points that are
  /// less than `cachedStep` before the next point are not recognised as cached.
  static let cachedLead: Int64 = 30_000_000_000
  /// The receiver's first points are cached, that is, from before the run, if the step after them is longer than this,
  /// nanoseconds. At most `mostCached` points can be cached.
  static let cachedStep: Int64 = 10_000_000_000
  static let mostCached = 10
  /// The largest difference of the starts of two spans of equal length on one clock, nanoseconds.
  static let largestDelay: Int64 = 10_000_000_000
  private static let quarterHour: Int64 = 900_000_000_000
  private static let second: Int64 = 1_000_000_000

  init(motion: ClosedRange<Int64>, samples: [LocationSample], isSameFolder: Bool = false) {
    self.motion = motion
    self.isSameFolder = isSameFolder
    route = Self.firstFresh(of: samples)...samples[samples.count - 1].time.nanoseconds
  }

  /// The time of the first point that was not cached. A step longer than `cachedStep` separates cached points from it.
  private static func firstFresh(of samples: [LocationSample]) -> Int64 {
    let times = samples.prefix(mostCached + 1).map(\.time.nanoseconds)
    let last = times.indices.dropFirst().last { times[$0] - times[$0 - 1] > cachedStep }
    // In a short file, far-apart points may come from a slow receiver; then none is taken as cached.
    guard let last, samples.count > 2 * mostCached else { return times[0] }
    return times[last]
  }

  private var motionLength: Int64 { motion.upperBound - motion.lowerBound }
  private var routeLength: Int64 { route.upperBound - route.lowerBound }
  /// How much later the GPS points start than the motion, nanoseconds; negative if they start earlier.
  private var delay: Int64 { route.lowerBound - motion.lowerBound }
  private var areEqual: Bool { abs(motionLength - routeLength) <= Self.tolerance }

  private var slack: Int64 { isSameFolder ? Self.quarterHour - 60 * Self.second : Self.largestSlack }

  /// The shift; `nil` if it is not certain.
  ///
  /// - Parameters:
  ///   - shared: the shift by columns that both files share, and the name of these columns; `nil` if there are none.
  ///   - stops: returns the shift that the stops show (`StopAlignment`), in seconds; `nil` if they show none. It is
  ///     called only if rule 4 applies.
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

  /// The shift by a whole number of quarter hours after which the spans fit, in nanoseconds; `nil` if there is none.
  /// Spans of equal length fit if they start together or end together. Other spans fit if the GPS points start at most
  /// `cachedLead` before and at most `slack` after the motion.
  private var wholeShift: Int64? {
    let early = Double(delay) / Double(Self.quarterHour)
    let lead = Double(Self.cachedLead) / Double(Self.quarterHour)
    let quarters = isSameFolder && !areEqual ? (early + lead).rounded(.down) : early.rounded()
    let shift = -Int64(saturating: quarters) * Self.quarterHour
    guard areEqual else { return -Self.cachedLead...slack ~= delay + shift ? shift : nil }
    let endsTogether = abs(route.upperBound + shift - motion.upperBound) <= Self.tolerance
    return abs(delay + shift) <= Self.tolerance || endsTogether && delay + shift >= -Self.cachedLead ? shift : nil
  }

  /// Whether the shifted GPS points lie within the recording and are at most `slack` shorter.
  private func fits(after shift: Int64) -> Bool {
    // Differences of valid times fit 64 bits; a shifted end may not.
    let lead = delay + shift
    return lead >= -Self.cachedLead && lead <= motionLength - routeLength + Self.tolerance
      && motionLength - routeLength <= slack
  }

  /// Whether the shifted GPS points and the recording share at least half of the shorter span.
  private func overlaps(after shift: Int64) -> Bool {
    let (start, overflows) = route.lowerBound.addingReportingOverflow(shift)
    let (end, overflowsToo) = route.upperBound.addingReportingOverflow(shift)
    guard !overflows, !overflowsToo else { return false }
    let first = max(start, motion.lowerBound)
    let last = min(end, motion.upperBound)
    return first <= last && last - first >= min(motionLength, routeLength) / 2
  }

  /// Whether a clock starts at 0 with its file: whether `start` is less than a second from 0.
  private func isRelative(_ start: Int64) -> Bool { abs(start) < Self.second }
}

/// Finds the offset between two clocks by the stops of a run: GPS points stand still while the motion is quiet.
struct StopAlignment {
  /// Whether the wearer moved in each second of the motion and of the route; `nil` where it is not clear.
  private let motion: [Bool?]
  private let route: [Bool?]
  /// How much later the route begins than the motion, in whole seconds.
  private let delay: Int

  /// The acceleration above which the wearer moves, g, and the speeds below which they stand and above which they move,
  /// m/s.
  private static let (movingAcceleration, standingSpeed, movingSpeed) = (0.1, 0.4, 0.8)
  /// Speeds are averaged from this many seconds before to this many after.
  private static let halfSpan = 3
  /// The largest offset that is searched, and the smallest that is accepted, in seconds. Stops cannot show smaller
  /// offsets reliably.
  private static let (largest, smallest) = (600, 5)
  /// The correlation that an offset needs, by how much it must exceed those of all other offsets, and by how much that
  /// of offset 0.
  private static let (needed, lead, gain) = (0.7, 0.1, 0.2)
  /// The fewest seconds of stops and of movement that both must have; and the difference in seconds up to which an
  /// offset counts as the best one.
  private static let (fewest, neighbours) = (15, 20)

  init(_ recording: Recording, _ samples: [LocationSample]) {
    motion = Self.movement(of: recording)
    route = Self.movement(of: samples)
    let first = samples.first?.time ?? recording.start
    delay = Int(saturating: first.seconds(since: recording.start).rounded().clamped(to: -1e9...1e9))
  }

  /// The seconds to add to the times of the GPS points; `nil` if the stops do not show a clear offset.
  var offset: Int? {
    let scores = (-Self.largest...Self.largest).map { ($0, correlation(after: $0)) }
    guard let best = scores.max(by: { $0.1 < $1.1 }), best.1 >= Self.needed, abs(best.0) >= Self.smallest,
      best.1 - correlation(after: 0) >= Self.gain,
      scores.allSatisfy({ abs($0.0 - best.0) <= Self.neighbours || $0.1 <= best.1 - Self.lead })
    else { return nil }
    return best.0
  }

  /// The correlation of both movements (the phi coefficient) if `offset` seconds are added to the route's times. It is
  /// 0 if the two share less than half of the shorter one, or if one of them has fewer than `fewest` seconds of stops
  /// or of movement there.
  private func correlation(after offset: Int) -> Double {
    let first = delay + offset
    let shared = max(0, first)..<max(max(0, first), min(motion.count, first + route.count))
    guard shared.count >= min(motion.count, route.count) / 2 else { return 0 }
    var (both, neither, onlyMotion, onlyRoute) = (0, 0, 0, 0)
    for second in shared {
      switch (motion[second], route[second - first]) {
      case (true, true): both += 1
      case (false, false): neither += 1
      case (true, false): onlyMotion += 1
      case (false, true): onlyRoute += 1
      default: break
      }
    }
    let sums = [both + onlyMotion, neither + onlyRoute, both + onlyRoute, neither + onlyMotion]
    guard sums.allSatisfy({ $0 >= Self.fewest }) else { return 0 }
    let product = Double(both) * Double(neither) - Double(onlyMotion) * Double(onlyRoute)
    return product / sums.reduce(1) { $0 * Double($1) }.squareRoot()
  }

  private static func movement(of recording: Recording) -> [Bool?] {
    var squares: [(sum: Double, count: Double)] = []
    for index in 0..<recording.count {
      let sample = recording[index]
      let acceleration = sample.userAcceleration
      let square = Double((acceleration * acceleration).sum())
      let second = Int(saturating: sample.time.seconds(since: recording.start))
      while squares.count <= second { squares.append((0, 0)) }
      guard square.isFinite else { continue }
      squares[second].sum += square
      squares[second].count += 1
    }
    return squares.map { $0.count > 0 ? ($0.sum / $0.count).squareRoot() > movingAcceleration : nil }
  }

  private static func movement(of samples: [LocationSample]) -> [Bool?] {
    guard let first = samples.first?.time, let last = samples.last?.time else { return [] }
    let seconds = last.seconds(since: first)
    guard 0...1e6 ~= seconds else { return [] }
    var latest: [LocationSample?] = Array(repeating: nil, count: Int(saturating: seconds) + 1)
    for sample in samples {
      let second = Int(saturating: sample.time.seconds(since: first).clamped(to: 0...seconds))
      latest[second] = sample
    }
    return latest.indices.map { second in
      guard second >= halfSpan, second + halfSpan < latest.count, let from = latest[second - halfSpan],
        let to = latest[second + halfSpan]
      else { return nil }
      let speed = from.distance(to: to) / max(1, to.time.seconds(since: from.time))
      return speed > movingSpeed ? true : speed < standingSpeed ? false : nil
    }
  }
}

extension Double {
  fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
    isNaN ? range.lowerBound : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
