/// The numbers of inputs that a tracker dropped before they reached the run.
package struct DroppedInputs: Hashable, Sendable {
  /// GPS points from before the run.
  package var cachedLocations = 0
  /// GPS points of another clock.
  package var offClockLocations = 0
  /// Motion samples that were late, had an invalid time, or came alone at a time far from the others.
  package var samples = 0
  /// GPS points that came more than `RunOptions.locationDelaySeconds` after later motion.
  package var lateLocations = 0

  package init(cachedLocations: Int = 0, offClockLocations: Int = 0, samples: Int = 0, lateLocations: Int = 0) {
    (self.cachedLocations, self.offClockLocations) = (cachedLocations, offClockLocations)
    (self.samples, self.lateLocations) = (samples, lateLocations)
  }

  static func + (first: DroppedInputs, second: DroppedInputs) -> DroppedInputs {
    DroppedInputs(
      cachedLocations: first.cachedLocations + second.cachedLocations,
      offClockLocations: first.offClockLocations + second.offClockLocations, samples: first.samples + second.samples,
      lateLocations: first.lateLocations + second.lateLocations)
  }
}

extension RunTimeline {
  /// The run with the numbers of dropped inputs.
  func counting(_ dropped: DroppedInputs) -> RunTimeline {
    var run = self
    run.cachedLocationCount = dropped.cachedLocations
    run.offClockLocationCount = dropped.offClockLocations
    run.droppedSampleCount = dropped.samples
    if dropped.lateLocations > 0 { run.rejected = rejectedLocations.merging(["tooLate": dropped.lateLocations]) { $1 } }
    return run
  }

  /// The shortest time without motion that is a hole, seconds. A shorter one is part of the activity around it.
  static let shortestHole = 5.0
  /// The GPS speed of movement in a hole, m/s: any walk of more than a few steps.
  static let movingSpeed = 1.0

  /// Records a hole in the motion. The parts of it in which GPS shows movement count as movement. The others are
  /// unknown time if they last at least `shortestMovement` seconds.
  mutating func addHole(_ hole: Range<SampleTime>) {
    holes.append(hole)
    addUnknown(of: hole)
  }

  /// Computes the unknown time of a hole again, as a GPS point of its time arrived after it.
  mutating func reviewHole(at time: SampleTime) {
    guard let last = holes.last, time < last.upperBound, let hole = holes.last(where: { $0.contains(time) }) else {
      return
    }
    unknown.removeAll { $0.overlaps(hole) }
    addUnknown(of: hole)
    unknown.sort { $0.lowerBound < $1.lowerBound }
  }

  private mutating func addUnknown(of hole: Range<SampleTime>) {
    let earliest = hole.lowerBound.advanced(bySeconds: -2 * RouteMotion.longestStep)
    let first = route.lastIndex { $0.time < earliest }.map { $0 + 1 } ?? 0
    let moving = RouteMotion(route[first...]).stretches(fasterThan: Self.movingSpeed, lasting: Self.shortestHole)
    var cursor = hole.lowerBound
    for stretch in moving where stretch.upperBound > cursor && stretch.lowerBound < hole.upperBound {
      addUnknown(from: cursor, to: stretch.lowerBound)
      cursor = stretch.upperBound
    }
    addUnknown(from: cursor, to: hole.upperBound)
  }

  private mutating func addUnknown(from: SampleTime, to: SampleTime) {
    if to.seconds(since: from) >= Self.shortestMovement { unknown.append(from..<to) }
  }

  /// Nanoseconds of unknown time between two moments.
  func unknownNanoseconds(from: SampleTime, to: SampleTime) -> Int64 {
    unknownStretches(from: from, to: to).nanoseconds
  }

  /// The stretches of unknown time, without pauses and rides. A rest shorter than `shortestMovement` is left out: it
  /// counts as movement.
  var unknownStretches: [Range<SampleTime>] { unknownStretches(from: start, to: end) }

  /// The parts of `unknownStretches` between two moments.
  func unknownStretches(from: SampleTime, to: SampleTime) -> [Range<SampleTime>] {
    let near = unknown.overlapping(from: from, to: to)
    guard let first = near.first, let last = near.last else { return [] }
    let paused = pauseLog.stretches(from: first.lowerBound, to: last.upperBound)
    return Array(near).clipped(from: start, to: end).without(paused).without(rides)
      .filter { $0.upperBound.seconds(since: $0.lowerBound) >= Self.shortestMovement }.clipped(from: from, to: to)
  }

  /// The rides between two moments, without pauses.
  func ridingStretches(from: SampleTime, to: SampleTime) -> [Range<SampleTime>] {
    rides.isEmpty ? [] : rides.clipped(from: from, to: to).without(pauseLog.stretches(from: from, to: to))
  }

