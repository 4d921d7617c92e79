import Foundation
import Gait
import GaitTestSupport
import Testing

/// How a distance was found, and how far it may be wrong.
@Suite struct DistanceEstimateTests {
  /// A way straight north, one point every `interval` seconds.
  private struct Receiver {
    var seconds = 400
    var interval = 1
    var speed = 2.5
    var reported: (_ speed: Double) -> Double? = { $0 }
    var accuracy = 5.0
    /// The deviation of the positions, whose errors last for half a minute, metres.
    var deviation = 2.0
    var seed: UInt64 = 1

    func run(largestAccuracy: Double = 30) throws -> RunTimeline {
      let options = RunOptions(largestLocationAccuracy: largestAccuracy)
      var tracker = try RunTracker(model: TestModels.runner, sampleRate: .hertz(50), options: options)
      for point in points { tracker.append(point) }
      return tracker.finish()
    }

    var points: [LocationSample] {
      var (random, noise) = (SplitMix64(seed: seed), SIMD2<Double>.zero)
      let share = exp(-Double(interval) / 30)
      return stride(from: 0, through: seconds, by: interval).map { second in
        let step = SIMD2.random(in: -1.73...1.73, using: &random)
        noise = share * noise + (1 - share * share).squareRoot() * deviation * step
        return LocationSample(
          time: .seconds(Double(second)), latitude: 48 + (speed * Double(second) + noise.y) / 111_195,
          longitude: 11 + noise.x / 74_500, speed: reported(speed), horizontalAccuracy: accuracy)
      }
    }

    var meters: Double { speed * Double(seconds) }
  }

  @Test(arguments: [1.0, 3.4, 4.2])
  func `A speed in km-h does not decide the distance, and is told`(speed: Double) throws {
    let receiver = Receiver(speed: speed, reported: { 3.6 * $0 })
    let run = try receiver.run()
    let distance = try #require(run.distanceEstimate)
    #expect(abs(distance.meters / receiver.meters - 1) < 0.05, "\(distance) for \(receiver.meters) m")
    #expect(abs(try #require(distance.speedShare) - 3.6) < 0.2, "\(distance)")
    #expect(run.rejectedLocations.values.reduce(0, +) <= 6, "\(run.rejectedLocations)")
  }

  @Test(arguments: [1.0, 2.5])
  func `A speed of 0 does not decide the distance`(speed: Double) throws {
    let receiver = Receiver(speed: speed, reported: { _ in 0 })
    let distance = try #require(try receiver.run().distanceEstimate)
    #expect(abs(distance.meters / receiver.meters - 1) < 0.05, "\(distance) for \(receiver.meters) m")
    #expect(distance.speedShare == 0)
  }

  @Test func `Inaccurate positions give a distance with a large error`() throws {
    let receiver = Receiver(seconds: 900, accuracy: 35, deviation: 20)
    let run = try receiver.run()
    let distance = try #require(run.distanceEstimate)
    #expect(abs(distance.meters - receiver.meters) < 2 * distance.standardError, "\(distance)")
    #expect(distance.standardError > 0.05 * distance.meters, "\(distance)")
    #expect(run.rejectedLocations["inaccurate", default: 0] <= 21)
    #expect(try receiver.run(largestAccuracy: 17).distance == nil, "the bound allows no more than twice of it")
  }

  @Test func `Inaccurate points are not used beside accurate ones`() throws {
    var receiver = Receiver()
    let accurate = receiver.points
    (receiver.accuracy, receiver.deviation, receiver.seed) = (35, 30, 2)
    var tracker = try RunTracker(model: TestModels.runner, sampleRate: .hertz(50))
    for (first, second) in zip(accurate, receiver.points) {
      tracker.append(first)
      var second = second
      second.time = second.time.advanced(bySeconds: 0.5)
      tracker.append(second)
    }
    #expect(tracker.finish().route.allSatisfy { $0.horizontalAccuracy == 5 })
  }

