import Gait
import GaitLab
import GaitTestSupport
import GaitTraining

/// Simulated people, a few seconds each, and datasets of them: small enough for every test to fit a model.
enum MovingRecordings {
  static let simulator = Simulator(seed: 42, sampleRate: .hertz(50))

  /// A recording of a simulated person for `seconds`.
  static func labeled(
    _ activity: SimulatedActivity, subject: Int, seconds: Double = 12, path: String? = nil, knowsSubject: Bool = true
  ) -> LabeledRecording {
    let recording = simulator.recording(of: subject, activity: activity, seconds: seconds)
    return LabeledRecording(
      recording: recording, label: activity.label, path: path ?? recording.name,
      fields: knowsSubject ? ["subject": "\(subject)"] : [:])
  }

  /// Three people with all activities.
  static let dataset = LabeledDataset(
    (1...3).flatMap { subject in SimulatedActivity.allCases.map { labeled($0, subject: subject) } },
    name: "three people")

  /// A recording restricted to some sensors.
  static func keeping(_ sensors: [Sensor], of recording: Recording) -> Recording {
    let channels = sensors.flatMap(\.channels)
    return Recording(
      name: recording.name, sampleRate: recording.sampleRate, start: recording.start,
      columns: Dictionary(uniqueKeysWithValues: channels.map { ($0, recording[$0]) }))
  }
}
