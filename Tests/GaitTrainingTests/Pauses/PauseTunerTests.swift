import Foundation
import Gait
import GaitLab
import GaitTraining
import Testing

@Suite struct PauseTunerTests {
  private static let tuner = {
    var tuner = PauseTuner()
    (tuner.pauseThresholds, tuner.resumeThresholds, tuner.likelihoodExponents) = ([0.7, 0.99], [0.05, 0.4], [0.4])
    tuner.resumeDwells = [0.2]
    return tuner
  }()

  /// Two minutes of simulated people who run and stand; `swapped` people have the label of the other activity.
  private static func people(_ subjects: ClosedRange<Int>, swapped: Set<Int> = []) -> LabeledDataset {
    let simulator = Simulator(seed: 9, sampleRate: .hertz(50))
    return LabeledDataset(
      subjects.flatMap { subject in
        [SimulatedActivity.running, .still].map { activity in
          LabeledRecording(
            recording: simulator.recording(of: subject, activity: activity, seconds: 30),
            label: (activity == .running) != swapped.contains(subject) ? "running" : "still", group: "\(subject)",
            path: "\(activity) \(subject)")
        }
      })
  }

  /// Runs of two people, and a model that learned from wrong labels too, so that it is never sure.
  private static func trial() throws -> PauseTrial {
    var composer = RunComposer()
    composer.hours = 0.1
    return try PauseTrial(
      ActivityTrainer().fit(people(1...5, swapped: [4, 5])), on: composer.runs(from: people(1...2), seed: 2),
      policy: .whenStill)
  }

  private static func shifted(_ probability: Float, by logits: Float) -> Float {
    1 / (1 + exp(-(log(probability / (1 - probability)) + logits)))
  }

  @Test func `The cost is of mistakes with relaxed thresholds and of delays beyond what is free`() throws {
    let trial = try Self.trial()
    let candidates = Self.tuner.candidates(on: trial)
    #expect(candidates.count == Self.tuner.candidateCount)
    var changed = (falsePauses: false, falseResumes: false)
    for candidate in candidates {
      var (pause, resume) = (candidate.settings, candidate.settings)
      pause.pauseAbove = Self.shifted(pause.pauseAbove, by: -4)
      pause.resumeBelow = min(pause.resumeBelow, pause.pauseAbove)
      resume.resumeBelow = Self.shifted(resume.resumeBelow, by: 4)
      resume.pauseAbove = max(resume.pauseAbove, resume.resumeBelow)
      let (pausing, resuming, report) = (trial.report(with: pause), trial.report(with: resume), candidate.report)
      #expect(report == trial.report(with: candidate.settings))
      let seconds =
        60 * Double(pausing.falsePauses) + 30 * Double(resuming.falseResumes) + 60 * Double(report.missedPauses)
      let delays = max(0, report.pauseLatency.median - 1.5) + max(0, report.resumeLatency.median - 1)
      let cost = delays + seconds / Double(max(1, report.changes))
      #expect(abs(candidate.cost - cost) < 1e-6, "\(candidate.settings)")
      if pausing.falsePauses != report.falsePauses { changed.falsePauses = true }
      if resuming.falseResumes != report.falseResumes { changed.falseResumes = true }
    }
    #expect(changed.falsePauses, "relaxed thresholds change no false pause, and the test shows nothing")
    #expect(changed.falseResumes, "relaxed thresholds change no false resume, and the test shows nothing")
  }

  @Test func `Candidates are in order of their cost`() throws {
    let costs = try Self.tuner.candidates(on: Self.trial()).map(\.cost)
    #expect(costs == costs.sorted())
  }
}
