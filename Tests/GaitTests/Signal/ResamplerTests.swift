import Foundation
import Gait
import GaitTestSupport
import Testing

@Suite struct ResamplerTests {
  /// The resampled values of a signal on the x axis of the user acceleration.
  private static func resampled(
    from source: Double, to target: Double = 25, seconds: Double = 20, jitter: Double = 0, start: Int64 = 0,
    _ signal: (Double) -> Double
  ) -> [(time: Double, value: Double)] {
    var resampler = Resampler(from: .hertz(source), to: .hertz(target))
    var random = SplitMix64(seed: 7)
    var outputs: [(Double, Double)] = []
    for index in 0..<Int(seconds * source) {
      let shift = jitter == 0 ? 0 : Double.random(in: -jitter...jitter, using: &random) / source
      let time = SampleTime(seconds: Double(index) / source + shift)
      let sample = MotionSample(
        time: SampleTime(nanoseconds: time.nanoseconds + start), gravity: SIMD3(0, 0, -1),
        userAcceleration: SIMD3(Float(signal(time.seconds)), 0, 0))
      resampler.append(sample) {
        outputs.append((Double($0.time.nanoseconds - start) / 1e9, Double($0.userAcceleration.x)))
      }
    }
    return outputs
  }

  private static func tone(_ frequency: Double) -> (Double) -> Double {
    { sin(2 * .pi * frequency * $0 + 0.3) }
  }

  /// The amplitude and delay of a sine of `frequency` in the outputs, by least squares.
  private static func fit(_ outputs: [(time: Double, value: Double)], _ frequency: Double) -> (
    amplitude: Double, delay: Double
  ) {
    var (ss, sc, cc, sy, cy) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (time, value) in outputs {
      let (s, c) = (sin(2 * .pi * frequency * time + 0.3), cos(2 * .pi * frequency * time + 0.3))
      ss += s * s
      sc += s * c
      cc += c * c
      sy += s * value
      cy += c * value
    }
    let determinant = ss * cc - sc * sc
    let (inPhase, ahead) = ((sy * cc - cy * sc) / determinant, (cy * ss - sy * sc) / determinant)
    return (hypot(inPhase, ahead), -atan2(ahead, inPhase) / (2 * .pi * frequency))
  }

  private static func rms(_ outputs: [(time: Double, value: Double)]) -> Double {
    (outputs.map { $0.value * $0.value }.reduce(0, +) / Double(outputs.count)).squareRoot()
  }

  @Test(arguments: [100, 62.5, 60, 51.2, 50, 40, 30, 20, 10])
  func `Tones in the pass band keep amplitude within 1 % and time within 5 ms`(rate: Double) {
    let highest = Resampler(from: .hertz(rate), to: .hertz(25)).passband
    #expect(highest >= (rate >= 20 ? 5 : 3.5) - 1e-9)
    for frequency in stride(from: 0.5, through: highest, by: 0.25) {
      let outputs = Self.resampled(from: rate, Self.tone(frequency))
      let (amplitude, delay) = Self.fit(outputs, frequency)
      #expect((amplitude - 1).magnitude < 0.01, "\(frequency) Hz from \(rate) Hz has amplitude \(amplitude)")
      #expect(delay.magnitude < 0.005, "\(frequency) Hz from \(rate) Hz is \(delay) s late")
    }
  }

  @Test(.requiresOptimization, arguments: [200, 100, 62.5, 60, 51.2, 50])
  func `Tones that alias into the pass band are attenuated by 60 dB`(rate: Double) {
    for frequency in stride(from: 20, through: min(rate / 2, 70), by: 0.5) {
      let outputs = Self.resampled(from: rate, Self.tone(frequency))
      // At 25 Hz the tone aliases to 0…5 Hz if it is within 5 Hz of a multiple of 25 Hz.
      guard remainder(frequency, 25).magnitude <= 5 else { continue }
      #expect(Self.rms(outputs) < 1e-3 / 2.0.squareRoot(), "\(frequency) Hz from \(rate) Hz")
    }
  }

  @Test(arguments: [20.0, 10])
  func `Images of a slow source's tones are attenuated by 60 dB`(rate: Double) {
    for frequency in stride(from: 0.5, through: min(5, 0.35 * rate), by: 0.25) {
      let outputs = Self.resampled(from: rate, Self.tone(frequency))
      let (amplitude, delay) = Self.fit(outputs, frequency)
      let rest = outputs.map { time, value in
        (time, value - amplitude * Self.tone(frequency)(time - delay))
      }
      let decibels = 20 * log10(Self.rms(rest) * 2.0.squareRoot())
      #expect(decibels < -60, "\(frequency) Hz from \(rate) Hz has images at \(decibels) dB")
    }
  }

