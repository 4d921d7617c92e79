import Foundation
import GaitTraining
import Testing

@Suite("Simulation arithmetic")
struct SimulationMathTests {
  @Test("SplitMix64 agrees with the reference implementation")
  func reference() {
    // Vigna's splitmix64.c with state 1234567.
    var generator = SeededGenerator(seed: 1_234_567)
    #expect(generator.next() == 6_457_827_717_110_365_317)
    #expect(generator.next() == 3_203_168_211_198_807_973)
    #expect(generator.next() == 9_817_491_932_198_370_423)
  }

  @Test("Normal draws have the requested mean, deviation and bounds")
  func normalDraws() {
    var generator = SeededGenerator(seed: 1)
    let draws = (0..<20_000).map { _ in generator.normal(mean: 3, deviation: 2) }
    let mean = draws.reduce(0, +) / Double(draws.count)
    let variance = draws.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(draws.count)
    #expect(abs(mean - 3) < 0.05)
    #expect(abs(variance.squareRoot() - 2) < 0.05)
    #expect(draws.allSatisfy { abs($0 - 3) <= 12 })
    #expect((0..<1000).allSatisfy { _ in (1...2).contains(generator.normal(mean: 1, deviation: 1, within: 1...2)) })
  }

  @Test("Uniform draws fill their range evenly")
  func uniformDraws() {
    var generator = SeededGenerator(seed: 2)
    var counts = [Int](repeating: 0, count: 10)
    for _ in 0..<10_000 { counts[min(9, Int(generator.uniform(in: -1...1) * 5 + 5))] += 1 }
    #expect(counts.allSatisfy { (850...1150).contains($0) }, "\(counts)")
  }

  @Test("Different keys, or another order of keys, give different numbers")
  func keys() {
    let keys: [[UInt64]] = [[], [0], [1], [0, 1], [1, 0], [0, 0]]
    let draws = keys.map { keys in
      var generator = SeededGenerator(seed: 5, keys: keys)
      return generator.next()
    }
    #expect(Set(draws).count == draws.count)
  }

  @Test("Sine, cosine and arc tangent agree with the system's functions")
  func trigonometry() {
    for index in -4000...4000 {
      let angle = Double(index) * 0.037
      #expect(abs(PortableMath.sine(angle) - sin(angle)) < 1e-15 + abs(angle) * 1e-16, "\(angle)")
      #expect(abs(PortableMath.cosine(angle) - cos(angle)) < 1e-15 + abs(angle) * 1e-16, "\(angle)")
      let (y, x) = (sin(angle) * 3, cos(angle) * 3)
      #expect(abs(PortableMath.arcTangent(y: y, x: x) - atan2(y, x)) < 1e-14, "\(angle)")
    }
    #expect(PortableMath.arcTangent(y: 0, x: 0) == 0)
    #expect(PortableMath.arcTangent(y: 0, x: -2) == .pi)
  }

  @Test("Any finite angle has a sine and a cosine", arguments: [1e6 + 0.5, -1e9, 1e15, 1e20, -1e20, 1e300])
  func largeAngles(angle: Double) {
    let (sine, cosine) = (PortableMath.sine(angle), PortableMath.cosine(angle))
    #expect(abs(sine * sine + cosine * cosine - 1) < 1e-14)
    if angle.magnitude < 1e7 {
      #expect(abs(sine - sin(angle)) < 1e-9)
      #expect(abs(cosine - cos(angle)) < 1e-9)
    }
  }

  @Test("Core Motion's angles reconstruct the attitude")
  func angles() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      let attitude = Rotation(turn: generator.normalVector(deviation: 1.5)).normalized
      let angles = attitude.angles
      let rebuilt = Rotation.about(z: angles.z) * Rotation.about(x: angles.y) * Rotation.about(y: angles.x)
      for axis in [SIMD3(1.0, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)] {
        let error = attitude(axis) - rebuilt(axis)
        #expect((error * error).sum() < 1e-20, "\(angles)")
      }
    }
  }
}