  // MARK: Hindsight

  /// Records rides, and cuts rides and slower movement without steps out of automatic pauses. Out of a pause with the
  /// cause `.notRunning`, only movement at `PauseSettings.runningSpeed` or more is cut.
  mutating func apply(_ movement: SteplessMovement) {
    rides = movement.rides.clipped(from: start, to: end)
    pauseLog.cut(rides) { $0.cause != .manual }
    let running = PauseSettings().runningSpeed
    pauseLog.cut(movement.slower.map(\.time)) { $0.cause == .still }
    pauseLog.cut(movement.slower.filter { $0.speed >= running }.map(\.time)) { $0.cause == .notRunning }
  }

  /// The shortest automatic pause, seconds.
  static let shortestPause = 2.0
  /// The shortest movement between a pause and another pause, a hole, or an end of the run, seconds.
  static let shortestMovement = 3.0

  /// Corrects the automatic pauses of a finished run. Decisions and manual pauses stay.
  ///
  /// - A pause that ends in a hole, or less than `shortestMovement` after a hole, ends where the hole begins: the
  ///   wearer may have moved in the hole.
  /// - A pause shorter than `shortestPause` is movement.
  /// - Movement shorter than `shortestMovement` at the start or end of the run, or beside a hole, belongs to the pause
  ///   next to it.
  mutating func applyHindsight() {
    let run = self
    pauseLog.update { pause, previousEnd in
      pause.cause == .manual || pause.cause == .edited ? pause : run.corrected(pause, after: previousEnd)
    }
  }

  /// An automatic pause by the rules of `applyHindsight()`; `nil` if it is none.
  private func corrected(_ pause: Pause, after previousEnd: SampleTime?) -> Pause? {
    var pause = pause
    cut(&pause)
    let last = pause.end ?? end
    guard last.seconds(since: max(pause.onset, start)) >= Self.shortestPause else { return nil }
    let edge = holes[..<holes.partitionIndex(where: { $0.upperBound <= pause.onset })].last?.upperBound ?? start
    if pause.onset.seconds(since: edge) < Self.shortestMovement {
      pause.onset = min(pause.onset, max(edge, previousEnd ?? edge))
    }
    let next = holes[holes.partitionIndex(where: { $0.lowerBound < last })...].first?.lowerBound ?? end
    if pause.end != nil, next >= last, next.seconds(since: last) < Self.shortestMovement { pause.end = next }
    return pause
  }

  /// Ends a pause at the beginning of the hole after which it ended.
  private func cut(_ pause: inout Pause) {
    guard let last = pause.end else { return }
    guard let hole = holes[..<holes.partitionIndex(where: { $0.lowerBound < last })].last,
      pause.onset < hole.lowerBound,
      last.seconds(since: hole.upperBound) < Self.shortestMovement
    else { return }
    pause.end = hole.lowerBound
  }
}

// MARK: Ranges of time

/// Ranges in order of time that do not overlap.
extension [Range<SampleTime>] {
  /// The sum of the lengths.
  var nanoseconds: Int64 { reduce(0) { $0 + ($1.upperBound.nanoseconds - $1.lowerBound.nanoseconds) } }

  /// Appends a range, or extends the last one if at most some seconds lie between them.
  mutating func append(_ range: Range<SampleTime>, joinedWithin seconds: Double) {
    guard let last, range.lowerBound.seconds(since: last.upperBound) <= seconds else { return append(range) }
    self[count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
  }

  /// The ranges that overlap the time between two moments.
  func overlapping(from: SampleTime, to: SampleTime) -> ArraySlice<Range<SampleTime>> {
    self[partitionIndex(where: { $0.upperBound <= from })...].prefix { $0.lowerBound < to }
  }

  /// The parts between two moments.
  func clipped(from: SampleTime, to: SampleTime) -> [Range<SampleTime>] {
    overlapping(from: from, to: to).compactMap { range in
      let (first, last) = (Swift.max(range.lowerBound, from), Swift.min(range.upperBound, to))
      return first < last ? first..<last : nil
    }
  }

  /// The parts outside `others`.
  func without(_ others: [Range<SampleTime>]) -> [Range<SampleTime>] {
    var parts: [Range<SampleTime>] = []
    var next = 0
    for range in self {
      var cursor = range.lowerBound
      while next < others.count, others[next].upperBound <= cursor { next += 1 }
      var index = next
      while index < others.count, others[index].lowerBound < range.upperBound {
        if cursor < others[index].lowerBound { parts.append(cursor..<others[index].lowerBound) }
        cursor = Swift.max(cursor, others[index].upperBound)
        index += 1
      }
      if cursor < range.upperBound { parts.append(cursor..<range.upperBound) }
    }
    return parts
  }
}
