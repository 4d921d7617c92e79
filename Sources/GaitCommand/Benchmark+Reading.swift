import Foundation
import GaitFormats
import GaitTraining

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
