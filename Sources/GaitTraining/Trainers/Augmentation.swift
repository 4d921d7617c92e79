import Gait

/// Data augmentation: altered copies of the training recordings, as from another phone, person or wearing position.
///
/// Each kind that is on adds one altered copy of each training recording, in the same group; test recordings are never
/// altered. All are off by default: the default features do not depend on the rate or on how the phone is worn, and
/// augmentation did not improve them (<doc:JudgingAModel>).
public struct Augmentation: Hashable, Sendable {
  /// Sample rates to which recordings are resampled, as slower phones record. Rates not below a recording's own have no
  /// effect.
  public var sampleRates: [SampleRate] = []
  /// The maximum share by which a recording is sped up or slowed down, such as 0.1; the share is random for each
  /// recording.
  public var timeScaling = 0.0
  /// The acceleration, in g, at which `gravity + userAcceleration` is clipped along each axis, as by a sensor of that
  /// range.
  public var clipping: Double?
  /// Whether to add a copy of each recording rotated at random, as if the phone were worn differently.
  public var turnsWearing = false
  /// The seed of the random draws.
  public var seed: UInt64 = 0

  /// No augmentation.
  public init() {}

  /// Whether no kind is on.
  public var isEmpty: Bool { sampleRates.isEmpty && timeScaling == 0 && clipping == nil && !turnsWearing }

  /// The altered copies of a recording.
  ///
  /// - Parameters:
  ///   - recording: the original.
  ///   - number: the recording's position in the dataset; it and the seed determine the draws.
  public func copies(of recording: Recording, number: Int) -> [Recording] {
    var generator = SeededGenerator(seed: seed, keys: [UInt64(number)])
    let factor = 1 + timeScaling * generator.uniform(in: -1...1)
    let rotation = Rotation.random(&generator)
    var copies = sampleRates.filter { $0 < recording.sampleRate }.map { recording.resampled(to: $0) }
    if timeScaling > 0 { copies.append(recording.stretched(by: factor)) }
    if let clipping { copies.append(recording.clipped(at: Float(clipping))) }
    if turnsWearing { copies.append(recording.turned(by: rotation)) }
    return copies
  }
}

extension Recording {
  /// The recording with its times multiplied by `factor`: more than 1 is slower.
  fileprivate func stretched(by factor: Double) -> Recording {
    mapped { sample in
      MotionSample(
        time: SampleTime(nanoseconds: Int64((Double(sample.time.nanoseconds) * factor).rounded())),
        attitude: sample.attitude, gravity: sample.gravity, rotationRate: sample.rotationRate / Float(factor),
        userAcceleration: sample.userAcceleration)
    }
  }

  /// The recording with total acceleration clipped to ± `limit` g along each axis.
  fileprivate func clipped(at limit: Float) -> Recording {
    mapped { sample in
      let total = sample.gravity + sample.userAcceleration
      return MotionSample(
        time: sample.time, attitude: sample.attitude, gravity: sample.gravity, rotationRate: sample.rotationRate,
        userAcceleration: total.clamped(lowerBound: SIMD3(repeating: -limit), upperBound: SIMD3(repeating: limit))
          - sample.gravity)
    }
  }

  /// The recording of a phone rotated relative to the body, its attitude included.
  fileprivate func turned(by rotation: Rotation) -> Recording {
    func turn(_ vector: SIMD3<Float>) -> SIMD3<Float> { SIMD3<Float>(rotation(SIMD3<Double>(vector))) }
    func turnAttitude(_ attitude: SIMD3<Float>) -> SIMD3<Float> {
      let (roll, pitch, yaw) = (Double(attitude.x), Double(attitude.y), Double(attitude.z))
      return SIMD3<Float>((Rotation(roll: roll, pitch: pitch, yaw: yaw) * rotation.inverse).angles)
    }
    return mapped { sample in
      return MotionSample(
        time: sample.time, attitude: turnAttitude(sample.attitude), gravity: turn(sample.gravity),
        rotationRate: turn(sample.rotationRate), userAcceleration: turn(sample.userAcceleration))
    }
  }

  private func mapped(_ transform: (MotionSample) -> MotionSample) -> Recording {
    Recording(name: name, sampleRate: sampleRate, samples: (0..<count).map { transform(self[$0]) })
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
