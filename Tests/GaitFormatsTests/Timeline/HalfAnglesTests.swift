import Foundation
import GaitTestSupport
import Testing

@testable import GaitFormats

struct HalfAnglesTests {
  @Test func `Sines and cosines of half angles agree with the library's`() {
    var random = SplitMix64(seed: 1)
    let edges: [Double] = [0, -0.0, .pi, -.pi, 3.15, -3.15, 3.16, 100, -1e9, .leastNonzeroMagnitude, 1e-300]
    for round in 0..<20_000 {
      let range = [1e-9, 1e-3, 1, 3.15, 20][round % 5]
      var angles = SIMD4<Double>.zero
      for index in 0..<4 { angles[index] = .random(in: -range...range, using: &random) }
      angles.w = edges[round % edges.count]
      let (sines, cosines) = HalfAngles.sinesAndCosines(of: angles)
      for index in 0..<4 {
        let (sine, cosine) = (sin(angles[index] / 2), cos(angles[index] / 2))
        #expect(abs(sines[index] - sine) <= 4 * max(sine.ulp, .leastNonzeroMagnitude))
        // 1 − 2 sin² of the quarter angle, whose sine has an error of up to 1.5 units: 4 sin · that, and two roundings.
        #expect(abs(cosines[index] - cosine) <= 3 * 1.0.ulp)
      }
    }
  }

  @Test func `The arcsine of a small sine agrees with the library's`() {
    for step in 0...1000 {
      let sine = Double(step) / 8000
      #expect(abs(HalfAngles.arcSine(sine) - asin(sine)) <= 2 * asin(sine).ulp)
    }
  }
}
