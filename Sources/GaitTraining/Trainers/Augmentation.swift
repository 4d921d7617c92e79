import Gait

/// Data augmentation: copies of the training recordings that are slower or quicker, that have knocks, or that have a
/// lower rate. By default there are none. Test recordings are never altered.
///
/// - **Speed**: joggers take 120 to 150 steps a minute and are rare in public data, so a model learns that slow steps
///   are walking. Slowed copies of running add the missing data: the same movement with a lower step rate.
/// - **Knocks**: when a walker stumbles, or the device is hit, the movement is as strong as running for a second.
///   Public sets contain few such moments, and copies with knocks add them. Every 2 to 5 s there is an impact of 0.5 to
///   4 g in a random direction, which dies away within 0.1 to 0.4 s. After half of the impacts, chosen at random, there
///   are two to four quick steps. Each is 0.3 to 0.5 s of the recording, played 1.2 to 1.8 times as fast and stronger
///   by the square of that.
/// - **Rate**: a recording at 10 Hz contains no harmonics of steps, so magnitude and jerk of its user acceleration are
///   lower. If a model of these features has 10 Hz recordings only of people who stand, it may label a quiet walk at 10
///   Hz as still. Copies at that rate prevent it. They train both heads; the other copies train only the activity head.
///
/// Clipped and rotated copies did not improve a model, so there are none (<doc:JudgingAModel>).
public struct Augmentation: Hashable, Sendable {
  /// The labels whose recordings get a copy at another speed, each with the range of the copies' speeds: 0.85…0.95 is 5
  /// to 15 % slower. The speed of each copy is random.
  public var speeds: [String: ClosedRange<Double>] = [:]
  /// The share of the windows of the copies at another speed that is used, evenly spaced: above 0, at most 1.
  public var share = 1.0
  /// The labels whose recordings get a copy with knocks, each with the share of the copy's windows that is used, evenly
  /// spaced: above 0, at most 1.
  public var knocks: [String: Double] = [:]
  /// The sample rate of a copy of each recording with a higher rate; `nil` for no such copies.
  public var copyRate: SampleRate?
  /// The seed of the random speeds and knocks.
  public var seed: UInt64 = 0

  /// No augmentation.
  public init() {}

  /// The permitted speeds of copies.
  public static let allowedSpeeds = 0.5...2.0

  /// The slowed or quickened copy of a recording; `nil` if its label has none.
  ///
  /// - Parameters:
  ///   - recording: the original.
  ///   - label: the label of the original.
  ///   - number: the recording's position in the dataset; it and the seed determine the speed.
  public func copy(of recording: Recording, label: String, number: Int) -> Recording? {
    guard let speeds = speeds[label] else { return nil }
    var generator = SeededGenerator(seed: seed, keys: [UInt64(number)])
    return recording.played(at: generator.uniform(in: speeds))
  }

  /// The copy of a recording with knocks; `nil` if its label has none. The parameters are those of `copy`.
  public func knockedCopy(of recording: Recording, label: String, number: Int) -> Recording? {
    guard knocks[label] != nil else { return nil }
    var generator = SeededGenerator(seed: seed, keys: [UInt64(number), 1])
    return recording.knocked(&generator)
  }

  /// The copy of a recording at `copyRate`; `nil` if the recording is no faster.
  func slowCopy(of recording: Recording) -> Recording? {
    copyRate.flatMap { $0 < recording.sampleRate ? recording.resampled(to: $0) : nil }
  }

  /// All copies of a recording, with the share of their windows that is used. The parameters are those of `copy`.
  func copies(of recording: Recording, label: String, number: Int) -> [(recording: Recording, share: Double)] {
    [
      copy(of: recording, label: label, number: number).map { ($0, share) },
      knockedCopy(of: recording, label: label, number: number).map { ($0, knocks[label]!) },
      slowCopy(of: recording).map { ($0, 1) },
    ].compactMap { $0 }
  }

