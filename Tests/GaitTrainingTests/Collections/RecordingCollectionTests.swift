import Foundation
import Gait
import GaitFormats
import GaitLab
import GaitTestSupport
import GaitTraining
import Testing

struct RecordingCollectionTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A file of one sensor without a header: `subject,activity,nanoseconds,x,y,z;`, 40 rows at 20 Hz for each activity.
  private func sensorRows(subject: Int, activities: [String], z: Double, seed: UInt64) -> String {
    var generator = SplitMix64(seed: seed)
    var (rows, time) = ("", 1_000_000_000)
    for activity in activities {
      for _ in 0..<40 {
        let noise = Double(generator.next() % 1000) / 1000
        rows += "\(subject),\(activity),\(time),\(noise),\(-noise),\(z + noise);\n"
        time += 50_000_000
      }
      time += 5_000_000_000
    }
    return rows
  }

  private let sensorSet = """
    {"name": "watch", "folder": "watch", "layout": "accel/data_{subject}.txt", "place": "wrist", "people": "ours",
     "attribution": "A. Nyone, 2026", "licence": "CC BY 4.0",
     "columns": ["subject", "activity", "timestamp (ns)", "acc_x (m/s2)", "acc_y (m/s2)", "acc_z (m/s2)"],
     "labelColumn": "activity", "labels": {"A": "walking", "B": "running"},
     "sensors": [{"layout": "gyro/data_{subject}.txt",
                  "columns": ["subject", "activity", "timestamp (ns)", "gyro_x (rad/s)", "gyro_y (rad/s)", "gyro_z (rad/s)"]}]}
    """

  private func collection(_ sets: String..., in folder: TemporaryDirectory) throws -> RecordingCollection {
    let text = #"{"format": "gait.collection", "version": 1, "sets": [\#(sets.joined(separator: ", "))]}"#
    return try RecordingCollection(contentsOf: folder.write(text, to: "sets.json"))
  }

  @Test func `A collection is JSON that says so, in a file that ends in json`() throws {
    let text = #"{"format": "gait.collection", "version": 1}"#
    for (name, content) in [("sets.json", text), ("sets.JSON", text), ("sets.txt", text), ("other.json", "{}")] {
      try folder.write(content, to: name)
    }
    let names = ["sets.json", "sets.JSON", "sets.txt", "other.json", "none.json"]
    #expect(names.filter { RecordingCollection.isCollection(folder.file($0)) } == ["sets.json", "sets.JSON"])
  }

  @Test("sensors in files of their own are joined by subject, and only listed labels are kept")
  func sensors() throws {
    for subject in 1...3 {
      let rows = sensorRows(subject: subject, activities: ["A", "G", "B"], z: 9.8, seed: UInt64(subject))
      try folder.write(rows, to: "watch/accel/data_\(subject).txt")
    }
    for subject in [1, 2, 4] {
      let rows = sensorRows(subject: subject, activities: ["A", "G", "B"], z: 0.1, seed: UInt64(10 + subject))
      try folder.write(rows, to: "watch/gyro/data_\(subject).txt")
    }
    let collected = try collection(sensorSet, in: folder).read()
    let dataset = collected.dataset
    #expect(dataset.attributions == ["watch: A. Nyone, 2026; CC BY 4.0"])
    #expect(dataset.keeping(labels: ["running"]).attributions == dataset.attributions)
    #expect(dataset.labels == ["running", "walking"])
    #expect(dataset.groups == ["ours/1", "ours/2", "ours/3"])
    #expect(dataset.recordings.count == 6)
    #expect(dataset.recordings.allSatisfy { $0.recording.count == 40 && $0.recording.gravityIsEstimated })
    #expect(dataset.recordings.map { $0.fields["place"] } == Array(repeating: "wrist", count: 6))
    let turned = dataset.recordings.filter { $0.recording.channels.contains(.rotationRateX) }
    #expect(Set(turned.map(\.group)) == ["ours/1", "ours/2"])
    #expect(turned.allSatisfy { labeled in (0..<40).allSatisfy { !labeled.recording[$0].rotationRate.x.isNaN } })
    #expect(
      collected.sets[0].leftOut == [
        "1 subject without gyro/data_{subject}.txt: read without it: 3",
        "1 subject with gyro/data_{subject}.txt only: left out: 4", "label G: 0.1 minutes",
      ])
  }

  @Test("seconds in which a person stands are left out of the labels with a limit, and counted")
  func moving() throws {
    for label in ["jog", "walk"] {
      // 3 s of rest, 6 s of steps, 2 s of rest, 3 s of steps, at 50 Hz.
      let rows = (0..<700).map { row in
        let isMoving = (150..<450).contains(row) || row >= 550
        return "0,0,\(isMoving ? 1 + (row % 20 < 10 ? 0.5 : -0.5) : 1)"
      }
      try folder.write((["acc_x (g),acc_y (g),acc_z (g)"] + rows).joined(separator: "\n") + "\n", to: "\(label)/1.csv")
    }
    let set = """
      {"name": "phones", "layout": "{label}/{subject}.csv", "rate": 50, "labels": {"jog": "running", "walk": "walking"},
       "moving": {"jog": 0.3}}
      """
    let collected = try collection(set, in: folder).read()
    let recordings = collected.dataset.recordings
    #expect(recordings.map(\.label) == ["running", "running", "walking"])
    #expect(recordings.map(\.recording.count) == [300, 150, 700])
    #expect(recordings.map { $0.recording.start.seconds } == [3, 11, 0])
    #expect(collected.sets[0].leftOut == ["label jog, standing: 0.1 minutes"])
    let wrong = set.replacingOccurrences(of: "0.3", with: "-1")
    #expect(throws: CollectionError.self) { try collection(wrong, in: folder) }
  }

  @Test("segment files are joined until a number is missing, and every place in a row is a recording")
  func segmentsAndPlaces() throws {
    for segment in [1, 2, 4] {
      let rows = (0..<30).map { row in
        let value = Double(30 * segment + row)
        return "\(value / 1000),0.1,9.8,\(value / 500),0.2,9.7"
      }
      try folder.write(rows.joined(separator: "\n") + "\n", to: "a12/p1/s0\(segment).txt")
    }
    try folder.write("1,1,1,1,1,1\n", to: "a99/p1/s01.txt")
    let set = """
      {"name": "suit", "layout": "a{label}/p{subject}/s{segment}.txt", "rate": 25, "labels": {"12": "running"},
       "columns": ["acc_x (m/s2)", "acc_y (m/s2)", "acc_z (m/s2)"],
       "places": [{"name": "torso", "firstColumn": 1}, {"name": "leg", "firstColumn": 4}]}
      """
    let collected = try collection(set, in: folder).read()
    let recordings = collected.dataset.recordings
    #expect(recordings.map(\.recording.count) == [60, 60, 30, 30])
    #expect(recordings.map { $0.fields["place"] } == ["torso", "leg", "torso", "leg"])
    #expect(Set(recordings.map(\.group)) == ["suit/1"])
    let leg = recordings[1].recording[59]
    #expect(abs(leg.gravity.x + leg.userAcceleration.x - Float(89.0 / 500 / 9.80665)) < 1e-6)
    #expect(collected.sets[0].leftOut == ["label 99: 1 recording"])
    #expect(collected.sets[0].places.map(\.name) == ["torso", "leg"])
    #expect(collected.sets[0].places.allSatisfy { $0.people == 1 && $0.rates == [25] && $0.withGyroscope == 0 })
  }

  @Test("filters name sets, places, subjects and the sets' own labels")
  func filters() throws {
    for subject in 1...2 {
      let rows = sensorRows(subject: subject, activities: ["A", "B"], z: 9.8, seed: UInt64(subject))
      try folder.write(rows, to: "watch/accel/data_\(subject).txt")
      try folder.write(rows, to: "watch/gyro/data_\(subject).txt")
    }
    let collection = try collection(sensorSet, in: folder)
    let one = try collection.read(
      only: [RecordingFilter(field: "subject", values: ["2"])], except: [RecordingFilter(field: "label", values: ["A"])]
    )
    #expect(one.dataset.recordings.map(\.label) == ["running"])
    #expect(one.dataset.recordings.map(\.group) == ["ours/2"])
    #expect(throws: CollectionError.unknownFilter("place=pocket", found: ["wrist"])) {
      try collection.read(only: [RecordingFilter(field: "place", values: ["pocket"])])
    }
    #expect(throws: CollectionError.self) { try collection.read(only: [RecordingFilter(field: "day", values: ["1"])]) }
  }

  @Test(
    "an error in a description names the entry and the cure",
    arguments: [
      (#"{"name": "a"}"#, "sets[0].layout is missing; add it"),
      (
        #"{"name": "a", "layout": "{label}.csv", "plase": "wrist"}"#,
        "sets[0].plase is unknown; did you mean \"place\"?"
      ),
      (#"{"name": "a", "layout": "{label}.csv", "rate": -1}"#, "sets[0].rate is not a sample rate; write hertz"),
      (#"{"name": "a", "layout": "{label}.csv", "rate": "50"}"#, "sets[0].rate is not a number; write a number"),
      (
        #"{"name": "a", "layout": "{subject}.csv"}"#,
        "sets[0].layout has no {label}; add it, or name the \"labelColumn\""
      ),
      (#"{"name": "a", "layout": "{label}.csv", "format": "csv"}"#, "sets[0].format is \"csv\"; write one of"),
      (#"{"name": "a", "layout": "{label}.csv", "places": []}"#, "sets[0].places is empty"),
      (
        #"{"name": "a", "layout": "{label}.csv", "places": [{"name": "leg", "firstColumn": 4}]}"#,
        "sets[0].columns is missing"
      ),
    ])
  func wrongDescriptions(set: String, reason: String) throws {
    let error = #expect(throws: CollectionError.self) { try collection(set, in: folder) }
    let text = try #require(error).description
    #expect(text.contains(reason), "\(text)")
    #expect(text.contains("sets.json: "))
    #expect(text.hasSuffix("."))
  }

  @Test("other JSON files are not collections")
  func otherFiles() throws {
    #expect(!RecordingCollection.isCollection(try folder.write(#"{"format": "gait.activityModel"}"#, to: "model.json")))
    #expect(!RecordingCollection.isCollection(try folder.write("gait.collection", to: "notes.txt")))
    #expect(!RecordingCollection.isCollection(folder.url))
    let faults = [
      "{": "it ends before its last bracket or quotation mark is closed; complete it",
      "{\"format\": \"gait.collection\",\n \"sets\" []}": "it is not valid JSON at line 2, column 9; correct it",
      "": "it is empty; describe at least one set", "[]": "it is not an object; write an object",
    ]
    for (text, reason) in faults {
      let error = #expect(throws: CollectionError.self) {
        try RecordingCollection(contentsOf: folder.write(text, to: "cut.json"))
      }
      #expect(try #require(error).description.hasSuffix("cut.json: \(reason)."), "\(text)")
    }
  }
}
