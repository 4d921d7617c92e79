extension Recording {
  /// The step frequency of the recording, hertz; `nil` without walking or running.
  ///
  /// The median step rate of its windows with steps, as a live run measures them (`RunTimeline.cadencePoints`).
  /// `Scripts/judge-steps` prints its errors on walks, runs and stairs of several public data sets. The frequency
  /// describes the whole recording, not single windows.
  ///
  /// The result is `nil` without a window, or if less than a quarter of the windows have steps.
  public func stepFrequency() -> Double? {
    guard var meter = CadenceMeter(sampleRate: .canonical) else { return nil }
    var resampler = Resampler(
      from: sampleRate, to: .canonical, sensors: [.gravity, .userAcceleration, .rotationRate])
    let longestStep = Resampler.longestOutputStep(at: .canonical)
    var rates: [Double] = []
    var previous: Int64?
    for index in 0..<count {
      resampler.append(self[index]) { sample in
        let time = sample.time.nanoseconds
        if let before = previous, time - before > longestStep { meter.reset() }
        previous = time
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
