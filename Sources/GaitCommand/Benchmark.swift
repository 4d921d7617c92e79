import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

struct Benchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "benchmark",
    abstract: "Measures the speed of a model on this machine.",
    discussion: """
      For example: gait benchmark running datasets/simulated-runs/run_1.csv

      Times a model on a recording, on one core: from samples in memory to labels, and sample by sample as in a live \
      stream. With --files it times the model from the recordings' files to labels instead. Prints the median of \
      several repetitions and their spread. Without a recording it times ten minutes of an oscillation.
      """)

  @Argument(help: ModelArgument.help, completion: .file())
  var model: ModelArgument

  @Argument(help: "The recording; one or more with --files.", completion: .file(extensions: ["csv"]))
  var recordings: [String] = []

  @OptionGroup var recordingOptions: RecordingOptions

  @Flag(help: "Times the model from the recordings' files to labels, including reading.")
  var files = false

  @Flag(help: "With --files: distributes the recordings over all cores.")
  var allCores = false

  @Option(help: ArgumentHelp("The number of times that the work is timed, 1 to 1000.", valueName: "count"))
  var repetitions = 9

  @OptionGroup var results: ResultOptions

  func validate() throws {
    try require("--repetitions", repetitions, within: 1...1000)
    try require(
      files ? !recordings.isEmpty : recordings.count <= 1 && !allCores,
      "--files needs at least one recording; --all-cores and several recordings need --files.")
  }

  func run() throws {
    let model = try model.model()
    try files ? timeFiles(with: model) : timeSamples(with: model)
  }

  /// Times a model on samples in memory, and in calls of one sample.
  private func timeSamples(with model: ActivityModel) throws {
    let recording =
      try recordings.first.map { try recordingOptions.recording(at: $0) }
      ?? .oscillation(sampleRate: recordingOptions.rate ?? .hertz(50))
    let classifier = try CommandDataError.naming(recording.name) {
      try WindowClassifier(model: model, sampleRate: recording.sampleRate)
    }
    let samples = (0..<recording.count).map { recording[$0] }
    func pass() -> Int {
      var (classifier, count) = (classifier, 0)
      for sample in samples { classifier.append(sample) { _ in count += 1 } }
      return count
    }
    let windows = pass()
    guard windows > 0 else {
      throw CommandDataError(file: recording.name, reason: "it has no whole window to time; use a longer recording")
    }
    let times = Times((0..<repetitions).map { _ in Times.seconds { _ = pass() } })
    let (windowsPerSecond, samplesPerSecond) = (Double(windows) / times.median, Double(samples.count) / times.median)
    let stream = Self.stream(samples, through: classifier)
    try print(
      [
        "windows": windows, "windowsPerSecond": windowsPerSecond, "samplesPerSecond": samplesPerSecond,
        "spread": times.spread, "append": stream,
      ],
      [
        "\(Int(saturating: windowsPerSecond)) windows/s, \(Int(saturating: samplesPerSecond)) samples/s, one core "
          + "(spread \((times.spread * 100).fixed(0)) %)",
        "one sample at a time: \(stream.meanNanoseconds.fixed(0)) ns a call; a call that completes a window "
          + "\(stream.closingNanoseconds.fixed(0)) ns, 99.9 % of them under "
          + "\(stream.closingNanoseconds999.fixed(0)) ns",
      ])
  }

  /// The time of a call with a single sample, nanoseconds.
  private struct Stream: Encodable {
    let meanNanoseconds: Double
    /// The median of the calls that complete a window, and their 99.9th percentile.
    let closingNanoseconds, closingNanoseconds999: Double
  }

  private static func stream(_ samples: [MotionSample], through classifier: WindowClassifier) -> Stream {
    var classifier = classifier
    var (total, closing) = (0.0, [Double]())
    for sample in samples {
      var closes = false
      let seconds = Times.seconds { classifier.append(sample) { _ in closes = true } }
      total += seconds
      if closes { closing.append(seconds) }
    }
    let times = Times(closing)
    return Stream(
      meanNanoseconds: total * 1e9 / Double(samples.count), closingNanoseconds: times.median * 1e9,
      closingNanoseconds999: times.quantile(thousandths: 999) * 1e9)
  }

  /// Times a model from the files at `recordings` to labels; the files are read once before, to warm the system's
  /// cache.
  private func timeFiles(with model: ActivityModel) throws {
    let options = reading(for: model)
    let urls = recordings.map { URL(filePath: $0) }
    @Sendable func labels(of file: URL) throws -> (rows: Int, windows: [Int]) {
      let recording = try AnnotatedRecording(contentsOf: file, options).recording
      var windows = [Int](repeating: 0, count: model.activityHead.labels.count)
      let classified = try CommandDataError.naming(file.relativePath) { try model.classify(recording) }
      for window in classified { windows[window.probabilities.mostProbableIndex] += 1 }
      return (recording.count, windows)
    }
    func pass() throws -> [(rows: Int, windows: [Int])] {
      try allCores ? urls.mappedConcurrently(labels) : urls.map(labels)
    }
    let parts = try pass()
    let times = Times(try (0..<repetitions).map { _ in try Times.seconds { _ = try pass() } })
    let bytes = try urls.reduce(0) { try $0 + ($1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
    let counts = model.activityHead.labels.indices.map { label in parts.reduce(0) { $0 + $1.windows[label] } }
    let (windows, megabytes) = (counts.reduce(0, +), Double(bytes) / 1e6)
    let labelled = zip(model.activityHead.labels, counts).sorted { $0.0 < $1.0 }
    try print(
      [
        "files": JSONObject([
          "files": urls.count, "bytes": bytes, "rows": parts.reduce(0) { $0 + $1.rows }, "windows": windows,
          "labels": Dictionary(uniqueKeysWithValues: labelled), "seconds": times.median, "spread": times.spread,
        ])
      ],
      [
        "\(urls.count) files of \(megabytes.fixed(1)) MB to \(windows) labels in "
          + "\((times.median * 1000).fixed(1)) ms (spread \((times.spread * 100).fixed(0)) %): "
          + "\((megabytes / times.median).fixed(0)) MB/s, \(allCores ? "all cores" : "one core")",
        "", ([["label", "windows"]] + labelled.map { [$0.0, "\($0.1)"] }).table,
      ])
  }

  /// How the files are read: only the channels that the model needs.
  private func reading(for model: ActivityModel) -> ReadingOptions {
    var options = recordingOptions.reading()
    options.channels = model.neededChannels
    return options
  }

  /// Prints results, with the build and the processor.
  private func print(_ result: KeyValuePairs<String, (any Encodable)?>, _ lines: [String]) throws {
    try results.print(
      json: JSONObject(["build": Self.build, "processor": Self.processor], and: [JSONObject(result)]),
      text: (lines + ["\(Self.build) build, \(Self.processor)"]).joined(separator: "\n"))
  }

  private static var build: String {
    #if DEBUG
      "debug"
    #elseif GAIT_X86_64_V3
      "release x86-64-v3"
    #else
      "release"
    #endif
  }

  private static var processor: String {
    guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("model name") }),
      let name = line.split(separator: ":").last
    else { return "unknown processor" }
    return name.trimmingCharacters(in: .whitespaces)
  }
}

