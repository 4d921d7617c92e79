import Gait
import GaitLab
import GaitTraining
import Testing

@Suite struct HeldOutPausesTests {
  private static func people(_ subjects: [Int]) -> LabeledDataset {
    let simulator = Simulator(seed: 5, sampleRate: .hertz(50))
    return LabeledDataset(
      subjects.flatMap { subject in
        [SimulatedActivity.running, .still].map { activity in
          LabeledRecording(
            recording: simulator.recording(of: subject, activity: activity, seconds: 30),
            label: activity == .running ? "running" : "still", group: "\(subject)", path: "\(activity) \(subject)")
        }
      })
  }

  @Test func `A person's runs are judged by a pause head that is fitted to the others`() throws {
    let dataset = Self.people([1, 2])
    let model = try ActivityTrainer().fit(dataset)
    var composer = RunComposer()
    composer.usesEveryMinute = true
    let runs = try composer.runs(from: dataset, seed: 1)
    let folds = try Folds(of: dataset, scheme: .groups(folds: 2))
    func heldOut(_ runs: [ComposedRun], _ dataset: LabeledDataset) throws -> PauseReport {
      try PauseTrial(
        refitting: model, by: .logistic(LogisticTrainer()), to: dataset, folds: folds, on: runs, policy: .whenStill
      ).report()
    }
    for (run, other) in zip(runs, [2, 1]) {
      let fitted = try PauseTrial(ActivityTrainer().fit(Self.people([other])), on: [run], policy: .whenStill).report()
      #expect(try heldOut([run], dataset) == fitted, "person \(run.group) is not judged by a head of person \(other)")
    }
    #expect(try heldOut(runs, dataset).changes == runs.reduce(0) { $0 + $1.truth.count - 1 })
    let running = LabeledDataset(dataset.recordings.filter { $0.label == "running" })
    #expect(throws: TrainingError.self) { try heldOut(runs, running) }
  }
}
