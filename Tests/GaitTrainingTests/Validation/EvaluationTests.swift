import Gait
import GaitLab
import GaitReports
import GaitTestSupport
import GaitTraining
import Synchronization
import Testing

@Suite struct EvaluationTests {
  private static let model = Result { try ActivityTrainer().fit(MovingRecordings.dataset) }

  private func error(_ recordings: [LabeledRecording]) throws -> EvaluationError? {
    let model = try Self.model.get()
    do throws(EvaluationError) {
      _ = try model.evaluated(on: LabeledDataset(recordings))
      return nil
    } catch {
      return error
    }
  }

  @Test func `A report agrees with classifying every recording`() throws {
    let model = try Self.model.get()
    let dataset = LabeledDataset(
      [4, 5].flatMap { subject in SimulatedActivity.allCases.map { MovingRecordings.labeled($0, subject: subject) } })
    let done = Mutex(0)
    let report = try model.evaluated(on: dataset) { done.withLock { $0 += 1 } }
    let predictions = try dataset.recordings.flatMap { labeled in
      try model.classify(labeled.recording).map {
        Prediction(truth: labeled.label, predicted: $0.label, group: labeled.group)
      }
    }
    #expect(report == (try ClassificationReport(predictions)))
    #expect(done.withLock { $0 } == 6)
  }

  @Test func `Labels of the model without windows are listed`() throws {
    let report = try Self.model.get().evaluated(on: LabeledDataset([MovingRecordings.labeled(.running, subject: 5)]))
    #expect(report.labels == ["running", "still", "walking"])
    #expect(report.recall.keys.sorted() == ["running"])
  }

