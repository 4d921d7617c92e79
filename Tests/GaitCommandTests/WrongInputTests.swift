import Foundation
import GaitTestSupport
import Testing

/// Wrong input: one sentence with place and cure, an exit code of sysexits, no output, and an unchanged folder.
@Suite struct WrongInputTests {
  private static let data = SampleFiles.layout

  /// `data` and `model.json`, made once and copied for every case.
  private static let template = Result { try SampleFiles.trained() }

  private static func freshFolder() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let source = try template.get()
    for name in ["data", "model.json"] {
      try FileManager.default.copyItem(at: source.file(name), to: directory.file(name))
    }
    return directory
  }

  private static func replacing(_ cell: String, row: Int, column: Int) -> String {
    var rows = SampleFiles.rows(strength: 0.5, seed: 1)
    rows[row][column] = cell
    return SampleFiles.csv(rows)
  }

  static let recordings: [WrongInput] = [
    .recording(
      "a missing column", says: [":1:", "userAcceleration.y is missing", "found: attitude.roll"],
      SampleFiles.csv(without: ["userAcceleration.y"])),
    .recording(
      "a sensor of which a part is missing", says: [":1:", "attitude.yaw is missing"],
      SampleFiles.csv(without: ["attitude.yaw"])),
    .recording(
      "a row that is too short", says: [":4:", "11 fields", "header has 12"],
      SampleFiles.csv(SampleFiles.rows(strength: 0.5, seed: 1).enumerated().map { $0 == 2 ? $1.dropLast() : $1 })),
    .recording(
      "a cell that is not a number", says: [":8:", "column 4 (gravity.x)", "\"0,1\"", "correct the cell"],
      replacing("\"0,1\"", row: 6, column: 3)),
    .recording(
      "rows of several sensors", says: [":1:", "several sensors", "column sensor (Accelerometer, Gyroscope)"],
      "time_s,sensor,x (g),y (g),z (g)\n1,Accelerometer,0,0,1\n1,Gyroscope,2,0,0\n2,Accelerometer,0,0,1\n"),
    .recording("a file of no bytes", says: ["is empty (0 bytes)", "record or export it again"], ""),
    .recording(
      "a file without a header", says: [":1:", "does not name the columns", "begin the file with a header"],
      SampleFiles.rows(strength: 0.5, seed: 1).map { $0.joined(separator: ",") }.joined(separator: "\n")),
    .recording("a header and nothing else", says: ["has a header but no rows"], SampleFiles.csv([])),
    .train("a binary file", says: ["data/run/1.csv:", "not UTF-8 text"]) {
      try $0.write((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 3) }, to: "data/run/1.csv")
    },
    .recording(
      "the same column twice", says: [":1:", "columns 4 and 5 are both named gravity.x"],
      SampleFiles.csv(strength: 0.5, seed: 1).replacingOccurrences(of: "gravity.y", with: "gravity.x")
        .replacingOccurrences(of: "gravity.z", with: "gravity.z,gravity.y")),
    .train("missing values everywhere", says: ["labelled \"run\"", "without missing values", "use longer recordings"]) {
      try FileManager.default.removeItem(at: $0.file("data/run/2.csv"))
      let nothing = SampleFiles.rows(strength: 0, seed: 1).map { $0.map { _ in "nan" } }
      try $0.write(SampleFiles.csv(nothing), to: "data/run/1.csv")
    },
    .train("zeros everywhere, so that no gravity says where up is", says: ["labelled \"run\"", "missing values"]) {
      try FileManager.default.removeItem(at: $0.file("data/run/2.csv"))
      let nothing = SampleFiles.rows(strength: 0, seed: 1).map { $0.map { _ in "0" } }
      try $0.write(SampleFiles.csv(nothing), to: "data/run/1.csv")
    },
    .train("recordings shorter than a window", says: ["no recording has a whole window of 2.56 s", "(--window)."]) {
      folder in
      for (seed, path) in ["run/1", "run/2", "still/1", "still/2"].enumerated() {
        try folder.write(SampleFiles.csv(50, strength: 0.5, seed: UInt64(seed)), to: "data/\(path).csv")
      }
    },
    .train(
      "a sensor that a feature needs and a recording lacks", data + ["--feature", "rotationRate.x.rms"],
      says: ["run/1.csv", "rotationRate.x", "choose features without these channels (--set, --feature)."]
    ) {
      try $0.write(
        SampleFiles.csv(without: ["rotationRate.x", "rotationRate.y", "rotationRate.z"]), to: "data/run/1.csv")
    },
    .train(
      "recordings too slow for the features", ["--layout", "{label}/{recording}.csv", "--rate", "5"],
      says: ["run/1.csv", "5 Hz is too low", "record at 7 Hz or more", "(--allow-slow-source)."]),
  ]

  static let folders: [WrongInput] = [
    .train(
      "a folder that is not there", folder: "nowhere", status: 66,
      says: ["folder nowhere does not exist", "check the path"]),
    .train("a file where a folder should be", folder: "model.json", status: 66, says: ["model.json is a file"]),
    .train("a folder without a file", folder: "empty", status: 66, says: ["folder empty has no files"]) {
      try FileManager.default.createDirectory(at: $0.file("empty"), withIntermediateDirectories: true)
    },
    .train(
      "a folder with another layout", ["--layout", "{label}/{day}/{recording}.csv", "--rate", "50"], status: 66,
      says: ["{label}/{day}/{recording}.csv", "for example run/1.csv", "change the layout to fit (--layout)."]),
    .train(
      "a layout without {label}", ["--layout", "{a}/{b}.csv", "--rate", "50"], status: 64,
      says: ["{a}/{b}.csv", "has no {label}"]),
    .train(
      "a template with an open brace", ["--layout", "{label", "--rate", "50"], status: 64, says: ["{label", "}"]),
    .train(
      "a map of a label that no recording has", data + ["--map", "jog=running"],
      says: ["\"jog\"", "the labels are run, still (--map)."]),
    .train(
      "a malformed label map", data + ["--map", "run:running"], status: 64,
      says: ["\"run:running\"", "wlk,ups=walking"]),
    .train(
      "a malformed filter", data + ["--only", "recording"], status: 64, says: ["\"recording\"", "subject=1,2,4"]),
    .train(
      "a filter on what the layout does not have", data + ["--only", "subject=1"], status: 64,
      says: ["\"subject\"", "the placeholders are label, recording (--only, --except)."]),
    .train(
      "a filter for a value that no recording has", data + ["--except", "recording=7"],
      says: ["\"7\"", "the values are 1, 2"]),
    .train("one label", data + ["--only", "label=run"], says: ["\"run\"", "add recordings with another label"]),
    .train(
      "a label column that is not there",
      ["--layout", "{folder}/{recording}.csv", "--rate", "50", "--label-column", "mood"],
      says: ["data/run/1.csv:1:", "column mood is missing"]),
    .train(
      "rejection by trees", data + ["--reject", "--model", "tree"], status: 64,
      says: ["--reject needs --model logistic"]),
    .train(
      "weights by trees", data + ["--weights", "balanced", "--model", "tree"], status: 64,
      says: ["--weights needs --model logistic"]),
    .train(
      "a weight without a label", data + ["--weights", "heavy"], status: 64, says: ["\"heavy\"", "running=3"]),
    .train(
      "a weight of a label that is not there", data + ["--weights", "swim=2", "--split-by", "recording"],
      says: ["\"swim\"", "the labels are run, still", "--weights"]),
    .train(
      "a speed with its ends exchanged", data + ["--stretch", "run=0.95…0.85"], status: 64,
      says: ["\"run=0.95…0.85\"", "running=0.85…0.95"]),
    .train(
      "a share of no windows", data + ["--stretch", "run=0.9...0.9", "--stretch-share", "0"], status: 64,
      says: ["--stretch-share must be above 0"]),
    .train(
      "knocks in no windows", data + ["--knock", "run,still=0"], status: 64,
      says: ["\"run,still=0\"", "walking,still=0.1"]),
    .train(
      "knocks of one label at two shares", data + ["--knock", "run,still=0.1", "--knock", "run=0.2"], status: 64,
      says: ["\"run\" twice"]),
    .train(
      "own recordings without a model to adapt", data + ["--own", "recording=1"], status: 64,
      says: ["--own needs --from"]),
    .train(
      "features for an adapted model", data + ["--from", "model.json", "--set", "orientationFree"], status: 64,
      says: ["--from keeps", "omit --set or --feature"]),
    .train(
      "no own recording", data + ["--from", "model.json", "--own", "recording=7"],
      says: ["no recording passes recording=7", "recording=1, recording=2", "--own"]),
    .train(
      "a label that the adapted model does not have", data + ["--from", "model.json", "--map", "run=hop"],
      says: ["\"hop\"", "map it to one of", "--map"]),
    .train("no model to adapt", data + ["--from", "none.json"], status: 66, says: ["none.json", "does not exist"]),
    .train("an unknown feature", data + ["--feature", "vertical.wobble"], status: 64, says: ["\"vertical.wobble\""]),
    .train(
      "a feature beyond what the model's rate can hold", data + ["--feature", "total.bandRMS[5...20]"], status: 64,
      says: ["total.bandRMS[5...20] uses frequencies above 12.5 Hz", "narrow the band"]),
  ]

  static let models: [WrongInput] = [
    WrongInput(
      "a missing model file", ["classify", "none.json", "data/run/1.csv", "--rate", "50"], status: 66,
      says: ["none.json", "does not exist", "train a model"]),
    .model("a model that was cut", says: ["is truncated", "train the model again"]) { String($0.prefix(700)) },
    .model("a model that was edited", says: ["changed after it was written", "checksum"]) {
      $0.replacingOccurrences(of: "\"run\"", with: "\"walk\"")
    },
    .model("a newer model", says: ["format version 9", "update Gait"]) {
      $0.replacingOccurrences(of: "\"version\" : 2", with: "\"version\" : 9")
    },
    .model("other JSON", says: ["this JSON is not a model", "that the trainer wrote"]) { _ in "{\"a\": [1, 2]}" },
    .model("JSON that is no object", says: ["not a model"]) { _ in "[1, 2]" },
    .model("an empty model file", says: ["not a model file", "empty"]) { _ in "" },
    .model("text instead of a model", says: ["not a model file"]) { _ in "gravity.x,gravity.y\n0,1\n" },
    WrongInput(
      "a missing recording to classify", ["classify", "model.json", "none.csv", "--rate", "50"], status: 66,
      says: ["cannot read none.csv", "check the path"]),
    WrongInput(
      "a recording too slow for the model", ["classify", "model.json", "data/run/1.csv", "--rate", "5"], status: 65,
      says: ["data/run/1.csv", "5 Hz are too slow", "7 Hz or more"]),
    WrongInput(
      "a folder of recordings too slow for the model",
      ["evaluate", "model.json", "data", "--layout", "{label}/{recording}.csv", "--rate", "5"], status: 65,
      says: ["run/1.csv", "5 Hz are too slow"]),
    WrongInput(
      "a label that the model does not know", ["evaluate", "model.json", "data"] + data + ["--map", "run=running"],
      status: 65,
      says: ["label \"running\"", "the model's labels are run, still.", "leave out its recordings (--map, --ignore"]),
    WrongInput(
      "no label that the model knows",
      ["evaluate", "model.json", "data"] + data + ["--map", "run,still=moving", "--ignore-unknown-labels"],
      status: 65, says: ["data: no recording has a label that the model knows (run, still)", "--map"]),
    WrongInput("a recording that is not there", ["inspect", "none"], status: 66, says: ["cannot read none"]),
    WrongInput(
      "a folder as a recording to classify", ["classify", "model.json", "data", "--rate", "50"], status: 64,
      says: ["data is a folder of recordings", "--output-folder"]),
  ]

  static let outputs: [WrongInput] = [
    WrongInput(
      "a model in a folder that is not there", ["train", "data"] + data + ["--output", "nowhere/m.json"], status: 73,
      says: ["cannot write nowhere/m.json", "folder nowhere does not exist"]),
    WrongInput(
      "a folder as the model", ["train", "data"] + data + ["--output", "data"], status: 73,
      says: ["cannot write data", "it is a folder"]),
    WrongInput(
      "a recording as the model", ["train", "data"] + data + ["--output", "data/run/1.csv"], status: 73,
      says: ["cannot write data/run/1.csv", "exists and is not a Gait model"]),
    WrongInput(
      "no name for the model", ["train", "data"] + data + ["--output", ""], status: 73, says: ["cannot write \"\""]),
  ]

  static let usage: [WrongInput] =
    ["0", "-1", "fast", "1e9", "nan", ""].map { rate in
      .train(
        "a rate of \"\(rate)\"", ["--layout", "{label}/{recording}.csv", "--rate", rate], status: 64,
        says: ["'\(rate)'", "--rate", "0.1…100000"])
    } + [
      WrongInput("no folder", ["train"] + data, status: 64, says: ["<folder>"]),
      WrongInput(
        "no rate", ["train", "data", "--force", "--layout", "{label}/{recording}.csv"], status: 64, says: ["--rate"]),
      WrongInput("no format", ["export", "running", "--output", "new"], status: 64, says: ["--format"]),
      WrongInput("an unknown option", ["inspect", "model.json", "--colour"], status: 64, says: ["--colour"]),
      WrongInput("an unknown command", ["dance"], status: 64, says: ["dance"]),
      .train(
        "an unknown kind of model", data + ["--model", "oracle"], status: 64,
        says: ["oracle", "logistic", "tree", "forest", "boosted"]),
      .train("a negative penalty", data + ["--penalty", "-1"], status: 64, says: ["--penalty must be 0 or more"]),
      .train("a window of no length", data + ["--window", "0"], status: 64, says: ["--window"]),
      .train(
        "a feature twice", data + ["--feature", "vertical.rms", "--feature", "vertical.rms"], status: 64,
        says: ["names a feature twice"]),
    ]

  private static func features(
    _ description: String, _ arguments: [String], status: Int32, says: [String]
  ) -> WrongInput {
    WrongInput(description, ["features"] + arguments + ["--output", "f.csv"], status: status, says: says)
  }

  private static let run = ["data/run/1.csv", "--rate", "50"]

  static let tables: [WrongInput] = [
    features(
      "an unknown feature in a table", run + ["--feature", "total.wobble"], status: 64,
      says: ["\"total.wobble\""]),
    features(
      "a table of an impossible band", run + ["--feature", "total.bandRMS[5...20]"], status: 64,
      says: ["uses frequencies above 12.5 Hz", "narrow the band"]),
    features(
      "a band with its ends exchanged", run + ["--feature", "total.bandRMS[3...2]"], status: 64,
      says: ["the bounds of the range 3...2 are in the wrong order"]),
    features(
      "an unknown set of features", run + ["--set", "most"], status: 64, says: ["most", "orientationFree", "full"]),
    features(
      "a feature that the set contains", run + ["--set", "full", "--feature", "total.rms"], status: 64,
      says: ["one that --set contains", "name each feature once"]),
    features("a table without input", ["--rate", "50"], status: 64, says: ["name a recording or a folder"]),
    features(
      "a table without a rate", ["data/run/1.csv"], status: 64,
      says: ["data/run/1.csv has no timestamps that give a sample rate", "(--rate)."]),
    features("a folder without a layout", ["data", "--rate", "50"], status: 64, says: ["a folder needs --layout"]),
    features(
      "a filter without a folder", run + ["--only", "subject=1"], status: 64, says: ["--only", "name a folder"]),
    features(
      "a label map without labels", ["data", "--rate", "50", "--layout", "{a}/{b}.csv", "--map", "run=running"],
      status: 64, says: ["{a}/{b}.csv", "has no {label}"]),
    features("a table of windows of no length", run + ["--window", "0"], status: 64, says: ["--window"]),
    WrongInput(
      "a JSON report without an output file", ["features"] + run + ["--json"], status: 64, says: ["--output"]),
    features("a table of a recording that is not there", ["none.csv", "--rate", "50"], status: 66, says: ["none.csv"]),
    features("a table of a folder that is not there", ["none"] + data, status: 66, says: ["cannot read none"]),
    features(
      "a table of a recording too slow for it", ["data/run/1.csv", "--rate", "5"], status: 65,
      says: ["data/run/1.csv", "5 Hz is too low"]),
    WrongInput(
      "a recording as the table", ["features"] + run + ["--output", "data/run/1.csv"], status: 73,
      says: ["cannot write data/run/1.csv", "it is the input data/run/1.csv"]),
    WrongInput(
      "a table in a folder that is not there", ["features"] + run + ["--output", "nowhere/f.csv"], status: 73,
      says: ["cannot write nowhere/f.csv", "does not exist"]),
    WrongInput("a benchmark of nothing", ["benchmark"], status: 64, says: ["<model>"]),
    WrongInput(
      "a benchmark of files without any", ["benchmark", "m.json", "--files"], status: 64,
      says: ["--files needs at least one recording"]),
    WrongInput(
      "a benchmark of several recordings in memory", ["benchmark", "m.json", "1.csv", "2.csv"], status: 64,
      says: ["several recordings need --files"]),
  ]

  // A debug build takes half a second for each input, and a second for a wrong option.
  @Test(
    arguments: (recordings + folders + models + outputs + tables).thinnedInDebug(by: 3) + usage.thinnedInDebug(by: 8))
  func `Wrong input gives one sentence and the right exit code, and leaves nothing behind`(_ input: WrongInput) throws {
    try input.check(in: Self.freshFolder())
  }

  @Test(.enabled(if: getuid() != 0, "the superuser may write everywhere"))
  func `A folder that is not writable is an error before the long work`() throws {
    let folder = try Self.freshFolder()
    let locked = folder.file("locked")
    try FileManager.default.createDirectory(at: locked, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: locked.path)
    for arguments in [
      ["train", "data"] + Self.data + ["--output", "locked/m.json"], ["convert", "data", "locked/s", "--rate", "50"],
    ] {
      try WrongInput("a locked folder", arguments, status: 73, says: ["is not writable"]).check(in: folder)
    }
  }
}
