// swift-tools-version: 6.2
import PackageDescription

// Small programs on the public API. `Scripts/check-programs examples` runs them and compares what they print.
let package = Package(
  name: "gait-examples",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "gait", path: ".."),
    // The app's database in History; Gait itself has none.
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(
      name: "RecordedRun",
      dependencies: [.product(name: "Gait", package: "gait"), .product(name: "GaitFormats", package: "gait")])
  ]
    + ["AutoPausedRun", "MotionRecorder", "LiveTracker", "Race", "ClimbingSession", "History"].map { name in
      .executableTarget(
        name: name,
        dependencies: ["Gait", "GaitFormats", "GaitRuns", "GaitTraining"].map {
          .product(name: $0, package: "gait")
        } + ["RecordedRun"] + (name == "History" ? [.product(name: "GRDB", package: "GRDB.swift")] : []))
    },
  swiftLanguageModes: [.v6]
)
