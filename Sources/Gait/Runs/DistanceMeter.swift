/// Measures the distance from GPS points and step rates.
///
/// With location, the distance is the integral of the speed: the Doppler speed, its scale corrected by positions
/// (`RouteKalman`), or else the filter's own speed. A speed that falls short of the distance between positions is
/// multiplied (`SpeedScale`). Standing adds nothing. Stretches of more than `longestGap` seconds without a usable
/// point are bridged by steps of learned or given length; without steps, by the speed at both ends or a straight line.
///
/// Source for speed before position: P. D. Groves, *Principles of GNSS, Inertial, and Multisensor Integrated Navigation
/// Systems* (2013), section 9.2: the Doppler velocity is more precise than differences of positions.
///
/// Complexity: O(1) for each input.
struct DistanceMeter: Hashable, Sendable {
  private(set) var route: RouteFilter
  /// The path steps since the last call of `clearSteps()`, in the order in which they were found.
  private(set) var steps: [PathStep] = []

  /// The start of the run: no path step begins before it.
  private var start: SampleTime?
  private var strides: StrideLearner
  /// The stride model of `init`, and whether usual step lengths are used without one.
  private let knownStrides: StrideModel?
  private var assumesStrides = false
  private var treadmill = Treadmill()
  private var plane: TangentPlane?
  private var filter: RouteKalman?
  private var scale = SpeedScale()
  private var turns = TurnFinder()
  private var latest: LocationSample?
  /// The speed at the latest point, m/s.
  private var speed = 0.0
  /// A mean of recent speeds, m/s, over about three seconds.
  private var meanSpeed = 0.0
  private var hasDoppler = false
  /// Whether no distance was measured since the first point.
  private var isFirst = true
  /// The integral of the reported speed between points, or of the used speed where it is missing, metres.
  private var reportedMeters = 0.0
  /// Since when the reported speed is that of walking or standing.
  private var slowSince: SampleTime?
  private var isBridging = false
  private var chords = Chords()
  /// The distance since the latest point that was bridged by steps, metres.
  private var bridgedMeters = 0.0
  /// The time up to which the distance is known.
  private var reached: SampleTime?
  /// A hole in the motion before steps that already count. It has no distance until GPS points of its time arrive.
  private var skipped: Range<SampleTime>?
  /// Whether points of `skipped` have arrived.
  private var isFilling = false
  /// The latest step rate, and the steps that do not yet count as distance.
  private var cadence: CadencePoint?
  private var pending = PendingSteps()
  /// How many windows in a row had steps. Steps count from `fewestInRow` on; until then they wait in `tentative`.
  private var inRow = 0
  private var tentative = StrideLearner.Steps()
  /// The steps before the first point, until their length is known.
  private var opening: PendingSteps?

  /// The longest time between two points that counts as measured, seconds.
  static let longestGap = 10.0
  /// The longest time between two points whose straight line counts as measured, seconds.
  private static let longestChord = 30.0
  /// Standing, m/s: a speed below `atOnce`, or one below `lasting` while `meanSpeed` is below `mean`.
  private static let standing = (atOnce: 0.4, lasting: 1.2, mean: 0.6)
  /// A reported speed below this is slow, m/s. Windows that began at a faster speed may still show steps after the
  /// runner has stopped.
  private static let fastestWalk = 2.0
  /// The largest Doppler speed at which the absence of steps is standing, m/s.
  private static let standingWithoutSteps = 1.2

  /// Steps count from this many windows with steps in a row on, with those of the earlier windows of the row. A single
  /// movement of the phone lies in four windows, and may look like steps in all of them.
  private static let fewestInRow = 5

  init(largestAccuracy: Double, strides: StrideModel?, start: SampleTime? = nil) {
    self.start = start
    route = RouteFilter(largestAccuracy: largestAccuracy)
    self.strides = StrideLearner(strides)
    knownStrides = strides
    steps.reserveCapacity(8)
  }

  /// The standard errors of the distance so far.
  var error: DistanceError { latest == nil ? .none : error(of: scale.evidence) }

