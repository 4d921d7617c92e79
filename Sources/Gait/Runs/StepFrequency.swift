extension Recording {
  /// The step frequency of the recording, hertz; `nil` without walking or running.
  ///
  /// The median step rate of its windows with steps, as a live run measures them (`RunTimeline.cadencePoints`).
  /// `gait-lab judge steps` prints its errors on walks, runs and stairs of several public data sets. The frequency
  /// describes the whole recording, not single windows.
  ///
  /// The result is `nil` without a window, or if less than a quarter of the windows have steps.
  public func stepFrequency() -> Double? {
    guard var meter = CadenceStream(sampleRate: .canonical) else { return nil }
    var resampler = Resampler(
      from: sampleRate, to: .canonical, sensors: [.gravity, .userAcceleration, .rotationRate])
    var rates: [Double] = []
    for index in 0..<count {
      resampler.append(self[index]) { sample in
        if let point = meter.append(sample) { rates.append(point.stepsPerMinute) }
      }
    }
    let stepping = rates.filter { $0 > 0 }.sorted()
    guard !stepping.isEmpty, 4 * stepping.count >= rates.count else { return nil }
    return stepping[stepping.count / 2] / 60
  }

  /// The shortest recording with a step frequency, seconds.
  package static let shortestStepCount = CadenceMeter.windowSeconds
}

/// A cadence meter with a history of its own.
struct CadenceStream: Sendable {
  private var meter: CadenceMeter
  private var hops: CadenceHops
  private var history: StepHistory

  /// A meter for samples at `sampleRate`; `nil` if the rate is too low for running steps.
  init?(sampleRate: SampleRate) {
    guard let meter = CadenceMeter(sampleRate: sampleRate) else { return nil }
    self.meter = meter
    hops = CadenceHops(sampleRate: sampleRate)
    history = StepHistory(seconds: StepHistory.longestWindow, sampleRate: sampleRate)
  }

  /// Takes the next sample; returns the step rate of the window that it closes, if any.
  mutating func append(_ sample: MotionSample) -> CadencePoint? {
    history.append(sample)
    return hops.closesWindow(count: history.count) ? meter.latestPoint(history) : nil
  }
}