/// The seconds of several runs of the same work.
private struct Times {
  private let ascending: [Double]

  /// - Parameter seconds: at least one.
  init(_ seconds: [Double]) { ascending = seconds.sorted() }

  var median: Double { quantile(thousandths: 500) }

  /// The slowest run minus the fastest, as a fraction of the median.
  var spread: Double { (ascending[ascending.count - 1] - ascending[0]) / median }

  func quantile(thousandths: Int) -> Double {
    ascending[min(ascending.count - 1, ascending.count * thousandths / 1000)]
  }

  static func seconds(of work: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try work()
    return (clock.now - start) / .seconds(1)
  }
}

extension Recording {
  /// Ten minutes of an oscillation at the rate of a runner's steps (2.7 Hz), with all channels.
  fileprivate static func oscillation(sampleRate: SampleRate) -> Recording {
    let samples = (0..<Int(saturating: 600 * sampleRate.hertz)).map { index in
      let time = sampleRate.nanoseconds(ofSample: index)
      let phase = 2 * Double.pi * 2.7 * Double(time) / 1e9
      let (sine, cosine) = (Float(sin(phase)), Float(cos(phase / 2)))
      return MotionSample(
        time: SampleTime(nanoseconds: time), attitude: SIMD3(0.1 * cosine, 0.1 * sine, 0),
        gravity: SIMD3(0, 0, -1), rotationRate: SIMD3(cosine, 0.5 * sine, 0.2 * cosine),
        userAcceleration: SIMD3(0.3 * cosine, 0.2 * sine, sine))
    }
    return Recording(name: "ten minutes of an oscillation", sampleRate: sampleRate, samples: samples)
  }
}
