// swift-tools-version: 6.2
import PackageDescription

// Small programs on the public API. `Scripts/check-examples` runs them and compares what they print.
let package = Package(
  name: "gait-examples",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "gait", path: "..")],
  targets: ["AutoPausedRun", "MotionRecorder", "LiveTracker", "Race", "ClimbingSession"].map { name in
    .executableTarget(
      name: name,
      dependencies: ["Gait", "GaitFormats", "GaitRuns", "GaitTraining", "GaitLab"].map {
        .product(name: $0, package: "gait")
      })
  },
  swiftLanguageModes: [.v6]
)
