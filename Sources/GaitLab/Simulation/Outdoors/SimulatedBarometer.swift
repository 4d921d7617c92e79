import Gait
import GaitTraining

/// A barometer: relative altitude once a second, with drifting pressure and noise.
struct SimulatedBarometer {
  private var generator: SeededGenerator
  /// Drift, metres in a second: up to ±10 m an hour.
  private let drift: Double
  /// The standard deviation of the noise, metres; a part of it is correlated, as gusts are.
  private let deviation: Double

  init(generator start: SeededGenerator) {
    generator = start
    drift = generator.uniform(in: -10...10) / 3600
    deviation = generator.uniform(in: 0.1...0.3)
  }

  /// The samples of a route, with their times in seconds since the start.
  mutating func samples(of route: OutdoorRoute, seconds: Double, origin: SampleTime) -> [(Double, AltitudeSample)] {
    let start = route.place(at: 0).altitude
    var gusts = GaussMarkov(deviation: deviation * 0.7, correlation: 0.6, using: &generator)
    let phase = generator.uniform(in: 0...1)
    return (0..<max(0, Int(seconds - phase))).map { index in
      let time = phase + Double(index)
      let noise = gusts.next(using: &generator) + generator.normal(deviation: deviation * 0.7)
      let altitude = route.place(at: time).altitude - start + drift * time + noise
      return (
        time, AltitudeSample(time: origin.advanced(bySeconds: time), relativeAltitude: (altitude * 100).rounded() / 100)
      )
    }
  }
}