  private func error(of evidence: SpeedScale.Evidence) -> DistanceError {
    DistanceError(evidence, reported: hasDoppler ? reportedMeters : nil, assumesStrides: assumesStrides)
  }

  /// The path steps corrected by what the whole run shows about the speed, and their standard errors.
  func hindsight(_ path: [PathStep]) -> (path: [PathStep], error: DistanceError) {
    guard latest != nil else { return (path, .none) }
    let (path, evidence) = scale.hindsight(path)
    return (path, error(of: evidence))
  }

  /// Sets the start of the run.
  mutating func begin(at time: SampleTime) { start = time }

  mutating func clearSteps() { steps.removeAll(keepingCapacity: true) }

  /// Takes the next GPS point, cleaned.
  mutating func append(_ sample: LocationSample) -> RouteFilter.Assessment {
    let isStepping = inRow >= Self.fewestInRow && recentCadence(at: sample.time) != nil
    let assessment = route.assess(sample, isStepping: isStepping)
    let isFrozen = latest?.latitude == sample.latitude && latest?.longitude == sample.longitude
    if assessment != .rejected || isFrozen, treadmill.stays(sample, isStepping: isStepping) {
      if !treadmill.isOn { beginTreadmill(at: sample.time) }
      return assessment
    }
    guard assessment != .rejected else { return assessment }
    if let skipped, let reached, isFilling || sample.time < reached {
      fill(skipped, before: reached, with: sample, isConnected: assessment == .accepted)
    } else {
      let first = steps.count
      use(sample, isConnected: assessment == .accepted)
      if let skipped, first < steps.count {
        steps.replaceSubrange(first...first, with: steps[first].divided(over: skipped))
      }
      skipped = nil
    }
    return assessment
  }

  /// Replaces the distance so far, which is the wander of places at rest, by that of the steps. The steps have the
  /// lengths of `knownStrides`, or usual lengths if it is `nil`.
  private mutating func beginTreadmill(at time: SampleTime) {
    guard let from = treadmill.since, let cadence else { return }
    strides = StrideLearner(knownStrides ?? .usual)
    assumesStrides = knownStrides == nil
    treadmill.isOn = true
    treadmill.add(cadence.stepsPerMinute, seconds: max(0, time.seconds(since: cadence.time)))
    emitOpening()
    let meters = strides.meters(of: treadmill.steps) ?? 0
    steps.append(PathStep(start: from, end: time, meters: max(0, meters - treadmill.meters), kind: .steps))
    (reached, pending, isBridging) = (time, PendingSteps(start: time, end: time), true)
  }

  /// Takes a GPS point that arrives after later steps were counted. The distance up to it counts only in the hole
  /// before these steps, and after them.
  private mutating func fill(
    _ hole: Range<SampleTime>, before end: SampleTime, with sample: LocationSample, isConnected: Bool
  ) {
    let first = steps.count
    (isFilling, isBridging, bridgedMeters) = (true, false, 0)
    (pending, reached) = (PendingSteps(), hole.lowerBound)
    use(sample, isConnected: isConnected)
    let found = steps[first...]
    steps.removeSubrange(first...)
    for step in found {
      if let part = step.part(from: hole.lowerBound, to: hole.upperBound) { steps.append(part) }
      if let part = step.part(from: end, to: max(end, step.end)) { steps.append(part) }
    }
    let isWhole = sample.time >= end
    skipped = isWhole ? nil : min(max(hole.lowerBound, reached ?? hole.lowerBound), hole.upperBound)..<hole.upperBound
    isFilling = !isWhole
    reached = max(end, sample.time)
  }

