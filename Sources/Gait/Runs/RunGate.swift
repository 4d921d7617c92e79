/// Decides what belongs to a run: inputs are held before it begins, taken in step with the motion, or dropped.
///
/// A run begins with its first motion sample. Before it, GPS points and button presses are held. Ten usable points
/// begin a run without motion; if motion comes after all, the run begins again with the first motion sample.
/// `RunTracker.finish()` makes a run of fewer points.
///
/// Once the run has begun, a point from before it is a fix that the receiver had cached. A point more than
/// `leadSeconds` ahead of the motion waits for it; it is of another clock if the next motion sample is still
/// `longestWaitSeconds` earlier. A point more than `RunOptions.locationDelaySeconds` behind the motion is too late.
///
///     motion   |----------------600 s          900 s------|
///     GPS    x | o o o o o o o o    w w w w w w  o o o o o   x: cached, o: taken, w: waits until 900 s
///
/// Deliberately missing: whether a point is accurate, once the run has begun. `DistanceMeter` decides that.
struct RunGate: Sendable {
  /// The number of GPS points that make a run without motion. A receiver starts with fewer cached points.
  static let pointCount = 10
  /// The longest step between GPS points without motion, seconds. A longer one is a change of clock.
  static let longestStepSeconds = 3600.0
  /// The largest lead of a GPS point over the latest motion sample, seconds. GPS moves a run's end by at most this.
  static let leadSeconds = 1.0
  /// How far ahead of the next motion sample a waiting GPS point may be, seconds. A point farther ahead is dropped: it
  /// is of another clock. A nearer one waits on, because motion may arrive in batches.
  static let longestWaitSeconds = 10.0
  /// The longest step to the next motion sample that is accepted from a single sample, nanoseconds. A longer one may be
  /// a wrong time: it is accepted once `confirmingCount` samples agree.
  private static let longestMotionStep: UInt64 = 60_000_000_000
  /// The largest number of held points that cannot begin a run; they are kept only to be counted.
  private static let mostUnusable = 100

  /// The number of motion samples that agree on a clock far from the latest sample: fewer are wrong times.
  private static let confirmingCount = 3

  /// What happens to a GPS point.
  enum Role { case held, taken, completesStart }

  /// What happens to a motion sample that is not the next one.
  enum MotionRole {
    /// The run begins with it.
    case first
    /// The run continues with it, or the resampler sorts it or drops it.
    case taken
    /// It is held, or dropped.
    case held
    /// The held samples agree on another clock: the run continues with them, or begins with them if they are earlier.
    case confirmed([MotionSample])
  }

  /// The number of points from before the run.
  private(set) var cachedCount = 0
  /// The number of points of another clock.
  private(set) var offClockCount = 0
  /// The number of points that came too late.
  private(set) var lateCount = 0
  /// The number of motion samples that were dropped here.
  private(set) var droppedCount = 0
  /// The held motion samples far from the latest one: they agree with each other, but are fewer than `confirmingCount`.
  private var strays: [MotionSample] = []
  /// Whether the resampler sorts late samples.
  private let sortsMotion: Bool
  /// Whether a run without motion has begun.
  private(set) var isWithoutMotion = false

  /// The inputs before the run, in order; only button presses in a run without motion.
  private var held: [RunInput] = []
  private var (usableCount, unusableCount) = (0, 0)
  private var bound: AccuracyBound
  /// The times of the first and the latest point that can begin a run.
  private var (firstPoint, latestPoint): (SampleTime?, SampleTime?)

  /// The time of the first motion sample.
  private(set) var start: SampleTime?
  /// The time of the latest motion sample; `nil` before the motion.
  var latest: SampleTime? { hasMotion ? SampleTime(nanoseconds: latestNanoseconds) : nil }
  /// The time of the latest motion sample, nanoseconds, and the longest step to the next one; 0 before the motion, and
  /// while samples of another clock are held.
  private var (latestNanoseconds, longestStep): (Int64, UInt64) = (0, 0)
  /// How far behind the latest motion sample a point may be, seconds: GPS may arrive in batches.
  private let longestDelaySeconds: Double
  private var waiting: [LocationSample] = []
  /// The earliest time of a waiting point.
  private var earliestWaiting: SampleTime?
  /// Whether a point has arrived since the latest motion sample.
  private var hasUnchecked = false

  init(_ options: RunOptions) {
    bound = AccuracyBound(options.largestLocationAccuracy)
    longestDelaySeconds = max(0, options.locationDelaySeconds)
    sortsMotion = options.sampleDelaySeconds > 0
  }

  /// Whether the motion has begun.
  var hasMotion: Bool { start != nil }

  /// Takes a GPS point.
  mutating func append(_ sample: LocationSample) -> Role {
    guard sample.time.isValid else {
      offClockCount += 1
      return .held
    }
    if let start, let latest { return role(of: sample, start: start, latest: latest) }
    guard isUsable(sample) else { return hold(unusable: sample) }
    if let latestPoint, abs(sample.time.seconds(since: latestPoint)) > Self.longestStepSeconds {
      offClockCount += isWithoutMotion ? 1 : usableCount
      guard !isWithoutMotion else { return .held }
      held.removeAll(where: \.isLocation)
      (usableCount, unusableCount, firstPoint) = (0, 0, nil)
    }
    latestPoint = sample.time
    guard !isWithoutMotion else { return .taken }
    held.append(.location(sample))
    usableCount += 1
    firstPoint = firstPoint ?? sample.time
    return usableCount < Self.pointCount ? .held : .completesStart
  }

  /// Whether a time is within the run, on the clock of the motion. Without motion every time is.
  func isOnClock(_ time: SampleTime) -> Bool {
    guard let start, let latest else { return true }
    return start <= time && -longestDelaySeconds <= time.seconds(since: latest)
      && time.seconds(since: latest) <= Self.longestWaitSeconds
  }

