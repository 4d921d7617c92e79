import Gait
import GaitTestSupport
import GaitTraining
import Testing

@Suite struct LabelSummaryTests {
  @Test func `A label's summary counts its recordings, their time and their steps`() throws {
    let summaries = MovingRecordings.dataset.labelSummaries
    #expect(summaries.map(\.label) == ["running", "still", "walking"])
    #expect(summaries.map(\.recordings) == [3, 3, 3])
    for summary in summaries { #expect(abs(summary.seconds - 36) < 1e-6) }
    #expect(summaries[1].stepFrequency == nil)
    for (summary, activity) in [(summaries[0], SimulatedActivity.running), (summaries[2], .walking)] {
      let expected = (1...3).map { MovingRecordings.simulator.subject($0).stepFrequency(activity)! }.sorted()[1]
      let found = try #require(summary.stepFrequency)
      #expect(abs(found / expected - 1) < 0.05, "\(activity): \(found), \(expected)")
    }
  }

  @Test(arguments: 1...6)
  func `The steps of simulated people are found again`(subject: Int) throws {
    let person = MovingRecordings.simulator.subject(subject)
    for activity in [SimulatedActivity.running, .walking] {
      let recording = MovingRecordings.labeled(activity, subject: subject, seconds: 30).recording
      let (found, expected) = (try #require(recording.stepFrequency()), try #require(person.stepFrequency(activity)))
      // A phone in a pocket may feel the third harmonic of a walker's stride (two steps) more than the step.
      let counted = activity == .walking && found > 1.25 * expected ? found / 1.5 : found
      #expect(abs(counted / expected - 1) < 0.05, "\(activity): \(found), \(expected)")
    }
    #expect(MovingRecordings.labeled(.still, subject: subject, seconds: 30).recording.stepFrequency() == nil)
  }

  @Test func `Where most keep still, a label has no steps`() {
    var walker = MovingRecordings.labeled(.walking, subject: 1)
    walker.label = "still"
    let still = (1...2).map { MovingRecordings.labeled(.still, subject: $0) }
    #expect(LabeledDataset(still + [walker]).labelSummaries.map(\.stepFrequency) == [nil])
  }
}
