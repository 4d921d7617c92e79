import Foundation
import Testing

@testable import GaitLab

@Suite("The zero-phase filter")
struct ZeroPhaseFilterTests {
  private static func sine(_ hertz: Double, count: Int = 4000, rate: Double = 100) -> [Double] {
    (0..<count).map { sin(2 * .pi * hertz * Double($0) / rate) }
  }

  /// The amplitude in the middle of a signal, over that of a sine of one.
  private static func gain(_ values: [Double]) -> Double {
    let middle = values[1000..<3000]
    return (2 * middle.reduce(0) { $0 + $1 * $1 } / Double(middle.count)).squareRoot()
  }

  @Test("a low-pass filter has the gain of its formula, and delays nothing", arguments: [2, 5, 10, 12, 20], [4, 8])
  func lowPass(hertz: Double, order: Int) {
    let sine = Self.sine(hertz)
    let filtered = ZeroPhaseFilter(lowPass: 10, order: order, sampleRate: 100).filtered(sine)
    let ratio = tan(.pi * hertz / 100) / tan(.pi * 10 / 100)
    let expected = 1 / (1 + pow(ratio, Double(2 * order)))
    #expect(abs(Self.gain(filtered) - expected) < 0.002)
    #expect((1000..<3000).allSatisfy { abs(filtered[$0] - expected * sine[$0]) < 0.005 })
  }

  @Test("a constant stays, and a short signal is returned as it is")
  func constant() {
    let filter = ZeroPhaseFilter(lowPass: 10, order: 4, sampleRate: 100)
    #expect(filter.filtered(Array(repeating: 2.5, count: 200)).allSatisfy { abs($0 - 2.5) < 1e-9 })
    #expect(filter.filtered([1, 2, 3]) == [1, 2, 3])
  }

  @Test("values between times are linear, and constant outside")
  func interpolation() {
    let signal = Interpolation(times: [1, 2, 4], values: [10, 20, 0])
    #expect(signal.values(at: [0, 1, 1.5, 2, 3, 4, 5]) == [10, 10, 15, 20, 10, 0, 0])
  }
}
