extension RunTimeline {
  /// The mean step rate over moving time with steps, steps per minute; `nil` without steps.
  public var cadence: Double? {
    let stretches = steppingStretches
    let minutes = stretches.reduce(0) { $0 + $1.seconds } / 60
    return minutes > 0 ? stretches.reduce(0) { $0 + $1.steps } / minutes : nil
  }

  /// The step rates to show: `cadencePoints` without the windows in which walking changes to running or back, whose
  /// rate is that of neither.
  public var shownCadence: [CadencePoint] {
    func isGait(_ state: State) -> Bool { state == .walking || state == .running }
    let slices = slices
    var changes = zip(slices, slices.dropFirst()).compactMap { before, after in
      isGait(before.state) && isGait(after.state) ? after.start : nil
    }[...]
    return cadencePoints.filter { point in
      while let change = changes.first, change < point.windowStart { changes.removeFirst() }
      return changes.first.map { $0 > point.windowEnd } ?? true
    }
  }

  /// The latest step rate, steps per minute; `nil` if there is none, or if the activity changed within its window.
  var latestCadence: Double? {
    guard let point = cadencePoints.last else { return nil }
    let isMixed = activities.last.map { $0.onset > point.windowStart && $0.onset < point.windowEnd } ?? false
    return isMixed ? nil : point.stepsPerMinute
  }

  /// The number of steps in moving time.
  public var steps: Int { Int(saturating: steppingStretches.reduce(0) { $0 + $1.steps }.rounded()) }

  /// The time around a cadence point: its moving time and its steps.
  private struct SteppingStretch {
    var middle: SampleTime
    var start: SampleTime
    var end: SampleTime
    var seconds: Double
    var steps: Double
  }

  /// Each cadence point covers the time to halfway between its neighbours, at most its own window.
  private var steppingStretches: [SteppingStretch] {
    let times = cadencePoints.map(\.time)
    return cadencePoints.enumerated().compactMap { index, point in
      guard point.stepsPerMinute > 0 else { return nil }
      let before = index > 0 ? point.time.seconds(since: times[index - 1]) / 2 : .infinity
      let after = index + 1 < times.count ? times[index + 1].seconds(since: point.time) / 2 : .infinity
      let from = max(start, point.time.advanced(bySeconds: -min(before, CadenceMeter.halfWindow)))
      let to = min(end, point.time.advanced(bySeconds: min(after, CadenceMeter.halfWindow)))
      let seconds = movingSeconds(from: from, to: to)
      guard seconds > 0 else { return nil }
      let steps = point.stepsPerMinute / 60 * seconds
      return SteppingStretch(middle: point.time, start: from, end: to, seconds: seconds, steps: steps)
    }
  }

  /// The steps in stretches whose distance is measured by location.
  var observedStrides: [ObservedStride] {
    let path = wholePath
    var next = 0
    return steppingStretches.compactMap { stretch in
      while next < path.count, path[next].end <= stretch.start { next += 1 }
      var (meters, seconds) = (0.0, 0.0)
      for step in path[next...] {
        guard step.start < stretch.end else { break }
        let shared = min(step.end, stretch.end).seconds(since: max(step.start, stretch.start))
        guard !step.isEstimated, shared > 0 else { continue }
        meters += step.meters * shared / step.end.seconds(since: step.start)
        seconds += shared
      }
      let length = stretch.end.seconds(since: stretch.start)
      guard length > 0, seconds > 0.99 * length, stretch.seconds > 0.99 * length else { return nil }
      return ObservedStride(
        isRunning: state(at: stretch.middle) == .running, steps: stretch.steps,
        stepsPerMinute: stretch.steps / stretch.seconds * 60, meters: meters)
    }
  }
}

/// Steps of known length.
struct ObservedStride {
  var isRunning: Bool
  var steps: Double
  var stepsPerMinute: Double
  var meters: Double
}

extension StrideModel {
  /// A model calibrated on a run with location: its steps add up to the measured distance of their time.
  ///
  /// Formula: the lengths are distance ÷ steps of running and of walking time; without walks, a walking step is
  /// `walkingShare` of a running step, and the reverse. The slope is the regression of running step length on step
  /// rate; without at least `smallestSpread` of standard deviation in the step rate it is 0. Estimated stretches are
  /// left out.
  ///
  /// `nil` if the run has no measured distance or no steps.
  public init?(calibratedOn run: RunTimeline, walkingShare: Double = 0.65) {
    let observed = run.observedStrides
    let running = observed.filter(\.isRunning)
    let walking = observed.filter { !$0.isRunning }
    let steps = (running: running.reduce(0) { $0 + $1.steps }, walking: walking.reduce(0) { $0 + $1.steps })
    let meters = (running: running.reduce(0) { $0 + $1.meters }, walking: walking.reduce(0) { $0 + $1.meters })
    guard meters.running + meters.walking > 0, steps.running + steps.walking > 0 else { return nil }
    let walkingLength = steps.walking > 0 ? meters.walking / steps.walking : nil
    let runningLength = steps.running > 0 ? meters.running / steps.running : nil
    guard let run = runningLength ?? walkingLength.map({ $0 / walkingShare }) else { return nil }
    let line = Self.line(of: running)
    self.init(
      running: run, walking: walkingLength ?? walkingShare * run, cadenceSlope: line.slope,
      referenceCadence: line.cadence ?? 165)
  }

  /// The smallest standard deviation of the step rate from which a slope is known, steps per minute.
  private static let smallestSpread = 1.5

  /// The slope of step length over step rate, and the mean step rate.
  private static func line(of strides: [ObservedStride]) -> (slope: Double, cadence: Double?) {
    let steps = strides.reduce(0) { $0 + $1.steps }
    guard steps > 0 else { return (0, nil) }
    let cadence = strides.reduce(0) { $0 + $1.steps * $1.stepsPerMinute } / steps
    let length = strides.reduce(0) { $0 + $1.meters } / steps
    var (spread, product) = (0.0, 0.0)
    for stride in strides {
      let apart = stride.stepsPerMinute - cadence
      spread += stride.steps * apart * apart
      product += apart * (stride.meters - stride.steps * length)
    }
    guard spread / steps >= smallestSpread * smallestSpread else { return (0, cadence) }
    return (product / spread, cadence)
  }
}
