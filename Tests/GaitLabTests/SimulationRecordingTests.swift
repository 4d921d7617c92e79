import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitLab
@testable import GaitTraining

@Suite("Simulated recordings")
struct SimulationRecordingTests {
  static let simulator = Simulator(seed: 42, sampleRate: .hertz(50))

  @Test("The same seed gives the same bytes, another seed or subject others", arguments: SimulatedActivity.allCases)
  func sameSeed(activity: SimulatedActivity) {
    func bytes(_ seed: UInt64, _ subject: Int) -> [UInt32] {
      Simulator(seed: seed, sampleRate: .hertz(50)).recording(of: subject, activity: activity, seconds: 2).bits
    }
    #expect(bytes(1, 1) == bytes(1, 1))
    #expect(bytes(1, 1) != bytes(2, 1))
    #expect(bytes(1, 1) != bytes(1, 2))
  }

  @Test("A seed gives the recorded bytes on every machine")
  func knownBytes() {
    let checksums = SimulatedActivity.allCases.map { activity in
      // FNV-1a over the values' bit patterns.
      Self.simulator.recording(of: 1, activity: activity, seconds: 2).bits.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01B3
      }
    }
    #expect(checksums == [8_860_843_676_975_808_037, 5_995_758_453_571_605_165, 7_814_256_133_640_950_818])
  }

  @Test("A longer recording begins with the shorter one", arguments: SimulatedActivity.allCases)
  func longer(activity: SimulatedActivity) {
    let long = Self.simulator.recording(of: 4, activity: activity, seconds: 3)
    let short = Self.simulator.recording(of: 4, activity: activity, seconds: 2)
    #expect(long[0..<short.count].bits == short.bits)
  }

  @Test("The accelerometer clips at ±8 g")
  func clipping() {
    var track = MotionTrack(capacity: 3)
    for push in [0, 20, -20.0] {
      track.attitude.append(.identity)
      track.acceleration.append(SIMD3(0, push, 0))
    }
    var phone = PhoneSensor(generator: SeededGenerator(seed: 1))
    let readings = phone.readings(of: track).map(\.total.y)
    #expect(abs(readings[0]) < 0.1)
    #expect(readings[1...] == [-8, 8])
  }

  @Test("A recording has every channel, the requested length, and only finite values")
  func shape() {
    let recording = Self.simulator.recording(of: 3, activity: .walking, seconds: 4.5)
    #expect(recording.count == 225)
    #expect(recording.channels == Set(Channel.allCases))
    #expect(recording.name == "walking/sub_3.csv")
    for channel in Channel.allCases { #expect(recording[channel].allSatisfy { $0.isFinite }) }
  }

  @Test("Gravity has length 1 and agrees with the attitude's angles", arguments: SimulatedActivity.allCases)
  func gravity(activity: SimulatedActivity) {
    let recording = Self.simulator.recording(of: 2, activity: activity, seconds: 3)
    for index in 0..<recording.count {
      let sample = recording[index]
      let (roll, pitch) = (sample.attitude.x, sample.attitude.y)
      let expected = SIMD3(sin(roll) * cos(pitch), -sin(pitch), -cos(roll) * cos(pitch))
      #expect(abs(sample.gravity.length - 1) < 0.0015)
      #expect((sample.gravity - expected).length < 0.003)
    }
  }

  @Test("The change of gravity agrees with the rotation rate: −ω × g", arguments: 1...6)
  func rotationRate(subject: Int) {
    let simulator = Simulator(seed: 42, sampleRate: .hertz(100))
    let recording = simulator.recording(of: subject, activity: .running, seconds: 3)
    var (error, size): (Float, Float) = (0, 0)
    for index in 1..<recording.count - 1 {
      let change = (recording[index + 1].gravity - recording[index - 1].gravity) * 50
      let (rate, gravity) = (SIMD3<Double>(recording[index].rotationRate), SIMD3<Double>(recording[index].gravity))
      let difference = change + SIMD3<Float>(rate.cross(gravity))
      error += (difference * difference).sum()
      size += (change * change).sum()
    }
    #expect((error / size).squareRoot() < 0.15)
  }

  @Test("Vertical acceleration of running averages zero and has a range of 2 g", arguments: 1...6)
  func verticalBalance(subject: Int) throws {
    let recording = Self.simulator.recording(of: subject, activity: .running, seconds: 12)
    let vertical = recording.vertical
    let frequency = try #require(Self.simulator.subject(subject).stepFrequency(.running))
    let steps = Int(Double(recording.count) / 50 * frequency / 10) * 10
    let whole = vertical.prefix(Int(Double(steps) / frequency * 50))
    #expect(abs(whole.reduce(0, +) / Float(whole.count)) < 0.05)
    // Core Motion's sign: +1 in free fall, negative while the ground pushes.
    #expect(vertical.max()! > 0.9)
    #expect(vertical.min()! < -1)
  }

  @Test("A subject's step frequency is that of its recordings", arguments: Array(1...6).thinnedInDebug(by: 3))
  func stepFrequency(subject: Int) throws {
    for (activity, band) in [(SimulatedActivity.running, 2.2...3.5), (.walking, 1.4...2.4)] {
      let stated = try #require(Self.simulator.subject(subject).stepFrequency(activity))
      let found = Self.simulator.recording(of: subject, activity: activity, seconds: 20).dominantFrequency(in: band)
      #expect(abs(found / stated - 1) < 0.05, "\(activity): \(found) Hz for \(stated) Hz")
    }
    #expect(Self.simulator.subject(subject).stepFrequency(.still) == nil)
  }

  @Test("Still recordings stay below 0.05 g most of the time, and running is far above")
  func stillness() {
    var quiet = 0
    for subject in 1...6 {
      let recording = Self.simulator.recording(of: subject, activity: .still, seconds: 8)
      quiet += (0..<8).count { recording.userRMS($0 * 50..<$0 * 50 + 50) < 0.05 }
      let run = Self.simulator.recording(of: subject, activity: .running, seconds: 2)
      #expect(run.userRMS(0..<run.count) > 0.6)
    }
    #expect(quiet > 36, "\(quiet) of 48 seconds")
  }

  @Test("Recordings at 10, 50 and 100 Hz contain the same motion", arguments: SimulatedActivity.allCases)
  func rates(activity: SimulatedActivity) {
    func recording(_ hertz: Double) -> Recording {
      Simulator(seed: 9, sampleRate: .hertz(hertz)).recording(of: 1, activity: activity, seconds: 3)
    }
    let (slow, middle, fast) = (recording(10), recording(50), recording(100))
    for index in 0..<slow.count {
      #expect(slow[index].attitude == middle[index * 5].attitude)
      #expect(slow[index].attitude == fast[index * 10].attitude)
    }
    var error: Float = 0
    for index in 0..<middle.count {
      let difference = middle[index].userAcceleration - fast[index * 2].userAcceleration
      error += (difference * difference).sum()
    }
    // The remaining difference is above the bandwidth of 50 Hz.
    #expect((error / Float(middle.count)).squareRoot() < 0.25 * fast.userRMS(0..<fast.count) + 0.003)
  }

  @Test("Values are rounded to sensor resolution, so a row of text stays under 83 bytes")
  func rounding() {
    var (bytes, rows) = (0, 0)
    for subject in 1...3 {
      for activity in SimulatedActivity.allCases {
        let recording = Self.simulator.recording(of: subject, activity: activity, seconds: 3)
        rows += recording.count
        for channel in Channel.allCases {
          bytes += recording[channel].reduce(0) { $0 + "\($1),".utf8.count }
        }
      }
    }
    #expect(Double(bytes) / Double(rows) < 83)
  }

  @Test("A plan's entries give the recordings of their paths")
  func plan() {
    let plan = SimulationPlan(subjects: 2, seconds: 1)
    #expect(
      plan.entries.map(\.path) == [
        "running/sub_1.csv", "running/sub_2.csv", "walking/sub_1.csv", "walking/sub_2.csv", "still/sub_1.csv",
        "still/sub_2.csv",
      ])
    #expect(plan.entries.map { Self.simulator.recording($0).name } == plan.entries.map(\.path))
    #expect(SimulationPlan().entries.count == 24)
  }
}

