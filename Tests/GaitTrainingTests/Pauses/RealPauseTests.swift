import Foundation
import Gait
import GaitTestSupport
import GaitTraining
import Testing

/// Auto-pause on recordings of people: six are trained on, six others are held out, in amounts that suit a debug build.
@Suite(.requiresRealData, .requiresOptimization) struct RealPauseTests {
  private static func people(_ subjects: [String], rows: Int) throws -> LabeledDataset {
    let whole = try LabeledDataset(
      directory: RealData.motionSense, layout: "{label}_{trial}/sub_{subject}.csv", sampleRate: .hertz(50),
      labels: LabelMap(["jog=running", "wlk=walking", "sit,std=still"]),
      only: [
        RecordingFilter(field: "subject", values: subjects),
        RecordingFilter(field: "trial", values: ["13", "14", "15", "16"]),
      ])
    return LabeledDataset(
      whole.recordings.map { labeled in
        var labeled = labeled
        labeled.recording = labeled.recording[0..<min(labeled.recording.count, rows)]
        return labeled
      })
  }

  private static let model = Result { try ActivityTrainer().fit(people(RealData.trainingSubjects, rows: 1500)) }

  @Test(.requiresOptimization)
  func `Held-out composed runs pause and resume within the delay limits, without false pauses`() throws {
    var composer = RunComposer()
    composer.hours = 0.2
    let others = try Self.people(RealData.testSubjects, rows: 3000)
    let report = try PauseTrial(Self.model.get(), on: composer.runs(from: others, seed: 1), policy: .whenStill).report()
    #expect(report.falsePauses == 0)
    #expect(report.missedPauses == 0)
    #expect(report.pauseLatency.median <= 1.9, "\(report.pauseLatency)")
    #expect(report.pauseLatency.p95 <= 2.3, "\(report.pauseLatency)")
    #expect(report.resumeLatency.median <= 1.6, "\(report.resumeLatency)")
    #expect(report.resumeLatency.p95 <= 2.0, "\(report.resumeLatency)")
    for onset in [report.pauseOnset, report.resumeOnset] {
      #expect(onset.size.median <= 0.06, "\(onset)")
      #expect(onset.size.p95 <= 0.3, "\(onset)")
    }
    // It is 0.2 % over ten hours; in twelve minutes one person who moves before the cut has a large weight.
    #expect(report.movingTimeErrorPercent <= 1)
  }

  @Test func `Uninterrupted jogging is never paused`() throws {
    let model = try Self.model.get()
    let joggers = try Self.people(RealData.testSubjects, rows: 3000).keeping(labels: ["running"])
    for labeled in joggers.recordings {
      #expect(try model.track(labeled.recording).pauses.isEmpty, "\(labeled.path)")
    }
  }

  @Test func `Accelerometer and gyroscope agree on the cadence of joggers, and it rarely jumps by an octave`() throws {
    let model = try Self.model.get()
    var (agreeing, all, jumps) = (0, 0, 0)
    for labeled in try Self.people(RealData.testSubjects, rows: 3000).recordings
    where labeled.label == "running" {
      let points = try model.track(labeled.recording).cadencePoints
      all += points.count
      agreeing += points.count { ($0.gyroscopeCadence ?? 0) > 0 && abs($0.gyroscopeCadence! - $0.stepsPerMinute) <= 2 }
      jumps += zip(points, points.dropFirst()).count { one, next in
        let ratio = next.stepsPerMinute / one.stepsPerMinute
        return !(0.6...1.7).contains(ratio)
      }
    }
    #expect(all > 80)
    #expect(Double(agreeing) >= 0.88 * Double(all), "\(agreeing) of \(all)")
    #expect(Double(jumps) <= 0.005 * Double(all), "\(jumps) of \(all)")
  }
}
