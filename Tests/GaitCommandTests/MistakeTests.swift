import Foundation
import GaitTestSupport
import Testing

/// Typical mistakes at the command line: each error names its cure.
@Suite struct MistakeTests {
  /// A mistake, and the part of the error that names the cure.
  struct Mistake: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let arguments: [String]
    let cure: String

    init(_ description: String, _ arguments: String..., cure: String) {
      (testDescription, self.arguments, self.cure) = (description, arguments, cure)
    }
  }

  static let names: [Mistake] = [
    Mistake("a misspelt command", "trian", "data", cure: "Did you mean train?"),
    Mistake("a command of another program", "predict", "run.csv", cure: "See 'gait --help'"),
    Mistake("a misspelt option", "track", "run.csv", "--reprot", "r.html", cure: "Did you mean '--report'?"),
    Mistake(
      "an option of another command", "inspect", "run.csv", "--chart", "c.svg", cure: "Unknown option '--chart'"),
    Mistake(
      "a misspelt value", "export", "running", "--format", "swfit", "--output", "m", cure: "one of 'swift' and 'gait'"
    ),
    Mistake("a misspelt built-in model", "track", "runing", "run.csv", cure: "Did you mean running?"),
    Mistake("a misspelt built-in model alone", "track", "runing", cure: "Did you mean running?"),
    Mistake("a built-in model in capitals", "classify", "RUNNING", "run.csv", cure: "Did you mean running?"),
    Mistake(
      "a model's name of one character", "compare", "running", "-", "running", "data", "--layout", "{label}/{x}.csv",
      cure: "name a built-in one: running"),
    Mistake("a misspelt recording", "track", "rnu.csv", cure: "Did you mean run.csv?"),
    Mistake("a recording without its ending", "inspect", "data/run/1", cure: "Did you mean data/run/1.csv?"),
    Mistake("a misspelt model file", "classify", "modle.json", "run.csv", cure: "Did you mean model.json?"),
    Mistake(
      "a misspelt folder", "train", "dta", "--output", "new.json", "--layout", "{label}/{recording}.csv", "--rate",
      "50",
      cure: "Did you mean data?"),
    Mistake(
      "a label that the folder lacks", "train", "data", "--output", "new.json", "--layout", "{label}/{recording}.csv",
      "--rate", "50", "--map",
      "runing=running", cure: "the labels are run, still (--map)"),
    Mistake(
      "a column that the file lacks", "convert", "run.csv", "new.csv", "--label-column", "mood",
      cure: "column mood is missing"),
    Mistake(
      "a misspelt feature", "features", "run.csv", "--feature", "vertcal.rms", cure: "did you mean vertical.rms?"),
    Mistake(
      "a placeholder that the layout lacks", "train", "data", "--output", "new.json", "--layout",
      "{label}/{recording}.csv", "--rate", "50",
      "--except", "subject=1", cure: "the placeholders are label, recording (--only, --except)"),
  ]

  static let missing: [Mistake] = [
    Mistake(
      "a model and no recording", "track", "running", cure: "name a recording after it, such as gait track running"),
    Mistake("no model for labels", "classify", "run.csv", cure: "<recording>"),
    Mistake(
      "no layout", "train", "data", "--rate", "50", cure: "data has files such as run/1.csv: try --layout '{label}/"),
    Mistake("no rate", "classify", "model.json", "data/run/1.csv", cure: "(--rate)"),
    Mistake("no unit", "track", "units.csv", cure: "(--acceleration-unit"),
    Mistake("no folder", "train", "--layout", "{label}/{recording}.csv", cure: "<folder>"),
    Mistake(
      "a folder that is not there", "train", "nowhere", "--output", "new.json", "--layout", "{label}/{recording}.csv",
      cure: "check the path"),
    Mistake("no output folder for several recordings", "track", "run.csv", "gps.csv", "data", cure: "--output-folder"),
  ]

  static let wrong: [Mistake] = [
    Mistake(
      "a rate of no hertz", "track", "data/run/1.csv", "--rate", "fast", cure: "in hertz, within 0.1…100000, such as 50"
    ),
    Mistake("another rate than the times'", "track", "run.csv", "--rate", "100", cure: "--rate"),
    Mistake("a rate too low", "classify", "model.json", "data/run/1.csv", "--rate", "5", cure: "7 Hz or more"),
    Mistake("an unknown unit", "track", "units.csv", "--acceleration-unit", "feet", cure: "Please provide one of"),
    Mistake(
      "another layout", "train", "data", "--output", "new.json", "--layout", "{label}/{day}/{recording}.csv", "--rate",
      "50",
      cure: "for example run/1.csv; change the layout to fit (--layout)"),
    Mistake(
      "a layout without a label", "train", "data", "--output", "new.json", "--layout", "{a}/{b}.csv", "--rate", "50",
      cure: "has no {label}"),
    Mistake("another format", "track", "data/run/1.csv", "--format", "sensorLog", "--rate", "50", cure: "found:"),
    Mistake("a recording as the model", "classify", "run.csv", "data/run/1.csv", cure: "built-in model: running"),
    Mistake("GPS points as the recording", "track", "run.csv", "route.gpx", cure: "--location route.gpx"),
    Mistake("a name with a space, unquoted", "inspect", "my", "run.csv", cure: "'my run.csv'? Quote names with spaces"),
    Mistake("a name with a space as model and recording", "track", "my", "run.csv", cure: "'my run.csv'? Quote"),
    Mistake("a pattern in quotes", "inspect", "data/*.csv", cure: "without quotes"),
    Mistake("a folder as the recording", "track", "data", cure: "--output-folder"),
    Mistake("a folder as the recording to classify", "classify", "running", "data", cure: "--output-folder"),
    Mistake("an empty file", "track", "empty.csv", cure: "record or export it again"),
    Mistake("a binary file", "track", "binary.csv", cure: "export the recording as CSV in UTF-8"),
    Mistake("two formats of output", "track", "run.csv", "--json", "--output-format", "gpx", cure: "omit one of them"),
    Mistake(
      "options that exclude each other", "evaluate", "model.json", "data", "--layout", "{label}/{recording}.csv",
      "--pauses", "--report", "r.html", cure: "omit one of them"),
    Mistake(
      "an option without the one it needs", "plot", "run.csv", "--location", "route.gpx",
      cure: "--location needs --model"),
    Mistake("GPX without GPS points", "track", "run.csv", "--output-format", "gpx", cure: "(--location)"),
  ]

  static let outputs: [Mistake] = [
    Mistake(
      "a model that exists", "train", "data", "--layout", "{label}/{recording}.csv", "--rate", "50", "--output",
      "model.json", cure: "replace it with --force, or name another with --output"),
    Mistake("a conversion that exists", "convert", "run.csv", "own.csv", cure: "replace it with --force"),
    Mistake(
      "another file as the page", "track", "run.csv", "--report", "notes.txt", cure: "choose another path or remove"),
    Mistake("the recording as the page", "track", "run.csv", "--report", "run.csv", cure: "choose another path"),
    Mistake(
      "a page in a folder that is not there", "track", "run.csv", "--report", "a/b.html", cure: "create it first"),
    Mistake("a drawing in a format that is not written", "plot", "run.csv", "-o", "run.png", cure: "write an .svg"),
  ]

  private static let template = Result { () throws -> TemporaryDirectory in
    let folder = try SampleFiles.trained()
    let rows = (0..<600).map { "\(Double($0) / 50),0,0,-1,0.1,0,0\n" }.joined()
    let timed = "time,gravity.x,gravity.y,gravity.z,userAcceleration.x,userAcceleration.y,userAcceleration.z\n" + rows
    for name in ["run.csv", "my run.csv"] { try folder.write(timed, to: name) }
    _ = try GaitProcess(["convert", "run.csv", "own.csv"], in: folder.url)
    try folder.write("time (s),ax,ay,az\n0,0,0,1\n0.02,0,0,1\n", to: "units.csv")
    try folder.write("", to: "empty.csv")
    try folder.write("mine", to: "notes.txt")
    try folder.write("<gpx></gpx>", to: "route.gpx")
    try folder.write((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 3) }, to: "binary.csv")
    return folder
  }

  @Test(arguments: names + missing + wrong + outputs)
  func `The error of a typical mistake names the cure`(_ mistake: Mistake) throws {
    let folder = try Self.template.get()
    let before = try folder.contents
    let run = try GaitProcess(mistake.arguments, in: folder.url)
    #expect([64, 65, 66, 73].contains(run.status), "\(run.complaints)")
    #expect(run.complaints.contains("Error: ") && run.complaints.contains(mistake.cure), "\(run.complaints)")
    #expect(run.output == "")
    #expect(try folder.contents == before, "files were left behind")
  }

  @Test func `The table has forty mistakes or more`() {
    #expect((Self.names + Self.missing + Self.wrong + Self.outputs).count >= 40)
  }

  @Test func `A model is replaced with force only`() throws {
    let folder = try SampleFiles.trained()
    let train = ["train", "data"] + SampleFiles.layout + ["--output", "model.json", "--skip-cross-validation"]
    #expect(try GaitProcess(train, in: folder.url).status == 73)
    #expect(try GaitProcess(train + ["--force"], in: folder.url).status == 0)
  }

  @Test func `The command alone lists the tasks, and the version is a word or an option`() throws {
    let alone = try GaitProcess([])
    #expect(alone.status == 0 && alone.output.contains("gait inspect FOLDER"), "\(alone.complaints)")
    let help = try GaitProcess(["--help"]).output
    #expect(help.contains("MEASURE") || help.contains("Measure"), "\(help)")
    #expect(try GaitProcess(["version"]).output == GaitProcess(["--version"]).output)
  }
}