  @Test func `The delay is at most 0.15 s from 50 Hz and more and 0.65 s from 10 Hz`() {
    for rate in [50, 51.2, 60, 100, 200, 1000] {
      #expect(Resampler(from: .hertz(rate), to: .hertz(25)).delay <= 0.15)
    }
    #expect(Resampler(from: .hertz(10), to: .hertz(25)).delay <= 0.65)
    #expect(Resampler(from: .hertz(25), to: .hertz(25)).delay == 0)
  }

  @Test(arguments: [100, 50, 30, 20, 10])
  func `Outputs are on the grid and within the stated delay`(rate: Double) {
    var resampler = Resampler(from: .hertz(rate), to: .hertz(25))
    let delay = resampler.delay
    var times: [Int64] = []
    for index in 0..<Int(10 * rate) {
      let time = SampleTime(seconds: Double(index) / rate)
      resampler.append(MotionSample(time: time, gravity: SIMD3(0, 0, -1), userAcceleration: .zero)) {
        #expect(time.seconds - $0.time.seconds <= delay + 1e-9)
        times.append($0.time.nanoseconds)
      }
    }
    let first = Int64((delay * 25).rounded(.up)) * 40_000_000
    #expect(times == (0..<Int64(times.count)).map { first + $0 * 40_000_000 })
    #expect(Double(times.last!) / 1e9 > 10 - 1 / rate - delay - 0.08)
  }

  @Test(arguments: [100, 51.2, 50, 10])
  func `A constant signal stays constant`(rate: Double) {
    for (_, value) in Self.resampled(from: rate, { _ in 0.7 }) {
      #expect((value - 0.7).magnitude < 1e-6)
    }
  }

