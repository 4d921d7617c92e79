import Foundation
import GaitTestSupport
import Testing

@testable import Gait

@Suite struct CadenceMeterTests {
  private static func points(stepFrequency: Double, scale: Double = 1, rate: Double = 25) throws -> [CadencePoint] {
    var meter = try #require(CadenceStream(sampleRate: .hertz(rate)))
    return (0..<Int(30 * rate)).compactMap { index in
      let time = Double(index) / rate
      // The stride is stronger than the step, as in a pocket.
      let bounce = scale * (0.5 * sin(2 * .pi * stepFrequency * time) + 0.7 * sin(.pi * stepFrequency * time))
      let swing = sin(.pi * stepFrequency * time)
      return meter.append(
        MotionSample(
          time: .seconds(time), gravity: SIMD3(0, 0, -1), rotationRate: SIMD3(Float(swing), 0, 0),
          userAcceleration: SIMD3(0, 0, Float(bounce))))
    }
  }

  @Test(arguments: [2.1, 2.4, 2.7, 3.0, 3.4])
  func `The cadence of a runner is measured, and both sensors agree`(frequency: Double) throws {
    let points = try Self.points(stepFrequency: frequency)
    #expect(points.count == 18)
    for point in points {
      #expect(abs(point.stepsPerMinute - 60 * frequency) < 1, "\(point)")
      #expect(abs(try #require(point.gyroscopeCadence) - point.stepsPerMinute) < 2)
      #expect(point.confidence == 1)
    }
  }

  @Test(arguments: [1.4, 1.8, 2.2])
  func `The cadence of a walker is measured`(frequency: Double) throws {
    for point in try Self.points(stepFrequency: frequency, rate: 20) {
      #expect(abs(point.stepsPerMinute - 60 * frequency) < 1.5)
    }
  }

  @Test(arguments: [1.3, 1.7, 2.0], [0.1, 0.2])
  func `A phone held steadily has steps if it moves in a rhythm`(frequency: Double, scale: Double) throws {
    var (meter, random) = (try #require(CadenceStream(sampleRate: .hertz(25))), SplitMix64(seed: 4))
    var fidgets = meter
    for index in 0..<750 {
      let time = Double(index) / 25
      let step = Float(scale * sin(2 * .pi * frequency * time))
      let fidget = Float.random(in: -0.2...0.2, using: &random)
      func sample(_ bounce: Float) -> MotionSample {
        MotionSample(time: .seconds(time), gravity: SIMD3(0, 0, -1), userAcceleration: SIMD3(0, 0, bounce))
      }
      if let point = meter.append(sample(step)) {
        #expect(abs(point.stepsPerMinute - 60 * frequency) < 1.5, "\(point) at \(scale) g")
      }
      if let point = fidgets.append(sample(fidget)) {
        #expect(point.stepsPerMinute == 0, "steps of a fidget: \(point)")
      }
    }
  }

  @Test func `A quiet step repeats at the sample on either side of its period`() throws {
    var (meter, random) = (try #require(CadenceStream(sampleRate: .hertz(10))), SplitMix64(seed: 7))
    // A step takes 5.9 samples, a stride 11.8; noise has most of the power.
    let points = (0..<600).compactMap { index in
      let bounce = 0.1 * sin(2 * .pi * Double(index) / 5.9) + Double.random(in: -0.17...0.17, using: &random)
      return meter.append(
        MotionSample(
          time: .seconds(Double(index) / 10), gravity: SIMD3(0, 0, -1), userAcceleration: SIMD3(0, 0, Float(bounce))))
    }
    let stepping = points.count { abs($0.stepsPerMinute - 600 / 5.9) < 3 }
    #expect(stepping >= points.count * 9 / 10, "\(points.map(\.stepsPerMinute))")
  }

  @Test(arguments: [[16, 8], [8, 16], [-16], [2, 0, 2]])
  func `A knock on a resting phone has no impossible step rate`(knock: [Float]) throws {
    for start in 0..<192 {
      var meter = try #require(CadenceStream(sampleRate: .hertz(25)))
      for index in 0..<400 {
        let bounce = knock.indices.contains(index - start) ? knock[index - start] : 0
        let point = meter.append(
          MotionSample(
            time: .seconds(Double(index) / 25), gravity: SIMD3(0, 0, -1), userAcceleration: SIMD3(0, 0, bounce)))
        if let point { #expect(point.stepsPerMinute == 0 || 30...240 ~= point.stepsPerMinute, "\(start): \(point)") }
      }
    }
  }

  @Test func `Standing has a cadence of 0`() throws {
    let points = try Self.points(stepFrequency: 2.7, scale: 0.05)
    #expect(!points.isEmpty)
    #expect(points.allSatisfy { $0.stepsPerMinute == 0 && $0.confidence == 1 })
  }

  @Test func `The confidence is one half without a gyroscope and falls with disagreement`() {
    #expect(CadencePoint(time: .seconds(0), stepsPerMinute: 160, gyroscopeCadence: nil).confidence == 0.5)
    #expect(CadencePoint(time: .seconds(0), stepsPerMinute: 160, gyroscopeCadence: 171).confidence == 0.5)
    #expect(CadencePoint(time: .seconds(0), stepsPerMinute: 160, gyroscopeCadence: 80).confidence == 0)
  }

  @Test func `There is no meter for a sample rate below twice the step band`() {
    #expect(CadenceStream(sampleRate: .hertz(7)) == nil)
  }
}
