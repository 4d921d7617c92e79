import Foundation
import Gait
import GaitTestSupport
import GaitTraining
import Testing

/// A model trained on six people at 50 Hz, tested on six others at other sample rates.
@Suite(.requiresRealData, .requiresOptimization) struct OtherRatesTests {
  private static func people(_ subjects: [String]) throws -> LabeledDataset {
    try LabeledDataset(
      directory: RealData.motionSense, layout: "{label}_{trial}/sub_{subject}.csv", sampleRate: .hertz(50),
      labels: LabelMap(["jog=running", "wlk,ups,dws,sit,std=not running"]),
      only: [RecordingFilter(field: "subject", values: subjects)] + subset)
  }

  /// All trials in release builds; fewer in debug builds, where they would take minutes.
  private static var subset: [RecordingFilter] {
    #if DEBUG
      [RecordingFilter(field: "trial", values: ["11", "12", "13", "14", "15", "16"])]
    #else
      []
    #endif
  }

  private static let model = Result { try ActivityTrainer().fit(people(RealData.trainingSubjects)) }

  private static func report(
    at rate: Double, _ change: @escaping ([Float]) -> [Float]
  ) throws -> ClassificationReport {
    let others = try people(RealData.testSubjects)
    return try model.get().evaluated(
      on: LabeledDataset(
        others.recordings.map { labeled in
          var labeled = labeled
          let recording = labeled.recording
          labeled.recording = Recording(
            name: recording.name, sampleRate: .hertz(rate),
            columns: Dictionary(uniqueKeysWithValues: Channel.allCases.map { ($0, change(recording[$0])) }))
          return labeled
        }))
  }

  @Test(.requiresOptimization) func `At 10 Hz, low-passed first, running/not running macro-F1 is at least 0.97`() throws
  {
    let report = try Self.report(at: 10) { Decimation.fiveToOne($0) }
    #expect(report.macroF1 >= 0.97, "macro-F1 \(report.macroF1), accuracy \(report.accuracy)")
  }

  @Test func `At 100 Hz, interpolated, running/not running macro-F1 is at least 0.98`() throws {
    let report = try Self.report(at: 100) { column in
      (0..<max(0, 2 * column.count - 1)).map { index in
        index % 2 == 0 ? column[index / 2] : (column[index / 2] + column[index / 2 + 1]) / 2
      }
    }
    #expect(report.macroF1 >= 0.98, "macro-F1 \(report.macroF1), accuracy \(report.accuracy)")
  }

  /// Decimation from 50 Hz to 10 Hz after a low-pass filter at 4 Hz.
  private enum Decimation {
    private static let half = 25
    private static let weights: [Float] = {
      let weights = (-half...half).map { step -> Double in
        let x = 2 * Double.pi * 4 / 50 * Double(step)
        return (step == 0 ? 1 : sin(x) / x) * (1 + cos(.pi * Double(step) / Double(half + 1)))
      }
      let sum = weights.reduce(0, +)
      return weights.map { Float($0 / sum) }
    }()

    static func fiveToOne(_ column: [Float]) -> [Float] {
      stride(from: 0, to: column.count, by: 5).map { middle in
        var sum: Float = 0
        for step in -half...half {
          sum += weights[step + half] * column[min(max(middle + step, 0), column.count - 1)]
        }
        return sum
      }
    }
  }
}
