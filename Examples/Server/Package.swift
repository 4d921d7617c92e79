// swift-tools-version: 6.2
import PackageDescription

// A server that receives the inputs of many phones, and the program that loads and checks it. `Scripts/check-programs
// server` runs both; the article Serving many runs of GaitRuns explains the server.
let package = Package(
  name: "gait-server",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Live trackers need no BLAS.
    .package(name: "gait", path: "../..", traits: []),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .executableTarget(
      name: "GaitServer",
      dependencies: [
        .product(name: "Gait", package: "gait"), .product(name: "GaitRuns", package: "gait"),
        .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    .executableTarget(
      name: "ServerLoad",
      dependencies: [.product(name: "Gait", package: "gait"), .product(name: "GaitRuns", package: "gait")]),
  ],
  swiftLanguageModes: [.v6]
)
