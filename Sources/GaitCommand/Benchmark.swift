import ArgumentParser
import Foundation
import Gait
import GaitBenchmarks
import GaitFormats
import GaitLab
import GaitTraining

struct Benchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "benchmark",
    abstract: "Measures the speed of the pipeline, or the errors of simulated outdoor runs, on this machine.",
    discussion: """
      For example: gait benchmark running datasets/simulated-runs/run_1.csv

      Times a model on a recording, on one core, from samples in memory: each stage alone and the whole pipeline. \
      Prints the median of several repetitions and their spread. Without a recording it times ten simulated minutes. \
      --features times a set of features instead of a model.
      """)

  @Argument(
    help: ArgumentHelp(
      "The model file or a built-in model, such as running; omit it with --features, --csv, --learning and --kernels."),
    completion: .file())
  var model: ModelArgument?

  @Argument(help: "The recording; one or more with --files.", completion: .file(extensions: ["csv"]))
  var recordings: [String] = []

  @OptionGroup var recordingOptions: RecordingOptions

  @Flag(help: "Times the model from the recordings' files to labels, including reading.")
  var files = false

  @Flag(help: "With --files: distributes the recordings over all cores.")
  var allCores = false

  @Option(
    help: ArgumentHelp(
      "Times a set of features instead of a model, in windows of --window and --hop.", valueName: "set"))
  var features: FeatureSet?

  @Option(
    help: ArgumentHelp(
      "Times reading this motion CSV instead of a model, and for comparison reading its bytes and splitting its cells.",
      valueName: "file"), completion: .file(extensions: ["csv"]))
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

  @Option(
    help: ArgumentHelp(
      "Times the model on this file's training rows of features, in calls of a row, of 100 and of all.",
      valueName: "file"),
    completion: .file())
  var rows: String?

  @Flag(help: "Times scoring, training and solving with BLAS and in plain Swift instead of a model, by size.")
  var kernels = false

  @Flag(
    help: "Tracks simulated outdoor runs with a model instead, and prints the errors of distance, pace, time and climb."
  )
  var outdoors = false

  @Option(
    help: ArgumentHelp(
      "With --outdoors: the seeds of the runs: one, or a range such as 101-300; at most 10000 (default: 1-20).",
      valueName: "seeds"))
  var seeds: SeedRange?

  @Option(help: ArgumentHelp("With --outdoors: a kind of runs; all by default. May be repeated.", valueName: "kind"))
  var kind: [OutdoorRunEvaluation.Kind] = []

  @Option(help: ArgumentHelp("The number of times that each stage is timed, 1 to 1000.", valueName: "count"))
  var repetitions = 9

  @OptionGroup var results: ResultOptions

  func validate() throws {
    try require("--repetitions", repetitions, within: 1...1000)
    try require(
      [model != nil, features != nil, csv != nil, learning != nil, kernels].count(where: { $0 }) == 1,
      "give exactly one of a model, --features, --csv, --learning and --kernels.")
    try require(
      rows == nil || model != nil && recordings.isEmpty && !files && !outdoors,
      "--rows needs a model, and no recording.")
    try require(
      files ? model != nil && !recordings.isEmpty : recordings.count <= 1 && !allCores,
      "--files needs a model and at least one recording; --all-cores and several recordings need --files.")
    try checkOutdoors()
  }

  func run() throws {
    if let csv { return try timeReading(of: csv) }
    if let learning { return try timeLearners(on: LearningData(contentsOf: URL(filePath: learning))) }
    if kernels { return try timeKernels() }
    if let rows, let model { return try timeScoring(by: model.model(), of: rows) }
    if outdoors, let model { return try trackOutdoors(with: model.model()) }
    if files, let model { return try timeFiles(with: model.model()) }
    let benchmark = try benchmark()
    let stages = benchmark.stages.map {
      [$0.name, $0.nanosecondsPerWindow.fixed(0), ($0.spread * 100).fixed(0) + " %"]
    }
    let lines = [
      ([["stage", "ns/window", "spread"]] + stages).table, "",
      "\(Int(saturating: benchmark.windowsPerSecond)) windows/s, \(Int(saturating: benchmark.samplesPerSecond)) samples/s, one core",
      benchmark.append.map { append in
        "one sample at a time: \(append.meanNanoseconds.fixed(0)) ns a call; a call that completes a window "
          + "\(append.closingNanoseconds.fixed(0)) ns, 99.9 % of them under \(append.closingNanoseconds999.fixed(0)) ns"
      },
    ]
    try print(JSONObject([:], and: [benchmark]), lines.compactMap { $0 })
  }

  /// Prints results, with the build and the processor.
  private func print(_ result: JSONObject, _ lines: [String]) throws {
    try results.print(
      json: JSONObject(["build": Self.build, "processor": Self.processor], and: [result]),
      text: (lines + ["\(Self.build) build, \(Self.processor)"]).joined(separator: "\n"))
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
      result = try CommandDataError.naming(recording.name) {
        try PipelineBenchmark(model: model, recording: recording, repetitions: repetitions)
      }
    }
    guard result.windows > 0 else {
      throw CommandDataError(file: recording.name, reason: "it has no whole window to time; use a longer recording")
    }
    return result
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

extension LearningBenchmark.Learner: ExpressibleByArgument {}
extension OutdoorRunEvaluation.Kind: ExpressibleByArgument {}

