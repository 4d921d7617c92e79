import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

struct Benchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures the speed of the pipeline, or the errors of simulated outdoor runs, on this machine.",
    discussion: """
      Times a model on a recording, on one core, from samples in memory: each stage alone and the whole pipeline. \
      Prints the median of several repetitions and their spread. Without a recording it times ten simulated minutes. \
      --features times a set of features instead of a model.

      JSON: {"windowsPerSecond", "samplesPerSecond", "windows", "stages": [{"name", "nanosecondsPerWindow", \
      "spread"}], "append": {"meanNanoseconds", "closingNanoseconds", "closingNanoseconds999"}, "build", "processor"};
      with --files {"files": {"files", "bytes", "rows", "windows", "labels": {label: windows}, "seconds", "spread"}, \
      "build", "processor"}; with --csv {"reading": {"bytes", "rows", "speeds": [{"name", "megabytesPerSecond", \
      "spread"}], "fingerprints"}, "build", "processor"}; with --learning {learner: {"fitSeconds", "rowsPerSecond", \
      "nanosecondsPerRow", "trainingLogLoss", "heldOutLogLoss", "heldOutAccuracy"}};
      with --outdoors {error: {"count", "median", "p95", "worst", "bias"}}, null if a value is unknown
      """)

  @Argument(
    help: "The model file, or running for the built-in model; omit it with --features, --csv and --learning.",
    completion: .file())
  var model: ModelArgument?

  @Argument(help: "The recording; one or more with --files.", completion: .file(extensions: ["csv"]))
  var recordings: [String] = []

  @OptionGroup var recordingOptions: RecordingOptions

  @Flag(help: "Times the model from the recordings' files to labels, including reading.")
  var files = false

  @Flag(help: "With --files: distributes the recordings over all cores.")
  var allCores = false

  @Option(help: "Times a set of features instead of a model, in windows of --window and --hop.")
  var features: FeatureSet?

  @Option(help: "Times reading this motion CSV instead of a model.", completion: .file(extensions: ["csv"]))
  var csv: String?

  @OptionGroup var windows: WindowOptions

  @Option(
    help: ArgumentHelp(
      "Times learners on this file's rows instead of a model (see Benchmarks/peers/learning_data.py).",
      valueName: "file"),
    completion: .file())
  var learning: String?

  @Option(help: "With --learning: a learner to time; all by default. May be repeated.")
  var learner: [LearningBenchmark.Learner] = []

  @Flag(
    help: "Tracks simulated outdoor runs with a model instead, and prints the errors of distance, pace, time and climb."
  )
  var outdoors = false

  @Option(help: ArgumentHelp("The seeds of the outdoor runs: one, or a range such as 101-300.", valueName: "seeds"))
  var seeds: SeedRange?

  @Option(help: "A kind of outdoor runs; all by default. May be repeated.")
  var kind: [OutdoorRunEvaluation.Kind] = []

  @Option(help: "The number of times that each stage is timed.")
  var repetitions = 9

  @Flag(help: "Prints the results as JSON.")
  var json = false

  func validate() throws {
    guard (1...1000).contains(repetitions) else { throw ValidationError("--repetitions must be within 1…1000.") }
    guard [model != nil, features != nil, csv != nil, learning != nil].count(where: { $0 }) == 1 else {
      throw ValidationError("give exactly one of a model, --features, --csv and --learning.")
    }
    guard files ? model != nil && !recordings.isEmpty : recordings.count <= 1 && !allCores else {
      throw ValidationError(
        "--files needs a model and at least one recording; --all-cores and several recordings need --files.")
    }
    try checkOutdoors()
  }

  func run() throws {
    if let csv { return try timeReading(of: csv) }
    if let learning { return try timeLearners(on: LearningData(contentsOf: URL(filePath: learning))) }
    if outdoors, let model { return try trackOutdoors(with: model.model()) }
    if files, let model { return try timeFiles(with: model.model()) }
    let result = Result(benchmark: try benchmark(), build: Self.build, processor: Self.processor)
    if json { return try Terminal.print(json: result) }
    let benchmark = result.benchmark
    var rows = [["stage", "ns/window", "spread"]]
    rows += benchmark.stages.map { [$0.name, fixed($0.nanosecondsPerWindow, 0), fixed($0.spread * 100, 0) + " %"] }
    try Terminal.print(table(rows).joined(separator: "\n"))
    try Terminal.print(
      "\n\(Int(benchmark.windowsPerSecond)) windows/s, \(Int(benchmark.samplesPerSecond)) samples/s, one core")
    if let append = benchmark.append {
      try Terminal.print(
        "one sample at a time: \(fixed(append.meanNanoseconds, 0)) ns a call; a call that completes a window "
          + "\(fixed(append.closingNanoseconds, 0)) ns, 99.9 % of them under \(fixed(append.closingNanoseconds999, 0)) ns"
      )
    }
    try Terminal.print("\(result.build) build, \(result.processor)")
  }

  private func benchmark() throws -> PipelineBenchmark {
    let recording =
      try recordings.first.map { try recordingOptions.recording(at: $0) }
      ?? Simulator(seed: 1, sampleRate: recordingOptions.rate ?? .hertz(50)).recording(
        of: 1, activity: .running, seconds: 600)
    let result: PipelineBenchmark
    if let features {
      result = try PipelineBenchmark(
        features: features.features, shape: windows.shape, sampleRate: .canonical,
        recording: recording, repetitions: repetitions)
    } else {
      let model = try model!.model()
      do {
        result = try PipelineBenchmark(model: model, recording: recording, repetitions: repetitions)
      } catch {
        throw CommandDataError(file: recording.name, reason: "\(error)")
      }
    }
    guard result.windows > 0 else {
      throw CommandDataError(file: recording.name, reason: "it has no whole window to time; use a longer recording")
    }
    return result
  }

  static var build: String {
    #if DEBUG
      "debug"
    #elseif GAIT_X86_64_V3
      "release x86-64-v3"
    #else
      "release"
    #endif
  }

  static var processor: String {
    guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("model name") }),
      let name = line.split(separator: ":").last
    else { return "unknown processor" }
    return name.trimmingCharacters(in: .whitespaces)
  }

  /// The output of `--json`.
  private struct Result: Encodable {
    var benchmark: PipelineBenchmark
    var build: String
    var processor: String

    enum CodingKeys: CodingKey {
      case windowsPerSecond, samplesPerSecond, windows, stages, append, build, processor
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(benchmark.windowsPerSecond, forKey: .windowsPerSecond)
      try container.encode(benchmark.samplesPerSecond, forKey: .samplesPerSecond)
      try container.encode(benchmark.windows, forKey: .windows)
      try container.encode(benchmark.stages, forKey: .stages)
      try container.encodeIfPresent(benchmark.append, forKey: .append)
      try container.encode(build, forKey: .build)
      try container.encode(processor, forKey: .processor)
    }
  }
}