  @Test(arguments: [100.0, 50, 20, 10])
  func `Uneven spacing keeps amplitude and time`(rate: Double) {
    // At 10 Hz uneven spacing costs accuracy near the edge of the pass band.
    let tolerance = rate > 10 ? 0.01 : 0.02
    for frequency in [0.7, 1, 2.7, 3.5] {
      let (amplitude, delay) = Self.fit(Self.resampled(from: rate, jitter: 0.2, Self.tone(frequency)), frequency)
      #expect(
        (amplitude - 1).magnitude < tolerance, "\(frequency) Hz from \(rate) Hz has amplitude \(amplitude)")
      #expect(delay.magnitude < 0.005)
    }
  }

  /// The amplitude of the outputs at `frequency`, with a window whose side lobes are below −90 dB.
  private static func amplitude(_ outputs: [(time: Double, value: Double)], at frequency: Double) -> Double {
    let (first, last) = (outputs[0].time, outputs[outputs.count - 1].time)
    var (real, imaginary, total) = (0.0, 0.0, 0.0)
    for (time, value) in outputs {
      let place = 2 * .pi * (time - first) / (last - first)
      let weight = 0.35875 - 0.48829 * cos(place) + 0.14128 * cos(2 * place) - 0.01168 * cos(3 * place)
      total += weight
      real += weight * value * cos(2 * .pi * frequency * time)
      imaginary += weight * value * sin(2 * .pi * frequency * time)
    }
    return 2 * hypot(real, imaginary) / total
  }

  @Test(arguments: [100.0, 62.5, 50, 40, 30, 20, 10])
  func `No tone of a source leaks to other frequencies of the pass band`(rate: Double) {
    let highest = Resampler(from: .hertz(rate), to: .hertz(25)).passband
    for tone in stride(from: 0.6, to: rate / 2, by: rate > 30 ? 1.3 : 0.45) {
      let outputs = Self.resampled(from: rate, Self.tone(tone))
      for frequency in stride(from: 0, through: highest, by: 0.2) where (frequency - tone).magnitude > 0.4 {
        let decibels = 20 * log10(max(1e-9, Self.amplitude(outputs, at: frequency)))
        #expect(decibels < -60, "\(tone) Hz from \(rate) Hz leaks to \(frequency) Hz at \(decibels) dB")
      }
    }
  }

  @Test func `Shifting all times shifts the outputs exactly`() {
    let (shifted, original) = (
      Self.resampled(from: 30, start: 1_732_000_000_123_456_789, Self.tone(2)), Self.resampled(from: 30, Self.tone(2))
    )
    #expect(shifted.map(\.value) == original.map(\.value))
    #expect(shifted.map(\.time) == original.map(\.time))
  }

  @Test func `A gap starts a new grid and has no outputs`() {
    var resampler = Resampler(from: .hertz(50), to: .hertz(25))
    var times: [Double] = []
    for index in 0..<500 {
      let time = Double(index) / 50 + (index < 250 ? 0 : 0.333)
      resampler.append(
        MotionSample(time: .seconds(time), gravity: SIMD3(0, 0, -1), userAcceleration: .zero)
      ) { times.append($0.time.seconds) }
    }
    let across = times.filter { $0 > 4.98 - resampler.delay + 0.02 && $0 < 5.333 + resampler.delay - 1e-9 }
    #expect(across.isEmpty)
    #expect(times.contains { ($0 - 5.333).truncatingRemainder(dividingBy: 0.04).magnitude < 1e-6 })
  }

  @Test func `Late samples are dropped and counted`() {
    var resampler = Resampler(from: .hertz(50), to: .hertz(25))
    for time in [0, 0.02, 0.01, 0.02, 0.04] {
      resampler.append(MotionSample(time: .seconds(time), gravity: .zero, userAcceleration: .zero)) { _ in }
    }
    #expect(resampler.droppedCount == 2)
  }

  @Test func `A missing value affects only its channel, within the delay`() {
    var resampler = Resampler(from: .hertz(50), to: .hertz(25))
    let delay = resampler.delay
    for index in 0..<200 {
      var sample = MotionSample(
        time: .seconds(Double(index) / 50), gravity: SIMD3(0, 0, -1), rotationRate: .zero, userAcceleration: .zero)
      if index == 100 { sample[.rotationRateY] = .nan }
      resampler.append(sample) {
        #expect($0.rotationRate.y.isNaN == (($0.time.seconds - 2).magnitude < delay))
        #expect($0.rotationRate.x == 0)
        #expect(($0.gravity.z + 1).magnitude < 1e-6)
      }
    }
  }

  @Test func `A rotating yaw crosses π 200 times without smearing`() {
    var resampler = Resampler(from: .hertz(50), to: .hertz(25))
    for index in 0..<50_000 {
      let time = Double(index) / 50
      let yaw = Float(remainder(1.3 * time, 2 * .pi))
      let attitude = SIMD3(0.1, 0, yaw)
      resampler.append(
        MotionSample(time: .seconds(time), attitude: attitude, gravity: SIMD3(0, 0, -1), userAcceleration: .zero)
      ) {
        let error = remainder(Double($0.attitude.z) - 1.3 * $0.time.seconds, 2 * .pi)
        #expect(error.magnitude < 1e-4)
        #expect($0.attitude.z.magnitude <= .pi + 1e-5)
      }
    }
  }

  @Test func `Equal rates pass samples through unchanged`() {
    var resampler = Resampler(from: .hertz(25), to: .hertz(25))
    var count = 0
    for index in 0..<50 {
      let sample = MotionSample(
        time: .seconds(Double(index) / 25), attitude: SIMD3(4, 0, 0), gravity: SIMD3(0, 0, -1),
        rotationRate: .zero, userAcceleration: SIMD3(Float(index), 0, 0))
      resampler.append(sample) {
        #expect($0 == sample)
        count += 1
      }
    }
    #expect(count == 50)
  }

  /// Samples of all sensors with jitter, missing values and a gap.
  private static func samples(jitter: Double) -> [MotionSample] {
    var random = SplitMix64(seed: 31)
    return (0..<400).map { index in
      let late = jitter == 0 ? 0 : Double.random(in: -jitter...jitter, using: &random)
      var row = SIMD16<Float>.zero
      for channel in Channel.allCases { row[channel.lane] = .random(in: -3...3, using: &random) }
      if index % 61 == 0 { row[Channel.allCases.randomElement(using: &random)!.lane] = .nan }
      return MotionSample(time: SampleTime(seconds: (Double(index) + late) / 10 + (index < 250 ? 0 : 3)), row: row)
    }
  }

  @Test(arguments: [0, 0.2]) func `Omitted sensors change no bit of the others`(jitter: Double) {
    for choice in 0..<16 {
      let sensors = Set(Sensor.allCases.indices.filter { choice >> $0 & 1 == 1 }.map { Sensor.allCases[$0] })
      var (whole, part) = (
        Resampler(from: .hertz(10), to: .hertz(25)), Resampler(from: .hertz(10), to: .hertz(25), sensors: sensors)
      )
      for sample in Self.samples(jitter: jitter) {
        var (expected, found): ([MotionSample], [MotionSample]) = ([], [])
        whole.append(sample) { expected.append($0) }
        part.append(sample) { found.append($0) }
        #expect(expected.map(\.time) == found.map(\.time))
        for (expected, found) in zip(expected, found) {
          for channel in sensors.flatMap(\.channels) {
            #expect(expected[channel].bitPattern == found[channel].bitPattern, "\(channel)")
          }
        }
      }
    }
  }

  @Test func `The largest time steps start a new stream, and times outside the range are dropped`() {
    var resampler = Resampler(from: .hertz(50), to: .hertz(25))
    var count = 0
    let (first, last) = (SampleTime.range.lowerBound.nanoseconds, SampleTime.range.upperBound.nanoseconds)
    for time: Int64 in [.min, first - 1, first, -5, 20_000_000, last, last + 1, .max] {
      resampler.append(MotionSample(time: SampleTime(nanoseconds: time), row: .zero)) { _ in count += 1 }
    }
    #expect(count == 0)
    #expect(resampler.droppedCount == 4)
  }
}
