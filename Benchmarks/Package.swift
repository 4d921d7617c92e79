// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that benchmark dependencies never become dependencies of packages that use Gait.
let package = Package(
  name: "gait-benchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "gait", path: ".."),
    // Its default traits add interposers for malloc and reference counting, which Gait's allocation tests do not use.
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
  ],
  targets: [
    .executableTarget(
      name: "RunWorkload", dependencies: [.product(name: "GaitBenchmarks", package: "gait")], path: "RunWorkload"),
    .executableTarget(
      name: "StoreTimes",
      dependencies: ["Gait", "GaitRuns", "GaitTraining", "GaitLab", "GaitBenchmarks"].map {
        .product(name: $0, package: "gait")
      },
      path: "StoreTimes"),
    .executableTarget(
      name: "Stages",
      dependencies: [
        .product(name: "GaitBenchmarks", package: "gait"), .product(name: "Benchmark", package: "benchmark"),
      ],
      path: "Benchmarks/Stages",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
