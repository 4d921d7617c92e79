extension RunTimeline {
  /// Steps per minute over the moving time in which steps were counted; `nil` where there is none.
  public var cadence: Double? {
    let stretches = steppingStretches
    let minutes = stretches.reduce(0) { $0 + $1.seconds } / 60
    return minutes > 0 ? stretches.reduce(0) { $0 + $1.steps } / minutes : nil
  }

  /// The number of steps in moving time.
  public var steps: Int { Int(steppingStretches.reduce(0) { $0 + $1.steps }.rounded()) }

  /// The number of steps in the moving time of one kind of slice.
  func steps(during state: State) -> Double {
    let slices = slices.filter { $0.state == state }
    return steppingStretches.reduce(0) { sum, stretch in
      sum + (slices.contains { $0.start <= stretch.middle && stretch.middle < $0.end } ? stretch.steps : 0)
    }
  }

  /// A stretch around a point of cadence: how long it moved and how many steps it holds.
  private struct SteppingStretch {
    var middle: SampleTime
    var seconds: Double
    var steps: Double
  }

  private var steppingStretches: [SteppingStretch] {
    let half = Int64(CadenceMeter.hopSeconds / 2 * 1e9)
    return cadencePoints.compactMap { point in
      guard point.stepsPerMinute > 0 else { return nil }
      let from = SampleTime(nanoseconds: point.time.nanoseconds - half)
      let seconds = moving(from: from, to: SampleTime(nanoseconds: point.time.nanoseconds + half))
      guard seconds > 0 else { return nil }
      return SteppingStretch(middle: point.time, seconds: seconds, steps: point.stepsPerMinute / 60 * seconds)
    }
  }

  /// Distance by a stride model, at every point of cadence.
  func estimatedDistance(_ strides: StrideModel) -> [DistancePoint] {
    let half = CadenceMeter.hopSeconds / 2
    var meter = DistanceMeter()
    var points = [DistancePoint(time: start, meters: 0)]
    for stretch in steppingStretches {
      let length = strides.length(during: activity(at: stretch.middle))
      let from = stretch.middle.advanced(bySeconds: -half)
      if from > points[points.count - 1].time { points.append(DistancePoint(time: from, meters: meter.meters)) }
      points.append(meter.add(stretch.steps * length, from: from, to: stretch.middle.advanced(bySeconds: half)).to)
    }
    return points
  }

  private func activity(at time: SampleTime) -> Activity {
    activities.last { $0.onset <= time }?.activity ?? activities.first?.activity ?? .running
  }
}
