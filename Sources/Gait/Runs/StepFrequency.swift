extension Recording {
  /// How many steps a second the wearer takes in the recording, or `nil` where nobody seems to walk or run.
  ///
  /// The highest peak between 1.4 and 3.6 Hz of the mean spectrum of the total acceleration, over windows of 5.12 s in
  /// which it moves by more than 0.1 g RMS: walkers take 1.5 to 2.2 steps a second, runners 2.3 to 3.3. The range
  /// leaves out the stride (two steps), which a phone in a pocket feels too. Good for telling what a recording is; it
  /// says nothing about single windows. On stairs a phone in a pocket may feel the third harmonic of the stride most,
  /// and then half as many steps again are counted: in 13 of 72 recordings of MotionSense they are 2.3 a second or more, in
  /// none of 36 of walking on level ground.
  ///
  /// Nobody walks or runs where less than a quarter of the windows move, or there is no window at all. So all 189 recordings
  /// of walking and running (MotionSense, BoostRunClub) have steps, none of 48 of sitting and standing, and 4 of 41 of
  /// people who stand and fiddle with the phone. `Scripts/judge-steps` prints this.
  public func stepFrequency() -> Double? {
    guard let spectrum = MeanStepSpectrum.mean(of: self) else { return nil }
    return spectrum.highestPeak()
  }

  /// The shortest recording that steps can be counted in, seconds.
  package static let shortestStepCount = 5.12
}

/// The mean spectrum of the total acceleration where the wearer moves.
private enum MeanStepSpectrum {
  /// A bin wider on either side than the frequencies that are looked for, so that every peak has its neighbours.
  static let band = 1.3...3.7
  static let windowLength = 128
  static let quietest: Float = 0.1
  static let smallestMovingShare = 0.25

  /// The mean over half-overlapping windows that move, or `nil` where too few do.
  static func mean(of recording: Recording) -> StepSpectrum? {
    let total = totalAcceleration(of: recording)
    let plan = Periodogram(length: windowLength, sampleRate: .canonical, bands: [band])
    var sum = StepSpectrum(plan: plan)
    var (windowCount, movingCount) = (0, 0)
    for segment in total {
      for start in stride(from: 0, through: segment.count - windowLength, by: windowLength / 2) {
        windowCount += 1
        let window = segment[start..<start + windowLength]
        let mean = window.reduce(0, +) / Float(windowLength)
        let series = window.map { $0 - mean }
        let meanSquare = series.reduce(0) { $0 + $1 * $1 } / Float(windowLength)
        guard meanSquare > quietest * quietest else { continue }
        sum.add(series)
        movingCount += 1
      }
    }
    guard movingCount > 0, Double(movingCount) >= smallestMovingShare * Double(windowCount) else { return nil }
    return sum
  }

  /// |g + u| at the canonical rate, one stretch for each part without gaps or missing values.
  private static func totalAcceleration(of recording: Recording) -> [[Float]] {
    var resampler = Resampler(
      from: recording.sampleRate, to: .canonical, sensors: [.gravity, .userAcceleration])
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
}
