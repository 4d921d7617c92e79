extension Recording {
  /// How many steps a second the wearer takes in the recording, or `nil` where nobody seems to walk or run.
  ///
  /// The mean spectrum of the total acceleration, over windows of 5.12 s in which it moves by more than 0.1 g RMS, has
  /// peaks at the harmonics of the stride (two steps). The highest peak between 1.3 and 3.6 Hz is usually the step: walkers
  /// take 1.5 to 2.2 steps a second, runners 2.3 to 3.3. Two other cases are told apart by energy, the RMS of the moving windows:
  ///
  /// - Below 0.8 g the peak may be the third harmonic of the stride. It is where a peak at two thirds of it, from 1 Hz on, has
  ///   at least a quarter of its power; that one is the step.
  /// - Below 0.4 g the peak may be the second harmonic of a slow walker's step. It is where a peak at half of it, from 1 Hz
  ///   on, has at least 0.7 of its power.
  ///
  /// Runners exceed these energies, or lack these peaks. `Scripts/judge-steps` prints the error on walks, runs and stairs of
  /// several public data sets. The rate describes the whole recording; it says nothing about single windows.
  ///
  /// Nobody walks or runs where less than a quarter of the windows move, or there is no window at all.
  public func stepFrequency() -> Double? {
    MeanStepSpectrum(of: self)?.stepFrequency
  }

  /// The shortest recording that steps can be counted in, seconds.
  package static let shortestStepCount = 5.12
}

/// The mean spectrum of the total acceleration where the wearer moves.
private struct MeanStepSpectrum {
  /// A bin wider on either side than the frequencies that are looked for, so that every peak has its neighbours.
  static let band = 0.9...3.7
  static let steps = 1.3...3.6
  static let slowestStep = 1.0
  static let windowLength = 128
  static let quietest: Float = 0.1
  static let smallestMovingShare = 0.25
  /// Below this energy the highest peak may be the third harmonic of the stride, g.
  static let thirdHarmonicEnergy = 0.8
  /// Below this energy the highest peak may be the second harmonic of the step, g.
  static let secondHarmonicEnergy = 0.4

  private let spectrum: StepSpectrum
  /// The RMS of the moving windows, g.
  private let energy: Double

  /// The mean over half-overlapping windows that move, or `nil` where too few do.
  init?(of recording: Recording) {
    let plan = Periodogram(length: Self.windowLength, sampleRate: .canonical, bands: [Self.band])
    var sum = StepSpectrum(plan: plan)
    var (windowCount, movingCount, squares) = (0, 0, 0.0)
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
        squares += Double(meanSquare)
      }
    }
    guard movingCount > 0, Double(movingCount) >= Self.smallestMovingShare * Double(windowCount) else { return nil }
    spectrum = sum
    energy = (squares / Double(movingCount)).squareRoot()
  }

  /// The steps in a second.
  var stepFrequency: Double? {
    guard let highest = spectrum.highestPeak(in: Self.steps) else { return nil }
    if energy < Self.thirdHarmonicEnergy,
      let step = peak(at: 0.6 * highest...0.74 * highest, ofAtLeast: 0.25, ofThePowerAt: highest)
    {
      return step
    }
    if energy < Self.secondHarmonicEnergy,
      let step = peak(at: 0.44 * highest...0.56 * highest, ofAtLeast: 0.7, ofThePowerAt: highest)
    {
      return step
    }
    return highest
  }

  /// The highest peak within `band`, if it has that share of the power at `highest`.
  private func peak(at band: ClosedRange<Double>, ofAtLeast share: Float, ofThePowerAt highest: Double) -> Double? {
    guard band.upperBound > Self.slowestStep else { return nil }
    let band = max(band.lowerBound, Self.slowestStep)...band.upperBound
    guard let peak = spectrum.peak(in: band), spectrum.power(at: peak) >= share * spectrum.power(at: highest) else {
      return nil
    }
    return peak
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
