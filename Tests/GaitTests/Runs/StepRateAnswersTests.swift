import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// The step rates of movements from hardly any to a sprint, with harmonics that make the step ambiguous.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct StepRateAnswersTests {
  @Test func `Movements of many rates and strengths have the step rates that were recorded`() throws {
    try RecordedAnswers("step_rate_answers.tsv").expect(
      [
        ("lags", Self.lags), ("spectrum", Self.spectra), ("stream", Self.streams), ("hops", Self.hops),
        ("points", Self.points), ("recording", Self.recordings),
      ].map { (name: $0.0, figures: $0.1()) })
  }

  /// Shares of the step, the stride, half a step and noise on each of three axes.
  private static let mixtures: [[[Double]]] = [
    [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]], [[1, 0.3, 0, 0], [0, 0.6, 0, 0], [0.2, 0, 0.2, 0]],
    [[0.3, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0.1]], [[0.5, 0.2, 0.5, 0], [0.2, 0.2, 0, 0], [0, 0, 0.3, 0]],
    [[0.7, 0, 0, 0.7], [0, 0, 0, 0.7], [0, 0, 0, 0.7]], [[0.4, 0.1, 0.8, 0.2], [0, 0.4, 0, 0.2], [0, 0, 0, 0.2]],
  ]

  private static func movement(
    _ frequency: Double, _ mixture: Int, strength: Double, rate: Double, count: Int
  ) -> [SIMD3<Float>] {
    var random = SplitMix64(seed: UInt64(mixture) + 7)
    return (0..<count).map { index in
      let time = Double(index) / rate
      var value = SIMD3<Float>.zero
      for (axis, shares) in mixtures[mixture].enumerated() {
        let phase = 2 * Double.pi * frequency * time + Double(axis)
        let noise = Double.random(in: -1...1, using: &random)
        value[axis] = Float(
          strength
            * (shares[0] * sin(phase) + shares[1] * sin(phase / 2) + shares[2] * sin(2 * phase) + shares[3] * noise))
      }
      return value
    }
  }

  private static let frequencies: [Double] =
    [0.5, 0.7, 0.9, 0.95, 1, 1.1, 1.25, 1.4, 1.55, 1.7, 1.8, 2, 2.2, 2.4, 2.6, 2.8, 3.0, 3.3, 3.6, 3.9, 4.1, 4.5]

  private static func lags() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for (rate, count) in [(25, 192), (12.5, 96), (50, 384), (20, 153), (100, 768), (31.25, 30)] as [(Double, Int)] {
      var correlation = AxisCorrelation(sampleCount: count, sampleRate: .hertz(rate))
      figures.add("length \(rate)", correlation.length)
      for mixture in mixtures.indices {
        let searched = rate == 25 ? frequencies : stride(from: 1, to: frequencies.count, by: 3).map { frequencies[$0] }
        let movements = searched.map { movement($0, mixture, strength: 1, rate: rate, count: count) }
        for strength in rate == 25 ? [0.05, 0.3, 0.6, 0.8, 1, 1.5, 2.5] : [0.3, 1.6] {
          var values: [Double?] = []
          for (frequency, samples) in zip(searched, movements) {
            let lane = count + 24
            var lanes = [Float](repeating: 0, count: 3 * lane + 24)
            for axis in 0..<3 {
              for index in 0..<count { lanes[axis * lane + 3 + index] = Float(strength) * samples[index][axis] }
            }
            correlation.take(lanes, from: 3, lane: lane)
            values += [correlation.stepFrequency(), Double(correlation.repetition), Double(correlation.power)]
            for expected in [frequency / 2, frequency, 0.4 * frequency] where strength < 1 {
              values.append(correlation.strideFrequency(near: expected))
            }
          }
          for part in 0..<3 {
            let third = values.count / 3
            figures.add(
              "\(rate) \(mixture) \(strength) \(part)",
              AnswerText.text(Array(values[part * third..<(part + 1) * third])))
          }
        }
      }
      // No movement, and one that is not finite.
      for value in [0, Float.nan] {
        correlation.take([Float](repeating: value, count: 4 * count + 96), from: 0, lane: count + 24)
        figures.add(
          "constant \(rate) \(value)",
          AnswerText.text([correlation.stepFrequency(), correlation.strideFrequency(near: 1.4)]))
      }
    }
    var correlation = AxisCorrelation(sampleCount: 192, sampleRate: .hertz(25))
    // A whole number of samples in a period: neighbours of the maximum are equal.
    for period in [6, 8, 12, 16, 24] {
      let wave = (0..<700).map { Float($0 % period < period / 2 ? 1 : -1) }
      correlation.take(wave, from: 0, lane: 224)
      correlation.correlate(4...7)
      correlation.correlate(5...60)
      figures.add("square \(period)", AnswerText.text((6..<60).map { correlation.peak(at: $0) }))
      figures.add("values \(period)", AnswerText.text((5...60).map { Double(correlation[$0]) }))
      figures.add(
        "highest \(period)",
        AnswerText.text([(5, 60), (5, 8), (7, 9), (11, 13)].map { correlation.highestPeak(in: $0.0...$0.1) }))
    }
    return figures
  }

  private static func spectra() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    let rate = SampleRate.hertz(25)
    var steps = StepSpectrum(plan: Periodogram(length: 192, sampleRate: rate, bands: [StepSpectrum.band]))
    figures.add(
      "empty", AnswerText.text([steps.stepFrequency(energy: 1), steps.peak(near: 2, share: 0.1), Double(steps.power)]))
    for first in frequencies {
      for (other, ratio) in [(0, 0), (0.5, 0.4), (0.5, 1.2), (0.67, 0.6), (2, 0.5), (2, 1.4), (1.5, 1.1)]
        as [(Double, Double)]
      {
        var series = (0..<192).map { index in
          let phase = 2 * Double.pi * first * Double(index) / 25
          return Float(sin(phase) + ratio * sin(other * phase + 1))
        }
        let mean = series.reduce(0, +) / 192
        series = series.map { $0 - mean } + [Float](repeating: 0, count: SeriesKernels.padding)
        steps.clear()
        steps.add(series)
        if ratio == 1.2 { steps.add(series) }
        var values: [Double?] = [0.1, 0.149, 0.15, 0.349, 0.35, 0.499, 0.5, 1].map { steps.stepFrequency(energy: $0) }
        values += [
          Double(steps.power), Double(steps.power(at: first)), Double(steps.power(at: 0)), Double(steps.power(at: 9)),
        ]
        values += [
          steps.peak(near: first, share: 0.25), steps.peak(near: 2, share: 0.9), steps.peak(in: 1...1.05),
          steps.peak(in: 3...3.7),
        ]
        values += [steps.highestPeak(in: 0.9...1.2), steps.highestPeak(in: 2...2.01), steps.highestPeak(in: 0.1...0.3)]
        figures.add("\(first) \(other) \(ratio)", AnswerText.text(values))
      }
    }
    return figures
  }

  private static func streams() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for rate in [25, 50, 10.0] {
      for hasGravity in [true, false] {
        for mixture in mixtures.indices where rate == 25 || mixture < 2 {
          var values: [Double?] = []
          let searched = rate == 25 ? [0.9, 1.3, 1.8, 2.5, 3.1] : [1.8]
          let movements = searched.map { movement($0, mixture, strength: 1, rate: rate, count: Int(rate * 9.1)) }
          for strength: Float in [0.03, 0.045, 0.06, 0.075, 0.1, 0.2, 0.26, 0.3, 0.5, 1, 2] {
            for movement in movements {
              guard var stream = CadenceStream(sampleRate: .hertz(rate)) else { continue }
              for (index, unit) in movement.enumerated() {
                let value = strength * unit
                let swing = SIMD3<Float>(value.y, value.x, 0) * (mixture == 3 ? 0 : 2)
                let sample = MotionSample(
                  time: .seconds(Double(index) / rate), gravity: hasGravity ? SIMD3(0, 0, -1) : SIMD3(repeating: .nan),
                  rotationRate: mixture == 4 ? SIMD3(repeating: .nan) : swing,
                  userAcceleration: SIMD3(value.z, value.y, value.x))
                guard let point = stream.append(sample) else { continue }
                values += [point.time.seconds, point.stepsPerMinute, point.gyroscopeCadence]
              }
            }
          }
          for part in 0..<3 {
            figures.add(
              "\(rate) \(hasGravity) \(mixture) \(part)",
              AnswerText.text(stride(from: part, to: values.count, by: 3).map { values[$0] }))
          }
        }
      }
    }
    figures.add("slow", CadenceStream(sampleRate: .hertz(7.79)) == nil)
    figures.add("slowest", CadenceStream(sampleRate: .hertz(7.8)) == nil)
    return figures
  }

  private static func hops() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for rate in [25, 12.5, 50] {
      var hops = CadenceHops(sampleRate: .hertz(rate))
      var closing: [Double] = []
      for index in 1...1000 {
        if index == 501 { hops.restart() }
        if hops.append(1) { closing.append(Double(index)) }
      }
      figures.add("\(rate)", AnswerText.text(closing))
    }
    return figures
  }

  private static func points() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    let turns: [Double?] = [nil, 160, 158, 162, 157, 163, 151, 180, 140, 181, 139, 0]
    for steps in [0, 160.0] {
      let points = turns.map { CadencePoint(time: .seconds(10), stepsPerMinute: steps, gyroscopeCadence: $0) }
      figures.add("confidence \(steps)", AnswerText.text(points.map(\.confidence)))
    }
    let point = CadencePoint(time: .seconds(10), stepsPerMinute: 1)
    figures.add(
      "window",
      "\(point.windowStart.seconds) \(point.windowEnd.seconds) \(CadenceMeter.hopSeconds) \(CadenceMeter.slowestSource)"
    )
    return figures
  }

  /// A share of the windows has steps: from none to all, with exactly a quarter between.
  private static func recordings() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for rate in [25, 7.8, 7.7] {
      for seconds in [7.6, 7.68, 7.72, 30] {
        for share in [0, 0.2, 0.4, 0.5, 1] {
          let count = Int(seconds * rate)
          var columns: [Channel: [Float]] = [:]
          for channel in Sensor.gravity.channels + Sensor.userAcceleration.channels {
            columns[channel] = (0..<count).map { row in
              if channel == .gravityZ { return -1 }
              guard channel == .userAccelerationZ, Double(row) < share * Double(count) else { return 0 }
              return Float(0.5 * sin(2 * .pi * 1.8 * Double(row) / rate))
            }
          }
          let recording = Recording(name: "steps", sampleRate: .hertz(rate), columns: columns)
          figures.add("\(rate) \(seconds) \(share)", "\(recording.stepFrequency() ?? -1) \(recording.showsSteps)")
        }
      }
    }
    return figures
  }
}
