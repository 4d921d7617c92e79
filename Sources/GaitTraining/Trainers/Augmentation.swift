import Gait

/// Recordings made from recordings, for training only: as another phone, another wearer or a turned pocket would have
/// given them.
///
/// Every kind that is switched on adds one altered copy of each training recording, in its group; what is tested on is never
/// altered. All are off by default: the default features do not depend on the rate or on how the phone is worn, and nothing
/// was gained where it was measured (<doc:JudgingAModel>).
public struct Augmentation: Hashable, Sendable {
  /// Rates that recordings are resampled to, as slower phones would record; those not below a recording's own do nothing.
  public var sampleRates: [SampleRate] = []
  /// The greatest share by which a recording is made faster or slower, such as 0.1; each recording draws its own.
  public var timeScaling = 0.0
  /// The acceleration, in g, at which a copy's `gravity + userAcceleration` is cut off along each axis, as a sensor of that range
  /// would.
  public var clipping: Double?
  /// Whether a copy of each recording is turned, as if the phone were worn some other way up; every recording in its own way.
  public var turnsWearing = false
  /// What the random draws follow from.
  public var seed: UInt64 = 0

  /// No augmentation.
  public init() {}

  /// Whether nothing is added.
  public var isEmpty: Bool { sampleRates.isEmpty && timeScaling == 0 && clipping == nil && !turnsWearing }

  /// The altered copies of a recording.
  ///
  /// - Parameters:
  ///   - recording: the original.
  ///   - number: which of the dataset's recordings it is; the draws follow from it and the seed.
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
  /// The recording as it would have been at a slower rate.
  fileprivate func resampled(to rate: SampleRate) -> Recording {
    var resampler = Resampler(from: sampleRate, to: rate)
    var samples: [MotionSample] = []
    for index in 0..<count { resampler.append(self[index]) { samples.append($0) } }
    return Recording(name: name, sampleRate: rate, samples: samples)
  }

  /// The recording with its times multiplied: more than 1 is slower.
  fileprivate func stretched(by factor: Double) -> Recording {
    mapped { sample in
      MotionSample(
        time: SampleTime(nanoseconds: Int64((Double(sample.time.nanoseconds) * factor).rounded())),
        attitude: sample.attitude, gravity: sample.gravity, rotationRate: sample.rotationRate / Float(factor),
        userAcceleration: sample.userAcceleration)
    }
  }

  /// The recording of a sensor that feels no more than `limit` g along an axis.
  fileprivate func clipped(at limit: Float) -> Recording {
    mapped { sample in
      let total = sample.gravity + sample.userAcceleration
      return MotionSample(
        time: sample.time, attitude: sample.attitude, gravity: sample.gravity, rotationRate: sample.rotationRate,
        userAcceleration: total.clamped(lowerBound: SIMD3(repeating: -limit), upperBound: SIMD3(repeating: limit))
          - sample.gravity)
    }
  }

  /// The recording of a phone that is turned against the body; its attitude turns along.
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
  /// A rotation drawn evenly from all of them: four normal numbers point everywhere alike.
  fileprivate static func random(_ generator: inout SeededGenerator) -> Rotation {
    Rotation(vector: generator.normalVector(deviation: 1), scalar: generator.normal()).normalized
  }

  /// The attitude of Core Motion's roll, pitch and yaw: `angles` of it are these again.
  fileprivate init(roll: Double, pitch: Double, yaw: Double) {
    self = .about(z: yaw) * .about(x: pitch) * .about(y: roll)
  }
}
