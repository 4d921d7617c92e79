import GaitTestSupport
import Testing

@testable import Gait

/// Decisions for random inputs whose times, probabilities and speeds are often exactly at a limit.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct PauseRuleAnswersTests {
  @Test func `The rules of pauses have the answers that were recorded`() throws {
    var cases: [(name: String, figures: RecordedAnswers.Figures)] = []
    for seed in 0..<90 as Range<UInt64> {
      cases.append(("machine \(seed)", Self.machine(seed: seed)))
      cases.append(("location \(seed)", Self.location(seed: seed)))
      cases.append(("decider \(seed)", Self.decider(seed: seed)))
    }
    for seed in 0..<12 as Range<UInt64> { cases.append(("smoother \(seed)", Self.smoother(seed: seed))) }
    try RecordedAnswers("pause_rules_answers.tsv").expect(cases)
  }

  // MARK: - Inputs

  private static let policies = [
    PausePolicy.whenStill, .whenNotRunning, .never, PausePolicy(pausingDuring: [.still, .walking]),
    PausePolicy(pausingDuring: [.running]),
  ]

  /// Settings with durations that are multiples of half a second.
  private static func settings(_ random: inout SplitMix64) -> PauseSettings {
    var settings = PauseSettings()
    settings.pauseDwellSeconds = [0, 0, 1, 2].randomElement(using: &random)!
    settings.resumeDwellSeconds = [0, 0.5, 1, 2].randomElement(using: &random)!
    settings.walkingResumeDwellSeconds = [nil, nil, 3].randomElement(using: &random)!
    settings.shortestSegmentSeconds = [0, 1, 4].randomElement(using: &random)!
    settings.graceSeconds = [0, 2, 5].randomElement(using: &random)!
    settings.locationDwellSeconds = [0, 1, 3, 3].randomElement(using: &random)!
    settings.locationMayPause = Bool.random(using: &random)
    settings.findsQuietWalks = Int.random(in: 0..<4, using: &random) > 0
    settings.expectedDurationSeconds = [5, 30].randomElement(using: &random)!
    return settings
  }

  /// GPS points that move north at their speed, or not at all.
  private struct Route {
    var north = 0.0
    var speed: Double? = 3
    var accuracy: Double? = 5
    var moves = true

    mutating func point(at time: SampleTime, after seconds: Double, _ random: inout SplitMix64) -> LocationSample {
      if Int.random(in: 0..<10, using: &random) == 0 {
        speed = [nil, -1, 0, 0, 0.3, 0.3, 0.4, 1, 1.1, 2.2, 2.3, 3, 3.9, 4, 4, 4, 4.1].randomElement(using: &random)!
      }
      if Int.random(in: 0..<20, using: &random) == 0 {
        accuracy = [nil, -1, 0, 0, 0, 3, 3, 3, 20, 20, 20.1].randomElement(using: &random)!
      }
      if Int.random(in: 0..<30, using: &random) == 0 { moves.toggle() }
      north += moves ? (speed ?? 1) * seconds * [0.35, 0.45, 1, 1, 1].randomElement(using: &random)! : 0
      return LocationSample(
        time: time, latitude: north / 111_195, longitude: 0, speed: speed, horizontalAccuracy: accuracy)
    }
  }

  /// Codes and sums of decisions.
  private struct Decisions {
    private var (codes, times, onsets, confidences) = ("", 0.0, 0.0, Float(0))

    mutating func add(_ event: PauseEvent?, _ source: String) {
      guard let event else { return }
      codes += "\(source)\(event.isPause ? "p" : "r")\(event.cause.rawValue.prefix(2)) "
      times += event.decidedAt.seconds * Double(1 + codes.count % 7)
      onsets += event.onset.seconds * Double(1 + codes.count % 7)
      confidences += event.confidence
    }

    func write(to figures: inout RecordedAnswers.Figures) {
      figures.add("decisions", codes)
      figures.add("sums", "\(times) \(onsets) \(confidences)")
    }
  }

  // MARK: - Stages

  private static func machine(seed: UInt64) -> RecordedAnswers.Figures {
    var random = SplitMix64(seed: seed)
    var machine = AutoPause(policy: policies[Int(seed) % 5], settings: settings(&random))
    var (route, decisions, time, still) = (Route(), Decisions(), 0.0, "")
    var (stopping, running, hasGPS): (Float, Float, Bool) = (0.001, 1, true)
    for _ in 0..<150 {
      let step = [0.5, 0.5, 0.5, 1, 3].randomElement(using: &random)!
      time += step
      let now = SampleTime.seconds(time)
      if Int.random(in: 0..<6, using: &random) == 0 {
        stopping = [0, 0.001, 0.02, 0.021, 0.5, 0.97, 0.971, 0.999, 1].randomElement(using: &random)!
        running = [0, 0.5, 1 - 0.02, 0.99, 1].randomElement(using: &random)!
      }
      if Int.random(in: 0..<20, using: &random) == 0 { hasGPS.toggle() }
      if Int.random(in: 0..<10, using: &random) != 0 {
        decisions.add(machine.observe(stopping: stopping, running: running, at: now), "m")
      }
      if hasGPS { decisions.add(machine.observe(route.point(at: now, after: step, &random)), "g") }
      switch Int.random(in: 0..<120, using: &random) {
      case 0: decisions.add(machine.pause(autoResume: true, at: now), "a")
      case 1: decisions.add(machine.pause(autoResume: false, at: now), "b")
      case 2, 3: decisions.add(machine.resume(at: now), "c")
      case 4: decisions.add(machine.change(to: policies.randomElement(using: &random)!, at: now), "d")
      case 5...8: machine.cancelPendingResume()
      case 9...12: decisions.add(machine.overrule(at: now), "o")
      default: break
      }
      still += machine.isPaused ? "P" : machine.latestStill == now ? "s" : "-"
    }
    var figures = RecordedAnswers.Figures()
    decisions.write(to: &figures)
    figures.add("states", still)
    return figures
  }

  private static func location(seed: UInt64) -> RecordedAnswers.Figures {
    var random = SplitMix64(seed: 1000 + seed)
    var evidence = LocationEvidence(settings: settings(&random), policy: policies[Int(seed) % 5])
    var (route, time, states) = (Route(), 0.0, "")
    for _ in 0..<150 {
      let step = [0.5, 1, 1, 1, 1, 1, 1, 3, 3.5].randomElement(using: &random)!
      time += step
      let motion = evidence.update(route.point(at: .seconds(time), after: step, &random))
      states += motion == .moving ? "m" : motion == .still ? "s" : "u"
      let later = SampleTime.seconds(time + [0, 1, 3, 3.5].randomElement(using: &random)!)
      states += evidence.isFast(at: later) ? "f" : evidence.motion(at: later) == .unknown ? "." : "-"
      for seconds in [0, 2, 10.0] where evidence.hasMoved(longerBy: seconds, at: later) { states += "+" }
      if Int.random(in: 0..<25, using: &random) == 0 { evidence.restart() }
    }
    var figures = RecordedAnswers.Figures()
    figures.add("states", states)
    return figures
  }

  private static func smoother(seed: UInt64) -> RecordedAnswers.Figures {
    let heads: [[Activity]] = [
      [.running, .walking, .still], [.still, .running], [.walking, .other], [.other], [.still, .still, .walking],
      [.running, .walking, .still, .other],
    ]
    var random = SplitMix64(seed: 2000 + seed)
    let activities = heads[Int(seed) % heads.count]
    var smoother = Smoother(activities: activities, settings: settings(&random), rejects: seed % 4 > 1)
    var (figures, time) = (RecordedAnswers.Figures(), 0.0)
    func add(_ name: String) {
      let best = smoother.mostProbable
      let all = Activity.allCases.map { "\(smoother.probability(in: Activity.lanes(of: [$0])))" }
      figures.add(name, "\(best.activity) \(best.probability) \(all.joined(separator: " "))")
    }
    add("start")
    for index in 0..<30 {
      time += [0.2, 0.64, 3, 60].randomElement(using: &random)!
      let draws = activities.map { _ in [0, 0, 1e-7, 0.1, 0.2, 0.25, 0.5, 1].randomElement(using: &random)! as Float }
      let sum = max(draws.reduce(0, +), 1e-6)
      let probabilities = LabelProbabilities(labels: activities.indices.map { "\($0)" }) { output in
        for (index, draw) in draws.enumerated() { output[index] = draw / sum }
      }
      smoother.update(
        probabilities, at: .seconds(time), isRejected: Int.random(in: 0..<3, using: &random) == 0,
        isQuietWalk: Bool.random(using: &random))
      add("\(index)")
      if index == 20 {
        smoother.reset()
        add("reset")
      }
    }
    return figures
  }

  /// Everything that a decider takes, on times that are multiples of half a second.
  private static func decider(seed: UInt64) -> RecordedAnswers.Figures {
    var random = SplitMix64(seed: 3000 + seed)
    let hasOther = seed % 3 == 0
    let activities: Set<Activity> = hasOther ? Set(Activity.allCases) : [.running, .walking, .still]
    var decider = PauseDecider(policy: policies[Int(seed) % 5], activities: activities, settings: settings(&random))
    var (finder, route, decisions) = (OnsetFinder(sampleRate: .hertz(10)), Route(), Decisions())
    var (time, sums, hasGPS) = (0.0, Float(0), false)
    var (probable, isShaken, isQuiet, ratio, movement) = (0, false, false, Float?(0.5), StepState())
    for index in 0..<160 {
      let step = [0.5, 0.5, 0.5, 0.5, 5].randomElement(using: &random)!
      time += step
      let now = SampleTime.seconds(time)
      if Int.random(in: 0..<12, using: &random) == 0 { probable = Int.random(in: 0..<4, using: &random) }
      if Int.random(in: 0..<8, using: &random) == 0 { isShaken.toggle() }
      if Int.random(in: 0..<12, using: &random) == 0 { isQuiet.toggle() }
      if Int.random(in: 0..<6, using: &random) == 0 {
        ratio = [nil, 0.1, 0.3, 0.3, 0.9].randomElement(using: &random)!
        movement.hasSteps = [nil, true, true, false].randomElement(using: &random)!
      }
      if Int.random(in: 0..<15, using: &random) == 0 {
        movement.runningSince = [nil, now, now.advanced(bySeconds: -4)].randomElement(using: &random)!
      }
      for place in 0..<5 {
        let strength: Float = probable == 2 ? 0.01 : 0.5
        finder.append(
          MotionSample(
            time: .seconds(time - 0.5 + 0.1 * Double(place + 1)), gravity: SIMD3(0, 0, -1),
            userAcceleration: SIMD3(strength * Float.random(in: -1...1, using: &random), 0, 0)))
      }
      if Int.random(in: 0..<30, using: &random) == 0 { hasGPS.toggle() }
      if hasGPS { decisions.add(decider.append(route.point(at: now, after: step, &random)), "g") }
      let share: Float = [0.5, 0.5, 0.9, 0.99, 1].randomElement(using: &random)!
      let lanes = Activity.allCases.filter(activities.contains)
      let labels = LabelProbabilities(labels: lanes.map(\.rawValue)) { output in
        for index in lanes.indices {
          output[index] = index == probable % lanes.count ? share : (1 - share) / Float(lanes.count - 1)
        }
      }
      let window = PauseWindow(
        start: now.advanced(bySeconds: -1), end: now, probabilities: labels, stepBandRatio: ratio,
        isShaken: isShaken, isQuietWalk: isQuiet)
      let context = PauseContext(
        windowStart: window.start, arrival: now, movement: movement, searched: finder.searched)
      decisions.add(decider.append(window, context, finder.energies), "w")
      switch Int.random(in: 0..<150, using: &random) {
      case 0: decisions.add(decider.pause(autoResume: true, at: now), "a")
      case 1: decisions.add(decider.pause(autoResume: false, at: now), "b")
      case 2: decisions.add(decider.resume(at: now), "c")
      case 3: decisions.add(decider.change(to: policies.randomElement(using: &random)!, at: now), "d")
      default: break
      }
      sums += decider.stoppingProbability * Float(1 + index % 5)
    }
    var figures = RecordedAnswers.Figures()
    decisions.write(to: &figures)
    figures.add("end", "\(sums) \(decider.isPaused) \(decider.wasOverruled) \(decider.policy)")
    return figures
  }
}
