import Foundation
import GaitTestSupport
import Testing

@testable import Gait

@Suite struct StepFrequencyTests {
  /// A phone that bounces at `frequency` for a share of the time, a little stronger at every second step.
  private func recording(
    frequency: Double, rate: Double = 50, seconds: Double = 30, amplitude: Double = 0.5, share: Double = 1,
    missing: Range<Int>? = nil
  ) -> Recording {
    var random = SplitMix64(seed: 3)
    let count = Int(seconds * rate)
    var columns: [Channel: [Float]] = Dictionary(
      uniqueKeysWithValues: (Sensor.gravity.channels + Sensor.userAcceleration.channels).map { channel in
        (channel, (0..<count).map { _ in Float.random(in: -0.01...0.01, using: &random) })
      })
    columns[.gravityZ] = Array(repeating: -1, count: count)
    for row in 0..<count where Double(row) < share * Double(count) {
      let time = Double(row) / rate
      let bounce = sin(2 * .pi * frequency * time) + 0.3 * sin(.pi * frequency * time)
      columns[.userAccelerationZ]![row] += Float(amplitude * bounce)
    }
    for row in missing ?? 0..<0 { columns[.gravityX]![row] = .nan }
    return Recording(name: "steps", sampleRate: .hertz(rate), columns: columns)
  }

  @Test(arguments: [10, 25, 31.25, 50, 100], [1.5, 1.83, 2.2, 2.7, 3.2])
  func `The step frequency is within two percent at any rate`(rate: Double, frequency: Double) throws {
    let found = try #require(recording(frequency: frequency, rate: rate).stepFrequency())
    #expect(abs(found / frequency - 1) < 0.02, "\(found)")
  }

  /// The first harmonics of the stride with amplitudes in g.
  private func harmonics(_ amplitudes: [Double], step: Double, scale: Double = 1) -> Recording {
    let count = 1500
    var columns = Dictionary(
      uniqueKeysWithValues: (Sensor.gravity.channels + Sensor.userAcceleration.channels).map {
        ($0, [Float](repeating: $0 == .gravityZ ? -1 : 0, count: count))
      })
    columns[.userAccelerationZ] = (0..<count).map { row in
      let phase = Double.pi * step * Double(row) / 50
      return Float(scale * amplitudes.enumerated().reduce(0) { $0 + $1.element * sin(Double($1.offset + 1) * phase) })
    }
    return Recording(name: "harmonics", sampleRate: .hertz(50), columns: columns)
  }

  @Test(arguments: [1.55, 1.73, 2.0])
  func `The third harmonic of a walker's stride is not the step`(step: Double) throws {
    let found = try #require(harmonics([0.1, 0.2, 0.3], step: step).stepFrequency())
    #expect(abs(found / step - 1) < 0.02, "\(found)")
    let lively = try #require(harmonics([0.1, 0.2, 0.3], step: step, scale: 5).stepFrequency())
    #expect(abs(lively / step - 1) < 0.02, "\(lively)")
  }

  /// A movement whose axes have harmonics of the stride with these amplitudes, g, with or without gravity.
  private func axes(_ amplitudes: [[Double]], stride: Double, hasGravity: Bool = true) -> Recording {
    var random = SplitMix64(seed: 8)
    let channels = Sensor.userAcceleration.channels
    var columns = [Channel: [Float]]()
    if hasGravity {
      for channel in Sensor.gravity.channels {
        columns[channel] = Array(repeating: channel == .gravityZ ? -1 : 0, count: 1500)
      }
    }
    for (axis, channel) in channels.enumerated() {
      columns[channel] = (0..<1500).map { row in
        let phase = 2 * Double.pi * stride * Double(row) / 50
        let harmonics = amplitudes[axis].enumerated().map { $1 * sin(Double($0 + 1) * phase + Double(axis + 2 * $0)) }
        return Float(harmonics.reduce(0, +)) + Float.random(in: -0.02...0.02, using: &random)
      }
    }
    return Recording(name: "axes", sampleRate: .hertz(50), columns: columns)
  }

  @Test(arguments: [true, false])
  func `Steps are told from strides and their harmonics with and without gravity`(hasGravity: Bool) throws {
    // Name, amplitudes by axis and harmonic, stride, step.
    let movements: [(String, [[Double]], Double, Double)] = [
      ("a lively pocket", [[0.3, 0.25, 0.3, 0.2, 0.25], [0.2, 0.4, 0.1, 0.3], [0.3, 0.3, 0.3, 0.3]], 0.82, 1.64),
      ("a runner's wrist", [[1.2, 0.2], [0.5, 0.4], [0.3, 0.6]], 1.36, 2.72),
      ("a runner's trunk", [[0.1, 0.1], [0.15, 0.1], [0.05, 1.4, 0.02, 0.2]], 1.4, 2.8),
      ("a slow stroll in the hand", [[0.02, 0.05], [0.02, 0.03], [0.02, 0.15, 0.01, 0.05]], 0.64, 1.28),
      ("a brisk walk whose stride dominates", [[0.15, 0.05], [0.2, 0.08], [0.05, 0.15]], 1.09, 2.18),
    ]
    for (name, amplitudes, stride, step) in movements {
      let found = try #require(axes(amplitudes, stride: stride, hasGravity: hasGravity).stepFrequency(), "\(name)")
      #expect(abs(found / step - 1) < 0.02, "\(name): \(found) of \(step)")
    }
  }

