import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

/// Clocks that differ by less than the length of the run.
@Suite struct StopAlignmentTests {
  private static let start = 1.7e9
  /// Standing, in seconds of the run.
  private static let stops = [200.0..<260, 520..<545, 790..<880]

  private static func isMoving(_ second: Double, _ stops: [Range<Double>]) -> Bool {
    !stops.contains { $0.contains(second) }
  }

  /// Twenty minutes at 10 Hz: 2.5 steps a second of 0.5 g, and quiet stops.
  private static func recording(_ stops: [Range<Double>] = stops) -> Recording {
    let samples = (0..<12_000).map { index in
      let second = Double(index) / 10
      let strength: Float = isMoving(second, stops) ? 0.5 : 0.01
      return MotionSample(
        time: .seconds(start + second), gravity: [0, 0, -1],
        userAcceleration: [0, 0, index.isMultiple(of: 4) ? strength : -strength / 2])
    }
    return Recording(name: "run", sampleRate: .hertz(10), samples: samples)
  }

  /// The points of a part of the run, in a clock that is late by `offset` seconds, without speeds.
  private static func points(
    _ part: ClosedRange<Double>, late offset: Double, _ stops: [Range<Double>] = stops
  ) -> [LocationSample] {
    var (random, meters) = (SplitMix64(seed: 3), 0.0)
    return stride(from: 0, through: 1200, by: 1).compactMap { second in
      if isMoving(second, stops) { meters += 2.5 }
      let noise = Double.random(in: -0.5...0.5, using: &random)
      let latitude = 48 + (meters + noise) / 111_195
      return part.contains(second)
        ? LocationSample(time: .seconds(start + second + offset), latitude: latitude, longitude: 11) : nil
    }
  }

  private static func shift(_ recording: Recording, _ points: [LocationSample]) -> LocationFile.ClockShift? {
    let motion = recording.start.nanoseconds...recording.time(at: recording.count - 1).nanoseconds
    return LocationClock(motion: motion, samples: points)
      .shift(shared: nil) { StopAlignment(recording, points).offset }
  }

  @Test(arguments: [18.0, 420, -300, 555])
  func `Stops show the offset of a route that is shorter than the motion`(offset: Double) throws {
    let shift = try #require(Self.shift(Self.recording(), Self.points(40...1150, late: offset)))
    #expect(abs(Double(shift.nanoseconds) / 1e9 + offset) <= 2, "\(shift)")
    #expect(shift.reason == "as its stops are those of the motion then")
  }

  @Test(arguments: [18.0, 420])
  func `Spans of equal length start together`(offset: Double) throws {
    let none = [Range<Double>]()
    for stops in [Self.stops, none] {
      let shift = try #require(Self.shift(Self.recording(stops), Self.points(0...1199, late: offset, stops)))
      #expect(abs(Double(shift.nanoseconds) / 1e9 + offset) <= 2)
      #expect(shift.reason == "as both last equally long, they start together")
    }
  }

  @Test func `One clock stays as it is, with and without stops`() {
    for stops in [Self.stops, []] {
      for part in [0.0...1199, 3...1190, 40...1150, 500...1199] {
        let shift = Self.shift(Self.recording(stops), Self.points(part, late: 0, stops))
        #expect(shift == LocationFile.ClockShift(nanoseconds: 0, reason: nil), "\(part)")
      }
    }
  }

  @Test func `Stops that repeat evenly show no offset`() {
    let even = stride(from: 100.0, to: 1200, by: 100).map { $0..<$0 + 30 }
    let shift = Self.shift(Self.recording(even), Self.points(40...1150, late: 100, even))
    #expect(shift?.nanoseconds == 0)
  }

  @Test func `Files without places or acceleration have no movement`() {
    let empty = Recording(name: "none", sampleRate: .hertz(10), samples: [])
    #expect(StopAlignment(empty, []).offset == nil)
    #expect(StopAlignment(empty, Self.points(0...1199, late: 0)).offset == nil)
  }
}
