import Foundation
import GaitTestSupport
import Testing

/// Suggestions for misspelt commands, options, values and features.
@Suite(.requiresOptimization) struct MisspellingTests {
  @Test(arguments: [
    (["trian", "data"], "There is no command \"trian\"; did you mean \"train\"?"),
    (["Train"], "There is no command \"Train\"; did you mean \"train\"?"),
    (["tunepauses"], "There is no command \"tunepauses\"; did you mean \"tune-pauses\"?"),
    (["help", "trakc"], "There is no command \"trakc\"; did you mean \"track\"?"),
    (["dance"], "There is no command \"dance\"; gait --help lists them."),
  ])
  func `A misspelt command gets a suggestion`(arguments: [String], sentence: String) throws {
    try Self.check(arguments, says: sentence)
  }

  @Test(arguments: [
    (["inspect", "a.csv", "--fromat", "phyphox"], "Unknown option '--fromat'. Did you mean '--format'?"),
    (["inspect", "a.csv", "--colour"], "Unknown option '--colour'"),
  ])
  func `A misspelt option gets the parser's suggestion`(arguments: [String], sentence: String) throws {
    try Self.check(arguments, says: sentence)
  }

  @Test func `A misspelt value gets the list of values`() throws {
    let run = try GaitProcess(["inspect", "a.csv", "--time-unit", "hours"])
    #expect(run.status == 64 && run.output == "")
    #expect(run.complaints.hasPrefix("Error: The value 'hours' is invalid for '--time-unit <time-unit>'."))
    for unit in ["s", "ms", "us", "ns"] { #expect(run.complaints.contains("'\(unit)'"), "\(run.complaints)") }
  }

  @Test(arguments: [
    ("vertical.rmss", "did you mean vertical.rms?"), ("vertcal.rms", "did you mean vertical.rms?"),
    ("userAcceleration.magnitud.mean", "did you mean userAcceleration.magnitude.mean?"),
    ("total.percentil[10].lgo[0.01]", "did you mean total.percentile[10].log[0.01]?"),
    ("total.bandrms[1.2...2.2]", "did you mean total.bandRMS[1.2...2.2]?"),
    ("total.wobble", "gait features --list lists the features."),
  ])
  func `A misspelt feature gets a suggestion`(feature: String, cure: String) throws {
    let run = try GaitProcess(["features", "a.csv", "--feature", feature])
    #expect(run.status == 64 && run.complaintLines.count == 1, "\(run.complaints)")
    #expect(run.complaints.hasPrefix("Error: \"\(feature)\" is not a feature") && run.complaints.hasSuffix("\(cure)\n"))
  }

  @Test func `Other wrong usage keeps the argument parser's message`() throws {
    try Self.check(["export", "running"], says: "Missing expected argument '--format <format>'")
    let help = try GaitProcess(["help", "train"])
    #expect(help.status == 0 && help.output.contains("--layout"))
  }

  private static func check(
    _ arguments: [String], says sentence: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let run = try GaitProcess(arguments)
    #expect(run.status == 64 && run.output == "", sourceLocation: sourceLocation)
    #expect(run.complaintLines.first == "Error: \(sentence)", "\(run.complaints)", sourceLocation: sourceLocation)
  }
}