  @Test func `A label that the model does not have is an error, or is left out`() throws {
    var recordings = [MovingRecordings.labeled(.running, subject: 5), MovingRecordings.labeled(.still, subject: 5)]
    recordings[1].label = "cycling"
    let found = try error(recordings)
    #expect(found == .unknownLabels(["cycling"], known: ["running", "still", "walking"]))
    #expect(
      found?.description
        == "the recordings have the label \"cycling\", which the model does not have; the model's labels are running, "
        + "still, walking. Map the label to one of these, or leave out its recordings.")
    let model = try Self.model.get()
    let known = LabeledDataset(recordings).keeping(labels: model.activityHead.labels)
    #expect(try model.evaluated(on: known).windows == model.classify(recordings[0].recording).count)
  }

  /// A model that rejects windows, and recordings of its labels and of another movement.
  private static let rejecting = Result {
    var trainer = ActivityTrainer()
    trainer.rejectsUnknown = true
    let model = try trainer.fit(
      LabeledDataset(
        (1...6).flatMap { subject in
          [SimulatedActivity.still, .walking].map { MovingRecordings.labeled($0, subject: subject) }
        }))
    let known = [SimulatedActivity.still, .walking].map { MovingRecordings.labeled($0, subject: 8) }
    return (
      model: model, known: LabeledDataset(known),
      unknown: LabeledDataset([
        MovingRecordings.labeled(.running, subject: 8), MovingRecordings.labeled(.running, subject: 9),
      ])
    )
  }

  @Test func `A model that rejects windows is evaluated with the label other`() throws {
    let (model, known, unknown) = try Self.rejecting.get()
    let dataset = known.adding(unknown: unknown)
    #expect(dataset.labels == ["other", "still", "walking"])
    #expect(dataset.recordings.count == 4)
    let windows = try model.scored(on: dataset)
    #expect(windows.labels == ["still", "walking"])
    #expect(windows.assignedLabels == ["still", "walking", "other"])
    let predictions = try dataset.recordings.flatMap { labeled in
      try model.classify(labeled.recording).map {
        Prediction(truth: labeled.label, predicted: $0.label, group: labeled.group)
      }
    }
    let report = try windows.report()
    #expect(report == (try ClassificationReport(predictions, labels: windows.assignedLabels)))
    #expect(report.description.contains("other"))

    let shares = try #require(RejectedShares(windows))
    let other = try #require(shares.other)
    #expect(other.windows == predictions.count { $0.truth == "other" })
    #expect(other.rejected == report.recall["other"])
    #expect(other.rejected > 0.5)
    #expect(shares.known.windows == predictions.count - other.windows)
    try #require(shares.lines.count == 2)
    #expect(shares.lines[1].hasSuffix("windows of other"))
  }

  @Test func `Probabilities are judged on the windows of the model's labels, rejected or not`() throws {
    let (model, known, unknown) = try Self.rejecting.get()
    let windows = try model.scored(on: known.adding(unknown: unknown))
    var head = model.activityHead
    head.rejection = nil
    let plain = try ActivityModel(heads: [head]).scored(on: known)
    #expect(windows.known.probabilities == plain.probabilities)
    #expect(windows.known.truths == plain.truths)
    #expect(ProbabilityReport(windows) == ProbabilityReport(plain))
    #expect(OperatingCurve(windows, label: 0) == OperatingCurve(plain, label: 0))
    #expect(plain.rejections == nil)
    #expect(RejectedShares(plain) == nil)
    #expect(plain.known == plain)
    #expect(try plain.report().labels == ["still", "walking"])
  }

  @Test func `Recordings of other movements alone have a rejected share and no probabilities`() throws {
    let (model, known, unknown) = try Self.rejecting.get()
    let windows = try model.scored(on: known.adding(unknown: unknown).keeping(labels: ["other"]))
    #expect(windows.known.count == 0)
    #expect(try #require(RejectedShares(windows)).lines.count == 1)
    #expect(throws: ClassificationReportError.noKnownWindows) { try ModelComparison([("m", windows)]) }
  }

  @Test func `The page of a model that rejects windows shows their shares`() throws {
    let (model, known, unknown) = try Self.rejecting.get()
    for dataset in [known, known.adding(unknown: unknown), known.adding(unknown: unknown).keeping(labels: ["other"])] {
      let page = try EvaluationPage(
        title: "m", facts: [], windows: model.scored(on: dataset), by: model, of: dataset
      ).html
      #expect(page.contains("Rejected of other"))
      #expect(page.contains("Too few subjects for 95 % intervals"))
    }
  }

  @Test func `The label other needs a model that rejects windows`() throws {
    var labeled = MovingRecordings.labeled(.running, subject: 5)
    labeled.label = "other"
    let found = try error([labeled])
    #expect(found == .unknownLabels(["other"], known: ["running", "still", "walking"]))
    #expect(
      found?.description
        == "the recordings have the label \"other\", but the model rejects no windows; train a model that does, or "
        + "leave out these recordings.")
  }

  @Test func `A recording that the model cannot classify is named`() throws {
    var labeled = MovingRecordings.labeled(.running, subject: 5)
    labeled.recording = Simulator(seed: 1, sampleRate: .hertz(5)).recording(of: 1, activity: .running, seconds: 20)
    let slow = ModelError.sourceTooSlow(source: .hertz(5), slowest: .hertz(7))
    #expect(try error([labeled]) == .recording(labeled.path, slow))
    #expect(try error([labeled])?.description == "\(labeled.path): \(slow).")
    labeled.recording = MovingRecordings.keeping(
      [.gravity], of: MovingRecordings.labeled(.running, subject: 5).recording)
    let missing = ModelError.missingChannels(Array(Sensor.userAcceleration.channels))
    #expect(try error([labeled]) == .recording(labeled.path, missing))
  }

  @Test func `Recordings shorter than a window are an error`() throws {
    let found = try error([MovingRecordings.labeled(.running, subject: 5, seconds: 2)])
    #expect(found == .noWindows(seconds: 2.56))
    #expect(
      found?.description == "no recording has a whole window of 2.56 s without missing values; use longer recordings."
    )
  }
}