  @Test func `No step rate is shown while walking becomes running`() {
    var run = RunTimeline(start: .seconds(0), options: RunOptions(), pauses: nil)
    run.end = .seconds(120)
    run.activities = [
      ActivityChange(decidedAt: .seconds(0), onset: .seconds(0), activity: .walking),
      ActivityChange(decidedAt: .seconds(63), onset: .seconds(60), activity: .running),
    ]
    run.cadencePoints = stride(from: 4, to: 116, by: 1.28).map {
      CadencePoint(time: .seconds($0), stepsPerMinute: $0 < 60 ? 110 : 160)
    }
    let hidden = Set(run.cadencePoints).subtracting(run.shownCadence).map(\.time.seconds)
    #expect(hidden.count == 6, "\(hidden.sorted())")
    #expect(hidden.allSatisfy { abs($0 - 60) <= 3.84 }, "\(hidden.sorted())")
    #expect(run.steps > 250, "\(run.steps)")
    // Live, as long as the latest window holds the change.
    run.cadencePoints.removeAll { $0.time > .seconds(62) }
    #expect(run.latestCadence == nil)
    run.cadencePoints.removeAll { $0.time > .seconds(55) }
    #expect(run.latestCadence == 110)
  }

  @Test func `A stream and a recording have the same step frequency`() throws {
    let recording = harmonics([0.1, 0.2, 0.3], step: 1.73)
    var meter = try #require(CadenceStream(sampleRate: .hertz(50)))
    let points = (0..<recording.count).compactMap { meter.append(recording[$0]) }
    let whole = 60 * (try #require(recording.stepFrequency()))
    #expect(points.count > 10)
    for point in points { #expect(abs(point.stepsPerMinute / whole - 1) < 0.02, "\(point) of \(whole)") }
  }

  @Test func `Keeping still has no step frequency`() {
    #expect(recording(frequency: 2.7, amplitude: 0).stepFrequency() == nil)
    #expect(recording(frequency: 2.7, amplitude: 0.05).stepFrequency() == nil)
  }

  @Test func `Moving a tenth of the time has no step frequency; half of the time has one`() throws {
    #expect(recording(frequency: 2, seconds: 60, share: 0.1).stepFrequency() == nil)
    let half = try #require(recording(frequency: 2, seconds: 60, share: 0.5).stepFrequency())
    #expect(abs(half - 2) < 0.04)
  }

  @Test(arguments: [2.0, 5, 7.5])
  func `A recording whose rate cannot show a runner's steps has no step frequency`(rate: Double) {
    #expect(recording(frequency: 2.7, rate: rate, seconds: 60).stepFrequency() == nil)
  }

  @Test func `A recording shorter than a window has no step frequency`() {
    #expect(recording(frequency: 2.7, seconds: 7.5).stepFrequency() == nil)
    #expect(recording(frequency: 2.7, seconds: 0).stepFrequency() == nil)
    #expect(recording(frequency: 2.7, seconds: 8).stepFrequency() != nil)
  }

  @Test func `Missing values split the recording`() throws {
    let whole = try #require(recording(frequency: 2.7).stepFrequency())
    let parted = try #require(recording(frequency: 2.7, missing: 700..<720).stepFrequency())
    #expect(abs(whole - parted) < 0.02)
    // Without gravity, the linear acceleration has the same steps.
    let linear = try #require(recording(frequency: 2.7, missing: 0..<1500).stepFrequency())
    #expect(abs(whole - linear) < 0.02)
  }

  @Test(.requiresRealData) func `Real joggers, walkers and people at rest have plausible step frequencies`() throws {
    func steps(_ file: String) throws -> Double? {
      let url = RealData.motionSense.appending(path: file)
      return try realRecording(url, rate: .hertz(50), rows: 0..<1500).stepFrequency()
    }
    for (file, range) in [("jog_9/sub_1.csv", 2.4...3.1), ("wlk_7/sub_1.csv", 1.5...2.2)] {
      let found = try #require(try steps(file))
      #expect(range.contains(found), "\(file): \(found)")
    }
    for file in ["sit_5/sub_1.csv", "std_6/sub_1.csv"] { #expect(try steps(file) == nil) }
  }

  /// A recording that is said to be sampled faster than it was has its steps as much faster.
  @Test(.requiresRealData, arguments: ["jog_9/sub_1.csv", "jog_9/sub_2.csv", "jog_9/sub_11.csv"], [1.2, 1.25, 1.3])
  func `The step rate of fast runners is not halved`(file: String, factor: Double) throws {
    let url = RealData.motionSense.appending(path: file)
    let usual = try #require(try realRecording(url, rate: .hertz(50), rows: 0..<1500).stepFrequency())
    let fast = try #require(try realRecording(url, rate: .hertz(50 * factor), rows: 0..<1500).stepFrequency())
    #expect(abs(fast / (factor * usual) - 1) < 0.03, "\(60 * fast) steps/min instead of \(60 * factor * usual)")
  }

  @Test(.requiresRealData, arguments: ["wlk_7/sub_1.csv", "wlk_8/sub_2.csv", "wlk_15/sub_4.csv"], [1.0, 1.1])
  func `The step rate of walkers is not doubled`(file: String, factor: Double) throws {
    let url = RealData.motionSense.appending(path: file)
    if let rate = try realRecording(url, rate: .hertz(50 * factor), rows: 0..<1500).stepFrequency() {
      #expect(60 * rate < 150, "\(60 * rate) steps/min")
    }
  }
}
