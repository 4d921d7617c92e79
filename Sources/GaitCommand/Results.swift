import ArgumentParser
import Foundation
import Gait
import GaitReports
import GaitTraining

/// The option of every command to print errors only.
struct QuietOption: ParsableArguments {
  @Flag(help: "Prints no warnings and no progress, only results and errors.")
  var quiet = false
}

/// The option of commands that write a model.
struct ReplaceOption: ParsableArguments {
  @Flag(help: "Replaces an existing model.")
  var force = false
}

/// The option for the form of a command's results.
struct ResultOptions: ParsableArguments {
  @Flag(help: "Prints the results as JSON.")
  var json = false

  @OptionGroup var quiet: QuietOption

  /// Prints the results: as JSON if that is asked for, else as text.
  func print(json value: @autoclosure () throws -> any Encodable, text: @autoclosure () throws -> String) throws {
    if json { try Terminal.print(json: value()) } else { try Terminal.print(text()) }
  }
}

extension PageOrigin {
  /// This command and version, today.
  static var thisCommand: PageOrigin {
    var origin = PageOrigin()
    origin.version = GaitCommand.configuration.version
    origin.command = Terminal.commandLine
    origin.date = String(Date.now.ISO8601Format().prefix(10))
    return origin
  }
}

extension JSONObject {
  /// A classification report with its probability report, if there are windows of the model's labels.
  static func validation(_ windows: ScoredWindows, _ report: ClassificationReport) -> JSONObject {
    JSONObject(["probabilities": windows.known.count > 0 ? ProbabilityReport(windows) : nil], and: [report])
  }
}

extension Array<[String]> {
  /// The lines of a table of these rows, the headings first.
  var tableLines: [String] { ReportTable(list: self).lines }

  /// A table of these rows as text, the headings first.
  var table: String { tableLines.joined(separator: "\n") }
}

extension ValidationError {
  /// Throws if an option's value is outside a range: "--rate must be within 4…1000 Hz."
  static func check<Value: Comparable>(
    _ option: String, _ value: Value?, within range: ClosedRange<Value>, _ unit: String = ""
  ) throws {
    guard let value, !range.contains(value) else { return }
    let (low, high) = ("\(range.lowerBound)".trimmingSuffix(".0"), "\(range.upperBound)".trimmingSuffix(".0"))
    throw ValidationError("\(option) must be within \(low)…\(high)\(unit.isEmpty ? "" : " \(unit)").")
  }
}