extension LearningBenchmark.Learner: ExpressibleByArgument {}

extension Benchmark {
  /// Times a model from the files at `recordings` to labels, including reading.
  func timeFiles(with model: ActivityModel) throws {
    let benchmark: FileToLabelsBenchmark
    do {
      benchmark = try FileToLabelsBenchmark(
        model: model, files: recordings.map { URL(filePath: $0) }, options: recordingOptions.reading(),
        usesAllCores: allCores, repetitions: repetitions)
    } catch let error as ModelError {
      throw CommandDataError(file: recordings.count == 1 ? recordings[0] : "a recording", reason: "\(error)")
    }
    if json {
      return try Terminal.print(json: FilesResult(files: benchmark, build: Self.build, processor: Self.processor))
    }
    let rows = benchmark.labels.sorted { $0.key < $1.key }.map { [$0.key, "\($0.value)"] }
    try Terminal.print(table([["label", "windows"]] + rows).joined(separator: "\n"))
    let megabytes = Double(benchmark.bytes) / 1e6
    try Terminal.print(
      "\n\(benchmark.files) files of \(fixed(megabytes, 1)) MB to \(benchmark.windows) labels in "
        + "\(fixed(benchmark.seconds * 1000, 1)) ms (spread \(fixed(benchmark.spread * 100, 0)) %): "
        + "\(fixed(megabytes / benchmark.seconds, 0)) MB/s, \(allCores ? "all cores" : "one core")")
    try Terminal.print("\(Self.build) build, \(Self.processor)")
  }