extension Benchmark {
  /// Times a model from the files at `recordings` to labels, including reading.
  private func timeFiles(with model: ActivityModel) throws {
    let benchmark: FileToLabelsBenchmark
    do {
      benchmark = try FileToLabelsBenchmark(
        model: model, files: recordings.map { URL(filePath: $0) }, options: recordingOptions.reading(),
        usesAllCores: allCores, repetitions: repetitions)
    } catch let error as ModelError {
      throw CommandDataError(file: recordings.count == 1 ? recordings[0] : "a recording", reason: "\(error)")
    }
    let rows = benchmark.labels.sorted { $0.key < $1.key }.map { [$0.key, "\($0.value)"] }
    let megabytes = Double(benchmark.bytes) / 1e6
    try print(
      JSONObject(["files": benchmark]),
      [
        ([["label", "windows"]] + rows).table, "",
        "\(benchmark.files) files of \(megabytes.fixed(1)) MB to \(benchmark.windows) labels in "
          + "\((benchmark.seconds * 1000).fixed(1)) ms (spread \((benchmark.spread * 100).fixed(0)) %): "
          + "\((megabytes / benchmark.seconds).fixed(0)) MB/s, \(allCores ? "all cores" : "one core")",
      ])
  }

  /// Times reading the CSV at `path`.
  private func timeReading(of path: String) throws {
    let benchmark = try ReadingBenchmark(contentsOf: URL(filePath: path), repetitions: repetitions)
    let rows = benchmark.speeds.map { [$0.name, $0.megabytesPerSecond.fixed(0), ($0.spread * 100).fixed(0) + " %"] }
    try print(
      JSONObject(["reading": benchmark]),
      [
        ([["reading", "MB/s", "spread"]] + rows).table, "",
        "\(benchmark.rows) rows, \(benchmark.bytes) bytes, one core",
      ])
  }

  /// Times learners on a file's rows.
  private func timeLearners(on data: LearningData) throws {
    var measured: [String: LearningBenchmark] = [:]
    for learner in learner.isEmpty ? LearningBenchmark.Learner.allCases : learner {
      measured[learner.rawValue] = try LearningBenchmark(learner, on: data, repetitions: repetitions)
    }
    let titles = ["learner", "fit ms", "rows/s", "ns/row", "accuracy", "log-loss", "held-out log-loss"]
    let rows = measured.sorted { $0.key < $1.key }.map { name, result in
      [
        name, (result.fitSeconds * 1000).fixed(1), result.rowsPerSecond.fixed(0), result.nanosecondsPerRow.fixed(0),
        (result.heldOutAccuracy * 100).fixed(2) + " %", result.trainingLogLoss.fixed(6),
        result.heldOutLogLoss.fixed(6),
      ]
    }
    try results.print(json: measured, text: ([titles] + rows).table)
  }

  /// Times a model on the rows of the file at `path`.
  private func timeScoring(by model: ActivityModel, of path: String) throws {
    let data = try LearningData(contentsOf: URL(filePath: path))
    let benchmark: ScoringBenchmark
    do { benchmark = try ScoringBenchmark(model, on: data.training, repetitions: repetitions) } catch {
      throw CommandDataError(file: path, reason: "\(error)".trimmingSuffix("."))
    }
    let batches = benchmark.batches.map {
      ["\($0.rows)", $0.nanosecondsPerRow.fixed(0), ($0.spread * 100).fixed(0) + " %"]
    }
    try print(
      JSONObject(["scoring": benchmark]),
      [
        ([["rows in a call", "ns/row", "spread"]] + batches).table, "",
        "a window in the pipeline: \(benchmark.pipelineNanosecondsPerRow.fixed(0)) ns, one core",
      ])
  }

  /// Times BLAS and plain Swift.
  private func timeKernels() throws {
    let benchmark = try KernelBenchmark(repetitions: repetitions)
    let rows = benchmark.rows.map { row in
      [
        row.work, "\(row.rows)", "\(row.features)", row.blas.fixed(2), row.swift.fixed(2), row.ratios[1].fixed(2),
        row.ratios[0].fixed(2) + "–" + row.ratios[2].fixed(2),
      ]
    }
    try print(
      JSONObject(["kernels": benchmark.rows]),
      [([["work", "rows", "features", "BLAS µs", "Swift µs", "Swift ÷ BLAS", "lowest–highest"]] + rows).table])
  }

  /// Tracks simulated outdoor runs.
  private func trackOutdoors(with model: ActivityModel) throws {
    var evaluation = OutdoorRunEvaluation(seeds: seeds?.range ?? Self.defaultSeeds)
    if !kind.isEmpty { evaluation.kinds = kind }
    let report = try evaluation.report(of: model)
    try results.print(json: report, text: "\(report)")
  }

  /// Checks the options of `--outdoors`.
  private func checkOutdoors() throws {
    try require(
      outdoors ? model != nil && recordings.isEmpty && !files : seeds == nil && kind.isEmpty,
      "--outdoors goes with a model and no recording; --seeds and --kind with --outdoors.")
    guard let range = seeds?.range, range.upperBound - range.lowerBound >= Self.mostSeeds else { return }
    throw ValidationError("--seeds must be at most \(Self.mostSeeds) seeds.")
  }

  /// The seeds by default: a minute's work.
  private static let defaultSeeds: ClosedRange<UInt64> = 1...20
  /// The most seeds at once: each takes seconds.
  private static let mostSeeds: UInt64 = 10_000
}