  /// The positions, ascending, of `share` of `count` windows, evenly spaced.
  static func windows(of count: Int, share: Double) -> [Int] {
    (0..<count).filter { Int(saturating: Double($0 + 1) * share) > Int(saturating: Double($0) * share) }
  }
}

extension Recording {
  /// The recording at another speed: below 1 is slower. Accelerations keep their strength.
  fileprivate func played(at speed: Double) -> Recording {
    mapped(at: SampleRate(exactly: sampleRate.hertz * speed) ?? sampleRate) { sample in
      MotionSample(
        time: SampleTime(nanoseconds: Int64(saturating: (Double(sample.time.nanoseconds) / speed).rounded())),
        attitude: sample.attitude, gravity: sample.gravity, rotationRate: sample.rotationRate * Float(speed),
        userAcceleration: sample.userAcceleration)
    }
  }

  /// The recording rotated at random, as if the phone were worn differently.
  func turned(number: Int) -> Recording {
    var generator = SeededGenerator(seed: 0, keys: [UInt64(number)])
    _ = generator.next()
    return turned(by: .random(&generator))
  }

  /// The recording of a phone rotated relative to the body, its attitude included.
  private func turned(by rotation: Rotation) -> Recording {
    func turn(_ vector: SIMD3<Float>) -> SIMD3<Float> { SIMD3<Float>(rotation(SIMD3<Double>(vector))) }
    func turnAttitude(_ attitude: SIMD3<Float>) -> SIMD3<Float> {
      let (roll, pitch, yaw) = (Double(attitude.x), Double(attitude.y), Double(attitude.z))
      return SIMD3<Float>((Rotation(roll: roll, pitch: pitch, yaw: yaw) * rotation.inverse).angles)
    }
    return mapped(at: sampleRate) { sample in
      MotionSample(
        time: sample.time, attitude: turnAttitude(sample.attitude), gravity: turn(sample.gravity),
        rotationRate: turn(sample.rotationRate), userAcceleration: turn(sample.userAcceleration))
    }
  }

  private func mapped(at rate: SampleRate, _ transform: (MotionSample) -> MotionSample) -> Recording {
    Recording(name: name, sampleRate: rate, samples: (0..<count).map { transform(self[$0]) })
  }
}

extension Rotation {
  /// A uniformly distributed random rotation: a normalised quaternion of four normal numbers.
  fileprivate static func random(_ generator: inout SeededGenerator) -> Rotation {
    Rotation(vector: generator.normalVector(deviation: 1), scalar: generator.normal()).normalized
  }

  /// The attitude of Core Motion's roll, pitch and yaw, the inverse of `angles`.
  fileprivate init(roll: Double, pitch: Double, yaw: Double) {
    self = .about(z: yaw) * .about(x: pitch) * .about(y: roll)
  }
}

/// A knock: an impact that dies away, and perhaps a few quick steps after it. Times are seconds from its start.
struct Knock {
  /// The impact's strength and direction, g, in the device's axes.
  private let impact: SIMD3<Float>
  /// How long the impact lasts, and how many times its direction changes back and forth.
  private let (seconds, cycles): (Double, Double)
  /// The quick steps: the end of each, and its speed as a multiple of the recorded one.
  private let steps: [(end: Double, speed: Double)]

  /// The share of knocks with quick steps.
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
      for _ in 0..<Int(saturating: generator.uniform(in: 2...4.999)) {
        end += generator.uniform(in: 0.3...0.5)
        steps.append((end, generator.uniform(in: 1.2...1.8)))
      }
    }
    self.steps = steps
  }

  /// The time at which the knock is over.
  var end: Double { max(seconds, steps.last?.end ?? 0) }

  /// The speed of the movement at a time, as a multiple of the recorded one.
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
  /// The dataset with the recordings of some labels replaced by their copies with knocks, to measure the effect of
  /// knocks.
  ///
  /// - Parameters:
  ///   - labels: the labels.
  ///   - seed: the seed of the knocks. A seed other than the training's gives other knocks.
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
  /// The recording with random knocks. It is shorter, because its quick steps take less time.
  ///
  /// Attitude and rotation do not change with an impact.
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
