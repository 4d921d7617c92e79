import Foundation
import Gait
import GaitTraining
import Testing

@testable import GaitLab

@Suite("References of step counts")
struct StepReferenceTests {
  /// Acceleration of `hertz` steps a second along a tilted axis, g, for 60 s.
  private static func walk(_ hertz: Double) -> [SIMD3<Double>] {
    (0..<3000).map { index in
      let time = Double(index) / IndependentSteps.sampleRate
      let step = sin(2 * .pi * hertz * time)
      let stride = 0.2 * sin(.pi * hertz * time)
      return SIMD3(0.1 + stride, 0.4 + 0.3 * step, 0.6 + 0.4 * step)
    }
  }

  @Test("both counts find the steps of a regular walk", arguments: [1.5, 1.9, 2.7, 3.1])
  func counts(hertz: Double) {
    let counts = IndependentSteps(of: Self.walk(hertz))
    #expect(abs(counts.bySpectrum - 60 * hertz) <= 0.01 * 60 * hertz)
    #expect(abs(Double(counts.byPeaks) - 60 * hertz) <= 2)
    #expect(counts.agree(within: 0.03))
  }

  @Test("a phone at rest has no steps")
  func rest() {
    let counts = IndependentSteps(of: Array(repeating: SIMD3(0.01, 0, 0), count: 3000))
    #expect(counts.bySpectrum == 0)
    #expect(counts.byPeaks == 0)
  }

  @Test("the stride frequency of a leg is that of its rotation")
  func stride() {
    let turns = (0..<1500).map { Float(3 * sin(2 * .pi * 0.9 * Double($0) / 25)) }
    let still = [Float](repeating: 0, count: turns.count)
    let recording = Recording(
      name: "leg", sampleRate: .hertz(25),
      columns: [.rotationRateX: turns, .rotationRateY: still, .rotationRateZ: still])
    #expect(abs(StrideFrequency.of(recording) - 0.9) < 1e-9)
  }

  @Test("pauses at the standing ends of a counted walk do not count")
  func ends() {
    let pauses = [(0.0, 4.0), (20, 26), (58, 60)].map {
      Pause(onset: .seconds($0.0), decidedAt: .seconds($0.0 + 1), end: .seconds($0.1), cause: .still)
    }
    let run = RunTimeline(start: .seconds(0), end: .seconds(60), pauses: pauses)
    let outcome = CountedWalks.Outcome(run, file: "walk.csv", counted: 100)
    #expect(outcome.paused == 6)
    #expect(outcome.error == -100)
  }
}
