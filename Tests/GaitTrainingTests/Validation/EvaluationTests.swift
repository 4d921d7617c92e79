import Gait
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
        == "the recordings have the label \"cycling\", which the model does not have; the model's labels are running, still, "
        + "walking. Map the label to one of these, or leave out its recordings.")
    let model = try Self.model.get()
    let known = LabeledDataset(recordings).keeping(labels: model.activityHead.labels)
    #expect(try model.evaluated(on: known).windows == model.classify(recordings[0].recording).count)
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
