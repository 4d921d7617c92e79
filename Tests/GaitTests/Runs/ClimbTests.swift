import GaitTestSupport
import Testing

@testable import Gait

@Suite struct ClimbTests {
  /// An hour of running, with a reading a second of `altitude` and noise of a deviation and correlation.
  private static func run(
    barometer: Bool, deviation: Double, correlation: Double, seed: UInt64, altitude: (Double) -> Double
  ) -> RunTimeline {
    var random = SplitMix64(seed: seed)
    func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &random) } }
    var run = RunTimeline(start: .seconds(0), end: .seconds(3600))
    var noise = deviation * normal()
    for second in 0..<3600 {
      noise = correlation * noise + deviation * (1 - correlation * correlation).squareRoot() * normal()
      let (time, altitude) = (SampleTime.seconds(Double(second)), altitude(Double(second)) + noise)
      if barometer {
        run.record(AltitudeSample(time: time, relativeAltitude: altitude))
      } else {
        run.route.append(
          LocationSample(
            time: time, latitude: 48 + 3 * Double(second) / 111_190, longitude: 11, altitude: altitude, speed: 3,
            horizontalAccuracy: 5, verticalAccuracy: deviation))
      }
    }
    return run
  }

  /// Five hills of 40 m.
  private static func hills(_ second: Double) -> Double {
    let place = (second / 720).truncatingRemainder(dividingBy: 1)
    return 80 * (place < 0.5 ? place : 1 - place)
  }

  @Test func `Two hundred metres of hills by a barometer are within ten per cent`() throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      let run = Self.run(barometer: true, deviation: 0.3, correlation: 0.6, seed: seed) { Self.hills($0) + $0 / 600 }
      let climb = try #require(run.elevation())
      #expect(abs(climb.gain - 200) < 20, "seed \(seed)")
      #expect(abs(climb.loss - 200) < 20, "seed \(seed)")
    }
  }

  @Test func `Flat ground has nearly no climb, by a drifting barometer or by GPS`() throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      let drifting = Self.run(barometer: true, deviation: 0.3, correlation: 0.6, seed: seed) { $0 / 450 }
      #expect(try #require(drifting.elevation()).gain < 10, "seed \(seed)")
      let satellites = Self.run(barometer: false, deviation: 7, correlation: 0.98, seed: seed) { _ in 0 }
      #expect(satellites.elevation()?.gain ?? 0 < 10, "seed \(seed)")
    }
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `A watch's altitudes, which come without an accuracy, are those of a barometer`(seed: UInt64) throws {
    /// Eighteen hills of 10 m.
    func rolling(_ second: Double) -> Double { Self.hills(second * 3.6) / 4 }
    func watch(_ altitude: (Double) -> Double) -> RunTimeline {
      var run = Self.run(barometer: false, deviation: 0.4, correlation: 0.6, seed: seed, altitude: altitude)
      for index in run.route.indices { run.route[index].verticalAccuracy = nil }
      return run
    }
    let climb = try #require(watch(rolling).elevation())
    #expect(abs(climb.gain - 180) < 18, "\(climb)")
    #expect(abs(climb.loss - 180) < 18, "\(climb)")
    #expect(try #require(watch { _ in 100 }.elevation()).gain < 3)
  }

  @Test(arguments: [(20.0, 300.0), (10, 400), (5, 600), (2, 1000), (4, 150), (6, 100), (8, 80)])
  func `Hills of two to twenty per cent are within ten per cent, short ones too`(grade: Double, length: Double) throws {
    // Round hills, the steepest grade at half their height.
    let height = grade / 100 * length / .pi
    for seed in 1...3 as ClosedRange<UInt64> {
      let run = Self.run(barometer: true, deviation: 0.12, correlation: 0.7, seed: seed) { second in
        height / 2 * (1 - cosine(2 * .pi * 3 * second / length)) + second / 3600
      }
      let climb = try #require(run.elevation()), expected = 3600 * 3 / length * height
      #expect((climb.gain / expected - 1).magnitude < 0.1, "seed \(seed): \(climb.gain) of \(expected) m")
      #expect((climb.loss / expected - 1).magnitude < 0.1, "seed \(seed): \(climb.loss) of \(expected) m")
    }
  }

  @Test func `Level ground has a climb of three metres an hour at most, by a barometer in steps of 0.2 m`() throws {
    for seed in 1...10 as ClosedRange<UInt64> {
      let run = Self.run(barometer: true, deviation: 0.2, correlation: 0.8, seed: seed) { $0 / 2400 }
      var stepped = run
      stepped.barometer = run.barometer?.map {
        AltitudeSample(time: $0.time, relativeAltitude: ($0.relativeAltitude * 5).rounded() / 5)
      }
      #expect(try #require(run.elevation()).gain <= 3, "seed \(seed)")
      #expect(try #require(stepped.elevation()).gain <= 3, "seed \(seed), in steps")
    }
  }

  @Test func `A barometer's altitudes are moved to those of GPS by the mean difference`() throws {
    var run = Self.run(barometer: true, deviation: 0, correlation: 0, seed: 1) { $0 / 36 }
    run.route = (0..<3600).map { second in
      LocationSample(
        time: .seconds(Double(second)), latitude: 48, longitude: 11, altitude: 500 + Double(second) / 36, speed: 3,
        horizontalAccuracy: 5, verticalAccuracy: 5)
    }
    let range = try #require(run.altitudeRange)
    #expect((range.lowerBound - 500).magnitude < 0.1)
    #expect((range.upperBound - 600).magnitude < 0.1)
  }

  @Test func `GPS altitudes that are too poor give no climb`() {
    let run = Self.run(barometer: false, deviation: 25, correlation: 0.98, seed: 1, altitude: Self.hills)
    #expect(run.elevation() == nil)
    #expect(RunTimeline(start: .seconds(0), end: .seconds(10)).elevation() == nil)
  }

  @Test func `Changes of pressure while paused or standing are no climb`() throws {
    var run = Self.run(barometer: true, deviation: 0.1, correlation: 0.5, seed: 1) { second in
      max(0, min(30, (second - 1000) / 10))
    }
    #expect(try abs(#require(run.elevation()).gain - 30) < 1)
    run.addPause(from: .seconds(990), to: .seconds(1350))
    #expect(try #require(run.elevation()).gain == 0)
    run.removePause(at: 0)
    run.route = (0..<3600).map { second in
      LocationSample(
        time: .seconds(Double(second)), latitude: 48, longitude: 11, speed: 900..<1400 ~= second ? 0 : 3,
        horizontalAccuracy: 5)
    }
    #expect(try #require(run.elevation()).gain == 0)
  }

  @Test func `Ups and downs are summed from turning point to turning point`() {
    var meter = ClimbMeter(deadBand: 3)
    for altitude in [0, 2, -1, 9, 7, 12, 5, 6, 4, 20, 18.0] { meter.add(altitude, height: altitude) }
    // From −1 up to 12, down to 4, up to 20.
    #expect(meter.total == (29, 8))
  }

  @Test func `Barometer readings are kept once a second, within the run, and replayed`() throws {
    var tracker = try RunTracker(model: TestModels.runner, sampleRate: .hertz(50))
    _ = tracker.append(AltitudeSample(time: .seconds(-1), relativeAltitude: 0))
    for (index, sample) in personSamples(stretch("R", 20)).enumerated() {
      _ = tracker.append(sample)
      guard index % 10 == 0 else { continue }
      _ = tracker.append(AltitudeSample(time: sample.time, relativeAltitude: Double(index) / 100))
    }
    _ = tracker.append(AltitudeSample(time: .seconds(19.99), relativeAltitude: .nan))
    _ = tracker.append(AltitudeSample(time: .seconds(1e6), relativeAltitude: 3))
    let run = tracker.finish()
    #expect(run.altitudes.map(\.time.seconds) == (0..<20).map(Double.init))
    #expect(try tracker.evidence.replayed(by: TestModels.runner) == run)
  }
}
