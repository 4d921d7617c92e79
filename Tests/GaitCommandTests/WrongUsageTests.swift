import Foundation
import GaitTestSupport
import Testing

/// Wrong words at the command line, each with what its error says.
@Suite struct WrongUsageTests {
  static let names: [WrongInput] = [
    WrongInput("trian data", 64, "2 unexpected arguments: 'trian', 'data'", "Did you mean train?"),
    WrongInput("tunepauses", 64, "Unexpected argument 'tunepauses'", "Did you mean tune-pauses?"),
    WrongInput("predict run.csv", 64, "See 'gait --help'"),
    WrongInput("track run.csv --reprot r.html", 64, "Unknown option '--reprot'. Did you mean '--report'?"),
    WrongInput("inspect run.csv --chart c.svg", 64, "Unknown option '--chart'"),
    WrongInput("export running --format swfit --output m", 64, "one of 'swift' and 'gait'"),
    WrongInput("inspect run.csv --time-unit h", 64, "The value 'h' is invalid for '--time-unit <time-unit>'", "- us"),
    WrongInput("TRAIN --model oracle", 64, "oracle", "logistic", "tree", "forest", "boosted"),
    WrongInput("TRAIN --meaning x", 64, "no meaning"),
    WrongInput("features run.csv --output f.csv --set most", 64, "most", "orientationFree", "full"),
    WrongInput("features run.csv --feature vertcal.rms", 64, "\"vertcal.rms\" is not", "did you mean vertical.rms?"),
    WrongInput("features run.csv --feature total.wobble", 64, "\"total.wobble\" is not", "--list lists the features"),
    WrongInput("TRAIN --feature vertical.wobble", 64, "\"vertical.wobble\""),
    WrongInput("track runing run.csv", 66, "Did you mean running?"),
    WrongInput("track runing", 66, "Did you mean running?"),
    WrongInput("classify RUNNING run.csv", 66, "Did you mean running?"),
    WrongInput("evaluate running - running data --layout {label}/{x}.csv", 66, "name a built-in one: running"),
    WrongInput("evaluate running new.json data LAYOUT", 66, "new.json: cannot read the model"),
    WrongInput("evaluate running running data LAYOUT --pauses", 64, "--pauses takes one model"),
    WrongInput("evaluate running data LAYOUT --draws 500", 64, "--draws and --seed are for several models"),
    WrongInput("evaluate running", 64, "name a model, then the folder"),
    WrongInput("compare running m.json data", 64, "Use gait evaluate running m.json data."),
    WrongInput("tune-pauses running data LAYOUT", 64, "running is a built-in model", "--output"),
    WrongInput("track rnu.csv", 66, "Did you mean run.csv?"),
    WrongInput("inspect data/run/1", 66, "Did you mean data/run/1.csv?"),
    WrongInput("classify modle.json run.csv", 66, "Did you mean model.json?"),
    WrongInput("train dta LAYOUT --output new.json", 66, "Did you mean data?"),
    WrongInput("inspect my run.csv", 64, "'my run.csv'? Quote names with spaces"),
    WrongInput("track my run.csv", 66, "'my run.csv'? Quote"),
    WrongInput("inspect data/*.csv", 66, "without quotes"),
  ]

  static let missing: [WrongInput] = [
    WrongInput("train LAYOUT", 64, "<folder>"),
    WrongInput("train data --rate 50", 64, "data has files such as run/1.csv: try --layout '{label}/"),
    WrongInput("train data --force --layout {label}/{recording}.csv", 64, "--rate"),
    WrongInput(
      "export running --output new", 64, "Missing expected argument '--format <format>'", "Usage: gait export"),
    WrongInput("track running", 64, "name a recording after it, such as gait track running"),
    WrongInput("classify run.csv", 64, "<recording>"),
    WrongInput("classify model.json data/run/1.csv", 64, "(--rate)"),
    WrongInput(
      "features data/run/1.csv --output f.csv", 64, "data/run/1.csv has no timestamps that give a sample rate",
      "(--rate)."),
    WrongInput("features --rate 50 --output f.csv", 64, "name a recording or a folder"),
    WrongInput("features data --rate 50 --output f.csv", 64, "a folder needs --layout"),
    WrongInput("features data/run/1.csv --rate 50 --json", 64, "--output"),
    WrongInput("track run.csv gps.csv data", 64, "--output-folder"),
    WrongInput("track data", 64, "--output-folder"),
    WrongInput("classify running data", 64, "data is a folder of recordings", "--output-folder"),
    WrongInput("benchmark", 64, "<model>"),
    WrongInput("benchmark m.json --files", 64, "--files needs at least one recording"),
    WrongInput("plot run.csv --location route.gpx", 64, "--location needs --model"),
    WrongInput("TRAIN --own recording=1", 64, "--own needs --from"),
    WrongInput("TRAIN --reject --model tree", 64, "--reject needs --model logistic"),
  ]

