import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// The parts that take GPS points, on points whose times, accuracies and speeds are often exactly at a limit.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct RoutePartsAnswersTests {
  @Test func `The parts of a route have the figures that were recorded`() throws {
    try RecordedAnswers("route_parts_answers.tsv").expect(
      [
        ("filter", Self.filters), ("bound", Self.bounds), ("plane", Self.planes), ("kalman", Self.kalmans),
        ("roughness", Self.roughnesses), ("motion", Self.motions), ("chords", Self.chords),
      ].map { (name: $0.0, figures: $0.1()) })
  }

  /// Points of several kinds of receivers: any, two that alternate, too high speeds, phases of low accuracy.
  private static func points(_ kind: Int, _ random: inout SplitMix64) -> [LocationSample] {
    var (seconds, north, points, jump) = (0.0, 0.0, [LocationSample](), 0.0)
    for index in 0..<160 {
      let step: Double =
        kind == 0 ? random.pick([0, 1, 1, 1, 2, 5, 10, -1, 0.5]) : kind == 2 ? random.pick([1, 1, 1, 5, 10]) : 1
      seconds += step
      if kind == 1, index % random.pick([3, 5, 6, 7]) == 0 { jump = jump == 0 ? random.pick([200, 5000.0]) : 0 }
      if kind == 4 { jump = index % 2 == 0 ? 0 : 200 }
      north += max(0, step) * (kind == 2 ? random.pick([3, 12, 7]) : random.pick([0, 3, 3]))
      if kind == 0, random.isOnce(in: 12) { north += random.pick([40, 100, 300]) }
      let accuracy: Double? =
        kind == 3
        ? (index / 25 % 2 == 0 ? 30 : random.pick([60, 31, 45]))
        : random.pick([nil, 0, 1, 5, 5, 5, 30, 31, 60, 61, -1])
      var point = LocationSample.at(
        seconds, north: north + jump,
        speed: random.pick(kind == 2 ? [12, 13, 20, 5, 30, 40] : [nil, 0, 1, 2, 12, 13]),
        accuracy: kind == 0 || kind == 3 ? accuracy : 5)
      if random.isOnce(in: 4), let last = points.last {
        // The receiver repeats its reading, or a part of it.
        (point.latitude, point.longitude, point.speed) = (last.latitude, last.longitude, last.speed)
        if random.isOnce(in: 2) { point.horizontalAccuracy = last.horizontalAccuracy }
        if random.isOnce(in: 3) { point.speed = random.pick([nil, 0, 1, 1.5]) }
      }
      if kind == 0, random.isOnce(in: 40) { point.latitude = random.pick([91, .nan, -90, 90]) }
      if kind == 0, random.isOnce(in: 60) { point.time = SampleTime(nanoseconds: .max) }
      points.append(point)
    }
    return points
  }

  private static func filters() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for seed in 0..<40 {
      var random = SplitMix64(seed: UInt64(seed))
      var filter = RouteFilter(largestAccuracy: 30)
      var letters = ""
      var held: [Double] = []
      for point in points(seed % 5, &random) {
        let assessment = filter.assess(point, isStepping: random.isOnce(in: 3))
        letters += assessment == .accepted ? "a" : assessment == .moved ? "m" : "r"
        held.append(Double(filter.held.count))
      }
      figures.add("seed \(seed)", letters)
      figures.add("held \(seed)", AnswerText.text(held))
      figures.add(
        "counts \(seed)",
        filter.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: " "))
    }
    let accuracies: [Double?] = [nil, 0, -1, 0.5, 1, 1.5, 10]
    figures.add(
      "accuracy", AnswerText.text(accuracies.map { RouteFilter.accuracy(of: .at(0, north: 0, accuracy: $0)) }))
    return figures
  }

  private static func bounds() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for largest in [30, 0, -1, 12.5] {
      var bound = AccuracyBound(largest)
      var admitted: [Bool] = []
      for (accuracy, seconds) in [
        (30, 0), (31, 1), (31, 20.999), (60, 21), (60.001, 22), (30.001, 22), (30, 23), (60, 24), (40, 43), (40, 44),
        (60, 45), (12.5, 46), (25, 47), (25, 67), (25.001, 68), (0, 69), (13, 70), (13, 90), (0.001, 91),
      ] as [(Double, Double)] {
        admitted.append(bound.admits(accuracy, at: .seconds(seconds)))
      }
      figures.add("\(largest)", AnswerText.text(admitted))
    }
    return figures
  }

  private static func planes() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for latitude in [-90, -60, 0, 48, 90.0] {
      for longitude in [-179.9, 0, 180, 359.0] {
        let plane = TangentPlane(at: LocationSample(time: .origin, latitude: latitude, longitude: longitude))
        let others = [-179.9, -180, 0, 0.01, 179.9, 180, 359]
        figures.add(
          "\(latitude) \(longitude)",
          AnswerText.text(
            others.flatMap { other in
              let place = plane.place(of: LocationSample(time: .origin, latitude: latitude * 0.999, longitude: other))
              return [place.x, place.y, place.length]
            }))
      }
    }
    return figures
  }

  private static func kalmans() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for seed in 0..<12 {
      var random = SplitMix64(seed: UInt64(seed))
      let pace = [3, 0.2, 0.05, 0][seed % 4]
      var filter = RouteKalman(at: SIMD2(1, -2), accuracy: 5)
      filter.update(doppler: 2, accuracy: 0.3)
      filter.update(speed: 2, deviation: 0.3)
      var values = [filter.speed, filter.dopplerError]
      for second in 1...40 {
        let seconds = random.pick([1, 2, 0.5, 5])
        filter.predict(seconds: seconds, accuracy: random.pick([3, 10]), hasDoppler: seed < 6)
        let far = random.isOnce(in: 9) ? 80.0 : 0
        let noise = SIMD2<Double>.random(in: -1...1, using: &random)
        filter.update(SIMD2(pace * Double(second), far) + noise * pace, accuracy: random.pick([3, 5, 10]))
        if second % 3 == 0 { filter.update(doppler: pace * 1.1, accuracy: random.pick([0.15, 0.5, 2])) }
        if second % 4 == 0 { filter.update(speed: pace * 0.9, deviation: 0.2) }
        if second == 17 { filter.stand() }
        if second == 25 { filter.restart(at: SIMD2(7, 9), accuracy: 8) }
        if second == 33 { filter.moveOrigin(to: SIMD2(3, 4)) }
        values += [filter.speed, filter.dopplerError]
      }
      figures.add("seed \(seed)", AnswerText.text(values))
      figures.add("state \(seed)", AnswerText.state(of: filter))
    }
    return figures
  }

  private static func roughnesses() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for seed in 0..<24 {
      var random = SplitMix64(seed: UInt64(seed))
      var roughness = PositionRoughness()
      var (seconds, place, smooth, lengths) = (0.0, SIMD2<Double>.zero, [Bool](), [Double]())
      for index in 0..<60 {
        let step = seed % 3 == 0 ? 1 : random.pick([1, 1, 1, 1.2, 0.8, 5, 6, 4, 10, 11, 0, -1])
        seconds += step
        // The speed is exactly 0.5 m/s now and then, and the change of the velocity exactly 0.3 m/s.
        place.x += step * random.pick(seed % 2 == 0 ? [1, 1, 0.5] : [3, 3, 3.25])
        place.y += random.pick(seed % 4 == 1 ? [0, 0.3, 1, -1] : [0, 0, 0.25])
        lengths.append(roughness.append(.seconds(seconds), place))
        if index % 5 == 4 { roughness.append(meters: random.pick([2.5, 2.6, 10, 0]), seconds: 5) }
        if seed % 5 == 4, index % 25 == 24 { roughness.restart() }
        smooth.append(roughness.isSmooth)
      }
      figures.add("smooth \(seed)", AnswerText.text(smooth))
      figures.add("lengths \(seed)", AnswerText.text(lengths))
      figures.add("state \(seed)", AnswerText.state(of: roughness))
    }
    // Exactly at the first median, and a change of the step by exactly a fifth.
    var roughness = PositionRoughness()
    for (seconds, x, y) in [(0, 0, 0), (1, 1, 0), (2, 2, 0.3), (7, 7, 0.3), (12, 12, 0.3), (18, 18, 0.3)]
      as [(Double, Double, Double)]
    {
      _ = roughness.append(.seconds(seconds), SIMD2(x, y))
      figures.add("exact \(seconds)", AnswerText.state(of: roughness))
    }
    return figures
  }

  private static func motions() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for seed in 0..<30 {
      var random = SplitMix64(seed: UInt64(seed))
      var (seconds, north, motion, pace) = (0.0, 0.0, RouteMotion(), 6.5)
      for index in 0..<70 {
        let step: Double = seed % 3 == 0 ? 1 : random.pick([1, 1, 5, 10, 11, 2, 0, -1])
        if index % 11 == 0 { pace = random.pick([6.5, 6.4, 12.5, 4.5, 1, 0, 8]) }
        seconds += step
        north += step * pace * random.pick(seed % 4 == 1 ? [0.5, 0.6, 0.65, 0.2, 0.25, 0.3] : [1, 1, 0.6])
        let speed: Double? = seed % 2 == 0 ? pace : random.pick([nil, nil, pace, -1, 0])
        var point = LocationSample.at(seconds, north: north, speed: speed)
        if random.isOnce(in: 30) { point.latitude = 91 }
        motion.append(point)
      }
      figures.add(
        "steps \(seed)",
        AnswerText.text(
          motion.steps.flatMap {
            [$0.time.lowerBound.seconds, $0.time.upperBound.seconds, $0.speed, $0.isRide ? 1 : 0]
          }))
      for limit in [6.5, 4.5, 1] {
        figures.add(
          "faster \(limit) \(seed)",
          [5, 10, 11].map { AnswerText.text(motion.stretches(fasterThan: limit, lasting: $0)) }.joined(separator: " "))
      }
      figures.add("rides \(seed)", AnswerText.text(motion.rides(lasting: 10)))
    }
    return figures
  }

  private static func chords() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for seed in 0..<16 {
      var random = SplitMix64(seed: UInt64(seed))
      var (seconds, place, chords, latest) = (0.0, SIMD2<Double>.zero, Chords(), LocationSample.at(0, north: 0))
      var values: [Double?] = []
      for _ in 0..<12 {
        seconds += random.pick([11, 20, 30, 31, 60])
        place += SIMD2(random.pick([0, 5, 10, 30, -5]), random.pick([0, 0, 5, 20]))
        let point = LocationSample.at(
          seconds, north: place.x, east: place.y, accuracy: random.pick([nil, 5, 5, 10, 0.5]))
        for accuracies in [1, 3.0] {
          let line = Chords.line(latest, point, accuracies: accuracies)
          values += [line.least, line.likely]
        }
        chords.add(latest, point, isMoving: seed % 4 == 0 && random.isOnce(in: 5))
        values += [chords.meters, chords.areMovement ? 1 : 0, chords.isPending ? 1 : 0]
        if chords.areMovement, random.isOnce(in: 2) { chords = Chords() }
        latest = point
      }
      figures.add("seed \(seed)", AnswerText.text(values))
    }
    return figures
  }
}
