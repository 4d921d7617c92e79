import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// The distance by GPS points and step rates of whole seconds, whole m/s and whole metres, with holes of exactly 10 s,
/// treadmills, late points and steps before the first point; and where such a route stands or rides.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct DistanceMeterAnswersTests {
  @Test func `Ways of whole seconds and metres have the figures that were recorded`() throws {
    try RecordedAnswers("distance_meter_answers.tsv").expect(
      [
        ("way", Self.ways), ("treadmill", Self.treadmills), ("late", Self.latePoints), ("stop", Self.stops),
        ("stepless", Self.stepless), ("standing", Self.standing),
      ].map { (name: $0.0, figures: $0.1()) })
  }

  /// A meter's figures at the end of a run.
  private static func add(
    _ meter: DistanceMeter, at end: Double, _ name: String, to figures: inout RecordedAnswers.Figures
  ) {
    var meter = meter
    figures.add("live \(name)", AnswerText.text(meter.steps))
    figures.add("error \(name)", AnswerText.text(meter.error))
    meter.finishSteps(at: .seconds(end))
    let (path, error) = meter.hindsight(meter.steps)
    figures.add("way \(name)", AnswerText.text(path))
    figures.add("hindsight \(name)", AnswerText.text(error))
  }

  private static func ways() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for seed in 0..<64 {
      var random = SplitMix64(seed: UInt64(seed))
      let strides = seed % 5 == 1 ? StrideModel(running: 1, walking: 0.75) : nil
      var meter = DistanceMeter(
        largestAccuracy: 30, strides: strides, start: seed % 3 == 0 ? .seconds(0) : nil)
      if seed % 3 == 1 { meter.begin(at: .seconds(0)) }
      let hasDoppler = seed % 4 != 3
      var (north, east, speed, rate, next) = (0.0, 0.0, 3.0, 165.0, 2.56)
      var (point, east0) = (seed % 6 == 2 ? 25.0 : 0, 0.0)
      for second in stride(from: 0.0, to: 220, by: 1) {
        if random.isOnce(in: 20) {
          (speed, rate) = random.pick([
            (3, 165), (3, 165), (0, 0), (0, 0), (1, 110), (1, 0), (0.4, 100), (1.2, 0), (0.39, 0), (4, 180), (2, 140),
            (1.1, 0),
          ])
        }
        if seed % 4 == 1, random.isOnce(in: 15) { east0 = 1 - east0 }
        north += speed
        east += east0 * speed
        if seed % 16 == 9, second == 100 { north += 9000 }
        while next <= second, seed % 7 != 6 {
          let isHole = seed % 8 == 5 && 80...100 ~= next
          if !isHole { meter.append(CadencePoint(time: .seconds(next), stepsPerMinute: rate)) }
          next += 1.28
        }
        guard second >= point else { continue }
        point = second + (seed % 2 == 0 ? 1 : random.pick([1, 1, 1, 1, 5, 10, 11, 30, 31]))
        let told: Double? =
          !hasDoppler ? nil : seed % 9 == 4 ? random.pick([0, 0.3, speed, nil]) : random.isOnce(in: 30) ? 13 : speed
        _ = meter.append(
          .at(
            second, north: north, east: east, speed: told,
            accuracy: random.pick(seed % 3 == 2 ? [3, 5, 10, 30] : [5, 5, 5, 31])))
        if seed % 10 == 7, second > 150 { break }
      }
      add(meter, at: 215, "\(seed)", to: &figures)
    }
    return figures
  }

  /// Places that wander while steps go on, and later move.
  private static func treadmills() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for seed in 0..<16 {
      var random = SplitMix64(seed: UInt64(seed))
      var meter = DistanceMeter(
        largestAccuracy: 30, strides: seed % 4 == 1 ? StrideModel(running: 1, walking: 0.7) : nil, start: .seconds(0))
      var next = 2.56
      let frozen = seed % 3 == 0
      for second in stride(from: 0.0, to: 200, by: 1) {
        while next <= second {
          let rate: Double = seed % 5 == 2 && 60...66 ~= next ? 0 : seed % 2 == 0 ? 170 : 120
          meter.append(CadencePoint(time: .seconds(next), stepsPerMinute: rate))
          next += 1.28
        }
        guard second >= (seed % 4 == 3 ? 20 : 0), Int(second) % (seed % 2 + 1) == 0 else { continue }
        let drift = seed % 4 == 2 && second > 150 ? 3 * (second - 150) : 0
        let wander = frozen ? 0 : Double.random(in: -4...4, using: &random)
        _ = meter.append(
          .at(
            second, north: wander + drift, speed: [nil, 0, 0.5, 0.9][seed / 4], accuracy: seed % 2 == 0 ? 5 : 10))
      }
      add(meter, at: 200, "\(seed)", to: &figures)
    }
    return figures
  }

  /// GPS points are missing, then the motion; the points of that time arrive after later steps.
  private static func latePoints() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for seed in 0..<24 {
      var random = SplitMix64(seed: UInt64(seed))
      let lost = (
        gps: Double(random.pick([60, 70])), from: Double(random.pick([80, 90])),
        to: Double(random.pick([100, 110, 120]))
      )
      let late = Double(random.pick([118, 130, 134]))
      var meter = DistanceMeter(
        largestAccuracy: 30, strides: seed % 2 == 0 ? StrideModel(running: 1, walking: 0.75) : nil, start: .seconds(0))
      var next = 2.56
      for second in stride(from: 0.0, to: 180, by: 1) {
        while next <= second {
          if !(lost.from...lost.to ~= next) { meter.append(CadencePoint(time: .seconds(next), stepsPerMinute: 165)) }
          next += 1.28
        }
        if second == late {
          // Whole seconds from the loss on; some end within the hole and some after it.
          let last = random.pick([lost.from + 5, lost.to - 1, lost.to, second - 1])
          for old in stride(from: lost.from - random.pick([0, 5]), through: last, by: random.pick([1, 2, 4])) {
            _ = meter.append(.at(old, north: 3 * old, speed: seed % 3 == 0 ? nil : 3))
          }
        }
        if second < lost.gps || second > late + random.pick([0, 15]) {
          _ = meter.append(.at(second, north: 3 * second, speed: seed % 3 == 0 ? nil : 3))
        }
      }
      add(meter, at: 180, "\(seed)", to: &figures)
    }
    return figures
  }

  /// A route of phases: seconds, m/s, and seconds between two points.
  private static func route(
    _ phases: [(Double, Double, Double)], speed: ((Double) -> Double?)? = nil, wander: Double = 0,
    accuracy: Double? = 5, seed: UInt64 = 1
  ) -> [LocationSample] {
    var random = SplitMix64(seed: seed)
    var (second, north, route) = (0.0, 0.0, [LocationSample]())
    for (seconds, pace, step) in phases {
      for _ in stride(from: 0, to: seconds, by: step) {
        let error = Double.random(in: -1...1, using: &random) * wander
        let east = Double.random(in: -1...1, using: &random) * wander
        route.append(
          .at(second, north: north + error, east: east, speed: speed?(pace), accuracy: accuracy))
        (second, north) = (second + step, north + step * pace)
      }
    }
    return route
  }

  private static func stops() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    let speeds: [((Double) -> Double?)?] = [nil, { $0 }, { $0 < 1 ? 0.6 : $0 }, { $0 < 1 ? 0.59 : nil }]
    for (kind, speed) in speeds.enumerated() {
      for stop in [9, 10, 11, 12, 13, 60.0] {
        for step in [1, 4, 5, 12.0] {
          for (index, wander) in [0, 0.5, 3, 8].enumerated() {
            let phases = [(60, 3, 1), (stop, 0, step), (5, 3, 1), (stop, 0.2, step), (40, 3, 1), (stop, 0, stop)]
            let route = Self.route(phases, speed: speed, wander: wander, accuracy: [5, 10, nil, 20][index])
            figures.add("stops \(kind) \(stop) \(step) \(index)", AnswerText.text(StopFinder.stops(in: route)))
          }
        }
      }
    }
    for count in 0...3 {
      let short = Array(route([(30, 0, 12)]).prefix(count))
      figures.add("short \(count)", AnswerText.text(StopFinder.stops(in: short)))
    }
    return figures
  }

  private static func standing() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for (index, accuracy) in [3, 4, 5, 8, 20, 30.0].enumerated() {
      for (kind, wander) in [0, 2, 10, 25.0].enumerated() {
        let ways: [[(Double, Double, Double)]] = [
          [(60, 3, 1), (240, 0, 1), (60, 3, 1)], [(240, 0, 1)], [(240, 0, 5), (30, 2, 5), (240, 0, 5)],
          [(100, 0.6, 1), (100, 0, 1), (60, 1.9, 1), (100, 0, 1), (90, 2.5, 1)],
          [(120, 0, 1), (20, 2, 1), (20, -2, 1), (120, 0, 1)], [(80, 0, 1), (120, 1, 1), (120, -1, 1), (80, 0, 1)],
          [(200, 0.3, 2), (1, 40, 1), (200, 0, 2)],
        ]
        for (which, phases) in ways.enumerated() {
          let route = Self.route(phases, wander: wander, accuracy: accuracy, seed: UInt64(which + 1))
          var path: [PathStep] = []
          for (from, to) in zip(route, route.dropFirst()) {
            path.append(
              PathStep(
                start: from.time, end: to.time, meters: from.distance(to: to) * (which % 2 == 0 ? 1 : 0.5),
                kind: .measured))
          }
          let stretches = StandingFinder.stretches(of: route, path: path)
          figures.add("\(index) \(kind) \(which)", AnswerText.text(stretches))
          if index < 2 {
            figures.add("way \(index) \(kind) \(which)", AnswerText.text(path.standing(in: stretches).map(\.meters)))
          }
        }
      }
    }
    let steps = (0..<12).map { index -> PathStep in
      let start = Double(5 * index)
      let end = index == 4 ? start : start + 5
      return PathStep(start: .seconds(start), end: .seconds(end), meters: 10, kind: .measured)
    }
    let stretches = [(0, 5), (7, 8), (8, 9), (12, 20), (20, 26), (50, 70)].map {
      SampleTime.seconds(Double($0.0))..<SampleTime.seconds(Double($0.1))
    }
    figures.add("without", AnswerText.text(steps.standing(in: stretches).map(\.meters)))
    return figures
  }

  private static func stepless() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for seed in 0..<60 {
      var random = SplitMix64(seed: UInt64(seed))
      var phases: [(Double, Double, Double)] = []
      var cadence: [CadencePoint] = []
      var (second, next) = (0.0, 3.84)
      let step: Double = [1, 1, 5, 2][seed % 4]
      while second < 420 {
        let pace: Double = random.pick([3, 3, 1, 0, 0.5, 0.6, 6.5, 8, 12, 6.4, 1.5])
        let length = Double(random.pick([10, 20, 25, 30, 35, 60, 80, 90]))
        phases.append((length, pace, step))
        let rate: Double = random.pick(pace > 4 ? [0, 0, 0, 160, 142] : pace == 3 ? [165, 165, 0] : [0, 0, 110])
        while next < second + length {
          if seed % 7 != 3 || !random.isOnce(in: 12) {
            cadence.append(CadencePoint(time: .seconds(next), stepsPerMinute: random.isOnce(in: 25) ? 165 : rate))
          }
          next += 1.28
        }
        second += length
      }
      let route = Self.route(
        phases, speed: seed % 3 == 0 ? nil : { $0 }, wander: [0, 1, 4][seed % 3], accuracy: [1, 3, 5][seed / 3 % 3],
        seed: UInt64(seed))
      let movement = SteplessMovement(
        cadence: seed % 20 == 19 ? [] : cadence, motion: RouteMotion(route[...]), route: route, from: .seconds(0),
        to: .seconds(430))
      figures.add("rides \(seed)", AnswerText.text(movement.rides))
      figures.add(
        "slower \(seed)",
        AnswerText.text(movement.slower.flatMap { [$0.time.lowerBound.seconds, $0.time.upperBound.seconds, $0.speed] }))
      var run = RunTimeline(
        start: .seconds(0), end: .seconds(430),
        pauses: stride(from: 20.0, to: 400, by: 70).enumerated().map {
          Pause(
            onset: .seconds($0.element), decidedAt: .seconds($0.element + 2), end: .seconds($0.element + 40),
            cause: [.still, .notRunning, .manual, .location, .edited][$0.offset % 5])
        }, route: route)
      run.cadencePoints = cadence
      run.apply(movement)
      figures.add("pauses \(seed)", AnswerText.text(run.pauses))
      run.record(run.wholePath)
      run.measure(movement.slower.map(\.time))
      figures.add("measured \(seed)", AnswerText.text(run.path ?? []))
      figures.add("stepless \(seed)", "\(run.steplessMovingSeconds) \(run.ridingSeconds) \(run.movingSeconds)")
      figures.add("slices \(seed)", AnswerText.text(run.slices))
      var stood = run
      stood.correctByPlaces(pauses: seed % 2 == 0)
      figures.add("stood \(seed)", AnswerText.text(stood.pauses))
      stood.cadencePoints = []
      stood.correctByPlaces(pauses: seed % 2 == 0)
      figures.add("alone \(seed)", AnswerText.text(stood.pauses))
      figures.add("alone way \(seed)", AnswerText.text(stood.path ?? []))
    }
    return figures
  }
}
