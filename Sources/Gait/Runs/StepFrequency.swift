extension Recording {
  /// How many steps a second the wearer takes in the recording, or `nil` where nobody seems to walk or run.
  ///
  /// The highest peak between 1.4 and 3.6 Hz of the mean spectrum of the total acceleration, over windows of 5.12 s in
  /// which it moves by more than 0.05 g RMS: walkers take 1.5 to 2.2 steps a second, runners 2.3 to 3.3. The range
  /// leaves out the stride (two steps), which a phone in a pocket feels too. Good for telling what a recording is; it
  /// says nothing about single windows.
  public func stepFrequency() -> Double? {
    let spectrum = StepSpectrum.mean(of: self)
    guard let peak = spectrum?.powers.indices.max(by: { spectrum!.powers[$0] < spectrum!.powers[$1] }) else {
      return nil
    }
    return spectrum?.frequency(ofPeak: peak)
  }
}

/// The mean spectrum of the total acceleration where the wearer moves.
private struct StepSpectrum {
  static let band = 1.4...3.6
  static let windowLength = 128
  static let quietest: Float = 0.05

  let plan: Periodogram
  var powers: [Float]

  /// The mean over half-overlapping windows, or `nil` where none of them moves.
  static func mean(of recording: Recording) -> StepSpectrum? {
    let total = totalAcceleration(of: recording)
    let plan = Periodogram(length: windowLength, sampleRate: .canonical, bands: [band])
    var sum = StepSpectrum(plan: plan, powers: Array(repeating: 0, count: plan.bins.count))
    var windowCount = 0
    var powers = sum.powers
    for segment in total {
      for start in stride(from: 0, through: segment.count - windowLength, by: windowLength / 2) {
        let window = segment[start..<start + windowLength]
        let mean = window.reduce(0, +) / Float(windowLength)
        let series = window.map { $0 - mean }
        let meanSquare = series.reduce(0) { $0 + $1 * $1 } / Float(windowLength)
        guard meanSquare > quietest * quietest else { continue }
        plan.powers(of: series, into: &powers)
        for bin in powers.indices { sum.powers[bin] += powers[bin] }
        windowCount += 1
      }
    }
    return windowCount == 0 ? nil : sum
  }

  /// |g + u| at the canonical rate, one stretch for each part without gaps or missing values.
  private static func totalAcceleration(of recording: Recording) -> [[Float]] {
    var resampler = Resampler(from: recording.sampleRate, to: .canonical)
    let longestStep = Int64(1.5 * SampleRate.canonical.periodNanoseconds)
    var segments: [[Float]] = [[]]
    var previous: Int64?
    for index in 0..<recording.count {
      resampler.append(recording[index]) { sample in
        let sum = sample.gravity + sample.userAcceleration
        let total = (sum * sum).sum().squareRoot()
        if let before = previous, sample.time.nanoseconds - before > longestStep || total.isNaN { segments.append([]) }
        previous = sample.time.nanoseconds
        if !total.isNaN { segments[segments.count - 1].append(total) }
      }
    }
    return segments
  }

  /// The top of the parabola through the logarithms of a peak and its neighbours, hertz.
  func frequency(ofPeak peak: Int) -> Double {
    let center = Double(plan.bins.lowerBound + peak)
    guard powers.indices.dropFirst().dropLast().contains(peak) else { return center * plan.resolution }
    let (before, here, after) = (
      Double(logarithm(powers[peak - 1])), Double(logarithm(powers[peak])), Double(logarithm(powers[peak + 1]))
    )
    let curvature = before - 2 * here + after
    return (center + (curvature < 0 ? 0.5 * (before - after) / curvature : 0)) * plan.resolution
  }
}
