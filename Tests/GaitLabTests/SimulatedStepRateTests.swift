import Gait
import GaitLab
import GaitTestSupport
import GaitTraining
import Testing

/// The step rates of simulated people who walk and run slower and faster than usual.
@Suite struct SimulatedStepRateTests {
  /// A movement `factor` times as fast: on the same way, accelerations grow with its square.
  private static func faster(_ recording: Recording, by factor: Double) -> Recording {
    var columns: [Channel: [Float]] = [:]
    for channel in Sensor.gravity.channels { columns[channel] = recording[channel] }
    for channel in Sensor.userAcceleration.channels {
      columns[channel] = recording[channel].map { $0 * Float(factor * factor) }
    }
    return Recording(
      name: recording.name, sampleRate: .hertz(factor * recording.sampleRate.hertz), columns: columns)
  }

  @Test(arguments: WearingPosition.allCases)
  func `Step rates of 60 to 230 a minute are within three percent`(position: WearingPosition) throws {
    let simulator = Simulator(seed: 5, sampleRate: .hertz(50))
    let subject = try #require((1...6).first { simulator.subject($0).position == position })
    let rates: [(SimulatedActivity, [Double])] = [
      (.walking, [60, 63, 70, 85, 100, 120, 135]), (.running, [135, 150, 165, 180, 195, 205, 215, 225, 230]),
    ]
    for (activity, rates) in rates {
      let recording = simulator.recording(of: subject, activity: activity, seconds: 20)
      let usual = 60 * (try #require(recording.stepFrequency()))
      let mean = 60 * (try #require(simulator.subject(subject).stepFrequency(activity)))
      #expect(abs(usual / mean - 1) < 0.06, "\(activity): \(usual) of \(mean)")
      for rate in rates {
        let found = 60 * (Self.faster(recording, by: rate / usual).stepFrequency() ?? 0)
        #expect(abs(found / rate - 1) <= 0.03, "\(activity) at \(rate): \(found)")
      }
    }
  }
}
