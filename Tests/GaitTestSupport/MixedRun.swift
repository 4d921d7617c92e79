import Foundation
import Gait

/// The inputs of a run made up of everything that a tracker meets, all from one seed: running, walking, standing,
/// shaking, riding, treadmills, holes, turned phones, GPS points of several qualities (rough, rare, late, without
/// speed, low speed, jumps), a barometer, buttons.
///
/// It resembles no person. Tests compare its figures with recorded ones.
public struct MixedRun {
  /// The nominal rate of the motion.
  public let rate: SampleRate
  /// The options of the tracker.
  public let options: RunOptions
  /// In the order in which they arrive.
  public private(set) var inputs: [RunInput] = []

  private var random: SplitMix64
  private var seconds = 0.0
  private var gravity = SIMD3<Float>(0, 0, -1)
  private var place = (north: 0.0, east: 0.0, up: 0.0)
  private var heading = 0.0
  private var error = (north: 0.0, east: 0.0)
  private let quality: Int

  /// What happens in a second.
  private enum Movement: CaseIterable { case running, fast, walking, standing, shaking, riding, hole, treadmill }

  /// The run of a seed.
  public init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    quality = Int(seed % 6)
    rate = .hertz([25, 50, 20, 32, 12.5, 100][Int(seed / 2 % 6)])
    options = Self.options(Int(seed))
    var left = 300
    // Some begin on a treadmill.
    if seed % 5 == 4 { for _ in 0..<150 { second(.treadmill) } }
    while left > 0 {
      let kind = Movement.allCases[
        seconds < 20 ? 0 : [0, 0, 0, 1, 2, 2, 3, 3, 4, 5, 6][Int.random(in: 0..<11, using: &random)]]
      let length = Int.random(in: kind == .hole ? 2...70 : 6...70, using: &random)
      if Int.random(in: 0..<3, using: &random) == 0 { turnPhone() }
      for _ in 0..<length { second(kind) }
      press()
      left -= length
    }
    deliverLate()
  }

  private static func options(_ seed: Int) -> RunOptions {
    var options = RunOptions(splitMeters: [250, 402.336, 100][seed % 3], snapshotSeconds: [10, nil, 7.5][seed % 3])
    options.policy = [.whenStill, .whenNotRunning, .never][seed / 3 % 3]
    options.goals = [.distance(meters: 500), .movingTime(seconds: 120)]
    options.intervalSeconds = seed % 4 == 1 ? [60, 30] : []
    options.strides = seed % 5 == 2 ? StrideModel(running: 1.05, walking: 0.7, cadenceSlope: 0.004) : nil
    options.bodyMass = seed % 2 == 0 ? 70 : nil
    options.sampleDelaySeconds = seed % 4 == 3 ? 0.2 : 0
    options.locationDelaySeconds = seed % 7 == 3 ? 20 : 300
    options.keepsEvidence = seed % 2 == 0
    return options
  }

  private mutating func noise(_ size: Double) -> Double { Double.random(in: -size...size, using: &random) }

  private mutating func turnPhone() {
    let vector = SIMD3(Float(noise(1)), Float(noise(1)), Float(noise(1)) - 0.2)
    gravity = vector / (vector * vector).sum().squareRoot()
  }

  private var time: SampleTime { SampleTime(nanoseconds: 5_000_000_000 + Int64((seconds * 1e9).rounded())) }

  private mutating func second(_ kind: Movement) {
    let (strength, frequency, speed): (Double, Double, Double) =
      switch kind {
      case .running: (0.9, 2.6, 2.7)
      case .fast: (1.2, 3, 4.2)
      case .walking: (0.22, 1.8, 1.4)
      case .standing: (0, 1, 0)
      case .shaking: (0.7, 4.4, 0)
      case .riding: (0.03, 7, 8)
      case .hole: (0, 1, 2)
      case .treadmill: (0.9, 2.7, 0)
      }
    let begin = seconds
    let count = Int(rate.hertz.rounded(.up))
    for index in 0..<count where kind != .hole {
      let offset = Double(index) / rate.hertz
      if offset >= 1 { break }
      seconds = begin + offset
      let bounce =
        strength * sin(2 * .pi * frequency * seconds) + 0.2 * strength * sin(4 * .pi * frequency * seconds + 1)
      let swing = Float(2 * strength * sin(.pi * frequency * seconds) + noise(0.02))
      let across = SIMD3<Float>(gravity.y, -gravity.x, 0.1)
      let acceleration =
        gravity * -Float(bounce + noise(0.006)) + across * Float(0.3 * strength * sin(.pi * frequency * seconds))
      inputs.append(
        .motion(
          MotionSample(time: time, gravity: gravity, rotationRate: across * swing, userAcceleration: acceleration)))
    }
    seconds = begin + 0.4
    move(speed)
    report(speed)
    seconds = begin + 1
  }

  private mutating func move(_ speed: Double) {
    heading += noise(0.1)
    if Int.random(in: 0..<60, using: &random) == 0 { heading += .pi }
    place.north += speed * cos(heading)
    place.east += speed * sin(heading)
    place.up += 0.05 * speed * sin(seconds / 50)
    error.north = 0.9 * error.north + noise(1)
    error.east = 0.9 * error.east + noise(1)
  }

  /// The GPS point and the altitude of a second.
  private mutating func report(_ speed: Double) {
    if quality != 3 {
      inputs.append(.altitude(AltitudeSample(time: time, relativeAltitude: place.up + noise(0.1) + seconds * 0.001)))
    }
    let every = [1, 1, 5, 1, 15, 1][quality]
    guard Int(seconds) % every == 0, quality != 5 || Int(seconds) % 200 < 150 else { return }
    let rough = quality == 2 || quality == 3 ? 6.0 : 1
    let jump = Int.random(in: 0..<90, using: &random) == 0 ? 150.0 : 0
    let north = place.north + rough * error.north + jump
    let told: Double? = [speed, 0.85 * speed, speed, nil, speed, -1][quality]
    let isBad = Int.random(in: 0..<40, using: &random) == 0
    inputs.append(
      .location(
        LocationSample(
          time: time, latitude: 48 + north / 111_200, longitude: 11 + (place.east + rough * error.east) / 74_400,
          altitude: 500 + place.up + 2 * error.north, speed: told.map { $0 > 0 ? max(0, $0 + noise(0.3)) : $0 },
          horizontalAccuracy: isBad ? 80 : jump > 0 ? 25 : 3 + rough, verticalAccuracy: 4,
          speedAccuracy: told == nil ? nil : 0.4)))
  }

  /// Now and then a button.
  private mutating func press() {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: inputs.append(.lap(at: time))
    case 1: inputs.append(.pause(autoResume: true, at: time))
    case 2: inputs += [.pause(autoResume: false, at: time.advanced(bySeconds: -3)), .resume(at: time)]
    case 3: inputs.append(.policy(.whenStill, at: time))
    default: break
    }
  }

  /// GPS points of some runs come in batches, 12 s late; samples of others come in pairs of which the later one is
  /// first.
  private mutating func deliverLate() {
    if quality == 1 || quality == 4 {
      func arrival(_ input: RunInput) -> Double {
        guard case .location = input else { return Double(input.time.nanoseconds) / 1e9 }
        return (Double(input.time.nanoseconds) / 12e9).rounded(.up) * 12
      }
      inputs = inputs.enumerated().sorted { (arrival($0.element), $0.offset) < (arrival($1.element), $1.offset) }.map(
        \.element)
    }
    if options.sampleDelaySeconds > 0 {
      for index in stride(from: 10, to: inputs.count - 1, by: 37) { inputs.swapAt(index, index + 1) }
    }
  }
}