  /// The output of `--files --json`.
  private struct FilesResult: Encodable {
    var files: FileToLabelsBenchmark
    var build: String
    var processor: String
  }
}

extension Benchmark {
  /// Times reading the CSV at `path`.
  func timeReading(of path: String) throws {
    let benchmark = try ReadingBenchmark(contentsOf: URL(filePath: path), repetitions: repetitions)
    if json {
      return try Terminal.print(
        json: ReadingResult(reading: benchmark, build: Self.build, processor: Self.processor))
    }
    let rows = benchmark.speeds.map { [$0.name, fixed($0.megabytesPerSecond, 0), fixed($0.spread * 100, 0) + " %"] }
    try Terminal.print(table([["reading", "MB/s", "spread"]] + rows).joined(separator: "\n"))
    try Terminal.print("\n\(benchmark.rows) rows, \(benchmark.bytes) bytes, one core")
    try Terminal.print("\(Self.build) build, \(Self.processor)")
  }

  /// The output of `--csv --json`.
  private struct ReadingResult: Encodable {
    var reading: ReadingBenchmark
    var build: String
    var processor: String
  }
}

extension Benchmark {
  /// Times learners on a file's rows.
  func timeLearners(on data: LearningData) throws {
    var results: [String: LearningBenchmark] = [:]
    for learner in learner.isEmpty ? LearningBenchmark.Learner.allCases : learner {
      results[learner.rawValue] = try LearningBenchmark(learner, on: data, repetitions: repetitions)
    }
    if json { return try Terminal.print(json: results) }
    let titles = ["learner", "fit ms", "rows/s", "ns/row", "accuracy", "log-loss", "held-out log-loss"]
    let rows = results.sorted { $0.key < $1.key }.map { name, result in
      [
        name, fixed(result.fitSeconds * 1000, 1), fixed(result.rowsPerSecond, 0), fixed(result.nanosecondsPerRow, 0),
        fixed(result.heldOutAccuracy * 100, 2) + " %", fixed(result.trainingLogLoss, 6),
        fixed(result.heldOutLogLoss, 6),
      ]
    }
    try Terminal.print(table([titles] + rows).joined(separator: "\n"))
  }
}

extension OutdoorRunEvaluation.Kind: ExpressibleByArgument {}

extension Benchmark {
  /// Tracks simulated outdoor runs.
  func trackOutdoors(with model: ActivityModel) throws {
    var evaluation = OutdoorRunEvaluation(seeds: seeds?.range ?? Self.defaultSeeds)
    if !kind.isEmpty { evaluation.kinds = kind }
    let report = try evaluation.report(of: model)
    if json { return try Terminal.print(json: report) }
    try Terminal.print("\(report)")
  }

  /// Checks the options of `--outdoors`.
  func checkOutdoors() throws {
    guard outdoors ? model != nil && recordings.isEmpty && !files : seeds == nil && kind.isEmpty else {
      throw ValidationError("--outdoors goes with a model and no recording; --seeds and --kind with --outdoors.")
    }
    guard let range = seeds?.range, range.upperBound - range.lowerBound >= Self.mostSeeds else { return }
    throw ValidationError("--seeds must be at most \(Self.mostSeeds) seeds.")
  }

  /// The seeds by default: a minute's work.
  private static let defaultSeeds: ClosedRange<UInt64> = 1...20
  /// The most seeds at once: each takes seconds.
  private static let mostSeeds: UInt64 = 10_000
}
