import Benchmark
import GaitBenchmarks

/// Every workload as one benchmark; preparation is not measured.
let benchmarks: @Sendable () -> Void = {
  let configuration = Benchmark.Configuration(
    metrics: [.wallClock, .peakMemoryResident], warmupIterations: 3, maxDuration: .seconds(1))
  for workload in Workload.all {
    Benchmark(workload.name, configuration: configuration) { benchmark, work in
      for _ in benchmark.scaledIterations { blackHole(try work()) }
    } setup: {
      try workload.prepare()
    }
  }
}
