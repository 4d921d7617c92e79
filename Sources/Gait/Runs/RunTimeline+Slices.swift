extension RunTimeline {
  /// The run as slices of running, walking, other movement, standing, rides, pauses and unknown time: contiguous and in
  /// order, from start to end.
  ///
  /// The time before the first change of activity has that activity. A stretch of at least `shortestActivity` without
  /// steps is neither running nor walking: it is `.moving` where GPS shows movement, else `.standing` if GPS or the
  /// activity shows it. An activity shorter than `shortestActivity` counts as the one before it, or at the start of
  /// movement as the one after it. Walking at 4.5 m/s or more for 10 s is `.moving`, as are any movement at 12.5 m/s or
  /// more for 10 s and movement that the model rejects (`ActivityModel.rejectsUnknown`).
  public var slices: [Slice] {
    let pauses = pauseLog.stretches(from: start, to: end).map { Slice($0, .paused) }
    let unknown =
      unknownStretches.map { Slice($0, .unknown) }
      + ridingStretches(from: start, to: end).map { Slice($0, .riding) }
    let motion = RouteMotion(route[...])
    let (speed, stepless) = (Speeding(motion), steplessSlices(motion))
    var slices: [Slice] = []
    var cursor = start
    for rest in (pauses + unknown).sorted(by: { $0.start < $1.start }) {
      slices += movingSlices(from: cursor, to: rest.start, speed, stepless)
      slices.append(rest)
      cursor = rest.end
    }
    return slices + movingSlices(from: cursor, to: end, speed, stepless)
  }

  /// The shortest slice of an activity beside another one, seconds. After a pause, the activity head needs up to 5 s.
  static let shortestActivity = 10.0
  /// A change of activity within this time of a pause is ignored, seconds: the activity head's window contains a part
  /// of the pause.
  private static let pauseMargin = 2.56

  private func movingSlices(
    from: SampleTime, to: SampleTime, _ speed: Speeding, _ stepless: [Slice]
  ) -> [Slice] {
    guard from < to else { return [] }
    var slices = activitySlices(from: from, to: to)
    slices = slices.with(.moving, in: holes) { _ in true }
    slices = slices.with(.moving, in: speed.aboveWalking) { $0 == .walking }
    slices = slices.with(.moving, in: speed.aboveRunning) { _ in true }
    slices = slices.merged(shortest: Self.shortestActivity)
    for state in [State.moving, .standing] {
      let stretches = stepless.filter { $0.state == state }.map { $0.start..<$0.end }
      slices = slices.with(state, in: stretches) { _ in true }
    }
    return slices.merged(shortest: Self.shortestActivity)
  }

  /// The stretches of `shortestActivity` and more without steps, as slices of movement and of standing.
  private func steplessSlices(_ motion: RouteMotion) -> [Slice] {
    let stretches = steplessStretches
    guard !stretches.isEmpty else { return [] }
    let movement = SteplessMovement(
      cadence: cadencePoints, motion: motion, route: route, from: start, to: end)
    let moving = movement.slower.map(\.time) + movement.rides
    return stretches.flatMap { stretch in
      let first = route.partitionIndex { $0.time < stretch.lowerBound }
      let hasPlaces = first < route.count && route[first].time <= stretch.upperBound
      let still = hasPlaces ? [stretch] : stillStretches(from: stretch.lowerBound, to: stretch.upperBound)
      return [Slice(stretch, .moving)].with(.standing, in: still) { _ in true }
        .with(.moving, in: moving.sorted { $0.lowerBound < $1.lowerBound }) { _ in true }
        .merged(shortest: Self.shortestActivity)
    }
  }

  /// The stretches of `shortestActivity` and more in which every window of the step rate has no steps.
  private var steplessStretches: [Range<SampleTime>] {
    var stretches: [Range<SampleTime>] = []
    for (index, point) in cadencePoints.enumerated() {
      let before = index > 0 ? cadencePoints[index - 1].time : nil
      let after = index + 1 < cadencePoints.count ? cadencePoints[index + 1].time : nil
      guard point.stepsPerMinute == 0 else { continue }
      // Towards a missing neighbour, a window covers half a window; otherwise half the way to the neighbour.
      func half(_ seconds: Double?) -> Double { min(CadenceMeter.halfWindow, (seconds ?? .infinity) / 2) }
      let from = point.time.advanced(bySeconds: -half(before.map { point.time.seconds(since: $0) }))
      let to = point.time.advanced(bySeconds: half(after.map { $0.seconds(since: point.time) }))
      stretches.append(adjoining: limited(from)..<max(limited(from), limited(to)))
    }
    return stretches.filter { $0.upperBound.seconds(since: $0.lowerBound) >= Self.shortestActivity }
  }

  /// The parts between two moments in which the activity is still.
  private func stillStretches(from: SampleTime, to: SampleTime) -> [Range<SampleTime>] {
    let next = firstActivity(after: from)
    var (since, isStill) = (from, next > 0 && activities[next - 1].activity == .still)
    var stretches: [Range<SampleTime>] = []
    for change in activities[next...].prefix(while: { $0.onset < to }) {
      if isStill { stretches.append(since..<change.onset) }
      (since, isStill) = (change.onset, change.activity == .still)
    }
    return isStill ? stretches + [since..<to] : stretches
  }

  /// Seconds of movement without steps, of `shortestActivity` and more each: with a pram, or with the phone in a still
  /// hand.
  public var steplessMovingSeconds: Double {
    let stretches = steplessStretches
    guard !stretches.isEmpty else { return 0 }
    let moving = slices.filter { $0.state == .moving }
    return Double(moving.reduce(0) { $0 + stretches.clipped(from: $1.start, to: $1.end).nanoseconds }) / 1e9
  }

  /// The activities between two moments.
  private func activitySlices(from: SampleTime, to: SampleTime) -> [Slice] {
    let earliest = from.advanced(bySeconds: from == start ? 0 : Self.pauseMargin)
    let latest = to.advanced(bySeconds: to == end ? 0 : -Self.pauseMargin)
    var slices = [Slice(from..<to, state(at: min(earliest, to)))]
    for change in activities[firstActivity(after: earliest)...] {
      guard change.onset < latest else { break }
      guard change.activity != .still else { continue }
      slices[slices.count - 1].end = change.onset
      slices.append(Slice(change.onset..<to, Self.state(change.activity)))
    }
    return slices
  }

  /// The index of the first change of activity after `time`.
  private func firstActivity(after time: SampleTime) -> Int {
    activities.partitionIndex(where: { $0.onset <= time })
  }

  /// The state at a moment, ignoring pauses.
  func state(at time: SampleTime) -> State {
    let next = firstActivity(after: time)
    let change =
      activities[..<next].last { $0.activity != .still } ?? activities[next...].first { $0.activity != .still }
    return change.map { Self.state($0.activity) } ?? .running
  }

  private static func state(_ activity: Activity) -> State {
    switch activity {
    case .running: .running
    case .walking: .walking
    case .still, .other: .moving
    }
  }
}

