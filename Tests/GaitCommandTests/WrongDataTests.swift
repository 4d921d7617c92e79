import Foundation
import GaitTestSupport
import Testing

/// Wrong recordings, folders and models, each with what its error says.
@Suite struct WrongDataTests {
  private static let rows = SampleFiles.rows(strength: 0.5, seed: 1)
  private static let header = "gravity.x,gravity.y\n0,1\n"

  /// A sample file with another text in the cell of gravity.x in line 8.
  private static func replacing(_ cell: String) -> String {
    var rows = rows
    rows[6][3] = cell
    return SampleFiles.csv(rows)
  }

  /// Training in which every cell of the only running recording is `cell`.
  private static func everywhere(_ cell: String) -> WrongInput {
    WrongInput("TRAIN", 65, "labelled \"run\"", "without missing values", "use longer recordings") { folder in
      try FileManager.default.removeItem(at: folder.file("data/run/2.csv"))
      try folder.write(SampleFiles.csv(rows.map { $0.map { _ in cell } }), to: "data/run/1.csv")
    }
  }

  static let recordings: [WrongInput] = [
    .recording(
      ":1:", "userAcceleration.y is missing", "found: attitude.roll",
      text: SampleFiles.csv(without: ["userAcceleration.y"])),
    .recording(":1:", "attitude.yaw is missing", text: SampleFiles.csv(without: ["attitude.yaw"])),
    .recording(
      ":4:", "11 fields", "header has 12",
      text: SampleFiles.csv(rows.enumerated().map { $0 == 2 ? $1.dropLast() : $1 })),
    .recording(":8:", "column 4 (gravity.x)", "\"0,1\"", "correct the cell", text: replacing("\"0,1\"")),
    .recording(
      ":1:", "several sensors", "column sensor (Accelerometer, Gyroscope)",
      text: "time_s,sensor,x (g),y (g),z (g)\n1,Accelerometer,0,0,1\n1,Gyroscope,2,0,0\n2,Accelerometer,0,0,1\n"),
    .recording("is empty (0 bytes)", "record or export it again", text: ""),
    .recording(
      ":1:", "does not name the columns", "begin the file with a header",
      text: rows.map { $0.joined(separator: ",") }.joined(separator: "\n")),
    .recording("has a header but no rows", text: SampleFiles.csv([])),
    .recording(
      ":1:", "columns 4 and 5 are both named gravity.x",
      text: SampleFiles.csv(rows).replacingOccurrences(of: "gravity.y", with: "gravity.x")
        .replacingOccurrences(of: "gravity.z", with: "gravity.z,gravity.y")),
    WrongInput("TRAIN", 65, "data/run/1.csv:", "not UTF-8 text") {
      try $0.write((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 3) }, to: "data/run/1.csv")
    },
    everywhere("nan"), everywhere("0"),
    WrongInput("TRAIN", 65, "no recording has a whole window of 2.56 s", "(--window).") { folder in
      for (seed, path) in ["run/1", "run/2", "still/1", "still/2"].enumerated() {
        try folder.write(SampleFiles.csv(50, strength: 0.5, seed: UInt64(seed)), to: "data/\(path).csv")
      }
    },
    WrongInput(
      "TRAIN --feature rotationRate.x.rms", 65, "run/1.csv", "rotationRate.x",
      "choose features without these channels (--set, --feature)."
    ) {
      try $0.write(
        SampleFiles.csv(without: ["rotationRate.x", "rotationRate.y", "rotationRate.z"]), to: "data/run/1.csv")
    },
    WrongInput(
      "train data --layout {label}/{recording}.csv --rate 5 --output new.json", 65, "run/1.csv", "5 Hz is too low",
      "record at 7 Hz or more", "(--allow-slow-source)."),
    WrongInput(
      "classify model.json data/run/1.csv --rate 5", 65, "data/run/1.csv", "5 Hz are too slow", "7 Hz or more"),
    WrongInput(
      "evaluate model.json data --layout {label}/{recording}.csv --rate 5", 65, "run/1.csv", "5 Hz are too slow"),
    WrongInput("features data/run/1.csv --rate 5 --output f.csv", 65, "data/run/1.csv", "5 Hz is too low"),
    WrongInput("track run.csv --rate 100", 65, "--rate"),
    WrongInput("track units.csv", 65, "(--acceleration-unit"),
    WrongInput("track data/run/1.csv --format sensorLog --rate 50", 65, "found:"),
    WrongInput("track empty.csv", 65, "record or export it again"),
    WrongInput("track binary.csv", 65, "export the recording as CSV in UTF-8"),
    WrongInput("convert run.csv new.csv --label-column mood", 65, "column mood is missing"),
    WrongInput("classify model.json none.csv --rate 50", 66, "cannot read none.csv", "check the path"),
    WrongInput("inspect nothing", 66, "cannot read nothing"),
    WrongInput("features nothing.csv --rate 50 --output f.csv", 66, "nothing.csv"),
  ]

  static let folders: [WrongInput] = [
    WrongInput("train nowhere LAYOUT --output new.json", 66, "folder nowhere does not exist", "check the path"),
    WrongInput("train model.json LAYOUT --output new.json", 66, "model.json is a file"),
    WrongInput("train void LAYOUT --output new.json", 66, "folder void has no files") {
      try FileManager.default.createDirectory(at: $0.file("void"), withIntermediateDirectories: true)
    },
    WrongInput("features nothing LAYOUT --output f.csv", 66, "cannot read nothing"),
    WrongInput(
      "train data --layout {label}/{day}/{recording}.csv --rate 50 --output new.json", 66,
      "{label}/{day}/{recording}.csv",
      "for example run/1.csv", "change the layout to fit (--layout)."),
    WrongInput(
      "train data --layout {folder}/{recording}.csv --rate 50 --label-column mood --output new.json", 65,
      "data/run/1.csv:1:",
      "column mood is missing"),
    WrongInput("TRAIN --map jog=running", 65, "\"jog\"", "the labels are run, still (--map)."),
    WrongInput("TRAIN --except recording=7", 65, "\"7\"", "the values are 1, 2"),
    WrongInput("TRAIN --only label=run", 65, "\"run\"", "add recordings with another label"),
    WrongInput(
      "TRAIN --weights swim=2 --split-by recording", 65, "\"swim\"", "the labels are run, still", "--weights"),
    WrongInput(
      "TRAIN --from model.json --own recording=7", 65, "no recording passes recording=7", "recording=1, recording=2",
      "--own"),
    WrongInput("TRAIN --from model.json --map run=hop", 65, "\"hop\"", "map it to one of", "--map"),
    WrongInput("train gone.json --output new.json", 66, "nowhere does not exist") {
      let set = #"{"name": "a", "layout": "{label}.csv", "folder": "nowhere"}"#
      try $0.write(#"{"format": "gait.collection", "version": 1, "sets": [\#(set)]}"#, to: "gone.json")
    },
    WrongInput("inspect bad.json", 65, "sets is missing") {
      try $0.write(#"{"format": "gait.collection", "version": 1}"#, to: "bad.json")
    },
  ]

  static let models: [WrongInput] = [
    WrongInput("classify none.json data/run/1.csv --rate 50", 66, "none.json", "does not exist", "train a model"),
    WrongInput("TRAIN --from none.json", 66, "none.json", "does not exist"),
    WrongInput("classify run.csv data/run/1.csv", 65, "built-in model: running"),
    .model("is truncated", "train the model again") { String($0.prefix(700)) },
    .model("changed after it was written", "checksum") { $0.replacingOccurrences(of: "\"run\"", with: "\"walk\"") },
    .model("format version 9", "update Gait") {
      $0.replacingOccurrences(of: "\"version\" : 2", with: "\"version\" : 9")
    },
    .model("this JSON is not a model", "that the trainer wrote") { _ in "{\"a\": [1, 2]}" },
    .model("not a model") { _ in "[1, 2]" },
    .model("not a model file", "empty") { _ in "" },
    .model("not a model file") { _ in header },
    WrongInput(
      "evaluate model.json data LAYOUT --map run=running", 65, "label \"running\"",
      "the model's labels are run, still.",
      "leave out its recordings (--map, --ignore"),
    WrongInput(
      "evaluate model.json data LAYOUT --map run,still=moving --ignore-unknown-labels", 65,
      "data: no recording has a label that the model knows (run, still)", "--map"),
  ]

  // A debug build takes half a second for each input.
  @Test(arguments: (recordings + folders + models).thinnedInDebug(by: 3))
  func `Wrong data give one sentence with place and cure, and leave nothing behind`(_ input: WrongInput) throws {
    try input.check()
  }

  @Test func `GPX of a run without GPS points is an error`() throws {
    let folder = try WrongInput.freshFolder()
    let run = try GaitProcess(["track", "run.csv", "--output-format", "gpx"], in: folder.url)
    #expect(run.status == 65)
    #expect(run.complaints.contains("(--location)"), "\(run.complaints)")
  }
}