  private mutating func use(_ sample: LocationSample, isConnected: Bool) {
    let place = place(of: sample)
    let accuracy = RouteFilter.accuracy(of: sample)
    defer { latest = sample }
    if let previous = latest {
      let seconds = sample.time.seconds(since: previous.time)
      if isConnected, seconds <= Self.longestGap, !isBridging {
        advance(to: sample, place, accuracy, seconds: seconds)
        return begin(at: sample)
      }
      bridge(from: previous, to: sample, isConnected: isConnected)
      filter?.restart(at: place, accuracy: accuracy)
      scale.restart()
      speed = sample.speed ?? min(speed, meanSpeed)
    } else {
      filter = RouteKalman(at: place, accuracy: accuracy)
      (speed, hasDoppler) = (sample.speed ?? 0, sample.speed != nil)
      extendPending(to: sample.time)
      if !emitPending(), pending.start != nil { opening = pending }
    }
    meanSpeed = speed
    scale.append(sample.time, place, accuracy: accuracy, isStill: isStill(at: sample.time), meters: 0, shown: 0)
    begin(at: sample)
  }

  /// The point's place in the plane, whose origin follows the runner.
  private mutating func place(of sample: LocationSample) -> SIMD2<Double> {
    guard let plane else {
      self.plane = TangentPlane(at: sample)
      return .zero
    }
    let place = plane.place(of: sample)
    guard max(place.x.magnitude, place.y.magnitude) > 5_000 else { return place }
    self.plane = TangentPlane(at: sample)
    filter?.moveOrigin(to: place)
    scale.restart()
    return .zero
  }

  /// Whether the latest step rate, if it is at most 6 s old, shows that no steps are taken.
  private func isStill(at time: SampleTime) -> Bool { recentCadence(at: time)?.stepsPerMinute == 0 }

  /// Starts measuring again at a point, without pending steps and bridged distance.
  private mutating func begin(at sample: LocationSample) {
    if !chords.isPending { reached = max(sample.time, reached ?? sample.time) }
    (pending, tentative) = (PendingSteps(), StrideLearner.Steps())
    (isBridging, bridgedMeters) = (false, 0)
  }

  // MARK: - With location

  private mutating func advance(
    to sample: LocationSample, _ place: SIMD2<Double>, _ accuracy: Double, seconds: Double
  ) {
    if sample.speed != nil { hasDoppler = true }
    chords = Chords()
    filter?.predict(seconds: seconds, accuracy: accuracy, hasDoppler: hasDoppler)
    let surprise = filter?.update(place, accuracy: accuracy) ?? 0
    if !hasDoppler, turns.append(surprise, after: seconds, speed: meanSpeed, at: sample.time) {
      filter?.restart(at: place, accuracy: accuracy, velocityVariance: TurnFinder.unknownVelocity)
    }
    let now = currentSpeed(at: sample)
    let rest = min(seconds, sample.time.seconds(since: reached ?? sample.time))
    // Without a Doppler speed, the speed at the first point becomes known with the second point.
    if isFirst, !hasDoppler { speed = now }
    isFirst = false
    let mean = (speed + now) / 2
    reportedMeters += seconds * (((latest?.speed ?? speed) + (sample.speed ?? now)) / 2)
    var shown = scale.factor * mean
    let isStill = isStill(at: sample.time)
    if let replacement = scale.replacement, !isStill, now < 0.75 * replacement { shown = max(shown, replacement) }
    let meters = scale.shown(seconds * shown)
    emit(sample.time, meters: seconds > 0 ? rest / seconds * meters : 0, .measured)
    scale.append(sample.time, place, accuracy: accuracy, isStill: isStill, meters: seconds * mean, shown: meters)
    speed = now
  }

  /// The speed at a point, 0 while standing.
  private mutating func currentSpeed(at sample: LocationSample) -> Double {
    var now = 0.0
    slowSince = (sample.speed ?? .infinity) < Self.fastestWalk ? slowSince ?? sample.time : nil
    let isWalking = isWalkingSlowly(at: sample.time)
    if let doppler = sample.speed, !isWalking || doppler >= Self.standing.atOnce {
      filter?.update(doppler: doppler, accuracy: max(0.15, min(2, sample.speedAccuracy ?? 0.3)))
      now = doppler / (1 + (filter?.dopplerError ?? 0))
    } else {
      useCadence(at: sample.time)
      now = filter.map { turns.speed(of: $0, at: sample.time) } ?? 0
    }
    meanSpeed += 0.3 * (now - meanSpeed)
    let hasNoSteps = recentCadence(at: sample.time)?.stepsPerMinute == 0 && now < Self.standingWithoutSteps
    let isSlow = now < Self.standing.atOnce || now < Self.standing.lasting && meanSpeed < Self.standing.mean
    guard hasNoSteps || !isWalking && isSlow else { return now <= RouteFilter.fastest ? now : 0 }
    // The filter's own low speed is no evidence of standing.
    if hasNoSteps || sample.speed != nil { filter?.stand() }
    return 0
  }

