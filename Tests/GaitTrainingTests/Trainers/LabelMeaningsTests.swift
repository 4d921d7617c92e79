import Foundation
import Gait
import GaitTestSupport
import GaitTraining
import Testing

/// Labels of an app's own, whose meanings a model states.
@Suite struct LabelMeaningsTests {
  /// Samples at 25 Hz of a wrist: pulls of up to 0.5 g with looks between them, or rest.
  private static func samples(
    climbing: Bool, seconds: Double, from start: Double, _ random: inout SeededGenerator
  ) -> [MotionSample] {
    var (left, length, pull) = (0.0, 1.0, SIMD3<Float>.zero)
    return (0..<Int(seconds * 25)).map { index in
      left -= 0.04
      if climbing, left < -random.uniform(in: 0.1...1.5) {
        length = random.uniform(in: 0.3...0.9)
        left = length
        pull = SIMD3(Float(random.uniform(in: 0.1...0.5)), Float(random.normal(deviation: 0.3)), 0.1)
      }
      let force = left <= 0 ? SIMD3<Float>.zero : left > length / 2 ? pull : -pull
      let noise = SIMD3<Float>(repeating: Float(random.normal(deviation: climbing ? 0.03 : 0.01)))
      return MotionSample(
        time: .seconds(start + Double(index) / 25), gravity: [0, -0.6, -0.8], rotationRate: 4 * force + noise,
        userAcceleration: force + noise)
    }
  }

  private static func dataset(labels: [String] = ["climbing", "resting"], people: Int = 3) -> LabeledDataset {
    LabeledDataset(
      (1...people).flatMap { person in
        labels.enumerated().map { index, label in
          var random = SeededGenerator(seed: 5, keys: [UInt64(person), UInt64(index)])
          let samples = samples(climbing: index == 0, seconds: 60, from: 0, &random)
          return LabeledRecording(
            recording: Recording(name: "\(label) \(person)", sampleRate: .hertz(25), samples: samples), label: label,
            group: "\(person)")
        }
      })
  }

  private static func trainer() -> ActivityTrainer {
    var trainer = ActivityTrainer()
    trainer.meanings = ["climbing": .other, "resting": .still]
    return trainer
  }

  @Test("active time of a session with labels climbing and resting is within 2 s of the truth", arguments: 11...13)
  func session(person: UInt64) throws {
    let model = try Self.trainer().fit(Self.dataset())
    #expect(model.heads.count == 2, "a pause head is fitted")
    let reread = try ActivityModel(json: model.json(), name: "m")
    #expect(reread == model)
    #expect(reread.fileVersion == 4)
    #expect(reread.activity(of: "resting") == .still)
    #expect(reread.activity(of: "walking") == .walking)
    var random = SeededGenerator(seed: 6, keys: [person])
    var tracker = try RunTracker(model: reread, sampleRate: .hertz(25))
    var (time, climbed) = (0.0, 0.0)
    for stretch in 0..<7 {
      let seconds = random.uniform(in: 20...60).rounded()
      for sample in Self.samples(climbing: stretch % 2 == 0, seconds: seconds, from: time, &random) {
        tracker.append(sample)
      }
      time += seconds
      climbed += stretch % 2 == 0 ? seconds : 0
    }
    let session = tracker.finish()
    #expect(session.pauses.count == 3)
    #expect((session.movingSeconds - climbed).magnitude < 2, "\(session.movingSeconds) s instead of \(climbed) s")
    #expect(Set(session.slices.map(\.state)) == [.moving, .paused])
    #expect(session.activities.allSatisfy { $0.activity != .running && $0.activity != .walking })
  }

  @Test("the trainer says what it assumed, and that no pause head was fitted")
  func assumptions() throws {
    var trainer = Self.trainer()
    let dataset = Self.dataset()
    #expect(trainer.warnings(of: dataset, windows: ["climbing": 90, "resting": 90]) == [])
    trainer.meanings = ["resting": .still]
    let assumed = trainer.warnings(of: dataset, windows: ["climbing": 90, "resting": 90])
    try #require(assumed.count == 1)
    #expect(assumed[0].hasPrefix("label \"climbing\" is assumed to be movement other than running"))
    #expect(assumed[0].contains("(--meaning climbing=still, or"))
    // The option is typed as it stands.
    let spaced = trainer.warnings(of: Self.dataset(labels: ["at a desk", "resting"]), windows: [:])
    #expect(spaced.first?.contains("(--meaning 'at a desk=still', or") == true, "\(spaced)")
    trainer.meanings = [:]
    let warnings = trainer.warnings(of: dataset, windows: ["climbing": 90, "resting": 90])
    try #require(warnings.count == 2, "\(warnings)")
    #expect(warnings[0].hasPrefix("labels \"climbing\", \"resting\" are assumed"), "\(warnings)")
    #expect(warnings[1].hasPrefix("no pause head was fitted"))
    let model = try trainer.fit(dataset)
    #expect(model.heads.count == 1)
    #expect(model.fileVersion == 2)
    #expect(
      trainer.warnings(of: Self.dataset(labels: ["running", "still"]), windows: ["running": 90, "still": 90]) == [])
  }

  @Test("meanings are parsed, and wrong ones refused")
  func parsing() throws {
    #expect(try ActivityTrainer.meanings(["a, b=moving", "rest=still"]) == ["a": .other, "b": .other, "rest": .still])
    #expect(throws: LabelMeaningError.malformed("rest")) { try ActivityTrainer.meanings(["rest"]) }
    #expect(throws: LabelMeaningError.malformed("a,=still")) { try ActivityTrainer.meanings(["a,=still"]) }
    #expect(throws: LabelMeaningError.unknownActivity("a=sleep", "sleep")) { try ActivityTrainer.meanings(["a=sleep"]) }
    #expect(throws: LabelMeaningError.twoMeanings("a")) { try ActivityTrainer.meanings(["a=still", "a=running"]) }
    var trainer = Self.trainer()
    trainer.meanings["jumping"] = .other
    let error = LabelMeaningError.noSuchLabel("jumping", found: ["climbing", "resting"])
    #expect(throws: error) { try trainer.requireMeanings(in: Self.dataset()) }
    #expect(throws: TrainingError.self) { try trainer.fit(Self.dataset()) }
  }

  @Test("a model file with an unknown activity or label is refused with its entry")
  func wrongFiles() throws {
    let model = try Self.trainer().fit(Self.dataset())
    let text = String(decoding: model.json(), as: UTF8.self)
    for (part, replacement, reason) in [
      (
        "\"resting\" : \"still\"", "\"resting\" : \"asleep\"", "\"asleep\" is not one of running, walking, still, other"
      ),
      ("\"resting\" : \"still\"", "\"sitting\" : \"still\"", "no head has this label"),
    ] {
      #expect(text.contains(part))
      let error = #expect(throws: ModelError.self) {
        try ActivityModel(json: Data(text.replacing(part, with: replacement).utf8), name: "m.json")
      }
      #expect("\(try #require(error))".contains(reason))
    }
  }

  @Test("a model with the pause head of another has the other's meanings for its labels")
  func borrowed() throws {
    let own = try Self.trainer().fit(Self.dataset())
    var plain = Self.trainer()
    plain.meanings = [:]
    let other = try plain.fit(Self.dataset(labels: ["running", "still"]))
    #expect(try own.with(pausesOf: other).meanings == own.meanings)
    #expect(try other.with(pausesOf: own).meanings == own.meanings)
  }
}
