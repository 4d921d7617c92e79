import Foundation
import Gait
import GaitBenchmarks
import GaitFormats
import GaitTestSupport
import Testing

@testable import GaitLab
@testable import GaitTraining

struct FileToLabelsBenchmarkTests {
  @Test func `The benchmark counts the labels of all windows, on one core or all`() throws {
    let folder = try TemporaryDirectory()
    let rate = SampleRate.hertz(50)
    let simulator = Simulator(seed: 1, sampleRate: rate)
    let activities = SimulatedActivity.allCases
    let files = activities.map { folder.file("\($0.label).csv") }
    for (activity, file) in zip(activities, files) {
      try simulator.recording(of: 1, activity: activity, seconds: 20).write(to: file)
    }
    let benchmark = try FileToLabelsBenchmark(
      model: .running, files: files, options: ReadingOptions(sampleRate: rate), repetitions: 2)
    var labels = Dictionary(uniqueKeysWithValues: ActivityModel.running.activityHead.labels.map { ($0, 0) })
    for file in files {
      let recording = try Recording(contentsOf: file, sampleRate: rate)
      for window in try ActivityModel.running.classify(recording) { labels[window.label, default: 0] += 1 }
    }
    #expect(benchmark.labels == labels && benchmark.windows == labels.values.reduce(0, +))
    #expect(benchmark.files == files.count && benchmark.rows == 1000 * files.count && benchmark.bytes > 0)
    #expect(benchmark.seconds > 0 && benchmark.spread >= 0)
    let shared = try FileToLabelsBenchmark(
      model: .running, files: files, options: ReadingOptions(sampleRate: rate), usesAllCores: true, repetitions: 1)
    #expect(shared.labels == labels)
  }

  @Test func `A missing file is an error`() throws {
    let file = try TemporaryDirectory().file("none.csv")
    #expect(throws: RecordingError.self) {
      try FileToLabelsBenchmark(model: .running, files: [file], options: ReadingOptions(), repetitions: 1)
    }
  }
}