  // MARK: Before the motion

  /// Keeps a button press.
  mutating func hold(_ press: RunInput) { held.append(press) }

  /// The time at which a run without motion begins: that of the first usable GPS point, else of the first press.
  var startWithoutMotion: SampleTime? { hasMotion || isWithoutMotion ? nil : firstPoint ?? presses.first?.time }

  /// Begins a run without motion; returns its inputs so far.
  mutating func beginWithoutMotion() -> [RunInput] {
    isWithoutMotion = true
    defer { held.removeAll(where: \.isLocation) }
    return held
  }

  /// The held button presses.
  var presses: [RunInput] { held.filter { !$0.isLocation } }
  /// The held GPS points.
  var points: [LocationSample] {
    held.compactMap { if case .location(let sample) = $0 { sample } else { nil } }
  }

  /// Whether a point can begin a run: it has valid coordinates, and its accuracy is unknown or one that `AccuracyBound`
  /// admits.
  private mutating func isUsable(_ sample: LocationSample) -> Bool {
    guard sample.hasValidCoordinates else { return false }
    guard let accuracy = sample.horizontalAccuracy else { return true }
    return accuracy >= 0 && bound.admits(accuracy, at: sample.time)
  }

  private mutating func hold(unusable sample: LocationSample) -> Role {
    guard !isWithoutMotion else { return .taken }
    guard unusableCount < Self.mostUnusable else { return .held }
    unusableCount += 1
    held.append(.location(sample))
    return .held
  }

  // MARK: With motion

  /// Begins the run with its first motion sample; nothing is held any more.
  mutating func begin(at time: SampleTime) {
    start = time
    (latestNanoseconds, longestStep) = (time.nanoseconds, Self.longestMotionStep)
    (held, isWithoutMotion) = ([], false)
  }

  private mutating func role(of sample: LocationSample, start: SampleTime, latest: SampleTime) -> Role {
    let lead = sample.time.seconds(since: latest)
    if sample.time < start {
      cachedCount += 1
    } else if lead < -longestDelaySeconds {
      lateCount += 1
    } else if lead <= Self.leadSeconds {
      return .taken
    } else {
      waiting.append(sample)
      earliestWaiting = min(earliestWaiting ?? sample.time, sample.time)
      hasUnchecked = true
    }
    return .held
  }

  /// Advances the motion; `takeReached` must follow if points wait.
  @inline(__always)
  mutating func advance(to time: SampleTime) {
    latestNanoseconds = max(latestNanoseconds, time.nanoseconds)
  }

  /// Whether a motion sample has a valid time after the latest one, by a step that is accepted from a single sample.
  @inline(__always)
  func isNext(_ time: SampleTime) -> Bool {
    UInt64(bitPattern: time.nanoseconds &- latestNanoseconds &- 1) < longestStep
      && time.nanoseconds <= SampleTime.farthest
  }

  /// What happens to a motion sample that is the first one, late, or far from the latest one.
  ///
  /// Samples far from the latest one are held until `confirmingCount` of them agree with each other. If a sample
  /// continues the motion before that, the held ones were wrong and are dropped.
  mutating func role(of sample: MotionSample) -> MotionRole {
    guard sample.time.isValid else { return drop() }
    guard let latest else { return .first }
    let isLate = sample.time <= latest
    // If there is only one sample so far, its time may be the wrong one, so that late samples are held, too.
    if isFar(sample.time, from: latest), !isLate || start == latest { return hold(sample) }
    guard isLate else {
      dropStrays()
      return .taken
    }
    return sortsMotion ? .taken : drop()
  }

  private mutating func drop() -> MotionRole {
    droppedCount += 1
    return .held
  }

  private mutating func hold(_ sample: MotionSample) -> MotionRole {
    if let last = strays.last, sample.time <= last.time || isFar(sample.time, from: last.time) { dropStrays() }
    strays.append(sample)
    // No sample is the next one while others of another clock are held.
    longestStep = 0
    guard strays.count >= Self.confirmingCount else { return .held }
    let confirmed = strays
    if let start, confirmed[0].time < start { droppedCount += 1 }
    (strays, longestStep) = ([], Self.longestMotionStep)
    return .confirmed(confirmed)
  }

  private mutating func dropStrays() {
    droppedCount += strays.count
    (strays, longestStep) = ([], Self.longestMotionStep)
  }

  /// Whether a time is too far from the latest motion sample to be accepted from a single sample.
  private func isFar(_ time: SampleTime, from latest: SampleTime) -> Bool {
    let step = time.nanoseconds.subtractingReportingOverflow(latest.nanoseconds)
    return step.overflow || step.partialValue.magnitude > Self.longestMotionStep
  }

  /// Whether points wait for the motion.
  var hasWaiting: Bool { earliestWaiting != nil }

  /// Returns the points that the motion has reached, in the order of their arrival.
  mutating func takeReached() -> [LocationSample] {
    guard let earliestWaiting, let latest else { return [] }
    let isReached = earliestWaiting.seconds(since: latest) <= Self.leadSeconds
    guard isReached || hasUnchecked else { return [] }
    hasUnchecked = false
    return take(until: latest, longestWait: Self.longestWaitSeconds)
  }

  /// Returns the waiting points up to `time`, that of a button press.
  mutating func release(until time: SampleTime) -> [LocationSample] {
    waiting.isEmpty ? [] : take(until: time, longestWait: .infinity)
  }

  /// Counts what is held after the last input: points that no motion has reached, and motion on another clock.
  mutating func dropHeld() {
    offClockCount += waiting.count
    droppedCount += strays.count
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
