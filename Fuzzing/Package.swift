// swift-tools-version: 6.2
import PackageDescription

// The fuzzer is a separate package. `make fuzz` builds it with libFuzzer and the address sanitizer. `FuzzTargets`
// links to the targets that the tests replay.
let package = Package(
  name: "gait-fuzzing",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "gait", path: "..")],
  targets: [
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        .product(name: "Gait", package: "gait"), .product(name: "GaitFormats", package: "gait"),
        .product(name: "GaitTraining", package: "gait"), .product(name: "GaitRuns", package: "gait"),
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)
