import Foundation
import Gait
import GaitFormats
import GaitTraining

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
