/// Passes GPS points to a run in step with its motion, and drops points of another clock.
///
/// A run begins with its first motion sample. A point from before it is a fix that the receiver had cached. A point more than
/// `leadSeconds` ahead of the motion waits for it; it is of another clock if the next motion sample is still
/// `longestWaitSeconds` earlier. A point more than `longestDelaySeconds` behind the motion is of another clock too.
///
///     motion   |----------------600 s          900 s------|
///     GPS    x | o o o o o o o o    w w w w w w  o o o o o   x: cached, o: passed, w: waits until 900 s
///
/// Deliberately missing: whether a point is accurate. The distance decides that.
struct LocationGate: Sendable {
  /// The largest lead of a GPS point over the latest motion sample, seconds. It is also the most that GPS moves a run's end.
  static let leadSeconds = 1.0
  /// How far ahead of the next motion sample a point may be, seconds: motion may arrive in batches.
  static let longestWaitSeconds = 10.0
  /// How far behind the latest motion sample a point may be, seconds: GPS may arrive in batches.
  static let longestDelaySeconds = 300.0

  /// The number of points from before the run.
  private(set) var cachedCount = 0
  /// The number of points of another clock.
  private(set) var offClockCount = 0

  private var start: SampleTime?
  private var latest: SampleTime?
  private var waiting: [LocationSample] = []
  /// The earliest time of a waiting point.
  private var earliestWaiting: SampleTime?
  /// Whether a point came after the latest motion sample.
  private var hasUnchecked = false

  /// Whether the motion has begun.
  var hasMotion: Bool { start != nil }
  /// The number of points that no motion has reached.
  var waitingCount: Int { waiting.count }

  /// Begins the run with its first motion sample.
  mutating func begin(at time: SampleTime) {
    start = time
    latest = time
  }

  /// Counts points of another clock.
  mutating func countOffClock(_ count: Int) { offClockCount += count }

  /// Whether a time is within the run, on the clock of the motion. Without motion every time is.
  func isOnClock(_ time: SampleTime) -> Bool {
    guard let start, let latest else { return true }
    return start <= time && (-Self.longestDelaySeconds...Self.longestWaitSeconds).contains(time.seconds(since: latest))
  }

  /// Takes a point; returns whether it belongs to the run now.
  ///
  /// - Precondition: the motion has begun.
  mutating func admits(_ sample: LocationSample) -> Bool {
    guard let start, let latest else { preconditionFailure("the motion has not begun") }
    let lead = sample.time.seconds(since: latest)
    if sample.time < start {
      cachedCount += 1
    } else if lead < -Self.longestDelaySeconds {
      offClockCount += 1
    } else if lead <= Self.leadSeconds {
      return true
    } else {
      waiting.append(sample)
      earliestWaiting = min(earliestWaiting ?? sample.time, sample.time)
      hasUnchecked = true
    }
    return false
  }

  /// Advances the motion; returns the points that it reached, in the order of their arrival.
  mutating func advance(to time: SampleTime) -> [LocationSample] {
    if let latest, latest < time { self.latest = time }
    guard let earliestWaiting, let latest else { return [] }
    let isReached = earliestWaiting.seconds(since: latest) <= Self.leadSeconds
    guard isReached || hasUnchecked else { return [] }
    hasUnchecked = false
    return take(until: latest, longestWait: Self.longestWaitSeconds)
  }

  /// Returns the waiting points up to `time`, which a button press shows to have passed.
  mutating func release(until time: SampleTime) -> [LocationSample] {
    waiting.isEmpty ? [] : take(until: time, longestWait: .infinity)
  }

  private mutating func take(until time: SampleTime, longestWait: Double) -> [LocationSample] {
    var reached: [LocationSample] = []
    var rest: [LocationSample] = []
    for sample in waiting {
      let lead = sample.time.seconds(since: time)
      if lead <= Self.leadSeconds {
        reached.append(sample)
      } else if lead <= longestWait {
        rest.append(sample)
      } else {
        offClockCount += 1
      }
    }
    waiting = rest
    earliestWaiting = rest.map(\.time).min()
    return reached
  }
}
