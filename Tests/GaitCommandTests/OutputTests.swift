import Foundation
import GaitTestSupport
import Testing

/// The rule of every output: not an input and not another output; models and recordings are replaced only on request.
@Suite struct OutputTests {
  private static let data = SampleFiles.layout
  private static let train = ["train", "data"] + data + ["--skip-cross-validation"]
  private static let track = ["track", "model.json", "data/run/1.csv", "--rate", "50"]
  private static func convertToOwn(_ folder: TemporaryDirectory) throws {
    let run = try GaitProcess(["convert", "data", "own", "--rate", "50"], in: folder.url)
    #expect(run.status == 0, "\(run.complaints)")
  }

  private static func link(_ name: String, to target: String, in folder: TemporaryDirectory) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.file(name).path, withDestinationPath: folder.file(target).path)
  }

  static let inputs: [WrongInput] = [
    WrongInput(
      "train data LAYOUT --output nowhere/m.json", 73, "cannot write nowhere/m.json", "folder nowhere does not exist"),
    WrongInput("train data LAYOUT --output data", 73, "cannot write data", "it is a folder"),
    WrongInput(
      "train data LAYOUT --output data/run/1.csv", 73, "cannot write data/run/1.csv", "it is the input data/run/1.csv"),
    WrongInput("train data LAYOUT --output ''", 73, "cannot write \"\""),
    WrongInput("train data LAYOUT --output model.json", 73, "replace it with --force, or name another with --output"),
    WrongInput("convert run.csv own.csv", 73, "replace it with --force"),
    WrongInput("track run.csv --report run.csv", 73, "choose another path"),
    WrongInput("track run.csv --report a/b.html", 73, "create it first"),
    WrongInput("features run.csv --output run.csv", 73, "cannot write run.csv", "it is the input run.csv"),
    WrongInput("features run.csv --output nowhere/f.csv", 73, "cannot write nowhere/f.csv", "does not exist"),
    WrongInput(
      "the tracked recording as the report", track + ["--report", "data/run/1.csv"], status: 73,
      says: ["cannot write data/run/1.csv", "it is the input data/run/1.csv", "choose another path"]),
    WrongInput(
      "the tracked recording as the chart", track + ["--chart", "data/run/1.csv"], status: 73,
      says: ["it is the input data/run/1.csv"]),
    WrongInput(
      "the model as the report of a tracked recording", track + ["--report", "./model.json"], status: 73,
      says: ["it is the input model.json"]),
    WrongInput(
      "the GPS points as the report", track + ["--location", "route.csv", "--report", "route.csv"], status: 73,
      says: ["it is the input route.csv"]
    ) { try $0.write("time,latitude,longitude\n0,48,11\n", to: "route.csv") },
    WrongInput(
      "a link to the recording as the report", track + ["--report", "link.html"], status: 73,
      says: ["cannot write link.html", "it is the input data/run/1.csv"]
    ) { try link("link.html", to: "data/run/1.csv", in: $0) },
    WrongInput(
      "the exported model as the export", ["export", "model.json", "--format", "swift", "--output", "model.json"],
      status: 73, says: ["it is the input model.json"]),
    WrongInput(
      "another name of the converted recording", ["convert", "own.csv", "hard.csv", "--force"], status: 73,
      says: ["cannot write hard.csv", "it is the input own.csv"]
    ) { try FileManager.default.linkItem(at: $0.file("own.csv"), to: $0.file("hard.csv")) },
    WrongInput(
      "a folder converted into itself", ["convert", "own", "own", "--force"], status: 73,
      says: ["own/run/1.csv", "it is the input own/run/1.csv"]
    ) { try convertToOwn($0) },
    WrongInput(
      "a recording of the folder as the model", train + ["--output", "data/run/1.csv", "--force"], status: 73,
      says: ["cannot write data/run/1.csv", "it is the input data/run/1.csv"]),
    WrongInput(
      "a recording of the test data as the report",
      ["evaluate", "model.json", "data", "--report", "data/run/2.csv"] + data, status: 73,
      says: ["it is the input data/run/2.csv"]),
    WrongInput(
      "a recording of the folder as the table of features",
      ["features", "data", "--output", "data/still/1.csv"] + data,
      status: 73, says: ["it is the input data/still/1.csv"]),
    WrongInput(
      "a file of the converted folder, by another folder's link",
      ["convert", "data", "other", "--rate", "50", "--force"],
      status: 73, says: ["cannot write other/still/2.csv", "it is the input data/still/2.csv"]
    ) {
      try $0.write("", to: "other/still/keep")
      try link("other/still/2.csv", to: "data/still/2.csv", in: $0)
    },
  ]

  static let otherOutputs: [WrongInput] = [
    WrongInput(
      "the report at the path of the model", train + ["--output", "x", "--report", "./x"], status: 73,
      says: ["cannot write ./x", "the same file as the output x", "its own path"]),
    WrongInput(
      "the chart at the path of the report", track + ["--report", "x.html", "--chart", "x.html"], status: 73,
      says: ["the same file as the output x.html"]),
    WrongInput(
      "the proposal at the path of the model, by a link",
      train + ["--output", "model.json", "--force", "--relabel", "l.csv"],
      status: 73, says: ["cannot write l.csv", "the same file as the output model.json"]
    ) { try link("l.csv", to: "model.json", in: $0) },
  ]

  static let existing: [WrongInput] = [
    WrongInput(
      "an existing file as the model", train + ["--output", "notes.json"], status: 73,
      says: ["cannot write notes.json", "the model exists; replace it with --force"]
    ) { try $0.write("mine", to: "notes.json") },
    WrongInput(
      "a model file as the export's model file", ["export", "running", "--format", "gait", "--output", "model.json"],
      status: 73, says: ["the model exists; replace it with --force"]),
    WrongInput(
      "an existing file as the conversion", ["convert", "data/run/1.csv", "notes.csv", "--rate", "50"], status: 73,
      says: ["cannot write notes.csv", "the file exists; choose another path or replace it with --force"]
    ) { try $0.write("mine", to: "notes.csv") },
    WrongInput(
      "a file at the path of a folder of the conversion", ["convert", "data", "own", "--rate", "50", "--force"],
      status: 73, says: ["cannot write own", "still in it is a file"]
    ) { try $0.write("mine", to: "own/still") },
  ]

  static let builtIn: [WrongInput] = [
    WrongInput(
      "tuning the built-in model in place", ["tune-pauses", "running", "data"] + data, status: 64,
      says: ["running is a built-in model", "--output"]),
    WrongInput(
      "the built-in model's name for a tuned model",
      ["tune-pauses", "model.json", "data"] + data + ["--output", "running"], status: 73,
      says: ["cannot write running", "write ./running"]),
    WrongInput(
      "a built-in model's name for a new model", train + ["--output", "running-pocket"], status: 73,
      says: ["cannot write running-pocket", "write ./running-pocket"]),
  ]

  @Test(arguments: (inputs + otherOutputs + existing + builtIn).thinnedInDebug(by: 3))
  func `An output that would overwrite a file is refused before the work, and every file stays`(_ input: WrongInput)
    throws
  {
    let folder = try WrongInput.freshFolder()
    try input.check(in: folder)
  }

  @Test(.enabled(if: getuid() != 0, "the superuser may write everywhere"))
  func `A folder that is not writable is an error before the long work`() throws {
    for command in ["train data LAYOUT --output locked/m.json", "convert data locked/s --rate 50"] {
      try WrongInput(command, 73, "is not writable") { folder in
        let locked = folder.file("locked")
        try FileManager.default.createDirectory(at: locked, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: locked.path)
      }.check()
    }
  }

  @Test(.requiresOptimization) func `Outputs replace files, whatever these contain`() throws {
    let folder = try WrongInput.freshFolder()
    try Self.convertToOwn(folder)
    for name in ["page.html", "new.csv", "chart.svg", "table.csv", "out"] {
      try folder.write("mine", to: name)
    }
    let commands = [
      Self.train + ["--output", "model.json", "--force", "--report", "page.html", "--relabel", "new.csv"],
      Self.track + ["--report", "page.html", "--chart", "chart.svg"],
      ["features", "data/run/1.csv", "--rate", "50", "--set", "full", "--output", "table.csv"],
      ["convert", "data/still/1.csv", "own.csv", "--rate", "50", "--force"],
      ["convert", "data", "own", "--rate", "50", "--force"],
      ["export", "model.json", "--format", "swift", "--output", "out"],
    ]
    for command in commands {
      let run = try GaitProcess(command, in: folder.url)
      #expect(run.status == 0, "\(command): \(run.complaints)")
    }
    for name in ["page.html", "new.csv", "chart.svg", "table.csv", "out"] {
      #expect(try String(contentsOf: folder.file(name), encoding: .utf8) != "mine")
    }
    #expect(try !folder.contents.contains { $0.contains(".gait-") })
  }

  @Test func `A model at a symbolic link is replaced, and the link stays`() throws {
    let folder = try WrongInput.freshFolder()
    try Self.link("link.json", to: "model.json", in: folder)
    let before = try Data(contentsOf: folder.file("model.json"))
    let run = try GaitProcess(Self.train + ["--output", "link.json", "--force", "--penalty", "0.1"], in: folder.url)
    #expect(run.status == 0, "\(run.complaints)")
    #expect(try Data(contentsOf: folder.file("model.json")) != before)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link.json").path)
        == folder.file("model.json").path)
  }
}
