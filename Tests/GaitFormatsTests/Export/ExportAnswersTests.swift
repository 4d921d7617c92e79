import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

/// Texts of runs and models, and places on routes, compared with what was recorded.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct ExportAnswersTests {
  private typealias Case = (name: String, figures: RecordedAnswers.Figures)

  /// A route of a point every `step` seconds with jitter, and a run with stops.
  private static func run(
    seconds: Int = 240, step: Int = 1, pauses: [(Double, Double)] = [], altitudes: [Double] = [], jitter: Double = 1,
    east: Double = 11, rate: Double = 150
  ) -> RunTimeline {
    let route = stride(from: 0, through: seconds, by: step).map { second in
      let noise = jitter * (Double(second * 7919 % 101) / 50 - 1)
      var longitude = east + Double(second) * 1e-5 + noise / 74_600
      if longitude > 180 { longitude -= 360 }
      return LocationSample(
        time: .seconds(Double(second)), latitude: 48 + (3 * Double(second) + noise) / 111_190, longitude: longitude,
        altitude: 500 + noise, speed: second % 9 == 4 ? nil : 3, horizontalAccuracy: 5,
        verticalAccuracy: second % 7 == 3 ? nil : 4, speedAccuracy: second % 11 == 5 ? nil : 0.3)
    }
    var run = RunTimeline(
      start: .seconds(0), end: .seconds(Double(seconds)),
      pauses: pauses.map {
        Pause(onset: .seconds($0.0), decidedAt: .seconds($0.0 + 1.5), end: .seconds($0.1), cause: .still)
      },
      route: route, strides: StrideModel(running: 1.1, walking: 0.7))
    run.cadencePoints = stride(from: 2.56, to: Double(seconds) - 2, by: 1.28).map {
      CadencePoint(
        time: .seconds($0), stepsPerMinute: rate + Double(Int($0) % 13), gyroscopeCadence: Int($0) % 3 == 0 ? nil : rate
      )
    }
    if !altitudes.isEmpty {
      run.barometer = altitudes.map {
        AltitudeSample(time: .seconds($0), relativeAltitude: $0 / 7 - Double(Int($0) % 5))
      }
    }
    return run
  }

  /// Runs of every kind: barometers of several spans, pauses, laps, rare points, the date line, no route.
  private static func runs() -> [(name: String, run: RunTimeline)] {
    func span(_ from: Double, _ to: Double, by step: Double = 1) -> [Double] {
      Array(stride(from: from, through: to, by: step))
    }
    var found: [(name: String, run: RunTimeline)] = [
      ("plain", run()), ("no jitter", run(jitter: 0)), ("strong jitter", run(jitter: 12)),
      ("barometer", run(altitudes: span(0, 240))), ("barometer within", run(altitudes: span(30.5, 200.5))),
      ("barometer until a point", run(altitudes: span(10, 200, by: 3))),
      ("barometer after", run(altitudes: span(100, 300, by: 2.5))),
      ("one altitude", run(altitudes: [120])), ("two altitudes", run(altitudes: [60, 61])),
      ("pauses", run(pauses: [(60, 90), (120.5, 140.25)], altitudes: span(0, 239))),
      ("rare points", run(step: 10, altitudes: span(0, 240))), ("rarer points", run(step: 11, pauses: [(100, 130)])),
      ("date line", run(east: 179.999)), ("short", run(seconds: 2)), ("one point", run(seconds: 1, step: 2)),
    ]
    var (laps, silent) = (run(pauses: [(60, 90)]), run())
    for second in [30.5, 75, 160, 240] { laps.markLap(at: .seconds(second)) }
    silent.route = []
    found += [("laps", laps), ("no route", silent)]
    for seed: UInt64 in [7, 8, 9, 10] {
      let mixed = MixedRun(seed: seed)
      guard var tracker = try? RunTracker(sampleRate: mixed.rate, options: mixed.options) else { continue }
      for input in mixed.inputs { tracker.append(input) }
      found.append(("mixed \(seed)", tracker.finish()))
    }
    return found
  }

  private static let allRuns = runs()

  @Test
  func `The stretches and documents of runs are as recorded`() throws {
    let cases = try Self.allRuns.map { entry -> Case in
      var figures = RecordedAnswers.Figures()
      let run = entry.run
      let stretches = TrackStretches(run)
      figures.add(
        "times", AnswerText.exact(stretches.times.flatMap { [$0.lowerBound.nanoseconds, $0.upperBound.nanoseconds] }))
      figures.add("counts", AnswerText.exact(stretches.points.map(\.count)))
      let points = stretches.points.flatMap(\.self)
      try figures.add("points", json: points)
      figures.add("altitudes", points.reduce(0.0) { $0 * 0.99 + ($1.altitude ?? -1) })
      for (place, point) in [points.first, points.dropLast().last, points.last].enumerated() {
        figures.add("altitude \(place)", point?.altitude)
      }
      for index in stretches.times.indices.prefix(3) {
        let time = stretches.times[index]
        for (name, from, to) in [("whole", 0.0, 0.0), ("later", 5, 0), ("earlier", 0, -5), ("inside", 7.5, -3.25)] {
          let (first, last) = (time.lowerBound.advanced(bySeconds: from), time.upperBound.advanced(bySeconds: to))
          guard first < last, !points.isEmpty else { continue }
          try figures.add(
            "stretch \(index) \(name)", json: stretches.points(ofStretch: index, in: first..<last), wholly: true)
        }
      }
      let beats = (0..<70).map { HeartRate(time: .seconds(3 + 3.5 * Double($0)), beatsPerMinute: 90.5 + Double($0)) }
      for document in TrackDocument.allCases {
        for (name, heartRates) in [("", []), (" with heart rates", beats), (" with rare ones", [beats[0], beats[30]])] {
          figures.add(
            "\(document)\(name)",
            AnswerText.outcome {
              let text = try document.text(
                of: run, started: Date(timeIntervalSince1970: 1.75e9), bodyMass: 70, heartRates: heartRates)
              return "\(text.utf8.count) \(Checksum.text(Array(text.utf8)))"
            })
        }
      }
      return (entry.name, figures)
    }
    try RecordedAnswers("stretch_answers.tsv", tolerance: 1e-9).expect(cases)
  }

  @Test
  func `The JSON of runs is as recorded`() throws {
    let cases = try Self.allRuns.map { entry -> Case in
      var figures = RecordedAnswers.Figures()
      let run = entry.run
      for (name, json) in [
        ("plain", RunJSON(run: run, splitMeters: 250)),
        (
          "full",
          RunJSON(
            run: run, started: Date(timeIntervalSince1970: 1.75e9), splitMeters: 100, bodyMass: 70, invalidPoints: 3,
            findings: [.otherRate(stated: 50, found: 49), .suspectAttitude(radians: 9)])
        ), ("impossible mass", RunJSON(run: run, splitMeters: 1000, bodyMass: -1, invalidPoints: 1)),
      ] {
        try figures.add(name, json: json.object)
        figures.add(
          "\(name) rejected", json.rejectedLocations.sorted { $0.key < $1.key }.map { "\($0.key)_\($0.value)" })
        figures.add("\(name) energy", json.energy)
        figures.add("\(name) points", "n\(json.pointCount)")
        guard json.pointCount > 2 else { continue }
        try figures.add("\(name) middle", json: json.cadencePoints(1..<json.pointCount - 1))
        try figures.add("\(name) with two", json: json.object(with: json.cadencePoints(0..<2)), wholly: true)
        try figures.add("\(name) with none", json: json.object(with: []), wholly: true)
      }
      figures.add("seconds", run.seconds(to: run.start.advanced(bySeconds: 12.5)))
      return (entry.name, figures)
    }
    try RecordedAnswers("run_json_answers.tsv", tolerance: 1e-9).expect(cases)
  }

  @Test
  func `Places on a route are as recorded`() throws {
    var figures = RecordedAnswers.Figures()
    let routes: [(name: String, points: [LocationSample])] = [
      ("one", [(10.0, 48.0, 11.0, 500.0)]), ("two", [(10, 48, 11, 500), (20, 48.1, 11.2, 520)]),
      ("equal times", [(10, 48, 11, 500), (10, 49, 12, 510), (20, 50, 13, .nan)]),
      ("date line", [(0, 0, 179.9, 1), (10, 0, -179.9, 3), (20, 1, 179.8, 5), (30, 1, 0, 7)]),
    ].map { entry in
      (
        entry.0,
        entry.1.map {
          LocationSample(
            time: .seconds($0.0), latitude: $0.1, longitude: $0.2, altitude: $0.3.isNaN ? nil : $0.3, speed: 2)
        }
      )
    }
    func text(_ place: LocationSample) -> String {
      "\(AnswerText.exact([place.time.nanoseconds])) \(place.latitude) \(place.longitude) \(place.altitude ?? -1) \(place.speed ?? -1)"
    }
    for route in routes {
      for second in [-5.0, 0, 5, 9.75, 10, 12.5, 15, 20, 25, 31] {
        figures.add("\(route.name) at \(second)", text(route.points.place(at: .seconds(second))))
        for end in [second + 1, 20, 40] where end > second {
          let points = route.points.points(in: .seconds(second)..<(.seconds(end)))
          figures.add("\(route.name) from \(second) to \(end)", points.map(text).joined(separator: " "))
        }
      }
    }
    figures.add("none", [LocationSample]().points(in: .seconds(0)..<(.seconds(1))).count)
    let beats = [0.0, 4, 10, 30, 30.5].map { HeartRate(time: .seconds($0), beatsPerMinute: 100.5 + $0) }
    for times in [[-10.001, -10, -9.9, 0, 3.999, 4, 9, 10, 19.999, 20, 20.001, 30, 40.5, 40.51], [50], [40.5]]
      as [[Double]]
    {
      var (rates, none) = (PointRates(beats), PointRates([]))
      figures.add("rates \(times)", times.map { "\(rates.rate(at: .seconds($0)) ?? 0)" }.joined(separator: "_"))
      figures.add("no rates \(times)", none.rate(at: .seconds(times[0])))
    }
    var steps = RunTimeline(start: .seconds(0), end: .seconds(100))
    steps.cadencePoints = [10.0, 12, 40].map { CadencePoint(time: .seconds($0), stepsPerMinute: 150 + $0) }
    var strides = PointRates(stridesOf: steps)
    let seconds = [6.15, 6.16, 6.17, 10, 12, 15.84, 15.85, 36.16, 36.17, 39, 43.84, 43.85, 44, 45]
    figures.add("strides", seconds.map { "\(strides.rate(at: .seconds($0)) ?? 0)" }.joined(separator: "_"))
    try RecordedAnswers("place_answers.tsv", tolerance: 1e-11).expect([("places", figures)])
  }

  @Test
  func `Models in Swift have the recorded texts`() throws {
    var model = ActivityModel.running
    var figures = RecordedAnswers.Figures()
    func add(_ name: String, notice: String = "", constant: String = "mine") {
      figures.add(
        name,
        AnswerText.outcome {
          let text = try SwiftSource(model, name: constant, notice: notice).text
          let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
          // The model's own numbers are not of interest.
          let comment = lines.filter {
            $0.contains("///") || $0.contains("static") || $0.contains("embedded") || $0.hasPrefix("// ")
          }
          return
            "\(comment.joined(separator: " | ")) | \(lines.count - comment.count) \(lines.map(\.count).max() ?? 0) \(Checksum.text(Array(text.utf8)))"
        })
    }
    for method in ["plain", "a # b", "a ## b #", "quote \" and \\ and \u{2028}"] {
      model.card = ModelCard(
        training: ModelCard.Training(
          method: method, source: "some \u{1B} files", sampleRates: [50], recordings: 12, groups: 3,
          windows: ["walk": 7, "run": 11], fingerprints: "secret"))
      add("method \(AnswerText.plain(method))")
    }
    for score in [0, 1, 0.5, 0.99994, 0.99995, 0.00004, 0.00005, 0.12345] {
      model.card?.validation = ModelCard.Validation(
        method: "five folds", windows: 9, accuracy: score, balancedAccuracy: 0.1, macroF1: score / 2, worstGroup: "a",
        worstGroupAccuracy: score / 3)
      add("score \(score)")
    }
    for notice in ["one line", "two\nlines", "a\r\n\r\nb"] { add("notice \(AnswerText.plain(notice))", notice: notice) }
    model.card = nil
    add("no card")
    for (index, name) in [
      "", "a", "_", "_a", "1a", "a1", "a-b", "é", "aé", "self", "Self", "Type", "func", "functional", "a b", "a\n",
    ].enumerated() {
      let outcome = AnswerText.outcome { try ModelExport(model, as: .swift, name: name).bytes.isEmpty }
      figures.add("name \(index)", outcome)
      figures.add(
        "name \(index) of no source",
        AnswerText.outcome { try ModelExport(model, as: .gait, name: name).bytes.count > 1000 })
    }
    figures.add("formats", ModelExport.Format.allCases.map(\.rawValue))
    let errors: [ExportError] = [
      .notAnIdentifier("a\u{7}b"), .noLocations, .invalidValue(.bodyMass(3.5)), .invalidHeartRate(300.5, index: 4),
    ]
    for (index, error) in errors.enumerated() {
      figures.add("error \(index)", AnswerText.plain(error.errorDescription))
    }
    try RecordedAnswers("model_export_answers.tsv", tolerance: 1e-9).expect([("models", figures)])
  }
}