/// The stretches in which GPS shows a speed that no walk, or no run, reaches.
private struct Speeding {
  /// Faster than any walk, m/s: race walkers reach 4.3 m/s.
  static let walkingLimit = 4.5
  /// Faster than any run, m/s: the fastest sprinters reach 12.4 m/s for a second.
  static let runningLimit = 12.5
  /// How long a speed above a limit lasts, seconds.
  static let shortest = 10.0

  let aboveWalking: [Range<SampleTime>]
  let aboveRunning: [Range<SampleTime>]

  init(_ motion: RouteMotion) {
    aboveWalking = motion.stretches(fasterThan: Self.walkingLimit, lasting: Self.shortest)
    aboveRunning = motion.stretches(fasterThan: Self.runningLimit, lasting: Self.shortest)
  }
}

extension RunTimeline.State {
  /// Whether the wearer runs, walks or moves otherwise.
  package var isMovement: Bool {
    switch self {
    case .running, .walking, .moving: true
    case .standing, .riding, .paused, .unknown: false
    }
  }
}

extension RunTimeline.Slice {
  fileprivate init(_ time: Range<SampleTime>, _ state: RunTimeline.State) {
    self.init(start: time.lowerBound, end: time.upperBound, state: state)
  }

  fileprivate var nanoseconds: Int64 { end.nanoseconds - start.nanoseconds }
}

extension [RunTimeline.Slice] {
  /// Sets the state of the parts within `stretches`, in the slices whose state `applies` is true of.
  fileprivate func with(
    _ state: RunTimeline.State, in stretches: [Range<SampleTime>], where applies: (RunTimeline.State) -> Bool
  ) -> [RunTimeline.Slice] {
    guard !stretches.isEmpty else { return self }
    return flatMap { slice in
      guard applies(slice.state) else { return [slice] }
      let parts = stretches.clipped(from: slice.start, to: slice.end)
      let rest = [slice.start..<slice.end].without(parts)
      let slices = parts.map { Element($0, state) } + rest.map { Element($0, slice.state) }
      return slices.sorted { $0.start < $1.start }
    }
  }

  /// Joins slices with the same state, and gives the time of slices shorter than `shortest` seconds to the one before,
  /// or at the start to the one after. If all are shorter, the state with the most time has all of it.
  fileprivate func merged(shortest: Double) -> [RunTimeline.Slice] {
    guard count > 1, let first, let last else { return self }
    let limit = Int64(saturating: shortest * 1e9)
    let kept = joined().filter { $0.nanoseconds >= limit }.joined()
    guard !kept.isEmpty else { return [Element(first.start..<last.end, longestState)] }
    var slices = kept
    for index in slices.indices {
      slices[index].end = index + 1 < slices.count ? slices[index + 1].start : last.end
    }
    slices[0].start = first.start
    return slices
  }

  /// Joins neighbours with the same state.
  private func joined() -> [RunTimeline.Slice] {
    reduce(into: []) { slices, slice in
      if let last = slices.last, last.state == slice.state {
        slices[slices.count - 1].end = slice.end
      } else {
        slices.append(slice)
      }
    }
  }

  /// The state with the most time; of equal ones the first.
  private var longestState: RunTimeline.State {
    var totals: [RunTimeline.State: Int64] = [:]
    for slice in self { totals[slice.state, default: 0] += slice.nanoseconds }
    var best = self[0].state
    for slice in self where totals[slice.state, default: 0] > totals[best, default: 0] { best = slice.state }
    return best
  }
}
