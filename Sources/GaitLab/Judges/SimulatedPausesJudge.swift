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
    let count = Int(saturating: seconds * sampleRate.hertz)
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

/// What a person does in a pause that no recording has, as motion that is added to standing.
enum PauseMotion: String, CaseIterable {
  /// Nothing.
  case still
  /// Lifts the phone to the ear within about a second, holds it with small motions, and puts it back.
  case call
  /// Bends down, jerks the laces for some seconds, and rises.
  case shoe
  /// Shifts the weight at 0.3 to 1 Hz; now and then a step in place.
  case wait

  /// The device's turn about its x axis, radians, and the acceleration that is added, g, at a time of the pause.
  typealias Function = (_ time: Double) -> (angle: Double, acceleration: SIMD3<Double>)

  /// The motion of one pause.
  func drawn(seconds: Double, from generator: inout SeededGenerator) -> Function {
    switch self {
    case .still: { _ in (0, .zero) }
    case .call: Self.call(seconds, &generator)
    case .shoe: Self.shoe(&generator)
    case .wait: Self.wait(seconds, &generator)
    }
  }

  private static func call(_ seconds: Double, _ generator: inout SeededGenerator) -> Function {
    let start = generator.uniform(in: 3...8)
    let end = seconds - generator.uniform(in: 6...12)
    let lift = generator.uniform(in: 1.2...2.4)
    let length = generator.uniform(in: 0.7...1.3)
    let tremor = generator.uniform(in: 0.01...0.04)
    let phases = SIMD3(
      generator.uniform(in: 0...6.28), generator.uniform(in: 0...6.28), generator.uniform(in: 0...6.28))
    return { time in
      let angle = lift * (smooth((time - start) / length) - smooth((time - end) / length))
      // The arm of 0.4 m moves on an arc.
      let bump = pulse(time - start, length) + pulse(time - end, length)
      var acceleration = SIMD3(0, 0, 0.3 * bump / (length * length))
      if start < time, time < end {
        for axis in 0..<3 { acceleration[axis] += tremor * sin(2 * .pi * 1.3 * time + phases[axis]) }
      }
      return (angle, acceleration)
    }
  }

  private static func shoe(_ generator: inout SeededGenerator) -> Function {
    let start = generator.uniform(in: 3...8)
    let length = generator.uniform(in: 8...20)
    let bend = generator.uniform(in: 0.8...1.5)
    let jerks = (0..<Int(saturating: length * 1.5)).map { _ in
      (
        time: generator.uniform(in: start + 1...start + length), width: generator.uniform(in: 0.1...0.35),
        size: generator.normalVector(deviation: 0.35)
      )
    }
    return { time in
      let angle = bend * (smooth(time - start) - smooth(time - start - length))
      return (angle, jerks.reduce(.zero) { $0 + $1.size * pulse(time - $1.time, $1.width) })
    }
  }

  private static func wait(_ seconds: Double, _ generator: inout SeededGenerator) -> Function {
    let hertz = generator.uniform(in: 0.3...1)
    let size = generator.uniform(in: 0.03...0.1)
    let steps = (0..<3 + generator.index(below: 6)).map { _ in generator.uniform(in: 3...seconds - 3) }
    return { time in
      let step = steps.reduce(0) { $0 + 0.7 * pulse(time - $1, 0.4) }
      let shift = sin(2 * .pi * hertz * time)
      return (0.05 * shift, SIMD3(size * shift, step, 0.3 * step))
    }
  }

  /// 0 to 1 with no jolt.
  static func smooth(_ share: Double) -> Double {
    let share = min(1, max(0, share))
    return share * share * share * (10 - 15 * share + 6 * share * share)
  }

  /// One period of a sine from time 0, of `width` seconds.
  private static func pulse(_ time: Double, _ width: Double) -> Double {
    0 < time && time < width ? sin(2 * .pi * time / width) : 0
  }
}
