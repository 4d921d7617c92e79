import Gait
import GaitLab
import GaitReports
import GaitTestSupport
import GaitTraining
import Testing

/// People without windows, and labels with few windows.
@Suite struct WindowCountTests {
  private let trainer = ActivityTrainer()

  @Test func `People without a whole window are named, with their recordings`() throws {
    let short = [SimulatedActivity.running, .still].map {
      MovingRecordings.labeled($0, subject: 9, seconds: 2, path: "short \($0.label)")
    }
    let part = MovingRecordings.labeled(.still, subject: 1, seconds: 2, path: "part")
    let dataset = LabeledDataset(MovingRecordings.dataset.recordings + short + [part])
    let found = try trainer.windowlessRecordings(in: dataset)
    #expect(found.paths == ["part", "short running", "short still"])
    #expect(found.units == ["9"])
    #expect(
      found.warnings == [
        "3 recordings have no whole window of 2.56 s without missing values and were skipped: part, short running, "
          + "short still; no recording remains of subject 9"
      ])
    let model = try trainer.fit(MovingRecordings.dataset)
    #expect(try model.windowlessRecordings(in: dataset) == found)
    #expect(try trainer.windowlessRecordings(in: MovingRecordings.dataset).warnings == [])
  }

  @Test func `Missing values can leave no window of a long recording`() throws {
    var holes = MovingRecordings.labeled(.still, subject: 9, seconds: 20, path: "holes")
    var columns = Dictionary(uniqueKeysWithValues: Channel.allCases.map { ($0, holes.recording[$0]) })
    for row in 0..<holes.recording.count where row % 50 < 20 { columns[.gravityX]![row] = .nan }
    holes.recording = Recording(name: "holes", sampleRate: .hertz(50), columns: columns)
    let dataset = LabeledDataset(MovingRecordings.dataset.recordings + [holes])
    #expect(try trainer.windowlessRecordings(in: dataset).units == ["9"])
  }

  @Test func `A label with fewer than four windows is an error`() throws {
    let enough = MovingRecordings.dataset.recordings.filter { $0.label != "still" }
    for (seconds, count) in [(3.0, 1), (4.4, 3)] {
      let dataset = LabeledDataset(enough + [MovingRecordings.labeled(.still, subject: 1, seconds: seconds)])
      #expect(throws: TrainingError.tooFewWindows("still", count: count, seconds: 2.56)) { try trainer.fit(dataset) }
    }
    #expect(
      TrainingError.tooFewWindows("still", count: 1, seconds: 2.56).description
        == "label \"still\" has only 1 window of 2.56 s, but every label needs 4; add recordings of it or longer ones, "
        + "or map it to another label.")
  }

  @Test func `A label with few windows or few people causes a warning`() throws {
    let dataset = MovingRecordings.dataset
    #expect(trainer.warnings(of: dataset, windows: ["running": 30, "still": 30, "walking": 30]) == [])
    let warnings = trainer.warnings(of: dataset, windows: ["running": 29, "still": 30, "walking": 30])
    try #require(warnings.count == 1)
    #expect(
      warnings[0]
        == "label \"running\" has 29 windows of 3 subjects; with fewer than 30 windows or 3 subjects, the model and its "
        + "score are unreliable")
    let two = LabeledDataset(dataset.recordings.filter { $0.subject != "3" })
    #expect(trainer.warnings(of: two, windows: ["running": 99, "still": 99, "walking": 99]).count == 3)
  }

  @Test func `With unknown subjects, the report warns that files are held out`() throws {
    let files = LabeledDataset(
      (1...3).flatMap { subject in
        SimulatedActivity.allCases.map { MovingRecordings.labeled($0, subject: subject, knowsSubject: false) }
      })
    let validation = try trainer.crossValidated(on: files)
    let report = TrainingReport(
      dataset: files, review: LabelReview(of: files), validation: validation, model: try trainer.fit(files),
      method: "logistic")
    let sentence = "files, not people, are held out (the layout has no {subject})"
    try #require(report.warnings.count == 1)
    #expect(report.warnings[0].hasPrefix(sentence))
    #expect(report.description.contains(sentence))
    #expect(report.html.contains(sentence))
  }
}
