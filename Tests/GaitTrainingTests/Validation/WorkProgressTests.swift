import Gait
import GaitTraining
import Synchronization
import Testing

/// The stages of long work and their observer.
@Suite struct WorkProgressTests {
  @Test func `A cross-validation and a fit tell an observer their items, and nothing of the loops within`() throws {
    let seen = Mutex<[(title: String, count: Int, done: Int)]>([])
    var trainer = ActivityTrainer()
    trainer.method = .boostedTrees(BoostedTreesTrainer())
    let observer = WorkProgress.Observer { title, count in
      let number = seen.withLock {
        $0.append((title, count, 0))
        return $0.count - 1
      }
      return { seen.withLock { $0[number].done += 1 } }
    }
    try WorkProgress.$observer.withValue(observer) {
      let validation = try trainer.crossValidated(on: MovingRecordings.dataset)
      _ = try trainer.fit(MovingRecordings.dataset, validatedBy: validation)
    }
    let stages = seen.withLock { $0 }
    let rounds = BoostedTreesTrainer().roundCount
    let expected = [("recording", 9), ("fold", 3), ("recording", 9), ("round of trees", rounds)]
    #expect(stages.map(\.title).prefix(4).map { $0 } == expected.map(\.0))
    #expect(stages.map(\.count).prefix(4).map { $0 } == expected.map(\.1))
    #expect(stages.allSatisfy { $0.done == $0.count })
  }
}
