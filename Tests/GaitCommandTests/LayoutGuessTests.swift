import Foundation
import GaitTestSupport
import Testing

/// The layout that `train` proposes for a folder is one that fits it and gives at least two labels.
@Suite struct LayoutGuessTests {
  /// Files at the paths, each a path for every combination of the lists of parts.
  private static func paths(_ parts: [[String]]) -> [String] {
    parts.reduce([""]) { paths, values in paths.flatMap { path in values.map { path + $0 } } }
  }

  private static let people = ["anna", "bert", "cleo"]
  private static let labels = ["walking", "running", "sitting"]

  @Test(arguments: [
    ([people, ["/"], labels, ["/1.csv", "/2.csv"]], "{subject}/{label}/{recording}.csv"),
    ([labels, ["/"], people, ["/1.csv", "/2.csv"]], "{label}/{subject}/{recording}.csv"),
    ([labels, ["/"], ["1", "2", "3"], [".csv"]], "{label}/{recording}.csv"),
    ([labels, ["/sub_"], ["1", "2", "12"], [".csv"]], "{label}/sub_{subject}.csv"),
    (
      [["dws", "wlk", "jog"], ["_"], ["1", "9"], ["/sub_"], ["1", "2"], [".csv"]], "{label}_{part}/sub_{subject}.csv"
    ),
    ([["S01", "S02"], ["/"], labels, ["/trial"], ["1", "2"], [".csv"]], "S{subject}/{label}/trial{recording}.csv"),
    ([people, ["_"], labels, ["_"], ["1", "2"], [".csv"]], "{subject}_{label}_{recording}.csv"),
    ([["user"], ["1", "2"], ["-"], labels, ["-"], ["01", "02"], [".csv"]], "{subject}-{label}-{recording}.csv"),
    // Words that are no known activities are preferred to numbers of trials.
    ([["squat", "lunge"], ["/"], ["1", "2", "3"], ["/acc.csv"]], "{label}/{part}/acc.csv"),
    ([["raw/"], ["1", "2"], ["/"], ["squat", "lunge"], ["/data.csv"]], "raw/{part}/{label}/data.csv"),
    (
      [["a01", "a02", "a03"], ["/p"], ["1", "2"], ["/s"], ["01", "02"], [".csv"]],
      "a{label}/p{subject}/s{recording}.csv"
    ),
  ]) func `The proposed layout has the labels`(parts: [[String]], layout: String) throws {
    let folder = try TemporaryDirectory()
    let paths = Self.paths(parts)
    for (index, path) in paths.enumerated() {
      try folder.write(SampleFiles.csv(strength: 0.5, seed: UInt64(index)), to: "data/\(path)")
    }
    let refused = try GaitProcess(["train", "data", "--rate", "50"], in: folder.url)
    #expect(refused.status == 64)
    #expect(refused.complaints.contains("try --layout '\(layout)'"), "\(refused.complaints)")
    let inspected = try GaitProcess(["inspect", "data", "--rate", "50"], in: folder.url)
    #expect(inspected.output.contains("--layout '\(layout)'"), "\(inspected.output)")
  }

  @Test func `Without two labels in the paths no layout is proposed`() throws {
    let folder = try TemporaryDirectory()
    for name in ["run/1.csv", "run/2.csv"] {
      try folder.write(SampleFiles.csv(strength: 0.5, seed: 1), to: "data/\(name)")
    }
    let refused = try GaitProcess(["train", "data", "--rate", "50"], in: folder.url)
    #expect(refused.complaints.contains("give no two labels"))
    #expect(!refused.complaints.contains("try --layout"))
  }

  @Test func `Training without gravity names the set of features that needs none`() throws {
    let folder = try TemporaryDirectory()
    for label in ["run", "still"] {
      let text = SampleFiles.csv(without: ["gravity.x", "gravity.y", "gravity.z"])
      try folder.write(text, to: "data/\(label)/1.csv")
    }
    let train = ["train", "data", "--rate", "50", "--layout", "{label}/{recording}.csv"]
    let refused = try GaitProcess(train, in: folder.url)
    #expect(refused.status != 0, "\(refused.complaints)")
    #expect(refused.complaints.contains("(--set linear)"), "\(refused.complaints)")
  }
}
