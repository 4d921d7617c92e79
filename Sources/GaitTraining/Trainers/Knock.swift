import Gait

/// A knock: an impact that dies away, and perhaps a few quick steps after it. Times are seconds from its start.
struct Knock {
  /// The impact's strength and direction, g, in the device's axes.
  private let impact: SIMD3<Float>
  /// How long the impact lasts, and how often it changes direction and back.
  private let (seconds, cycles): (Double, Double)
  /// The quick steps: the end of each, and how many times as fast as recorded it is.
  private let steps: [(end: Double, speed: Double)]

  /// How many knocks have quick steps.
  private static let shareWithSteps = 0.5
  /// The time from one knock's end to the next one's start.
  static let pause = 2.0...5.0

  /// A random knock.
  init(_ generator: inout SeededGenerator) {
    // Weak impacts are more frequent than strong ones: the logarithm of the strength is uniform.
    let strength = exponential(generator.uniform(in: logarithm(0.5)...logarithm(4)))
    let direction = generator.normalVector(deviation: 1)
    let length = (direction * direction).sum().squareRoot()
    impact = length > 0 ? SIMD3<Float>(direction * (strength / length)) : SIMD3(0, 0, Float(strength))
    seconds = generator.uniform(in: 0.1...0.4)
    cycles = generator.uniform(in: 1...2)
    var steps: [(end: Double, speed: Double)] = []
    if generator.uniform(in: 0...1) < Self.shareWithSteps {
      var end = 0.0
      for _ in 0..<Int(generator.uniform(in: 2...4.999)) {
        end += generator.uniform(in: 0.3...0.5)
        steps.append((end, generator.uniform(in: 1.2...1.8)))
      }
    }
    self.steps = steps
  }

  /// When it is over.
  var end: Double { max(seconds, steps.last?.end ?? 0) }

  /// How many times as fast as recorded the movement is at a time.
  func speed(at time: Double) -> Double {
    time < 0 ? 1 : steps.first { time < $0.end }?.speed ?? 1
  }

  /// The acceleration that the impact adds at a time, g.
  ///
  /// Formula: impact · e^(−3x) · cos(2π · cycles · x), x = time ÷ seconds, within 0..<1.
  func acceleration(at time: Double) -> SIMD3<Float> {
    let part = time / seconds
    guard part >= 0, part < 1 else { return .zero }
    return impact * Float(exponential(-3 * part) * cosine(2 * .pi * cycles * part))
  }
}

extension LabeledDataset {
  /// The dataset with the recordings of some labels replaced by their copies with knocks, to evaluate what knocks change.
  ///
  /// - Parameters:
  ///   - labels: the labels.
  ///   - seed: the seed of the knocks. Another one than in training gives other knocks.
  /// - Throws: `TrainingError.unknownLabel`.
  public func knocked(labels: [String], seed: UInt64) throws(TrainingError) -> LabeledDataset {
    try ActivityTrainer.check(labels, among: self.labels)
    var augmentation = Augmentation()
    augmentation.seed = seed
    for label in labels { augmentation.knocks[label] = 1 }
    let numbered = Array(recordings.enumerated().map { ($0.offset, $0.element) })
    return with(
      numbered.map { number, labeled in
        var labeled = labeled
        labeled.recording =
          augmentation.knockedCopy(of: labeled.recording, label: labeled.label, number: number) ?? labeled.recording
        return labeled
      })
  }
}

extension Recording {
  /// The recording with random knocks. It is shorter, by what its quick steps gain.
  ///
  /// Attitude and rotation have no impact.
  func knocked(_ generator: inout SeededGenerator) -> Recording {
    var samples: [MotionSample] = []
    samples.reserveCapacity(count)
    var (time, previous) = (0.0, 0.0)
    var knock = Knock(&generator)
    var start = generator.uniform(in: 0...Knock.pause.upperBound)
    for index in 0..<count {
      let (original, recorded) = (self[index], self.time(at: index).seconds(since: self.start))
      time += (recorded - previous) / knock.speed(at: time - start)
      previous = recorded
      if time > start + knock.end {
        start = time + generator.uniform(in: Knock.pause)
        knock = Knock(&generator)
      }
      let speed = Float(knock.speed(at: time - start))
      samples.append(
        MotionSample(
          time: SampleTime(nanoseconds: self.start.nanoseconds + Int64(saturating: (time * 1e9).rounded())),
          attitude: original.attitude, gravity: original.gravity, rotationRate: original.rotationRate * speed,
          userAcceleration: original.userAcceleration * (speed * speed) + knock.acceleration(at: time - start)))
    }
    return Recording(name: name, sampleRate: sampleRate, samples: samples, gravityIsEstimated: gravityIsEstimated)
  }
}
