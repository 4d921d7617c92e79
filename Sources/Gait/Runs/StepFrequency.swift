extension Recording {
  /// The step frequency of the recording, hertz; `nil` without walking or running.
  ///
  /// The spectrum of the total acceleration is averaged over windows of 5.12 s whose deviation exceeds 0.1 g RMS. The
  /// step is searched in the mean spectrum between 1.3 and 3.6 Hz, by the rule that a live run applies to each window
  /// (`StepSpectrum.stepFrequency`): walkers take 1.5 to 2.2 steps a second, runners 2.3 to 3.3. `Scripts/judge-steps`
  /// prints its errors on walks, runs and stairs of several public data sets. The frequency describes the whole
  /// recording, not single windows.
  ///
  /// The result is `nil` without a window, or if less than a quarter of the windows are moving.
  public func stepFrequency() -> Double? {
    MeanStepSpectrum(of: self)?.stepFrequency
  }

  /// The shortest recording with a step frequency, seconds.
  package static let shortestStepCount = 5.12
}

/// The mean spectrum of the total acceleration in moving windows.
private struct MeanStepSpectrum {
  /// The search band plus one bin on either side, so that every peak has neighbours.
  static let band = 0.9...3.7
  static let steps = 1.3...3.6
  static let slowestStep = 1.0
  static let windowLength = 128
  static let quietest: Float = 0.1
  static let smallestMovingShare = 0.25

  private let spectrum: StepSpectrum
  /// The RMS of the moving windows, g.
  private let energy: Float

  /// The mean over half-overlapping moving windows; `nil` with too few of them.
  init?(of recording: Recording) {
    let plan = Periodogram(length: Self.windowLength, sampleRate: .canonical, bands: [Self.band])
    var sum = StepSpectrum(plan: plan)
    var (windowCount, movingCount, squares) = (0, 0, Float(0))
    for segment in Self.totalAcceleration(of: recording) {
      for start in stride(from: 0, through: segment.count - Self.windowLength, by: Self.windowLength / 2) {
        windowCount += 1
        let window = segment[start..<start + Self.windowLength]
        let mean = window.reduce(0, +) / Float(Self.windowLength)
        let series = window.map { $0 - mean }
        let meanSquare = series.reduce(0) { $0 + $1 * $1 } / Float(Self.windowLength)
        guard meanSquare > Self.quietest * Self.quietest else { continue }
        sum.add(series)
        movingCount += 1
        squares += meanSquare
      }
    }
    guard movingCount > 0, Double(movingCount) >= Self.smallestMovingShare * Double(windowCount) else { return nil }
    spectrum = sum
    energy = (squares / Float(movingCount)).squareRoot()
  }

  /// The step frequency, hertz.
  var stepFrequency: Double? {
    spectrum.stepFrequency(in: Self.steps, notBelow: Self.slowestStep, energy: energy)
  }

  /// |g + u| at the canonical rate, one array for each part without gaps or missing values.
  private static func totalAcceleration(of recording: Recording) -> [[Float]] {
    var resampler = Resampler(
      from: recording.sampleRate, to: .canonical, sensors: [.gravity, .userAcceleration])
    let longestStep = Resampler.longestOutputStep(at: .canonical)
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
