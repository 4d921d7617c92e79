import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitTraining

/// Scores of probabilities and calibrations, against scikit-learn.
@Suite struct ScoresReferenceTests {
  @Test(arguments: try Reference.all())
  func `Scores of probabilities agree with scikit-learn`(reference: Reference) throws {
    let windows = reference.windows
    let report = ProbabilityReport(windows)
    #expect(abs(report.logLoss - reference.logLoss) < 1e-9)
    #expect(report.impossibleWindows == reference.impossibleWindows)
    #expect(abs(report.brier - reference.brier) < 1e-9)
    #expect(abs(report.expectedCalibrationError - reference.expectedCalibrationError) < 1e-9)
    for label in windows.labels.indices {
      let curve = try #require(OperatingCurve(windows, label: label))
      #expect(abs(curve.area - reference.areas[label]) < 1e-12)
      #expect(abs(curve.averagePrecision - reference.averagePrecisions[label]) < 1e-12)
      #expect(curve.points.last?.recall == 1)
      #expect(curve.points.last?.falseAlarmRate == 1)
      #expect(report.reliability[label].reduce(0) { $0 + $1.windows } == windows.count)
    }
  }

  @Test(arguments: try Reference.all())
  func `The temperature minimises log-loss, and isotonic curves agree with scikit-learn`(
    reference: Reference
  ) throws {
    let windows = reference.windows
    #expect(abs(CalibrationMethod.temperature(windows) / Float(reference.temperature) - 1) < 1e-4)
    for label in windows.labels.indices {
      let curve = CalibrationMethod.curve(windows, label: label)
      for (input, height) in zip(reference.heightsAt, reference.curves[label]) {
        #expect(abs(curve.value(at: Float(input)) - Float(height)) < 1e-5, "label \(label) at \(input)")
      }
    }
  }

  /// A case of `scores_reference.json`.
  struct Reference: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let labels: [String]
    let truths: [Int]
    let probabilities: [[Float]]
    let logLoss, brier, expectedCalibrationError, temperature: Double
    let impossibleWindows: Int
    let areas, averagePrecisions, heightsAt: [Double]
    let curves: [[Double]]

    var testDescription: String { name }

    var windows: ScoredWindows {
      ScoredWindows(
        labels: labels, truths: truths,
        probabilities: FeatureMatrix(columnCount: labels.count, values: probabilities.flatMap { $0 }),
        windowGroups: truths.indices.map { "group \($0 % 4)" })
    }

    static func all() throws -> [Reference] {
      let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      return try JSONDecoder().decode(
        [Reference].self, from: Data(contentsOf: tests.appending(path: "References/scores_reference.json")))
    }
  }
}
