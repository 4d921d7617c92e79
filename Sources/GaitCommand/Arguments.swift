import ArgumentParser
import Foundation
import Gait
import GaitTraining

extension SampleRate: ExpressibleByArgument {
  /// A rate from its number of hertz.
  public init?(argument: String) {
    guard let hertz = Double(argument) else { return nil }
    self.init(exactly: hertz)
  }

  /// A rate from its number of hertz.
  ///
  /// - Throws: `ValidationError`, which says what a rate may be.
  static func parse(_ argument: String) throws -> SampleRate {
    guard let rate = SampleRate(argument: argument) else {
      let valid = SampleRate.validHertz
      throw ValidationError(
        "give the rows in a second as a number within \(number(valid.lowerBound))…\(number(valid.upperBound)), such as 50"
      )
    }
    return rate
  }

  /// What help shows as a default.
  public var defaultValueDescription: String { number(hertz) }
}

/// A positive number of seconds.
struct Seconds: ExpressibleByArgument {
  let value: Double

  init?(argument: String) {
    guard let value = Double(argument), value > 0, value <= 86_400 else { return nil }
    self.value = value
  }
}

/// The options that say which recordings make up a dataset.
struct DatasetOptions: ParsableArguments {
  @Argument(help: "The folder that holds the recordings.", completion: .directory)
  var folder: String

  @Option(
    help: ArgumentHelp(
      "How paths in the folder say what is in a file, such as '{label}/{recording}.csv' or '{label}_{trial}/sub_{subject}.csv'.",
      valueName: "template"))
  var layout: String

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How many rows there are in a second.", valueName: "hertz"),
    transform: SampleRate.parse)
  var rate: SampleRate

  @Option(
    help: ArgumentHelp(
      "Gives labels another name, such as jog=running or wlk,ups,dws=walking. May be repeated.", valueName: "a,b=c"))
  var map: [String] = []

  @Option(
    help: ArgumentHelp(
      "Keeps only recordings whose path says so, such as subject=1,2,4. May be repeated.", valueName: "field=values"))
  var only: [String] = []

  @Option(
    help: ArgumentHelp("Leaves recordings out, such as subject=7,8. May be repeated.", valueName: "field=values"))
  var except: [String] = []

  @Option(help: ArgumentHelp("The column that holds each row's label, where the path does not.", valueName: "name"))
  var labelColumn: String?

  /// Reads the recordings and says on standard error what is odd about them.
  func dataset() throws -> LabeledDataset {
    let dataset = try LabeledDataset(
      directory: URL(filePath: folder, directoryHint: .isDirectory), layout: layout, sampleRate: rate,
      labels: LabelMap(map), only: only.map { try RecordingFilter($0) }, except: except.map { try RecordingFilter($0) },
      labelColumn: labelColumn)
    for warning in dataset.warnings { Terminal.warn(warning) }
    return dataset
  }
}

/// A number with as few digits as it needs.
func number(_ value: Double) -> String {
  value == value.rounded() && value.magnitude < 1e15 ? String(Int(value)) : String(value)
}

/// A number with a fixed count of decimals.
func fixed(_ value: Double, _ decimals: Int) -> String {
  String(format: "%.\(decimals)f", value)
}
