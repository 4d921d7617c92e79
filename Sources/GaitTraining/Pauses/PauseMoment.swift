import Gait

/// A stretch in which the state of a run is wrong: it is paused while the person moves, or not paused while the person
/// stands.
package struct PauseMoment: Hashable, Sendable {
  /// A wrong state of a run.
  package enum Mistake: String, CaseIterable, Sendable {
    case falsePause = "paused while moving"
    case falseResume = "resumed while standing"
    case latePause = "paused late"
    case lateResume = "resumed late"
    case missedPause = "did not pause"
    case missedResume = "did not resume"
  }

  /// The index of the run.
  package let run: Int
  /// The wrong state.
  package let mistake: Mistake
  /// When the state became wrong.
  package let start: SampleTime
  /// When the state was right again, by a decision or by a change of the truth.
  package let end: SampleTime

  /// How long the state was wrong, seconds.
  package var seconds: Double { end.seconds(since: start) }

  /// The moments of a run, in order. Every delay is a moment too.
  ///
  /// - Parameters:
  ///   - log: the decisions.
  ///   - truth: the stretches of the run.
  ///   - run: the index of the run.
  static func moments(of log: PauseLog, in truth: [ComposedRun.Stretch], run: Int) -> [PauseMoment] {
    var moments: [PauseMoment] = []
    var isPaused = false
    var decisions = log.decisions[...]
    for stretch in truth {
      // The time since which the state is wrong, and whether a decision made it wrong.
      var wrong = isPaused == stretch.isStopped ? nil : (since: stretch.start, byDecision: false)
      func add(until end: SampleTime, isMissed: Bool) {
        guard let wrong, wrong.since < end else { return }
        let mistake: PauseMoment.Mistake =
          switch (stretch.isStopped, wrong.byDecision, isMissed) {
          case (true, true, _): .falseResume
          case (false, true, _): .falsePause
          case (true, false, false): .latePause
          case (false, false, false): .lateResume
          case (true, false, true): .missedPause
          case (false, false, true): .missedResume
          }
        moments.append(PauseMoment(run: run, mistake: mistake, start: wrong.since, end: end))
      }
      while let decision = decisions.first, decision.decidedAt <= stretch.end {
        decisions.removeFirst()
        guard decision.isPause != isPaused else { continue }
        isPaused = decision.isPause
        if isPaused != stretch.isStopped {
          wrong = (decision.decidedAt, true)
        } else {
          add(until: decision.decidedAt, isMissed: false)
          wrong = nil
        }
      }
      add(until: stretch.end, isMissed: true)
    }
    return moments
  }
}
