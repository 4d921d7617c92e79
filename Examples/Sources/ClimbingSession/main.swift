// A climbing timer: labels of its own, whose meanings the model states; resting pauses the session. The trained model
// is written as Swift source, for an app without files.
import Foundation
import Gait
import GaitFormats
import GaitRuns
import GaitTraining

/// A simulated climber with a watch: reaches with looks in between, and rests with a few small movements.
struct Climber {
  let name: String
  var random: SeededGenerator
  let vigour: Double
  static let rate = SampleRate.hertz(50)

  init(number: Int) {
    name = "climber \(number)"
    random = SeededGenerator(seed: 11, keys: [UInt64(number)])
    vigour = random.uniform(in: 0.7...1.4)
  }

  mutating func samples(climbing: Bool, seconds: Double, from start: Double) -> [MotionSample] {
    var (left, length, reach) = (0.0, 1.0, SIMD3<Double>.zero)
    return (0..<Int(seconds * 50)).map { index in
      left -= 0.02
      if left < (climbing ? -random.uniform(in: 0.1...1) : -random.uniform(in: 10...40)) {
        length = random.uniform(in: 0.3...0.9)
        left = length
        let size = vigour * (climbing ? random.uniform(in: 0.15...0.6) : 0.1)
        reach = SIMD3(random.normal(deviation: size), random.normal(deviation: size), random.normal(deviation: size))
      }
      // A reach speeds up and slows down.
      let share = left <= 0 ? 0 : left > length / 2 ? 1.0 : -1.0
      let noise = climbing ? 0.03 : 0.01
      let force =
        SIMD3<Float>(share * reach)
        + SIMD3<Float>((0..<3).map { _ in Float(random.normal(deviation: noise)) })
      let rotation = SIMD3<Float>((0..<3).map { Float(4 * share * reach[$0] + random.normal(deviation: noise)) })
      return MotionSample(
        time: .seconds(start + Double(index) / 50), gravity: [0, -0.6, -0.8], rotationRate: rotation,
        userAcceleration: force)
    }
  }
}

// Two minutes of each label from six people.
let recordings = (1...6).flatMap { number in
  var climber = Climber(number: number)
  return [true, false].map { climbing in
    let label = climbing ? "climbing" : "resting"
    let samples = climber.samples(climbing: climbing, seconds: 120, from: 0)
    return LabeledRecording(
      recording: Recording(name: "\(label) \(number)", sampleRate: Climber.rate, samples: samples), label: label,
      group: climber.name, path: "\(label)/\(number)")
  }
}
var trainer = ActivityTrainer()
trainer.meanings = ["resting": .still, "climbing": .other]
let model = try trainer.fit(LabeledDataset(recordings))
print("climbing means \(model.activity(of: "climbing")), resting means \(model.activity(of: "resting"))")
let source = String(decoding: try ModelExport(model, as: .swift, name: "climbing").bytes, as: UTF8.self)
// What the compiler reads between the marks of the literal.
let literal = source.components(separatedBy: "#\"\"\"\n")[1].components(separatedBy: "\"\"\"#")[0]
let embedded = ActivityModel(embedded: literal)
print("embedded as ActivityModel.climbing: \(source.contains("static let climbing") && embedded.heads == model.heads)")

// Sessions of people whom the model does not know.
for number in 7...9 {
  var climber = Climber(number: number)
  var tracker = try RunTracker(model: model, sampleRate: Climber.rate)
  var (time, climbed) = (0.0, 0.0)
  for stretch in 0..<9 {
    let climbing = stretch % 2 == 0
    let seconds = climber.random.uniform(in: 30...90).rounded()
    for sample in climber.samples(climbing: climbing, seconds: seconds, from: time) { tracker.append(sample) }
    time += seconds
    climbed += climbing ? seconds : 0
  }
  let session = tracker.finish()
  let error = session.movingSeconds - climbed
  print(
    "\(climber.name): climbed \(RunText.clock(session.movingSeconds)) of \(RunText.clock(session.elapsedSeconds)), "
      + "\(session.pauses.count) rests; off by \((error.magnitude * 10).rounded() / 10) s")
  precondition(error.magnitude < 2, "the active time is off by more than 2 s")
}