  /// Whether enough windows in a row have steps, and the latest one began after the speed became slow. Many phones
  /// report too low a speed, or 0, on a slow walk.
  private func isWalkingSlowly(at time: SampleTime) -> Bool {
    guard let cadence = recentCadence(at: time), inRow >= Self.fewestInRow, let slowSince else { return false }
    return cadence.time.seconds(since: slowSince) >= CadenceMeter.halfWindow
  }

  /// Takes the speed by steps as a weak measurement at a point whose Doppler speed is not used. It does so only in a
  /// run with Doppler speeds: step lengths that were learned from positions alone would confirm themselves.
  private mutating func useCadence(at time: SampleTime) {
    guard hasDoppler, let cadence = recentCadence(at: time), cadence.stepsPerMinute > 0 else { return }
    if let speed = strides.speed(at: cadence.stepsPerMinute) { filter?.update(speed: speed, deviation: 0.15 * speed) }
  }

  /// The latest step rate if it is at most 6 s old.
  private func recentCadence(at time: SampleTime) -> CadencePoint? {
    guard let cadence, 0...6 ~= time.seconds(since: cadence.time) else { return nil }
    return cadence
  }

  // MARK: - With steps

  /// Takes the next step rate.
  mutating func append(_ point: CadencePoint) {
    addPending(point)
    if inRow >= Self.fewestInRow, !treadmill.hasLeft {
      let windows = inRow == Self.fewestInRow ? Double(inRow) : 1
      treadmill.add(point.stepsPerMinute, seconds: windows * CadenceMeter.hopSeconds, until: point.time)
    }
    cadence = point
    if latest.map({ point.time.seconds(since: $0.time) > Self.longestGap }) ?? true {
      if emitPending(), latest != nil { isBridging = true }
      return
    }
    guard point.stepsPerMinute > 0, speed > 0, (speed - meanSpeed).magnitude < 0.5, !treadmill.isOn else { return }
    strides.observe(metersPerSecond: meanSpeed, stepsPerMinute: point.stepsPerMinute)
    emitOpening()
  }

  /// Adds the steps around a point that come after the latest GPS point.
  private mutating func addPending(_ point: CadencePoint) {
    inRow = point.stepsPerMinute > 0 ? inRow + 1 : 0
    let half = CadenceMeter.hopSeconds / 2
    let previous = pending.end ?? latest?.time ?? self.start
    let isContiguous = cadence.map { point.time.seconds(since: $0.time) < 3 * half } ?? false
    // The first window after a hole covers the time before its middle, too.
    var start = point.time.advanced(bySeconds: isContiguous ? -half : -CadenceMeter.halfWindow)
    start = max(start, previous ?? start)
    let end = point.time.advanced(bySeconds: half)
    guard start < end else { return }
    // The steps before a hole in the motion become a path step of their own, so that the hole has no distance yet.
    if let latest, let last = pending.end, start.seconds(since: last) > CadenceMeter.halfWindow,
      point.time.seconds(since: latest.time) > Self.longestGap, emitPending()
    {
      (isBridging, pending.start) = (true, nil)
    }
    pending.start = pending.start ?? start
    pending.end = end
    count(point.stepsPerMinute, seconds: end.seconds(since: start))
  }

