import Gait
import GaitLab
import GaitTestSupport
import GaitTraining
import Testing

/// Data that no model can be fitted to.
@Suite struct TrainingErrorTests {
  private func error(
    _ recordings: [LabeledRecording], validating: Bool = false, _ change: (inout ActivityTrainer) -> Void = { _ in }
  ) -> TrainingError? {
    var trainer = ActivityTrainer()
    change(&trainer)
    let dataset = LabeledDataset(recordings)
    do throws(TrainingError) {
      if validating { _ = try trainer.crossValidated(on: dataset) } else { _ = try trainer.fit(dataset) }
      return nil
    } catch {
      return error
    }
  }

  private let people = MovingRecordings.dataset.recordings

  @Test func `A recording without a channel that the features need is named`() {
    var recordings = people
    recordings[4].recording = MovingRecordings.keeping([.gravity, .userAcceleration], of: recordings[4].recording)
    #expect(error(recordings) == nil)
    let found = error(recordings) { $0.features = [Feature(.channel(.rotationRateY), .rms)] }
    #expect(found == .missingChannels(recording: recordings[4].path, channels: [.rotationRateY]))
    #expect(
      found?.description
        == "\(recordings[4].path): the recording lacks rotationRate.y, which the features need; leave it out, or "
        + "choose features without these channels.")
  }

  @Test func `A recording that is too slow is named`() {
    var recordings = people
    recordings[2].recording = Simulator(seed: 1, sampleRate: .hertz(5))
      .recording(of: 1, activity: .walking, seconds: 20)
    let found = error(recordings)
    #expect(found == .tooSlow(recording: recordings[2].path, source: .hertz(5), slowest: .hertz(7)))
    #expect(
      found?.description
        == "\(recordings[2].path): the sample rate of 5 Hz is too low for features up to 3.5 Hz; record at 7 Hz or "
        + "more, or allow slow recordings."
    )
  }

  @Test func `Recordings shorter than a window are an error`() {
    let short = [SimulatedActivity.running, .still].map { MovingRecordings.labeled($0, subject: 1, seconds: 2) }
    #expect(error(short) == .noWindows(seconds: 2.56))
    #expect(
      error(short)?.description
        == "no recording has a whole window of 2.56 s without missing values; use longer recordings or a shorter window."
    )
    let mixed = people.filter { $0.label != "still" } + [short[1]]
    #expect(error(mixed) == .noWindowsOfLabel("still", seconds: 2.56))
    #expect(
      error(mixed)?.description.hasPrefix("no recording labelled \"still\" has a whole window of 2.56 s") == true)
  }

  @Test func `Features that do not fit the window are an error`() {
    let beyond = Feature(.total, .bandRMS(5...20))
    let band = error(people) { $0.features = [beyond] }?.description
    #expect(band?.hasPrefix("total.bandRMS[5...20] uses frequencies above 12.5 Hz") == true)
    #expect(error(people) { $0.features = [] } == .features(.noFeatures))
    #expect(error(people) { $0.features = [] }?.description == ModelError.noFeatures.description)
  }

  @Test func `A single label is an error`() {
    let found = error(people.filter { $0.label == "running" })
    #expect(found == .fitting(.onlyOneLabel(0)))
    #expect(found?.description == FittingError.onlyOneLabel(0).description)
  }

  @Test func `Too many labels are an error`() {
    let recordings = (0..<33).map { index in
      var labeled = people[index % people.count]
      (labeled.label, labeled.path) = ("label \(index)", "\(index).csv")
      return labeled
    }
    let found = error(recordings) { $0.method = .decisionTree(TreeTrainer()) }
    #expect(found?.description == "heads[0].labels: a head may have at most 32 labels, not 33.")
  }

  @Test func `One group cannot be held out`() {
    let found = error(people.filter { $0.subject == "1" }, validating: true)
    #expect(found == .folds(.tooFewUnits(groups: ["1"])))
    #expect(found?.description == FoldsError.tooFewUnits(groups: ["1"]).description)
  }

  @Test func `A label whose only windows are held out is an error`() {
    let recordings = people.filter { $0.label != "running" || $0.subject == "1" }
    let short = MovingRecordings.labeled(.running, subject: 2, seconds: 2)
    let found = error(recordings + [short], validating: true)
    #expect(found == .folds(.labelOnlyInTest("running", groups: ["1"])))
  }
}
