import Gait
import GaitLab
import GaitTestSupport
import Testing

@testable import GaitTraining

/// Adapted models, tuned pauses of refitted heads, the screening of features and the meanings of labels, compared with
/// what was recorded.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct AdaptedAnswersTests {
  private typealias Case = (name: String, figures: RecordedAnswers.Figures)

  @Test func `Adapted models, tuned pauses, screens and warnings are as recorded`() throws {
    let cases = try Self.adaptedCases() + [Self.tuningCase(), Self.screenCase(), Self.splitCase(), Self.warningCase()]
    try RecordedAnswers("adapted_answers.tsv", tolerance: 1e-3).expect(cases)
  }

  private static func trainer() -> ActivityTrainer {
    var trainer = ActivityTrainer()
    trainer.features = Array(trainer.features.prefix(4))
    return trainer
  }

  private static let base = Result { try trainer().fit(MovingRecordings.dataset) }

  /// Recordings of a person who walks as others run.
  private static func own(_ entries: [(label: String, activity: SimulatedActivity, subject: Int)]) -> LabeledDataset {
    LabeledDataset(
      entries.map { label, activity, subject in
        LabeledRecording(
          recording: MovingRecordings.labeled(activity, subject: subject, seconds: 16).recording, label: label,
          path: "\(label)/\(subject)", fields: ["subject": "me", "day": "\(subject)"])
      }, name: "own")
  }

  private static func adaptedCases() throws -> [Case] {
    let base = try base.get()
    let datasets: [(String, LabeledDataset)] = [
      (
        "several",
        own([("walking", .running, 4), ("walking", .running, 5), ("still", .still, 4), ("still", .still, 5)])
      ),
      ("one each", own([("walking", .running, 4), ("still", .still, 4)])),
      ("wrong", own([("running", .still, 4), ("running", .still, 5), ("still", .running, 4), ("still", .running, 6)])),
    ]
    var cases: [Case] = []
    for (name, dataset) in datasets {
      var figures = RecordedAnswers.Figures()
      for strength in [1, 100.0] {
        var adapter = ModelAdapter()
        adapter.strength = strength
        let others = name == "wrong" ? nil : MovingRecordings.dataset
        let adaptation = try adapter.validated(base, on: dataset, others: others)
        guard case .logistic(let logistic) = adaptation.model.activityHead.classifier else { continue }
        figures.add("\(strength) weights", logistic.weights.spaced + " " + logistic.intercepts.spaced)
        figures.add("\(strength) text", adaptation.description.replacing("\n", with: " / "))
        figures.add("\(strength) warnings", adaptation.warnings.joined(separator: " / "))
        figures.add("\(strength) by time", adaptation.isValidatedByTime)
        let training = try #require(adaptation.model.card?.training)
        figures.add("\(strength) method", training.method)
        figures.add("\(strength) source", "\(training.source) \(training.recordings) \(training.groups)")
        figures.add("\(strength) rates", training.sampleRates.spaced)
        figures.add(
          "\(strength) windows", training.windows.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.spaced)
        figures.add("\(strength) credits", training.attributions?.spaced)
        let kept = adaptation.model
        figures.add("\(strength) kept", kept.pauses == base.pauses && kept.heads.dropFirst() == base.heads.dropFirst())
      }
      cases.append(("adapted to \(name)", figures))
    }
    let unknown = own([("dancing", .running, 4), ("still", .still, 4)])
    let error = #expect(throws: TrainingError.self) { try ModelAdapter().adapted(base, to: unknown) }
    #expect(error?.description.contains("have the label \"dancing\", which the model does not have") == true)
    let one = own([("walking", .walking, 4)])
    #expect(throws: TrainingError.fitting(.onlyOneLabel(2))) { try ModelAdapter().adapted(base, to: one) }
    var trees = trainer()
    trees.method = .decisionTree(TreeTrainer())
    let tree = try trees.fit(MovingRecordings.dataset)
    #expect(throws: TrainingError.self) { try ModelAdapter().adapted(tree, to: datasets[0].1) }
    #expect(ModelAdapter().strength == 100)
    #expect(ModelAdapter.blockCount == 2)
    return cases
  }

  private static func splitCase() throws -> Case {
    let dataset = MovingRecordings.dataset
    var figures = RecordedAnswers.Figures()
    let filters: [[(String, [String])]] = [
      [("subject", ["1"])], [("subject", ["1", "2", "3"])], [("subject", ["9"])], [("day", ["1"])],
      [("subject", ["1"]), ("subject", ["2"])], [],
    ]
    for (index, entries) in filters.enumerated() {
      do throws(TrainingError) {
        let parts = try dataset.split(by: entries.map { RecordingFilter(field: $0.0, values: $0.1) })
        figures.add("parts \(index)", "\(parts.own.recordings.count) \(parts.others?.recordings.count ?? -1)")
      } catch { figures.add("parts \(index)", error.description) }
    }
    let base = try base.get()
    for (name, tested) in [
      ("same", dataset), ("other", own([("walking", .walking, 7), ("dancing", .running, 7)])),
      ("unknown", own([("dancing", .running, 7)])),
    ] {
      let unseen = tested.unseen(by: base)
      figures.add("unseen of \(name)", "\(unseen.dataset?.recordings.count ?? -1) \(unseen.seenCount)")
    }
    return ("splits", figures)
  }

  // MARK: Pauses

  private static func tuningCase() throws -> Case {
    let dataset = MovingRecordings.dataset
    let model = try base.get()
    var figures = RecordedAnswers.Figures()
    for (name, folds, quiet, dwell) in [
      ("model", 0, nil, nil), ("refitted", 3, false, 1.5), ("in two folds", 2, true, nil),
    ]
      as [(String, Int, Bool?, Double?)]
    {
      var tuning = PauseTuning()
      (tuning.tuner.pauseThresholds, tuning.tuner.resumeThresholds) = ([0.6, 0.95], [0.1, 0.6])
      (tuning.tuner.likelihoodExponents, tuning.tuner.resumeDwells) = ([0.3], [0.2])
      tuning.tuner.margin = folds == 2 ? 0 : 2
      (tuning.composition.hours, tuning.composition.seeds) = (0.01, 3...3)
      (tuning.findsQuietWalks, tuning.walkingResumeDwellSeconds) = (quiet, dwell)
      if folds > 0 { tuning.refit = PauseTuning.Refit(folds: folds, method: .logistic(LogisticTrainer())) }
      let candidates = try tuning.candidates(of: model, on: dataset)
      figures.add("\(name) table", candidates.table.replacing("\n", with: " / "))
      for (index, candidate) in candidates.enumerated() {
        let settings = candidate.settings
        figures.add(
          "\(name) \(index)",
          "\(settings.pauseAbove) \(settings.resumeBelow) \(settings.findsQuietWalks) "
            + "\(settings.walkingResumeDwellSeconds ?? -1) \(candidate.cost)")
        if index < 2 { try figures.add("\(name) \(index) report", json: candidate.report, wholly: true) }
      }
    }
    var tuning = PauseTuning()
    tuning.refit = PauseTuning.Refit(folds: 2, method: .logistic(LogisticTrainer()))
    (tuning.composition.hours, tuning.composition.seeds) = (0.01, 1...1)
    (tuning.tuner.pauseThresholds, tuning.tuner.resumeThresholds) = ([0.9], [0.1])
    let two = dataset.keeping(labels: ["running", "still"])
    let foreign = own([("running", .running, 4), ("still", .still, 4), ("dancing", .walking, 5)])
    let joined = LabeledDataset(joining: [foreign, dataset])
    for (name, data) in [("two labels", two), ("one person", foreign), ("a foreign label", joined)] {
      do {
        figures.add(name, try tuning.candidates(of: model, on: data).count)
      } catch { figures.add(name, "\(error)") }
    }
    return ("tuning", figures)
  }

  // MARK: Features

  private static func screenCase() throws -> Case {
    let windows = try trainer().windows(of: MovingRecordings.dataset)
    let (count, labels) = (windows.count, windows.labels.count)
    // Features with few values, constant ones, noise, and the label itself.
    let noise = AnswerInputs.uniform(count, seed: 1)
    let ties = AnswerInputs.ties(count, limit: 2, seed: 2)
    let matrix = FeatureMatrix(
      columnCount: 7,
      values: (0..<count).flatMap { row -> [Float] in
        let label = windows.labelIndices[row]
        return [noise[row], ties[row], 1, Float(label), noise[row] + Float(label), Float(row % 20), label == 1 ? 1 : 0]
      })
    let screened = LabeledWindows(
      labels: windows.labels, matrix: matrix, labelIndices: windows.labelIndices,
      recordingIndices: windows.recordingIndices, starts: windows.starts, originalCount: windows.originalCount)
    let screen = try FeatureScreen(screened)
    var figures = RecordedAnswers.Figures()
    figures.add("shares", screen.shares.values.prefix(labels).spaced)
    var skewed = screen.shares.values
    for row in 0..<count where windows.labelIndices[row] == 1 {
      for label in 0..<labels { skewed[row * labels + label] = label == 1 ? 1 : 0 }
    }
    for (name, values) in [("shares", screen.shares.values), ("certain", skewed)] {
      for wanted in 0...7 {
        let probabilities = FeatureMatrix(columnCount: labels, values: values)
        figures.add(
          "\(wanted) by \(name)", "[\(screen.promising(Array(0..<7), count: wanted, beyond: probabilities).spaced)]")
      }
    }
    var one = screened
    one = one.restricted(
      to: (0..<MovingRecordings.dataset.recordings.count).filter {
        MovingRecordings.dataset.recordings[$0].label == "still"
      })
    #expect(throws: FittingError.self) { try FeatureScreen(one) }
    return ("screen", figures)
  }

  // MARK: Warnings

  private static func warningCase() throws -> Case {
    var trainer = trainer()
    var figures = RecordedAnswers.Figures()
    let datasets: [(String, LabeledDataset)] = [
      ("three people", MovingRecordings.dataset),
      ("no stop", own([("running", .running, 4), ("dancing", .walking, 4)])),
      ("two unknown", own([("hopping", .running, 4), ("dancing", .walking, 4), ("still", .still, 5)])),
      ("only stops", own([("still", .still, 4), ("standing", .still, 5)])),
      ("short", own([("still", .still, 4)]).cut(intoBlocks: 7, apart: 0)),
    ]
    for (name, dataset) in datasets {
      let stated: [[String: Activity]] = [[:], ["dancing": .other, "standing": .walking]]
      for (number, meanings) in stated.enumerated() {
        trainer.meanings = meanings
        figures.add("\(name) \(number)", trainer.meaningWarnings(of: dataset).joined(separator: " / "))
        figures.add("\(name) \(number) stops", trainer.hasStops(dataset))
        for windows in [
          ["still": 1], ["still": 299, "running": 300, "walking": 301], ["still": 100_000, "running": 100],
        ] {
          let warnings = trainer.warnings(of: dataset, windows: windows)
          figures.add("\(name) \(number) with \(windows.values.max() ?? 0)", warnings.joined(separator: " / "))
        }
      }
    }
    for texts in [
      ["resting=still"], ["a,b=moving", "c = walking"], ["a=still", "a=still"], ["a=still", "a=walking"], ["a"],
      ["a=b=c"],
      ["=still"], ["a,=still"], ["a=other"], ["a=flying"], ["a="], [],
    ] {
      do throws(LabelMeaningError) {
        let meanings = try ActivityTrainer.meanings(texts).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        figures.add("meanings \(texts)", meanings.spaced)
      } catch { figures.add("meanings \(texts)", error.description) }
    }
    return ("warnings", figures)
  }
}
