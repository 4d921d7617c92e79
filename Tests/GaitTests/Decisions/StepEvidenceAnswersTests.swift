import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// The measures of steps, shaking and onsets for many signals, at several rates.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct StepEvidenceAnswersTests {
  @Test func `The measures of steps have the answers that were recorded`() throws {
    var cases: [(name: String, figures: RecordedAnswers.Figures)] = []
    for hertz in [15, 20, 25, 31.5, 50] as [Double] {
      cases.append(("rhythm \(hertz)", try Self.rhythm(hertz)))
      cases.append(("shaking \(hertz)", Self.shaking(hertz)))
    }
    for seconds in [0.6, 1, 2] { cases.append(("band \(seconds)", try Self.band(seconds))) }
    for hertz in [1, 1.5, 2, 10, 26.3] as [Double] { cases.append(("onset \(hertz)", Self.onset(hertz))) }
    cases.append(("activity", Self.activity()))
    for strength in [0.08, 0.2, 0.9] as [Float] { cases.append(("windows \(strength)", Self.windows(strength))) }
    try RecordedAnswers("step_evidence_answers.tsv").expect(cases)
  }

  private static func code(_ answers: [Bool?]) -> String {
    answers.map { $0 == true ? "1" : $0 == false ? "0" : "-" }.joined()
  }

  /// Quiet walks, by every period and amplitude, with gravity and without, and after every number of samples.
  private static func rhythm(_ hertz: Double) throws -> RecordedAnswers.Figures {
    let rate = SampleRate.hertz(hertz)
    let detector = try #require(WalkRhythm(sampleRate: rate))
    func answer(
      count: Int, gravity: SIMD3<Float> = SIMD3(0, 0, -1), deviation: Float = 0.1, _ push: (Int) -> SIMD3<Float>
    ) -> Bool {
      var (rhythm, history) = (detector, StepHistory(seconds: WalkRhythm.seconds, sampleRate: rate))
      for index in 0..<count {
        history.append(
          MotionSample(
            time: SampleTime(nanoseconds: rate.nanoseconds(ofSample: index)), gravity: gravity,
            userAcceleration: push(index)))
      }
      return rhythm.isQuietWalk(history, deviation: deviation)
    }
    var figures = RecordedAnswers.Figures()
    let length = Int((3.2 * hertz).rounded())
    for width in [1, 2] {
      let periods = (2...Int(1.1 * hertz)).map { period in
        answer(count: length) { SIMD3(0, 0, $0 % period < width ? 0.3 : 0) }
      }
      figures.add("periods of impulses of \(width)", code(periods))
    }
    for harmonic in [0, 0.2, 0.35, 0.5] as [Double] {
      let periods = (2...Int(1.1 * hertz)).map { period in
        answer(count: length) { index in
          let angle = 2 * Double.pi * Double(index) / Double(period)
          return SIMD3(0, 0, Float(0.1 * sin(angle) + 0.1 * harmonic * sin(3 * angle)))
        }
      }
      figures.add("periods with harmonic \(harmonic)", code(periods))
    }
    let period = Int(hertz / 2)
    figures.add("counts", code((0...length).map { answer(count: $0) { SIMD3(0, 0, $0 % 2 == 0 ? 0.1 : 0) } }))
    let deviations: [Float] = [0.04, Float(0.05).nextDown, 0.05, 0.06, 0.29, Float(0.3).nextDown, 0.3, 0.31]
    for name in ["with", "without"] {
      let gravity = name == "with" ? SIMD3<Float>(0, 0, -1) : SIMD3(repeating: .nan)
      let found = deviations.map { deviation in
        answer(count: length, gravity: gravity, deviation: deviation) { index in
          SIMD3(0, 0, index % period < period / 2 ? 0.1 : -0.1)
        }
      }
      figures.add("deviations \(name) gravity", code(found))
      for count in [Int(0.6 * hertz), length] {
        let sizes = (0..<40).map { size in
          answer(count: count, gravity: gravity, deviation: size % 2 == 0 ? 0.01 : 0.06) { index in
            SIMD3(0, 0, (index % period < period / 2 ? 0.0025 : -0.0025) * Float(size + 4))
          }
        }
        figures.add("sizes after \(count) \(name) gravity", code(sizes))
        let exact = [Float(0.04).nextDown, 0.04, Float(0.04).nextUp].map { size in
          answer(count: count, gravity: gravity, deviation: 0.06) { SIMD3($0 % 2 == 0 ? size : -size, 0, 0) }
        }
        figures.add("exact sizes after \(count) \(name) gravity", code(exact))
      }
      let ends = (0..<Int(hertz)).map { end in
        answer(count: length, gravity: gravity) { index in
          SIMD3(0, 0, index >= length - end ? 0.001 : index % period < period / 2 ? 0.1 : -0.1)
        }
      }
      figures.add("ends \(name) gravity", code(ends))
    }
    return figures
  }

  /// Shaking of beats and turns that are small whole numbers, in windows of several lengths.
  private static func shaking(_ hertz: Double) -> RecordedAnswers.Figures {
    var (figures, random) = (RecordedAnswers.Figures(), SplitMix64(seed: UInt64(hertz)))
    for seconds in [0.5, 0.7, 1, 1.3] {
      let (rate, shape) = (SampleRate.hertz(hertz), WindowShape(seconds: seconds, hopSeconds: 0.2))
      guard let detector = ShakeDetector(window: shape, sampleRate: rate) else {
        figures.add("\(seconds)", "none")
        continue
      }
      let length = shape.sampleCount(at: rate)
      let answers = (0..<150).map { turn -> Bool in
        var history = StepHistory(seconds: seconds, sampleRate: rate)
        let period = Int.random(in: 2...max(2, length * 2 / 3), using: &random)
        let turns = (0..<period).map { _ in Float(Int.random(in: -1...1, using: &random)) }
        for index in 0..<length {
          let rotation = turn % 2 == 0 ? SIMD3<Float>(1, 0, 0) : SIMD3(turns[index % period], 1, 0)
          history.append(
            MotionSample(
              time: SampleTime(nanoseconds: rate.nanoseconds(ofSample: index)), gravity: SIMD3(0, 0, -1),
              rotationRate: rotation, userAcceleration: .zero))
        }
        var beats = [Float](repeating: 0, count: length + SeriesKernels.padding)
        for _ in 0..<Int.random(in: 2...7, using: &random) {
          beats[Int.random(in: 0..<length, using: &random)] = Float([-1, 1, 1, 2].randomElement(using: &random)!)
        }
        var copy = detector
        return copy.isShaken(history, beats: beats)
      }
      figures.add("\(seconds)", code(answers))
    }
    return figures
  }

  /// The ratio and the deviation for tones of every frequency and for sizes up to overflow.
  private static func band(_ seconds: Double) throws -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    let shape = WindowShape(seconds: seconds, hopSeconds: 0.2)
    let fresh = try #require(StepBandRatio(shape: shape, sampleRate: .canonical))
    let length = shape.sampleCount(at: .canonical)
    func measure(_ name: String, count: Int, _ push: (Int) -> Float) {
      var (meter, history) = (fresh, StepHistory(seconds: 3, sampleRate: .canonical))
      for index in 0..<count {
        history.append(
          MotionSample(
            time: .seconds(Double(index) / 25), gravity: SIMD3(0, 0, -1), userAcceleration: SIMD3(0, 0, push(index))))
      }
      let measured = meter.measure(history)
      figures.add(name, measured.map { "\($0.ratio) \($0.deviation)" })
    }
    for tenth in stride(from: 2, through: 120, by: 2) {
      measure("\(tenth)", count: length + 3) { Float(0.2 * sin(2 * .pi * 0.1 * Double(tenth) * Double($0) / 25)) }
    }
    for count in [length - 1, length, length + 1] { measure("count \(count)", count: count) { $0 % 9 < 4 ? 0.5 : 0 } }
    for power in stride(from: -12, through: 36, by: 1) {
      let size = Float(pow(10, Double(power) / 2))
      measure("size \(power)", count: length) { $0 % 10 < 5 ? size : 0 }
    }
    measure("constant", count: length) { _ in 0.25 }
    measure("missing", count: length) { $0 == length / 2 ? .nan : 0 }
    return figures
  }

  /// Onsets and the number of searched energies, with gaps at the limit, missing values and equal energies.
  private static func onset(_ hertz: Double) -> RecordedAnswers.Figures {
    var (figures, random) = (RecordedAnswers.Figures(), SplitMix64(seed: UInt64(10 * hertz)))
    let rate = SampleRate.hertz(hertz)
    var (finder, time, counts) = (OnsetFinder(sampleRate: rate), Int64(5_000_000_000), "")
    figures.add("room", finder.energies.count)
    let period = rate.nanoseconds(ofSample: 1)
    for index in 0..<400 {
      let steps: [Int64] = [2 * period, period * 3 / 2, 3_999_999_999, 4_000_000_000, 4_000_000_001]
      time += Int.random(in: 0..<30, using: &random) == 0 ? steps.randomElement(using: &random)! : period
      let size = [0, 0, 0.01, 0.1, 1, 1, .nan].randomElement(using: &random)! * Float(index / 20 % 2)
      finder.append(
        MotionSample(
          time: SampleTime(nanoseconds: time), gravity: SIMD3(0, 0, -1),
          userAcceleration: SIMD3(size, index % 3 == 0 ? 0.02 : 0, 0)))
      counts += "\(finder.searched.count) "
      guard index % 10 == 0 else { continue }
      let energies = finder.energies[finder.searched]
      for (place, longest) in [(0, period), (3, period * 3 / 2), (5, period * 3 / 2 - 1), (0, 2 * period - 1)] {
        let earliest = energies.dropFirst(place).first.map { $0.time } ?? 0
        let onset = OnsetFinder.onset(
          in: energies, after: SampleTime(nanoseconds: place == 0 ? .min : earliest), longestStep: longest)
        figures.add("\(index) \(place) \(longest)", onset?.nanoseconds)
      }
    }
    figures.add("counts", counts)
    for pattern in [
      [1, 1, 1, 4, 4, 4, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1], [4, 4, 4, 1, 1, 1, 4, 4, 4], [1, 1, 1, 1, 1],
    ] {
      let energies = pattern.enumerated().compactMap { index, energy -> OnsetFinder.Energy? in
        let sample = MotionSample(time: .seconds(Double(index)), gravity: .zero, userAcceleration: .zero)
        guard var value = OnsetFinder.Energy(sample) else { return nil }
        value.energy = Float(energy)
        return value
      }
      let onset = OnsetFinder.onset(in: energies[...], after: .seconds(-1), longestStep: 1_000_000_000)
      figures.add("\(pattern)", onset?.seconds)
    }
    return figures
  }

  /// The windows of the pause head for movements of one strength, with and without gravity and rotation.
  private static func windows(_ strength: Float) -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for hertz in [1.2, 1.8, 2.5, 2.8, 3.4, 5] as [Double] {
      for kind in ["steps", "shaking", "without gravity", "without rotation", "with a gap"] {
        var (windows, codes, sums) = (MotionMeter(model: TestModels.runner), "", [0.0, 0, 0, 0])
        for index in 0..<180 {
          let time = Double(index) / 25 + (kind == "with a gap" && index > 100 ? 1 : 0)
          let angle = 2 * Double.pi * hertz * time
          let push = index < 140 ? strength * Float(sin(angle) + 0.25 * sin(2 * angle + 1)) : 0
          let turn = 2 * Float(sin(kind == "shaking" ? angle : angle / 2))
          var sample = MotionSample(
            time: .seconds(time), gravity: SIMD3(0, 0, -1), rotationRate: SIMD3(turn, 0.5 * turn, 0),
            userAcceleration: SIMD3(0, 0, push))
          let sensor = kind == "without gravity" ? Sensor.gravity : .rotationRate
          if kind.hasPrefix("without") { for channel in sensor.channels { sample[channel] = .nan } }
          guard let window = windows.pauseWindow(endingWith: sample) else { continue }
          codes += window.isShaken ? window.isQuietWalk ? "b" : "s" : window.isQuietWalk ? "q" : "-"
          sums[0] += window.start.seconds
          sums[1] += window.end.seconds
          sums[2] += Double(window.stepBandRatio ?? -1)
          sums[3] += Double(window.probabilities["still"])
        }
        figures.add("\(hertz) \(kind)", "\(codes) \(sums.map { "\($0)" }.joined(separator: " "))")
      }
    }
    return figures
  }

  /// Changes of activity for probabilities at the threshold.
  private static func activity() -> RecordedAnswers.Figures {
    var (figures, random) = (RecordedAnswers.Figures(), SplitMix64(seed: 5))
    var decider = ActivityDecider(model: TestModels.runner)
    var (best, share) = (0, Float(0.9))
    for index in 0..<200 {
      if index % 5 == 0 {
        best = Int.random(in: 0..<3, using: &random)
        share = [0.4, 0.6, 0.8, 0.9, 0.99].randomElement(using: &random)!
      }
      let probabilities = LabelProbabilities(labels: ["running", "still", "walking"]) { output in
        for label in 0..<3 { output[label] = label == best ? share : (1 - share) / 2 }
      }
      let end = SampleTime.seconds(0.64 * Double(index + 4))
      let window = ClassifiedWindow(
        start: end.advanced(bySeconds: -2.56), end: end, probabilities: probabilities,
        evidence: RejectionEvidence(distance: 0, confidence: 1))
      if let change = decider.append(window, arrival: end.advanced(bySeconds: 0.1)) {
        let since = decider.runningSince?.seconds ?? -1
        figures.add(
          "\(index)", "\(change.activity) \(change.decidedAt.seconds) \(change.onset.seconds) \(since)")
      }
    }
    return figures
  }
}
