import Foundation
import Gait
import GaitFormats
import GaitTraining

/// Measures what lost samples, uneven times and slow rates cost: windows and steps of damaged recordings, as shares of
/// those of the undamaged.
///
/// Phones outdoors record linear acceleration, MotionSense's joggers and walkers gravity too. Every recording is
/// brought to five rates, damaged, and read as a file, as lines that arrive one by one, and as samples in memory.
package struct DamageJudge {
  /// The folder of the data sets.
  private let data: URL

  private static let rates = [10, 20, 25, 50, 100]

  package init(data: URL) { self.data = data }

  /// A recording before it is damaged.
  private struct Motion {
    let samples: SensorDamage.Samples
    let channels: [Channel]
  }

  /// Windows and steps by each source of one damaged recording.
  private typealias Counts = [DamageSource: DamageSource.Count]

  /// Judges the recordings; passes each line to `print`.
  package func run(print: (String) -> Void) throws {
    print(
      """
      Damaged recordings: windows of all, and of the worst recording, then steps of all and of the worst, per cent of \
      those of the
      undamaged, the least favourable source. Steps of recordings with fewer than 60 are not compared one by one.

      set           rate damage         windows   worst   steps   worst  sources apart by
      """)
    for (name, motions) in [("motionsense", try motionSense()), ("outdoors", try outdoors())] {
      for rate in Self.rates {
        let counts = try Array(motions.enumerated()).mappedConcurrently { number, motion in
          try Self.counts(of: motion, rate: rate, seed: UInt64(number + 33))
        }
        for (index, damage) in SensorDamage.allCases.enumerated() {
          let comparison = DamageComparison(whole: counts.map(\.whole), damaged: counts.map { $0.damaged[index] })
          print(
            "\(name.padded(to: 12)) \(String(rate).padded(to: -5)) \(damage.rawValue.padded(to: 13)) \(comparison.text)"
          )
        }
      }
    }
  }

  private static func counts(
    of motion: Motion, rate: Int, seed: UInt64
  ) throws -> (whole: Counts, damaged: [Counts]) {
    let hertz = Double(rate)
    let signal = ContinuousMotion(motion.samples, channels: motion.channels, rate: hertz)
    let end = motion.samples.times[motion.samples.times.count - 1] - 2 / hertz
    let even = Array(stride(from: 0, to: end, by: 1 / hertz))
    func counted(_ samples: SensorDamage.Samples) throws -> Counts {
      try DamageSource.counts(of: samples, channels: motion.channels, sampleRate: .hertz(hertz))
    }
    let damaged = try SensorDamage.allCases.map { damage in
      var generator = SeededGenerator(seed: seed)
      return try counted(damage.samples(of: signal, at: even, rate: hertz, &generator))
    }
    return (try counted(signal.samples(at: even)), damaged)
  }

  // MARK: Recordings

  private func motionSense() throws -> [Motion] {
    let layout = try PathLayout("{label}/sub_{subject}.csv")
    let files = try FolderListing(directory: data.appending(path: "motionsense"), layout: layout).files
    return try ["jog_9", "wlk_7"].flatMap { label in files.filter { $0.fields["label"] == label } }.map { file in
      let rows = try RecordingTable(contentsOf: file.url).rows
      return Motion(
        samples: SensorDamage.Samples(times: rows.indices.map { Double($0) / 50 }, rows: rows),
        channels: Array(Sensor.gravity.channels) + Sensor.userAcceleration.channels)
    }
  }

  /// The first four minutes of each phone whose file has the name of the app's.
  private func outdoors() throws -> [Motion] {
    let folder = data.appending(path: "outdoors")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { folder.appending(path: $0) }
      .filter { FileManager.default.fileExists(atPath: $0.appending(path: "Linear Accelerometer.csv").path) }
      .map { phone in
        let recording = try PhoneRecording(folder: phone).motion
        let samples = (0..<recording.count).map { recording[$0] }
          .filter { $0.time.seconds(since: recording.start) <= 240 }
        return Motion(
          samples: SensorDamage.Samples(
            times: samples.map { $0.time.seconds(since: recording.start) }, rows: samples.map(\.row)),
          channels: Array(Sensor.userAcceleration.channels))
      }
  }
}

/// The shares of windows and steps that are left of several recordings.
struct DamageComparison {
  /// Windows and steps by source, of each recording.
  let whole: [[DamageSource: DamageSource.Count]]
  let damaged: [[DamageSource: DamageSource.Count]]

  /// Steps of recordings with fewer are not compared one by one.
  private static let fewestSteps = 60

  var text: String {
    let windows = DamageSource.allCases.compactMap { shares(of: $0, fewest: 1) { $0.windows } }
    let steps = DamageSource.allCases.compactMap { shares(of: $0, fewest: Self.fewestSteps) { $0.steps } }
    let totals = steps.map(\.total)
    let figures = [
      windows.map(\.total).min(), windows.flatMap(\.single).min(), Self.farthest(totals),
      Self.farthest(steps.flatMap(\.single)),
    ]
    let apart = (totals.max() ?? 0) - (totals.min() ?? 0)
    return figures.map { (100 * ($0 ?? .nan)).fixed(1) }.enumerated()
      .map { $0.element.padded(to: $0.offset == 0 ? -8 : -7) }.joined(separator: " ") + "  \((100 * apart).fixed(1))"
  }

  /// The share that is furthest from 1; `nil` of no shares.
  private static func farthest(_ shares: [Double]) -> Double? {
    shares.max { ($0 - 1).magnitude < ($1 - 1).magnitude }
  }

  /// The share of all recordings, and of each that had at least `fewest`; `nil` if the source does not count them.
  private func shares(
    of source: DamageSource, fewest: Int, _ value: (DamageSource.Count) -> Int?
  ) -> (total: Double, single: [Double])? {
    let pairs = zip(whole, damaged).compactMap { before, after in
      before[source].flatMap(value).flatMap { before in after[source].flatMap(value).map { (before, $0) } }
    }
    guard !pairs.isEmpty else { return nil }
    let sums = pairs.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
    let single = pairs.filter { $0.0 >= fewest }.map { Double($0.1) / Double($0.0) }
    return (Double(sums.1) / Double(sums.0), single)
  }
}

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
    return try lines.tracked(by: model)?.steps ?? 0
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
