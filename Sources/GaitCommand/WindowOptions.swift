import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitReports
import GaitTraining

/// The options for the length and hop of windows.
struct WindowOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: ArgumentHelp("The length of a window, 0.1 to 60.", valueName: "seconds"))
  var window = WindowShape().seconds

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The time from the start of one window to the start of the next, 0.01 to 60.", valueName: "seconds"))
  var hop = WindowShape().hopSeconds

  /// The windows.
  var shape: WindowShape { WindowShape(seconds: window, hopSeconds: hop) }

  func validate() throws {
    try require(
      (0.1...60).contains(window) && (0.01...60).contains(hop),
      "--window must be within 0.1…60 s and --hop within 0.01…60 s.")
  }
}

/// The options that select features and windows.
struct FeatureOptions: ParsableArguments {
  @Option(name: .customLong("set"), help: "A predefined set of features; orientationFree without --set and --feature.")
  var featureSet: FeatureSet?

  @Option(
    help: ArgumentHelp(
      "A feature, such as vertical.rms: instead of the default seven, or in addition to --set. May be repeated.",
      valueName: "name"))
  var feature: [String] = []

  @OptionGroup var windows: WindowOptions

  /// Whether features are given.
  var isGiven: Bool { featureSet != nil || !feature.isEmpty }

  /// The selected features, or the default ones.
  func features() throws -> [Feature] {
    let ready = featureSet ?? (feature.isEmpty ? .orientationFree : nil)
    let features = (ready?.features ?? []) + (try feature.map(Self.feature))
    try require(
      Set(features).count == features.count,
      "--feature names a feature twice, or one that --set contains; name each feature once.")
    return features
  }

  private static func feature(named text: String) throws -> Feature {
    do throws(ModelError) { return try Feature(text) } catch {
      throw CommandUsageError(description: "\(error) gait features --list lists the features.")
    }
  }
}

extension SampleRate: ExpressibleByArgument {
  /// A rate from its number of hertz; `nil` for another text, and for a number outside of `SampleRate.validHertz`.
  public init?(argument: String) {
    guard let hertz = Double(argument) else { return nil }
    self.init(exactly: hertz)
  }

  /// A rate from its number of hertz.
  ///
  /// - Throws: `ValidationError` with the valid range.
  static func parse(_ argument: String) throws -> SampleRate {
    guard let rate = SampleRate(argument: argument) else {
      let valid = SampleRate.validHertz
      throw ValidationError(
        "give the sample rate in hertz, within \(plain(valid.lowerBound))…\(plain(valid.upperBound)), such as 50"
      )
    }
    return rate
  }

  /// The help of the options for the rate of recordings.
  static let help = ArgumentHelp(
    "The sample rate, 0.1 to 100000; needed if the file has no times and its format has no fixed rate.",
    valueName: "hertz")

  /// The default in a help text.
  public var defaultValueDescription: String { plain(hertz) }
}

extension FeatureSet: OptionWord {}
