import Foundation
import Gait
import GaitTestSupport
import Testing

/// The share of a window that was measured.
struct MeasuredShareTests {
  /// A walk at 50 Hz of which every `period`-th stretch of `hole` samples is missing, as samples and as a recording.
  private func windows(
    lacking hole: Int, of period: Int, asBlocks: Bool
  ) throws -> [ClassifiedWindow] {
    let samples = (0..<1500).compactMap { row -> MotionSample? in
      guard row % period < period - hole else { return nil }
      let step = sin(2 * Double.pi * 1.8 * Double(row) / 50)
      return MotionSample(
        time: .seconds(Double(row) / 50), gravity: SIMD3(0, -0.6, -0.8), rotationRate: SIMD3(Float(step), 0.1, 0.2),
        userAcceleration: Float(0.3 * step) * SIMD3(0.2, 0.3, 1))
    }
    let recording = Recording(name: "walk", sampleRate: .hertz(50), samples: samples)
    guard !asBlocks else { return try ActivityModel.running.classify(recording) }
    var classifier = try WindowClassifier(model: .running, sampleRate: .hertz(50))
    return samples.flatMap { classifier.append($0) }
  }

  @Test func `A window without holes is measured as a whole`() throws {
    #expect(try windows(lacking: 0, of: 50, asBlocks: false).allSatisfy { $0.measuredShare == 1 && !$0.isUnknown })
  }

  @Test(arguments: [(5, 50, 0.9), (10, 30, 0.667), (10, 20, 0.5)] as [(Int, Int, Float)])
  func `The share of a window is that of its samples`(hole: Int, period: Int, share: Float) throws {
    let windows = try windows(lacking: hole, of: period, asBlocks: false)
    #expect(windows.count > 20)
    for window in windows {
      #expect((window.measuredShare - share).magnitude < 0.08, "\(window.measuredShare) for \(share)")
    }
    let mean = windows.reduce(0) { $0 + $1.measuredShare } / Float(windows.count)
    #expect((mean - share).magnitude < 0.03, "\(mean) for \(share)")
    #expect(windows.allSatisfy { $0.isUnknown == ($0.measuredShare < 0.6) && ($0.label == "unknown") == $0.isUnknown })
    #expect(try windows == self.windows(lacking: hole, of: period, asBlocks: true))
  }
}
