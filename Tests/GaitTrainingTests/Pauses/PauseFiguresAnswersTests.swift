import Gait
import GaitLab
import GaitTestSupport
import Testing

@testable import GaitTraining

/// Reports and moments of random timelines, the cleaning and the composition of runs, and evaluations. They are
/// compared with what was recorded.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct PauseFiguresAnswersTests {
  private typealias Case = (name: String, figures: RecordedAnswers.Figures)

  @Test func `Figures of pauses and composed runs are as recorded`() throws {
    let cases =
      try Self.timelineCases() + Self.cleaningCases() + Self.composedCases() + Self.candidateCases()
      + [Self.evaluationCase()]
    try RecordedAnswers("pause_figures_answers.tsv", tolerance: 1e-5).expect(cases)
  }

  // MARK: Timelines

  /// Random stretches and decisions at whole seconds, so that decisions are often exactly at a change.
  private static func timelineCases() throws -> [Case] {
    var random = SplitMix64(seed: 1)
    var cases: [Case] = []
    var (all, allOfTwo) = (PauseReport(), PauseReport())
    let empty = Recording(name: "none", sampleRate: .hertz(1), columns: [:])
    for number in 0..<40 {
      var (truth, time): ([ComposedRun.Stretch], Int) = ([], 3)
      var isStopped = number % 5 == 4
      for _ in 0..<number % 7 {
        let length = Int.random(in: 3...9, using: &random)
        truth.append(
          .init(start: .seconds(Double(time)), end: .seconds(Double(time + length)), isStopped: isStopped))
        (time, isStopped) = (time + length, !isStopped)
      }
      var log = PauseLog(mergeGapSeconds: Double(number % 3))
      var isPause = number % 4 != 3
      for second in 2...time + 1 where Int.random(in: 0..<4, using: &random) == 0 {
        let onset = Double(second) - Double(Int.random(in: 0...6, using: &random)) / 2
        log.record(
          PauseEvent(
            isPause: isPause, decidedAt: .seconds(Double(second)), onset: .seconds(onset), cause: .still, confidence: 1)
        )
        // Sometimes the same decision comes twice.
        if Int.random(in: 0..<6, using: &random) > 0 { isPause.toggle() }
      }
      let run = ComposedRun(recording: empty, group: "person \(number % 3)", truth: truth)
      var report = PauseReport()
      report.add(log, of: run)
      all.add(log, of: run)
      if number % 2 == 0 { allOfTwo.add(log, of: run) }
      var figures = RecordedAnswers.Figures()
      try figures.add("report", json: report)
      figures.add(
        "moments",
        PauseMoment.moments(of: log, in: truth, run: number)
          .map { "\($0.run) \($0.mistake) \($0.start.seconds) \($0.end.seconds) \($0.seconds)" }
          .joined(separator: ", "))
      cases.append(("timeline \(number)", figures))
    }
    var figures = RecordedAnswers.Figures()
    figures.add("all", all.text.replacing("\n", with: " / "))
    figures.add("half", allOfTwo.text.replacing("\n", with: " / "))
    figures.add("none", PauseReport().text.replacing("\n", with: " / "))
    return cases + [("all timelines", figures)]
  }

  @Test func `Quantiles are interpolated`() {
    func both(_ values: [Double]) -> [Double] {
      let latency = PauseReport.Latency(values)
      return [latency.median, latency.p95].map { ($0 * 1e6).rounded() / 1e6 }
    }
    #expect(both([]) == [0, 0])
    #expect(both([7]) == [7, 7])
    #expect(both([3, 1]) == [2, 2.9])
    #expect(both([5, 1, 2]) == [2, 4.7])
    #expect(both((0...20).map(Double.init)) == [10, 19])
    let errors = PauseReport.OnsetError([-3, 1, 2, 2], latencies: [1, 2, 6])
    #expect(errors.mean == 0.5)
    #expect(errors.size.median == 2)
    #expect(errors.largest == 3)
    #expect(errors.sizeByFixedOffset.median == 1)
  }

  @Test func `Shifted probabilities have shifted logits`() {
    for (probability, logits, expected) in [(0.5, 0, 0.5), (0.5, 4, 0.98201), (0.97, -4, 0.37194), (0.02, 4, 0.52701)]
      as [(Float, Float, Float)]
    {
      #expect(abs(PauseTuner.shifted(probability, by: logits) - expected) < 1e-4)
    }
  }

  private static func candidateCases() -> [Case] {
    let values: [(pause: Float, resume: Float, first: Double, second: Double)] = [
      (0.97, 0.02, 0, 0.2), (0.7, 0.4, 0.5, 0), (0.5, 0.5, 1, 2), (0.99, 0.01, 0, 0),
    ]
    let candidates = values.map { value in
      var settings = PauseSettings()
      (settings.pauseAbove, settings.resumeBelow) = (value.pause, value.resume)
      (settings.pauseDwellSeconds, settings.resumeDwellSeconds) = (value.first, value.second)
      return PauseTuner.Candidate(settings: settings, report: PauseReport(), cost: 1.25)
    }
    var figures = RecordedAnswers.Figures()
    figures.add("sensitivities", candidates.map(\.sensitivity).spaced)
    let table = (candidates + candidates + candidates).table
    figures.add("table", table.replacing("\n", with: " / "))
    return [("candidates", figures)]
  }

  // MARK: Cleaning and composing

  /// Acceleration along gravity at 25 Hz with these strengths.
  private static func recording(_ strengths: [Float], name: String) -> Recording {
    let samples = strengths.enumerated().map { index, strength in
      MotionSample(
        time: .seconds(Double(index) / 25), gravity: SIMD3(0, 0, -1), rotationRate: SIMD3(Float(index), 0, 1),
        userAcceleration: SIMD3(Float(index % 7), Float(index % 3), index % 2 == 0 ? strength : -strength))
    }
    return Recording(name: name, sampleRate: .hertz(25), samples: samples)
  }

  private static func cleaningCases() -> [Case] {
    var figures = RecordedAnswers.Figures()
    // Exactly half of the median, a little less, the least strength, and a little less than that.
    for (strong, weak) in [(1, 0.5), (1, 0.49), (0.5, 0.46), (0.5, 0.44), (0.8, 0.45), (0.4, 0.4)] as [(Float, Float)] {
      for count in [0, 63, 64, 65, 79, 80, 163, 164, 165, 180, 299, 300, 301] {
        var strengths = [Float](repeating: strong, count: count)
        for row in 0..<min(64, count) where count > 79 { strengths[row] = weak }
        let ranges = RunningPool.stretches(of: recording(strengths, name: "r"))
        figures.add("\(strong) \(weak) \(count)", "[\(ranges.map { "\($0)" }.spaced)]")
      }
      let hole = (0..<500).map { (150..<220).contains($0) || (330..<400).contains($0) ? weak : strong }
      let ranges = RunningPool.stretches(of: recording(hole, name: "r"))
      figures.add("\(strong) \(weak) holes", "[\(ranges.map { "\($0)" }.spaced)]")
    }
    return [("cleaning", figures)]
  }

  private static let dataset: LabeledDataset = {
    func labeled(_ label: String, _ person: Int, _ count: Int, _ strength: Float) -> LabeledRecording {
      let name = "\(label) \(person) \(count)"
      let strengths = (0..<count).map { strength * (1 + Float($0 % 5) / 10) }
      return LabeledRecording(
        recording: recording(strengths, name: name), label: label, group: "\(person)", path: name,
        fields: ["subject": "\(person)"])
    }
    return LabeledDataset(
      (1...2).flatMap { person in
        [
          labeled("running", person, 700 + person, 1), labeled("running", person, 260, 1.5),
          labeled("still", person, 300, 0), labeled("still", person, 40 * person, 0.01),
          labeled("walking", person, 330, 0.3), labeled("jumping", person, 200, 2),
        ]
      } + [labeled("running", 3, 300, 1), labeled("still", 4, 300, 0)])
  }()

  private static func composedCases() -> [Case] {
    func composer(_ change: (inout RunComposer) -> Void) -> RunComposer {
      var composer = RunComposer()
      (composer.hours, composer.runningSeconds, composer.stopSeconds, composer.stopsPerRun) = (0.05, 4...9, 2...7, 3)
      change(&composer)
      return composer
    }
    let composers: [(String, RunComposer)] = [
      ("plain", composer { _ in }), ("faded", composer { $0.fadeSeconds = 0.5 }),
      ("long fade", composer { ($0.fadeSeconds, $0.stopSeconds) = (3, 0.5...4) }),
      ("odd fade", composer { $0.fadeSeconds = 0.3 }), ("uncleaned", composer { $0.cleansRunning = false }),
      ("walks", composer { ($0.stops, $0.moving, $0.cleansRunning) = ([.walking], [.running, .other], false) }),
      ("cleaned walks", composer { $0.stops = [.walking] }),
      ("jumps", composer { ($0.meanings, $0.moving) = (["jumping": .running], [.running]) }),
      ("every minute", composer { $0.usesEveryMinute = true }),
      (
        "every minute faded",
        composer { ($0.usesEveryMinute, $0.fadeSeconds, $0.stops) = (true, 1, [.still, .walking]) }
      ),
      ("exact lengths", composer { ($0.usesEveryMinute, $0.runningSeconds, $0.stopSeconds) = (true, 4...4, 3...3) }),
      ("one hour", composer { ($0.hours, $0.stopsPerRun) = (0.02, 1) }),
    ]
    return composers.map { name, composer in
      var figures = RecordedAnswers.Figures()
      let material = composer.material(of: dataset)
      figures.add("material", "\(material.groups) \(material.runningSeconds) \(material.stoppedSeconds)")
      let runs: [ComposedRun]
      do { runs = try composer.runs(from: dataset, seed: 7) } catch {
        figures.add("error", error)
        return ("composed \(name)", figures)
      }
      for run in runs {
        let name = run.recording.name
        figures.add("\(name) rows", run.recording.count)
        figures.add("\(name) channels", Channel.allCases.filter(run.recording.channels.contains).map(\.rawValue).spaced)
        figures.add(
          "\(name) truth",
          run.truth.map { "\($0.start.seconds) \($0.end.seconds) \($0.isStopped)" }.joined(separator: " "))
        for channel in [Channel.userAccelerationX, .rotationRateX] {
          let values = run.recording[channel].map(Double.init)
          let weighted = values.enumerated().reduce(0) { $0 + $1.element * Double($1.offset % 101) }
          figures.add("\(name) \(channel.rawValue)", "\(values.reduce(0, +)) \(weighted)")
        }
      }
      return ("composed \(name)", figures)
    }
  }

  @Test func `A composition's stops and movements follow from its policy and the model's meanings`() throws {
    var composition = PauseComposition(seeds: 2...2, hours: 0.5, usesEveryMinute: true, fadeSeconds: 0.25)
    let composer = composition.composer(for: .running, cleaned: false)
    #expect(composer.hours == 0.5)
    #expect(composer.usesEveryMinute)
    #expect(composer.fadeSeconds == 0.25)
    #expect(!composer.cleansRunning)
    #expect(composer.stops == [.still])
    #expect(composer.moving == [.running])
    #expect(composition.composer(for: .running, cleaned: true).cleansRunning)
    composition.policy = .whenNotRunning
    #expect(composition.composer(for: .running, cleaned: true).stops == [.walking])
    composition.stops = [.running, .still]
    let other = composition.composer(for: .running, cleaned: true)
    #expect(other.stops == [.running, .still])
    #expect(other.moving.isEmpty)
    let standard = PauseComposition()
    #expect(standard.policy == .whenStill)
    #expect(standard.seeds == 1...5)
    #expect(standard.hours == 2)
    #expect(!standard.usesEveryMinute)
    #expect(standard.fadeSeconds == 0)
    #expect(standard.moving == [.running])
  }

  @Test func `The defaults of tuning are as documented`() {
    let tuner = PauseTuner()
    #expect(tuner.falsePause == 60)
    #expect(tuner.missedPause == 60)
    #expect(tuner.falseResume == 30)
    #expect(tuner.margin == 4)
    #expect(tuner.freePauseLatency == 1.5)
    #expect(tuner.freeResumeLatency == 1)
    #expect(tuner.pauseThresholds == [0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995])
    #expect(tuner.resumeThresholds == [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5])
    #expect(tuner.likelihoodExponents == [0.2, 0.3, 0.5])
    #expect(tuner.resumeDwells == [0.2, 0.4])
    #expect(tuner.candidateCount == 294)
    let composer = RunComposer()
    #expect(composer.hours == 2)
    #expect(!composer.usesEveryMinute)
    #expect(composer.stops == [.still])
    #expect(composer.stopsPerRun == 12)
    #expect(composer.runningSeconds == 20...90)
    #expect(composer.stopSeconds == 6...60)
    #expect(composer.fadeSeconds == 0)
    #expect(composer.cleansRunning)
    #expect(composer.moving == [.running])
    #expect(composer.meanings.isEmpty)
  }

  // MARK: Evaluation

  private static func evaluationCase() throws -> Case {
    var composition = PauseComposition(seeds: 1...2, usesEveryMinute: true, fadeSeconds: 0.5)
    composition.moving = [.running]
    let simulator = Simulator(seed: 5, sampleRate: .hertz(50))
    let people = LabeledDataset(
      [1, 2].flatMap { subject in
        [SimulatedActivity.running, .still].map { activity in
          LabeledRecording(
            recording: simulator.recording(of: subject, activity: activity, seconds: 20), label: "\(activity)",
            path: "\(activity) \(subject)", fields: ["subject": "\(subject)"])
        }
      })
    let evaluation = try PauseEvaluation(of: .running, on: people, composition)
    var figures = RecordedAnswers.Figures()
    figures.add("text", evaluation.text.replacing("\n", with: " / "))
    for group in evaluation.groups { try figures.add("group \(group.name)", json: group.report) }
    figures.add("moments", evaluation.moments.map { "\($0.run) \($0.mistake) \($0.seconds)" }.joined(separator: ", "))
    figures.add("decisions", evaluation.decisions.map { "\($0.count)" }.spaced)
    figures.add("runs", evaluation.runs.map { "\($0.recording.count)" }.spaced)
    for (threshold, report) in evaluation.tradeOff { try figures.add("at \(threshold)", json: report, wholly: true) }
    let unnamed = try PauseEvaluation(of: .running, on: evaluation.runs, raw: nil, policy: .whenStill)
    figures.add("interval labels", unnamed.text.replacing("\n", with: " / "))
    composition.usesEveryMinute = false
    figures.add("material of excerpts", PauseEvaluation.material(of: people, for: .running, composition))
    // Stretches of rows with one label, some without.
    let recording = people.recordings[0].recording
    let labels: [(label: String?, rows: Range<Int>)] = [
      (nil, 0..<100), ("running", 100..<250), ("still", 250..<400), (nil, 400..<500), ("still", 500..<600),
      ("resting", 600..<700), ("walking", 700..<1000),
    ]
    for policy in [PausePolicy.whenStill, .whenNotRunning] {
      let run = ComposedRun(
        recording: recording, group: "1", labels: labels, policy: policy, meanings: ["resting": .still])
      figures.add(
        "truth \(policy)",
        run.truth.map { "\($0.start.seconds) \($0.end.seconds) \($0.isStopped) \($0.seconds)" }.joined(separator: " "))
    }
    return ("evaluation", figures)
  }
}
