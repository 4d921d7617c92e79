import Foundation
import GaitTestSupport
import Testing

/// `gait matrix` on two sets of four people each, whose labels are easy to tell apart.
@Suite struct MatrixTests {
  private static let folder = Result {
    let folder = try TemporaryDirectory()
    var seed: UInt64 = 0
    func write(_ path: String, strength: Float) throws {
      seed += 1
      try folder.write(SampleFiles.csv(500, strength: strength, seed: seed), to: path)
    }
    for set in ["phones", "watches"] {
      for subject in 1...4 {
        try write("\(set)/run/\(subject).csv", strength: 0.8)
        try write("\(set)/still/\(subject).csv", strength: 0.01)
      }
    }
    for subject in 1...2 { try write("moves/cycling/\(subject).csv", strength: 0.1) }
    func set(_ name: String, _ folder: String, place: String, labels: String = "{}") -> String {
      #"{"name": "\#(name)", "folder": "\#(folder)", "rate": 50, "layout": "{label}/{subject}.csv", "place": "\#(place)", "#
        + #""labels": \#(labels)}"#
    }
    func collection(_ sets: [String], _ name: String) throws {
      try folder.write(
        #"{"format": "gait.collection", "version": 1, "sets": [\#(sets.joined(separator: ",\n"))]}"#, to: name)
    }
    let labels = #"{"run": "running", "still": "still"}"#
    let places = [
      set("phones", "phones", place: "pocket", labels: labels),
      set("watches", "watches", place: "wrist", labels: labels),
    ]
    try collection(places, "sets.json")
    try collection([set("bikes", "moves", place: "pocket")], "unknown.json")
    return folder
  }

  private static func run(_ arguments: [String], status: Int32 = 0) throws -> GaitProcess {
    let run = try GaitProcess(["matrix", "sets.json", "--folds", "2"] + arguments, in: folder.get().url)
    #expect(run.status == status, "\(arguments): \(run.complaints)")
    return run
  }

  @Test func `Places are tested with people and sets held out, and trained on one by one`() throws {
    let run = try Self.run(["--pairs"])
    #expect(
      run.output == """
        People held out, by set and place

        set, place (people)   run/not       F1   labels    worst  person    ECE
        phones, pocket (4)    100.0 %  100.0 %  100.0 %  100.0 %       1  0.0 %
        watches, wrist (4)    100.0 %  100.0 %  100.0 %  100.0 %       1  0.0 %
        mean of those judged  100.0 %  100.0 %  100.0 %  100.0 %          0.0 %
        calibration error (ECE) over all windows  0.0 %
        median calibration error of a set and place  0.0 %

        Running found by cadence, people held out

        steps/min  windows    found
        120…142          0        –
        142…150          0        –
        150…240         96  100.0 %

        One set left out

        set, place (people)   run/not       F1   labels    worst  person    ECE
        phones, pocket (4)    100.0 %  100.0 %  100.0 %  100.0 %       1  0.0 %
        watches, wrist (4)    100.0 %  100.0 %  100.0 %  100.0 %       1  0.0 %
        mean of those judged  100.0 %  100.0 %  100.0 %  100.0 %          0.0 %
        median calibration error  0.0 %

        Trained on one place, tested at each: running or not, balanced (own place: people held out)

        trained on              1        2
        1 phones, pocket  100.0 %  100.0 %
        2 watches, wrist  100.0 %  100.0 %

        """)
    #expect(run.complaints.isEmpty)
    let report = try Self.run(["--except", "set=watches", "--json"]).json()
    #expect((report["peopleHeldOut"] as? [[String: Any]])?.map { $0["name"] as? String } == ["phones, pocket"])
    // No other set is left to train on.
    #expect((report["setsLeftOut"] as? [Any])?.isEmpty == true && (report["pairs"] as? [Any])?.isEmpty == true)
    #expect(report["folds"] as? [[String]] == [["phones/1", "phones/3"], ["phones/2", "phones/4"]])
  }

  @Test func `A collection is described set by set, with what was left out`() throws {
    let folder = try Self.folder.get()
    try folder.write(
      #"""
      {"format": "gait.collection", "version": 1, "sets": [
        {"name": "phones", "folder": "phones", "rate": 50, "layout": "{label}/{subject}.csv", "place": "pocket",
          "labels": {"run": "running"}, "licence": "CC BY 4.0", "attribution": "A. Nyone"}]}
      """#, to: "one.json")
    let description = try GaitProcess(["inspect", "one.json"], in: folder.url)
    #expect(
      description.output == """
        set      place  people  recordings  running, min    Hz  gyroscope
        phones  pocket       4           4           0.7  50.0        all

        phones
          label still: 4 recordings
          licence: CC BY 4.0
          attribution: A. Nyone

        """, "\(description.complaints)")
  }

  @Test func `Rejection is measured of known labels and of the movements of another collection`() throws {
    let report = try Self.run(["--reject", "--unknown", "unknown.json", "--json"]).json()
    let (known, unknown) = (report["known"] as? [[String: Any]] ?? [], report["unknown"] as? [[String: Any]] ?? [])
    #expect(known.map { $0["name"] as? String } == ["phones, pocket", "watches, wrist", "all"])
    #expect(known.map { $0["windows"] as? Int } == [96, 96, 192])
    #expect(unknown.map { $0["name"] as? String } == ["cycling, bikes, pocket"])
    #expect(unknown.map { $0["rejected"] as? Double } == [1] && unknown.map { $0["recordings"] as? Int } == [2])
    let text = try Self.run(["--reject", "--unknown", "unknown.json"]).output
    #expect(text.hasPrefix("Known labels, people held out\n") && text.contains("\ncycling, bikes, pocket "), "\(text)")
  }

  @Test func `A model is adapted to each person at each place`() throws {
    #expect(
      try Self.run(["--personal"]).output == """
        Adapted to one person: accuracy in % on the person's other halves, loss on other people in points

        set, place (people)  minutes  before   after  worst gain     person  harm  worst harm
        phones, pocket (4)       0.0  100.00  100.00        0.00   phones/1  0.00        0.00
        watches, wrist (4)       0.0  100.00  100.00        0.00  watches/1  0.00        0.00
        all (8)                  0.0  100.00  100.00        0.00   phones/1  0.00        0.00

        """)
  }

  @Test(
    arguments: [
      (["--unknown", "unknown.json"], Int32(64), "--unknown needs --reject."),
      (["--pairs", "--personal"], 64, "give one of --pairs, --reject and --personal."),
      (["--personal", "--strength", "-1"], 64, "--strength must be above 0."),
      (["--folds", "1"], 64, "--folds must be within 2…10000."),
      (
        ["--only", "place=foot"], 64,
        "filter \"place=foot\" matches no recording of the collection; it has pocket, wrist."
      ),
      (["--only", "label=run"], 65, "every recording has the label \"running\"; add recordings with another label."),
      (["--data", "none"], 66, "set \"phones\": folder none/phones does not exist; check the path."),
    ])
  func `Wrong input is refused with its cure`(arguments: [String], status: Int32, text: String) throws {
    let run = try Self.run(arguments, status: status)
    #expect(run.complaintLines.first == "Error: \(text)" && run.output.isEmpty, "\(run.complaints)")
  }
}
