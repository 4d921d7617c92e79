import Gait
import GaitLab
import GaitTestSupport
import GaitTraining
import Testing

@Suite struct LabelReviewTests {
  @Test func `A label's summary counts its recordings, their time and their steps`() throws {
    let summaries = LabelReview(of: MovingRecordings.dataset).summaries
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

  @Test(.requiresOptimization, arguments: 1...6)
  func `The steps of simulated people are detected`(subject: Int) throws {
    let person = MovingRecordings.simulator.subject(subject)
    for activity in [SimulatedActivity.running, .walking] {
      let recording = MovingRecordings.labeled(activity, subject: subject, seconds: 30).recording
      let (found, expected) = (try #require(recording.stepFrequency()), try #require(person.stepFrequency(activity)))
      // In a pocket, the third harmonic of a walker's stride (two steps) may be stronger than the step.
      let counted = activity == .walking && found > 1.25 * expected ? found / 1.5 : found
      #expect(abs(counted / expected - 1) < 0.05, "\(activity): \(found), \(expected)")
    }
    #expect(MovingRecordings.labeled(.still, subject: subject, seconds: 30).recording.stepFrequency() == nil)
  }

  @Test func `A label has no steps if most of its recordings are still`() {
    var walker = MovingRecordings.labeled(.walking, subject: 1)
    walker.label = "still"
    let still = (1...2).map { MovingRecordings.labeled(.still, subject: $0) }
    #expect(LabelReview(of: LabeledDataset(still + [walker])).summaries.map(\.stepFrequency) == [nil])
  }
}

@Suite struct SuspectLabelTests {
  @Test func `A suspect label is listed with a proposal`() throws {
    var wrong = MovingRecordings.labeled(.still, subject: 2, seconds: 30, path: "odd, \"one\"")
    wrong.label = "running"
    let right = [SimulatedActivity.running, .still].map { MovingRecordings.labeled($0, subject: 1, seconds: 30) }
    let review = LabelReview(of: LabeledDataset(right + [wrong]))
    #expect(review.suspectLabels.map(\.path) == ["odd, \"one\""])
    #expect(review.suspectLabels.map(\.proposal) == ["still"])
    #expect(review.summaries.map(\.suspectLabels) == [1, 0])
    let lines = String(decoding: review.relabelling, as: UTF8.self).split(separator: "\n")
    #expect(lines[0] == "recording,start,label,proposal,stepsPerMinute,energy,reason")
    try #require(lines.count == 2)
    #expect(lines[1].hasPrefix("\"odd, \"\"one\"\"\",0,running,still,,0.0"))
    #expect(lines[1].contains("moves like still: no steps at 0.0"))
  }

  @Test func `A label whose meaning is not known is suspect only if a meaning is stated`() {
    let recordings = (1...4).map { subject in
      var labeled = MovingRecordings.labeled(subject == 4 ? .still : .running, subject: subject, seconds: 30)
      labeled.label = "q"
      return labeled
    }
    let dataset = LabeledDataset(recordings)
    let assumed = LabelReview(of: dataset)
    #expect(assumed.summaries.map(\.kind) == [.running])
    #expect(assumed.suspectLabels.isEmpty)
    let stated = LabelReview(of: dataset, meanings: ["q": .running])
    #expect(stated.suspectLabels.map(\.proposal) == ["still"])
    #expect(stated.suspectLabels.map(\.path) == [recordings[3].path])
    #expect(LabelReview(of: dataset, meanings: ["q": .other]).suspectLabels.isEmpty)
  }

  @Test(.requiresRealData, .requiresOptimization)
  func `BoostRunClub's walks labelled running are suspect, and MotionSense's jogging and sitting are not`() throws {
    let review = LabelReview(
      of: try LabeledDataset(
        directory: RealData.boostRunClub, layout: "{label}/{recording}.csv", sampleRate: .hertz(10)))
    let walks = review.suspectLabels.count { $0.label == "running" && $0.proposal == "walking" }
    #expect((42...46).contains(walks), "\(walks) walks labelled running")
    #expect(review.suspectLabels.count { $0.label == "standing" } <= 4)
    let level = LabelReview(
      of: try LabeledDataset(
        directory: RealData.motionSense, layout: "{label}_{trial}/sub_{subject}.csv", sampleRate: .hertz(50),
        labels: LabelMap(["jog=running", "wlk=walking", "sit,std=still"]),
        except: [RecordingFilter(field: "label", values: ["ups", "dws"])]))
    #expect(level.suspectLabels.isEmpty, "\(level.suspectLabels)")
  }
}
