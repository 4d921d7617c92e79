import Foundation
import Gait
import GaitFormats
import GaitTraining

/// Where samples come from: each source repairs them by code of its own.
enum DamageSource: CaseIterable {
  case file
  case lines
  case memory

  /// The windows and the steps of a recording; no windows of lines, which give a run only.
  struct Count {
    let windows: Int?
    let steps: Int?
  }

  /// Windows and steps by every source, by the built-in model that fits the channels.
  static func counts(
    of samples: SensorDamage.Samples, channels: [Channel], sampleRate: SampleRate
  ) throws -> [DamageSource: Count] {
    let model = ActivityModel.fitting(Set(channels)).model
    let url = FileManager.default.temporaryDirectory.appending(path: "gait-lab-\(UUID()).csv")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data(text(of: samples, channels).utf8).write(to: url)
    let memory = Recording(
      name: "samples in memory", sampleRate: sampleRate,
      samples: zip(samples.times, samples.rows).map { MotionSample(time: .seconds($0), row: $1) })
    return [
      .file: try count(Recording(contentsOf: url), model), .memory: try count(memory, model),
      .lines: Count(windows: nil, steps: try lineSteps(of: url, sampleRate: sampleRate, model)),
    ]
  }

  private static func count(_ recording: Recording, _ model: ActivityModel) throws -> Count {
    Count(windows: try model.classify(recording).count, steps: try model.track(recording).steps)
  }

  /// The steps of a run whose samples arrive line by line.
  private static func lineSteps(of url: URL, sampleRate: SampleRate, _ model: ActivityModel) throws -> Int {
    let handle = try FileHandle(forReadingFrom: url)
    var lines = try LiveRecording(
      descriptor: dup(handle.fileDescriptor), name: url.path, options: ReadingOptions(sampleRate: sampleRate))
    try handle.close()
    var tracker: RunTracker?
    while let block = try lines.next() {
      if tracker == nil {
        tracker = try RunTracker(
          model: model, sampleRate: block.sampleRate, gravityIsEstimated: block.gravityIsEstimated)
      }
      tracker?.append(contentsOf: block)
    }
    return tracker?.finish().steps ?? 0
  }

  private static func text(of samples: SensorDamage.Samples, _ channels: [Channel]) -> String {
    var text = (["time"] + channels.map(\.rawValue)).joined(separator: ",") + "\n"
    for (time, row) in zip(samples.times, samples.rows) {
      text += time.fixed(6)
      for channel in channels {
        let value = row[channel.lane]
        text += value.isNaN ? "," : "," + Double(value).fixed(6)
      }
      text += "\n"
    }
    return text
  }
}
