import Gait
import GaitLab
import GaitTraining

/// The inputs of a simulated run with GPS, a barometer and buttons, in order of time.
enum SimulatedInputs {
  /// The rate of the motion.
  static let rate = OutdoorRunSimulator.sampleRate

  /// The first `seconds` of a run, with a manual pause and a resume in it.
  static func of(seed: UInt64, seconds: Double) -> [RunInput] {
    var simulator = OutdoorRunSimulator(seed: seed)
    simulator.programme = .varied(minutes: 10...10)
    let run = simulator.run()
    let end = run.truth.start.advanced(bySeconds: seconds)
    let presses: [RunInput] = [
      .pause(autoResume: false, at: run.truth.start.advanced(bySeconds: seconds / 2)),
      .resume(at: run.truth.start.advanced(bySeconds: seconds / 2 + 4)),
      .lap(at: run.truth.start.advanced(bySeconds: seconds * 0.3)),
      .pause(autoResume: true, at: run.truth.start.advanced(bySeconds: seconds * 0.8)),
    ]
    var inputs = run.inputs.filter { $0.time < end }
    for press in presses { inputs.insert(press, at: inputs.firstIndex { $0.time > press.time } ?? inputs.count) }
    return inputs
  }

  /// A tracker for them.
  static func tracker() throws -> RunTracker {
    let options = RunOptions(splitMeters: 100, snapshotSeconds: 10, keepsEvidence: false)
    return try RunTracker(sampleRate: rate, options: options)
  }
}