extension Recording {
  fileprivate var bits: [UInt32] {
    Channel.allCases.flatMap { self[$0].map(\.bitPattern) }
  }

  /// Vertical user acceleration, g.
  fileprivate var vertical: [Float] {
    (0..<count).map { -(self[$0].userAcceleration * self[$0].gravity).sum() }
  }

  fileprivate func userRMS(_ range: Range<Int>) -> Float {
    let squares = range.map { (self[$0].userAcceleration * self[$0].userAcceleration).sum() }
    return (squares.reduce(0, +) / Float(range.count)).squareRoot()
  }

  /// The frequency of the highest spectral peak of the vertical acceleration, hertz, by a direct Hann-windowed
  /// transform.
  fileprivate func dominantFrequency(in band: ClosedRange<Double>) -> Double {
    let values = vertical
    let weighted = values.enumerated().map { index, value in
      Double(value) * (1 - cos(2 * .pi * Double(index) / Double(values.count)))
    }
    func power(_ hertz: Double) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for (index, value) in weighted.enumerated() {
        let angle = 2 * Double.pi * hertz * Double(index) / sampleRate.hertz
        real += value * cos(angle)
        imaginary += value * sin(angle)
      }
      return real * real + imaginary * imaginary
    }
    return stride(from: band.lowerBound, through: band.upperBound, by: 0.02).max { power($0) < power($1) }!
  }
}

extension SIMD3<Float> {
  fileprivate var length: Float { (self * self).sum().squareRoot() }
}
