import Foundation
import Gait
import GaitTraining

/// Counts false resumes while simulated people do in a pause what no recording has: a call, tying a shoe, waiting at a light.
///
/// All motion is simulated: running and standing by `Simulator`, which carries the phone in a pocket, at the waist, on an
/// upper arm or in a hand; `PauseMotion` adds motion to standing. Simulated motion shows that a rule works, not how often
/// people make it fail.
package struct SimulatedPausesJudge {
  private let models: [(name: String, model: ActivityModel)]

  /// How many people run, and how many stops each makes.
  var (people, stops) = (12, 10)
  /// Seconds of running before each stop, and of the stop.
  private static let (runSeconds, stopSeconds) = (40.0, 45.0)
  private static let sampleRate = SampleRate.hertz(50)

  package init(models: [(name: String, model: ActivityModel)]) { self.models = models }

  /// Judges the models; passes each line to `print`.
  package func run(print: (String) -> Void) throws {
    let simulator = Simulator(seed: 1, sampleRate: Self.sampleRate)
    let material = Array(1...people).mappedConcurrently { person in
      [SimulatedActivity.running, .still].map { simulator.recording(of: person, activity: $0, seconds: 120) }
    }
    for motion in PauseMotion.allCases {
      let runs = material.enumerated().map { run(of: $0.element, person: $0.offset + 1, motion) }
      for (name, model) in models {
        print("\(name), \(motion.rawValue): " + text(of: try PauseTrial(model, on: runs, policy: .whenStill).report()))
      }
    }
  }

  private func text(of report: PauseReport) -> String {
    "\(report.changes / 2) pauses of \(people) people, "
      + "\(report.falseResumesPerPausedHour.fixed(1)) false resumes an hour of pause, "
      + "\(report.missedPauses) missed pauses, \(report.falsePauses) false pauses, "
      + "pause delay \(report.pauseLatency.median.fixed(2)) s, resume delay \(report.resumeLatency.median.fixed(2)) s"
  }

  /// A run with stops, from a person's running and standing.
  ///
  /// - Parameter material: the recordings of running and of standing.
  func run(of material: [Recording], person: Int, _ motion: PauseMotion) -> ComposedRun {
    var generator = SeededGenerator(seed: UInt64(person))
    var rows: [SIMD16<Float>] = []
    var labels: [(label: String?, rows: Range<Int>)] = []
    func append(_ activity: SimulatedActivity, _ part: [SIMD16<Float>]) {
      labels.append((activity.label, rows.count..<rows.count + part.count))
      rows += part
    }
    for stop in 0...stops {
      append(.running, Self.excerpt(of: material[0], seconds: Self.runSeconds, &generator))
      guard stop < stops else { break }
      let function = motion.drawn(seconds: Self.stopSeconds, from: &generator)
      let standing = Self.excerpt(of: material[1], seconds: Self.stopSeconds, &generator)
      append(.still, motion == .still ? standing : Self.moved(standing, by: function))
    }
    let recording = Recording(
      name: "\(person)", sampleRate: Self.sampleRate, channels: material[0].channels, rows: rows)
    return ComposedRun(recording: recording, group: "\(person)", labels: labels, policy: .whenStill)
  }

  private static func excerpt(
    of recording: Recording, seconds: Double, _ generator: inout SeededGenerator
  ) -> [SIMD16<Float>] {
    let count = Int(seconds * sampleRate.hertz)
    let first = generator.index(below: recording.count - count + 1)
    return Array(recording.rows[first..<first + count])
  }

  /// Rows of standing, turned about the device's x axis, with the motion's acceleration added.
  private static func moved(_ rows: [SIMD16<Float>], by function: PauseMotion.Function) -> [SIMD16<Float>] {
    rows.enumerated().map { index, row in
      let time = Double(index) / sampleRate.hertz
      let (angle, acceleration) = function(time)
      let sample = MotionSample(time: SampleTime(nanoseconds: 0), row: row)
      func turned(_ vector: SIMD3<Float>, adding added: SIMD3<Double> = .zero) -> SIMD3<Float> {
        let (x, y, z) = (Double(vector.x), Double(vector.y), Double(vector.z))
        return SIMD3(SIMD3(x, cos(angle) * y - sin(angle) * z, sin(angle) * y + cos(angle) * z) + added)
      }
      let rate = (function(time + 0.01).angle - angle) / 0.01
      return MotionSample(
        time: sample.time, attitude: sample.attitude, gravity: turned(sample.gravity),
        rotationRate: turned(sample.rotationRate, adding: SIMD3(rate, 0, 0)),
        userAcceleration: turned(sample.userAcceleration, adding: acceleration)
      ).row
    }
  }
}