  @Test func `Few points far apart give the lines between them`() throws {
    let receiver = Receiver(
      seconds: 240, interval: 20, speed: 1, reported: { _ in nil }, accuracy: 18, deviation: 2)
    let distance = try #require(try receiver.run().distanceEstimate)
    #expect(abs(distance.meters - 240) < 25, "\(distance)")
    #expect(distance.measured > 200, "\(distance)")
    #expect(distance.interval.contains(240))
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `Few points around a place are no way`(seed: UInt64) throws {
    let receiver = Receiver(
      seconds: 600, interval: 20, speed: 0, reported: { _ in nil }, accuracy: 18, deviation: 6, seed: seed)
    #expect(try receiver.run().distance ?? 0 == 0)
  }

  @Test func `A good receiver has a small error, and its parts add up`() throws {
    let receiver = Receiver(seconds: 1200)
    let run = try receiver.run()
    let distance = try #require(run.distanceEstimate)
    #expect(distance.interval.contains(receiver.meters), "\(distance)")
    #expect(distance.standardError < 0.04 * distance.meters, "\(distance)")
    #expect(abs(distance.measured + distance.bridged + distance.bySteps - distance.meters) < 1e-6)
    let parts = run.divided(at: run.start.advanced(bySeconds: 500))
    let (before, after) = (try #require(parts.before.distanceEstimate), try #require(parts.after.distanceEstimate))
    #expect(abs(before.meters + after.meters - distance.meters) < 1e-6)
    #expect(before.standardError < distance.standardError)
    #expect(before.standardError > 0)
    let joined = try #require(parts.before.joined(with: parts.after).distanceEstimate)
    #expect(abs(joined.standardError / distance.standardError - 1) < 0.01)
  }

  @Test func `The error is stored with the run, and found again in older files`() throws {
    let run = try Receiver().run()
    let data = try JSONEncoder().encode(run)
    #expect(try JSONDecoder().decode(RunTimeline.self, from: data).distanceEstimate == run.distanceEstimate)
    var object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    object["wayError"] = nil
    let older = try JSONDecoder().decode(RunTimeline.self, from: JSONSerialization.data(withJSONObject: object))
    let (found, stored) = (try #require(older.distanceEstimate), try #require(run.distanceEstimate))
    #expect(found.meters == stored.meters)
    #expect(abs(found.standardError / stored.standardError - 1) < 0.05)
    object["wayError"] = ["share": -1, "accuracy": 5]
    let impossible = try JSONSerialization.data(withJSONObject: object)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(RunTimeline.self, from: impossible) }
  }

  @Test func `A climb below the error of GPS altitudes is unknown, not 0`() throws {
    var points = Receiver(seconds: 900).points
    for index in points.indices {
      points[index].altitude = 100 + 2 * sin(Double(index) / 60)
      points[index].verticalAccuracy = 4
    }
    #expect(RunTimeline(start: .seconds(0), end: .seconds(900), route: points).elevation() == nil)
    for index in points.indices { points[index].altitude = 100 + 0.1 * Double(index) }
    let gain = RunTimeline(start: .seconds(0), end: .seconds(900), route: points).elevation()?.gain
    #expect(abs(try #require(gain) - 84) < 10, "\(gain!) m")
  }

  @Test func `Snapshots tell the error of their distance`() throws {
    let options = RunOptions(snapshotSeconds: 10)
    var tracker = try RunTracker(model: TestModels.runner, sampleRate: .hertz(50), options: options)
    var latest: RunSnapshot?
    for point in Receiver(seconds: 900).points {
      for case .snapshot(let snapshot) in tracker.append(point) { latest = snapshot }
    }
    let (distance, error) = (try #require(latest?.distance), try #require(latest?.distanceError))
    #expect(0.005...0.06 ~= error / distance, "\(error) of \(distance) m")
  }
}