  /// Adds the steps of a window. They count once there are enough windows in a row.
  private mutating func count(_ stepsPerMinute: Double, seconds: Double) {
    if inRow <= 1 { tentative = StrideLearner.Steps() }
    guard inRow > 0 else { return }
    tentative.add(seconds: seconds, stepsPerMinute: stepsPerMinute)
    guard inRow >= Self.fewestInRow else { return }
    pending.steps.add(tentative)
    tentative = StrideLearner.Steps()
  }

  /// Counts pending steps as distance; returns false if their length is unknown.
  @discardableResult
  private mutating func emitPending() -> Bool {
    guard strides.isKnown, let start = pending.start, let end = pending.end,
      let meters = strides.meters(of: pending.steps)
    else { return false }
    if let from = reached, latest != nil, start.seconds(since: from) > CadenceMeter.halfWindow {
      skipped = from..<start
      reached = start
    }
    reached = reached ?? start
    emit(end, meters: meters, .steps)
    bridgedMeters += meters
    pending.steps = StrideLearner.Steps()
    pending.start = end
    return true
  }

  /// Adds the steps after the middle of the last window, up to the end of a run whose end has no GPS.
  mutating func finishSteps(at end: SampleTime) {
    guard let cadence, latest.map({ end.seconds(since: $0.time) > Self.longestGap }) ?? true else { return }
    extendPending(to: min(end, cadence.windowEnd))
    emitPending()
  }

  /// Adds the distance before the first point as soon as the length of its steps is known.
  private mutating func emitOpening() {
    guard let opening, let start = opening.start, let end = opening.end, strides.isSettled || treadmill.isOn else {
      return
    }
    self.opening = nil
    guard let meters = strides.meters(of: opening.steps) else { return }
    steps.append(PathStep(start: start, end: end, meters: meters, kind: .steps))
  }

  /// Continues pending steps at the latest step rate up to a GPS point.
  private mutating func extendPending(to time: SampleTime) {
    guard let cadence = recentCadence(at: time), let end = pending.end ?? latest?.time, end < time else { return }
    pending.start = pending.start ?? end
    pending.end = time
    guard inRow >= Self.fewestInRow else { return }
    pending.steps.add(seconds: time.seconds(since: end), stepsPerMinute: cadence.stepsPerMinute)
  }

  /// Adds the distance of a stretch without location, by steps, speed or the straight line, less `bridgedMeters`.
  private mutating func bridge(from previous: LocationSample, to sample: LocationSample, isConnected: Bool) {
    let seconds = sample.time.seconds(since: previous.time)
    let through = seconds * (speed + min(sample.speed ?? speed, RouteFilter.fastest)) / 2
    let chord = isConnected ? Chords.line(previous, sample, accuracies: through < 0.5 * seconds ? 3 : 1) : Chords.none
    if seconds <= Self.longestGap, !isBridging {
      return emit(sample.time, meters: through, .measured)
    }
    extendPending(to: sample.time)
    if recentCadence(at: sample.time) != nil, let rest = strides.meters(of: pending.steps) {
      let total = bridgedMeters + rest
      let longest = chord.least <= 1.5 * total ? max(total, chord.least) : total
      return emit(sample.time, meters: longest - bridgedMeters, .steps)
    }
    if through < 0.5 * seconds, isConnected, previous.speed == nil, sample.speed == nil {
      chords.add(previous, sample, isMoving: pending.steps != StrideLearner.Steps())
      guard chords.areMovement else { return }
      return emit(sample.time, meters: chords.meters, seconds > Self.longestChord ? .bridged : .measured)
    }
    // The runner moved before and after the stretch and ended elsewhere, so they moved in between. Speed × time counts
    // if it is longer, as the straight line cuts corners.
    let meters = chord.likely >= 0.25 * through ? max(chord.likely, through) : chord.likely
    emit(sample.time, meters: meters - bridgedMeters, seconds > Self.longestChord ? .bridged : .measured)
  }

  private mutating func emit(_ end: SampleTime, meters: Double, _ kind: PathStep.Kind) {
    guard let start = reached, end > start, meters.isFinite else { return }
    steps.append(PathStep(start: start, end: end, meters: max(0, meters), kind: kind))
    treadmill.meters += max(0, meters)
    reached = end
  }
}