  static let values: [WrongInput] =
    ["0", "-1", "fast", "1e9", "nan", "''"].map { rate in
      WrongInput(
        "train data --layout {label}/{recording}.csv --rate \(rate)", 64, "--rate", "within 0.1…100000, such as 50")
    } + [
      WrongInput("track units.csv --acceleration-unit feet", 64, "Please provide one of"),
      WrongInput("TRAIN --penalty -1", 64, "--penalty must be 0 or more"),
      WrongInput("TRAIN --window 0", 64, "--window"),
      WrongInput("features data/run/1.csv --rate 50 --window 0 --output f.csv", 64, "--window"),
      WrongInput("TRAIN --weights heavy", 64, "\"heavy\"", "running=3"),
      WrongInput("TRAIN --stretch run=0.95…0.85", 64, "\"run=0.95…0.85\"", "running=0.85…0.95"),
      WrongInput("TRAIN --stretch run=0.9...0.9 --stretch-share 0", 64, "--stretch-share must be above 0"),
      WrongInput("TRAIN --knock run,still=0", 64, "\"run,still=0\"", "walking,still=0.1"),
      WrongInput("TRAIN --knock run,still=0.1 --knock run=0.2", 64, "\"run\" twice"),
      WrongInput("TRAIN --map run:running", 64, "\"run:running\"", "wlk,ups=walking"),
      WrongInput("TRAIN --only recording", 64, "\"recording\"", "subject=1,2,4"),
      WrongInput(
        "TRAIN --only subject=1", 64, "\"subject\"", "the placeholders are label, recording (--only, --except)."),
      WrongInput("train data --layout {a}/{b}.csv --rate 50 --output new.json", 64, "{a}/{b}.csv", "has no {label}"),
      WrongInput("features data --layout {a}/{b}.csv --rate 50 --map run=running", 64, "{a}/{b}.csv", "has no {label}"),
      WrongInput("train data --layout {label --rate 50 --output new.json", 64, "{label", "}"),
      WrongInput("TRAIN --feature vertical.rms --feature vertical.rms", 64, "names a feature twice"),
      WrongInput(
        "TRAIN --feature total.bandRMS[5...20]", 64, "total.bandRMS[5...20] uses frequencies above 12.5 Hz",
        "narrow the band"),
      WrongInput(
        "features data/run/1.csv --rate 50 --feature total.bandRMS[3...2]", 64,
        "the bounds of the range 3...2 are in the wrong order"),
      WrongInput("plot run.csv -o run.png", 64, "write an .svg"),
    ]

  static let together: [WrongInput] = [
    WrongInput("track run.csv --json --output-format gpx", 64, "omit one of them"),
    WrongInput("TRAIN --from model.json --set orientationFree", 64, "--from keeps", "omit --set or --feature"),
    WrongInput(
      "features data/run/1.csv --rate 50 --set full --feature total.rms", 64, "one that --set contains",
      "name each feature once"),
    WrongInput("features data/run/1.csv --rate 50 --only subject=1", 64, "--only", "name a folder"),
    WrongInput("benchmark m.json 1.csv 2.csv", 64, "several recordings need --files"),
    WrongInput("track run.csv route.gpx", 64, "--location route.gpx"),
  ]

  // A debug build takes a second for a wrong option.
  @Test(arguments: (names + missing + values + together).thinnedInDebug(by: 4))
  func `Wrong usage gives one sentence that names the cure, and leaves nothing behind`(_ input: WrongInput) throws {
    try input.check()
  }

  @Test func `The command alone lists the tasks, and the version is a word or an option`() throws {
    let alone = try GaitProcess([])
    #expect(alone.status == 0, "\(alone.complaints)")
    #expect(alone.output.contains("gait inspect FOLDER"))
    let (help, train) = (try GaitProcess(["--help"]).output, try GaitProcess(["help", "train"]).output)
    #expect(help.localizedCaseInsensitiveContains("measure"), "\(help)")
    #expect(train.contains("--layout"), "\(train)")
    #expect(try GaitProcess(["version"]).output == GaitProcess(["--version"]).output)
  }
}
