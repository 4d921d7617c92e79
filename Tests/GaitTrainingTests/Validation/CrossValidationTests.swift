import Gait
import GaitLab
import GaitTestSupport
import GaitTraining
import Synchronization
import Testing

@Suite struct CrossValidationTests {
  @Test(.requiresOptimization, arguments: [true, false])
  func `A cross-validation agrees with a reference, fold by fold`(knowsSubjects: Bool) throws {
    let dataset = LabeledDataset(
      (1...3).flatMap { subject in
        SimulatedActivity.allCases.map {
          MovingRecordings.labeled($0, subject: subject, knowsSubject: knowsSubjects)
        }
      })
    let trainer = ActivityTrainer()
    let validation = try trainer.crossValidated(on: dataset)
    var predictions: [Prediction] = []
    for fold in try Folds(of: dataset).folds {
      let model = try trainer.fit(LabeledDataset(fold.training.map { dataset.recordings[$0] }))
      for labeled in fold.test.map({ dataset.recordings[$0] }) {
        predictions += try model.classify(labeled.recording).map {
          Prediction(truth: labeled.label, predicted: $0.label, group: labeled.group)
        }
      }
    }
    #expect(validation.report == (try ClassificationReport(predictions)))
    #expect(validation.method == (knowsSubjects ? "leave one subject out" : "9 folds of whole recordings"))
    #expect(validation.report.groups.count == (knowsSubjects ? 3 : 9))
  }

  @Test func `Every window is tested on once`() throws {
    let dataset = MovingRecordings.dataset
    let done = Mutex(0)
    let validation = try ActivityTrainer().crossValidated(on: dataset) { done.withLock { $0 += 1 } }
    #expect(done.withLock { $0 } == 3)
    #expect(validation.folds.folds.flatMap(\.test).sorted() == Array(dataset.recordings.indices))
    #expect(validation.report.windows == (try ActivityTrainer().windows(of: dataset).count))
    #expect(validation.report.accuracy > 0.8)
  }

  @Test func `Copies are never on both sides of a fold`() throws {
    // Subject 4 is subject 1 under another name.
    var recordings = MovingRecordings.dataset.recordings
    for labeled in recordings where labeled.subject == "1" {
      recordings.append(
        LabeledRecording(
          recording: labeled.recording, label: labeled.label, path: "copy/" + labeled.path, fields: ["subject": "4"]))
    }
    let dataset = LabeledDataset(recordings)
    let validation = try ActivityTrainer().crossValidated(on: dataset)
    #expect(validation.folds.folds.count == 3)
    for fold in validation.folds.folds {
      let test = Set(fold.test.map { dataset.recordings[$0].subject })
      #expect(test.contains("1") == test.contains("4"))
    }
  }

  @Test func `The summary repeats the report`() throws {
    let validation = try ActivityTrainer().crossValidated(on: MovingRecordings.dataset)
    let (summary, report) = (validation.summary, validation.report)
    #expect(summary.method == validation.method)
    #expect(summary.windows == report.windows)
    #expect(summary.accuracy == report.accuracy)
    #expect(summary.balancedAccuracy == report.balancedAccuracy)
    #expect(summary.macroF1 == report.macroF1)
    #expect(summary.worstGroup == report.worstGroup.name)
    #expect(summary.worstGroupAccuracy == report.worstGroup.accuracy)
  }
}
