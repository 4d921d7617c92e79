import Foundation
import GaitTestSupport
import Testing

/// Suggestions for misspelt commands, options, values and features.
@Suite struct MisspellingTests {
  @Test(arguments: [
    (["trian"], "Error: Unexpected argument 'trian'", "Did you mean train?"),
    (["tunepauses"], "Error: Unexpected argument 'tunepauses'", "Did you mean tune-pauses?"),
    (["dance"], "Error: Unexpected argument 'dance'", "See 'gait --help'"),
    (
      ["inspect", "a.csv", "--fromat", "phyphox"], "Error: Unknown option '--fromat'. Did you mean '--format'?",
      "Usage: "
    ),
    (
      ["inspect", "a.csv", "--time-unit", "h"], "Error: The value 'h' is invalid for '--time-unit <time-unit>'.", "'us'"
    ),
    (
      ["features", "a.csv", "--feature", "vertcal.rms"], "Error: \"vertcal.rms\" is not a feature",
      "mean vertical.rms?\n"
    ),
    (
      ["features", "a.csv", "--feature", "total.wobble"], "Error: \"total.wobble\" is not",
      "--list lists the features.\n"
    ),
    (["export", "running"], "Error: Missing expected argument '--format <format>'", "Usage: gait export"),
  ])
  func `An error has a suggestion`(arguments: [String], sentence: String, suggestion: String) throws {
    let run = try GaitProcess(arguments)
    #expect(run.status == 64 && run.output == "")
    #expect(run.complaints.hasPrefix(sentence) && run.complaints.contains(suggestion), "\(run.complaints)")
  }

  @Test func `The help of a command is no error`() throws {
    let help = try GaitProcess(["help", "train"])
    #expect(help.status == 0 && help.output.contains("--layout"))
  }
}
