// swift-tools-version: 6.2
import PackageDescription

// On Linux, OpenBLAS and zlib are system libraries. Apple's systems include Accelerate and zlib, which need no search
// path; pkg-config would find only Homebrew's, which must not be linked into an app.
#if os(Linux)
  let blas = Target.systemLibrary(
    name: "CGaitBLAS",
    pkgConfig: "openblas",
    providers: [.apt(["libopenblas-dev", "liblapack-dev"])]
  )
  let zlib = Target.systemLibrary(name: "CGaitZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])])
  // Only Apple's systems read the privacy manifest.
  let (privacy, unused): ([Resource], [String]) = ([], ["PrivacyInfo.xcprivacy"])
#else
  let (privacy, unused): ([Resource], [String]) = ([.copy("PrivacyInfo.xcprivacy")], [])
  let blas = Target.systemLibrary(name: "CGaitBLAS")
  let zlib = Target.systemLibrary(name: "CGaitZlib")
#endif

let apple: [Platform] = [.iOS, .macCatalyst, .macOS, .visionOS, .watchOS]

let package = Package(
  name: "gait",
  platforms: [.iOS(.v17), .macCatalyst(.v17), .macOS(.v14), .visionOS(.v1), .watchOS(.v10)],
  products: [
    .library(name: "Gait", targets: ["Gait"]),
    .library(name: "GaitFormats", targets: ["GaitFormats"]),
    .library(name: "GaitRuns", targets: ["GaitRuns"]),
    .library(name: "GaitTraining", targets: ["GaitTraining"]),
    .library(name: "GaitReports", targets: ["GaitReports"]),
    // Not "gait": Macs' file systems ignore case, and SwiftPM's next build system and Xcode give product and target a
    // folder each, of which gait.build and Gait.build would be one. `make release` leaves the command as
    // .build/release/gait.
    .executable(name: "gait-command", targets: ["GaitCommand"]),
    // Judges models on public data, makes the bundled models and simulates recordings; not for apps.
    .executable(name: "gait-lab", targets: ["GaitLabCommand"]),
  ],
  traits: [
    .default(enabledTraits: ["BLAS"]),
    .trait(
      name: "BLAS",
      description: "Gait scores feature matrices with BLAS. Without it, Gait needs no BLAS; GaitTraining always does."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
  ],
  targets: [
    blas,
    zlib,
    .target(
      name: "Gait",
      dependencies: [.target(name: "CGaitBLAS", condition: .when(traits: ["BLAS"]))],
      exclude: unused,
      resources: privacy,
      linkerSettings: [
        .linkedFramework("Accelerate", .when(platforms: apple, traits: ["BLAS"])),
        .linkedLibrary("openblas", .when(platforms: [.linux], traits: ["BLAS"])),
        .linkedLibrary("m", .when(platforms: [.linux])),
      ]
    ),
    .target(name: "GaitFormats", dependencies: ["Gait", "CGaitZlib"], exclude: unused, resources: privacy),
    .target(name: "GaitRuns", dependencies: ["Gait"], exclude: unused, resources: privacy),
    // The C interface, which Scripts/python-package makes a shared library, as the Python package uses it.
    .target(name: "GaitC", dependencies: ["Gait", "GaitFormats"], exclude: ["include"]),
    .systemLibrary(name: "CGait", path: "Sources/GaitC/include"),
    .target(
      name: "GaitTraining",
      dependencies: ["Gait", "GaitFormats", "GaitRuns", "CGaitBLAS"],
      linkerSettings: [
        .linkedFramework("Accelerate", .when(platforms: apple)),
        .linkedLibrary("openblas", .when(platforms: [.linux])),
      ]
    ),
    .target(name: "GaitReports", dependencies: ["Gait", "GaitFormats", "GaitRuns", "GaitTraining"]),
    .target(name: "GaitLab", dependencies: ["Gait", "GaitFormats", "GaitTraining"]),
    .target(
      name: "GaitBenchmarks",
      dependencies: ["Gait", "GaitFormats", "GaitRuns", "GaitTraining", "GaitLab", "CGaitBLAS"],
      path: "Benchmarks/GaitBenchmarks"),
    .executableTarget(
      name: "RunWorkload", dependencies: ["Gait", "GaitBenchmarks", "GaitLab"], path: "Benchmarks/RunWorkload"),
    .executableTarget(
      name: "StoreTimes", dependencies: ["Gait", "GaitRuns", "GaitTraining", "GaitLab", "GaitBenchmarks"],
      path: "Benchmarks/StoreTimes"),
    .executableTarget(
      name: "GaitCommand",
      dependencies: [
        "Gait", "GaitFormats", "GaitTraining", "GaitReports", "CGaitBLAS",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),
    .executableTarget(
      name: "GaitLabCommand",
      dependencies: [
        "Gait", "GaitFormats", "GaitTraining", "GaitLab", "CGaitBLAS",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    .target(name: "GaitTestSupport", dependencies: ["Gait"], path: "Tests/GaitTestSupport"),
    .target(
      name: "FuzzTargets", dependencies: ["Gait", "GaitFormats", "GaitRuns", "GaitTraining", "CGaitZlib"],
      path: "Tests/FuzzTargets"
    ),
    .testTarget(name: "GaitTests", dependencies: ["Gait", "GaitTestSupport", "AllocationCounter"]),
    .testTarget(name: "GaitFormatsTests", dependencies: ["GaitFormats", "GaitTestSupport", "CGaitZlib"]),
    .testTarget(name: "GaitCTests", dependencies: ["GaitC", "CGait", "GaitFormats", "GaitTestSupport"]),
    .testTarget(name: "GaitRunsTests", dependencies: ["GaitRuns", "GaitFormats", "GaitLab", "GaitTestSupport"]),
    .testTarget(
      name: "GaitTrainingTests",
      dependencies: ["GaitBenchmarks", "GaitTraining", "GaitReports", "GaitLab", "GaitTestSupport"]),
    .testTarget(name: "GaitLabTests", dependencies: ["GaitLab", "GaitReports", "GaitTestSupport"]),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets", "Gait", "GaitTestSupport"], resources: [.copy("Crashes")]),
    .testTarget(name: "GaitCommandTests", dependencies: ["GaitCommand", "GaitLabCommand", "GaitTestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)
