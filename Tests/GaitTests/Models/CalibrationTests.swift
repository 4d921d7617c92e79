import Gait
import Testing

/// The curve of a calibration: linear between its points, constant beyond them.
@Suite struct CalibrationTests {
  @Test func `Outputs are linear between points and constant beyond them`() throws {
    let curve = try RisingCurve(inputs: [0.2, 0.4, 0.8], outputs: [0.1, 0.5, 0.5])
    let expected: [(Float, Float)] = [
      (0, 0.1), (0.2, 0.1), (0.25, 0.2), (0.3, 0.3), (0.4, 0.5), (0.6, 0.5), (0.8, 0.5), (1, 0.5),
    ]
    for (input, output) in expected {
      #expect(abs(curve.value(at: input) - output) < 1e-6, "\(input)")
    }
    #expect(curve.value(at: .nan).isNaN)
  }

  @Test func `One point is a constant`() throws {
    let curve = try RisingCurve(inputs: [0.5], outputs: [0.25])
    #expect([0, 0.5, 1].allSatisfy { curve.value(at: $0) == 0.25 })
  }

  @Test func `Inputs must increase, outputs must not decrease`() {
    #expect(throws: ModelError.self) { try RisingCurve(inputs: [0.2, 0.2], outputs: [0.1, 0.5]) }
    #expect(throws: ModelError.self) { try RisingCurve(inputs: [0.4, 0.2], outputs: [0.1, 0.5]) }
    #expect(throws: ModelError.self) { try RisingCurve(inputs: [0.2, 0.4], outputs: [0.5, 0.1]) }
    #expect(throws: Never.self) { try RisingCurve(inputs: [0.2, 0.4], outputs: [0.5, 0.5]) }
  }

  @Test func `Points are within 0 to 1, of one count, and at least one`() {
    #expect(throws: ModelError.self) { try RisingCurve(inputs: [], outputs: []) }
    #expect(throws: ModelError.self) { try RisingCurve(inputs: [0.1, 0.2], outputs: [0.1]) }
    #expect(throws: ModelError.self) { try RisingCurve(inputs: [-0.1, 0.2], outputs: [0, 1]) }
    #expect(throws: ModelError.self) { try RisingCurve(inputs: [0.1, 0.2], outputs: [0, 1.1]) }
    #expect(throws: Never.self) { try RisingCurve(inputs: [0, 1], outputs: [0, 1]) }
  }
}
