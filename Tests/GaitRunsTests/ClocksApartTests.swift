import Gait
import GaitLab
import GaitTestSupport
import Testing

/// GPS whose clock is some seconds ahead of that of the motion, or behind.
@Suite struct ClocksApartTests {
  /// Motion and GPS points of a simulated run with stops.
  private static func parts(seed: UInt64) -> (motion: Recording, locations: [LocationSample]) {
    var simulator = OutdoorRunSimulator(seed: seed)
    simulator.programme = .varied(minutes: 10...10)
    let inputs = simulator.run().inputs
    let samples = inputs.compactMap { if case .motion(let sample) = $0 { sample } else { nil } }
    let locations = inputs.compactMap { if case .location(let sample) = $0 { sample } else { nil } }
    let recording = Recording(name: "run", sampleRate: OutdoorRunSimulator.sampleRate, samples: samples)
    return (recording, locations.filter { $0.time >= recording.start })
  }

  @Test(.requiresOptimization, arguments: [1, 2, 3, 4] as [UInt64])
  func `Clocks some seconds apart hardly change the moving time`(seed: UInt64) throws {
    let (motion, locations) = Self.parts(seed: seed)
    let together = try ActivityModel.running.track(motion, locations: locations)
    #expect(together.pauses.count > 0)
    for seconds in [-10.0, -7, -5, -2, 2, 5, 10] {
      let moved = locations.map { location in
        var location = location
        location.time = location.time.advanced(bySeconds: seconds)
        return location
      }
      // Points that lead up to the motion begin a recording, whose start is then another.
      let apart = try ActivityModel.running.track(motion, locations: moved.filter { $0.time >= motion.start })
      #expect(abs(apart.movingSeconds - together.movingSeconds) <= 1, "\(seconds) s: \(apart.movingSeconds) s")
      #expect(apart.start == together.start)
    }
  }
}
