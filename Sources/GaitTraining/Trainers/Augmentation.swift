import Gait

/// Data augmentation: slowed or quickened copies of the training recordings of some labels, copies with knocks, and copies at a
/// lower rate.
///
/// Joggers take 120 to 150 steps a minute and are rare in public data, so a model learns that slow steps are walking.
/// Slowed copies of running add what is missing: the same movement with a lower step rate. Test recordings are never
/// altered. Off by default.
///
/// A walker who stumbles, or whose device is hit, moves as strongly as a runner for a second. Public sets hold few such
/// moments, so copies with knocks add them: every 2 to 5 s an impact of 0.5 to 4 g in a random direction that dies away within
/// 0.1 to 0.4 s, after every second one two to four quick steps, each 0.3 to 0.5 s of the recording, played 1.2 to 1.8
/// times as fast and stronger by the square of that.
///
/// A recording at 10 Hz holds no harmonics of steps, so magnitude and jerk of its user acceleration are lower. A model of these
/// features that learned 10 Hz from people who stand may call a quiet walk at that rate still; copies at the rate prevent it.
/// They train the head for labels and the head for pauses, all others only that for labels. Clipped and rotated
/// copies did not improve a model, so there are none (<doc:JudgingAModel>).
public struct Augmentation: Hashable, Sendable {
  /// For each label whose recordings get a copy, the range of the copy's speed: 0.85…0.95 is 5 to 15 % slower. The
  /// speed is random for each recording.
  public var speeds: [String: ClosedRange<Double>] = [:]
  /// The share of the windows of the copies at another speed that are used, evenly spaced: above 0, at most 1.
  public var share = 1.0
  /// For each label whose recordings get a copy with knocks, the share of the copy's windows that are used, evenly spaced:
  /// above 0, at most 1.
  public var knocks: [String: Double] = [:]
  /// The sample rate of a copy of each recording with a higher one; `nil` for no such copies.
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
  ///   - label: its label.
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
