/// An event of a run, as a tracker reports it.
public enum RunEvent: Hashable, Sendable {
  /// The run was paused.
  case paused(PauseEvent)
  /// The run was resumed.
  case resumed(PauseEvent)
  /// The activity changed.
  case activity(ActivityChange)
  /// Samples are missing between the two times: the last sample before and the first sample after, at the model's rate.
  case gap(Range<SampleTime>)
  /// A split is complete.
  case split(Split)
  /// A lap ended, by `RunTracker.lap(at:)` or at the end of an interval; `RunTimeline.laps` has it.
  case lap(number: Int, at: SampleTime)
  /// A goal is reached.
  case goal(RunGoal, at: SampleTime)
  /// Motion samples were dropped: they came late, or alone at a time far from the others. Reported when their number
  /// reaches 1, 2, 4, 8 and so on; `at` is the time of the latest sample that was used.
  case dropped(count: Int, at: SampleTime)
  /// For more than 10 s no window could be decided. It is reported once until windows are decided again.
  case undecided(Undecided)
  /// The figures of the run at a fixed interval; only with `RunOptions.snapshotSeconds`.
  case snapshot(RunSnapshot)
  /// The run is finished: the last event of a sequence of inputs. A tracker itself does not report it.
  indirect case finished(RunTimeline)

  /// The event of a decision.
  package init(_ decision: PauseEvent) { self = decision.isPause ? .paused(decision) : .resumed(decision) }

  /// The pause or resume that the event is, if any.
  package var decision: PauseEvent? {
    switch self {
    case .paused(let event), .resumed(let event): event
    case .activity, .gap, .split, .lap, .goal, .dropped, .undecided, .snapshot, .finished: nil
    }
  }
}

/// As JSON, an event is an object with `version` = 1 and one entry, named after the case: `paused`, `resumed`,
/// `activity`, `split`, `undecided`, `snapshot` and `finished` with the value, `gap` with an array of two times, `lap`
/// with `number` and `at`, `dropped` with `count` and `at`, or `goal` with `goal` and `at`. Times are nanoseconds; the
/// entries of a value are its properties.
extension RunEvent: Codable {
  private enum CodingKeys: String, CodingKey {
    case version, paused, resumed, activity, gap, split, lap, goal, dropped, undecided, snapshot, finished
  }

  private struct Lap: Codable {
    var number: Int
    var at: SampleTime
  }

  private struct Dropped: Codable {
    var count: Int
    var at: SampleTime
  }

  private struct Reached: Codable {
    var goal: RunGoal
    var at: SampleTime
  }

  /// The form of a decision in files that were written before runs had a `version`.
  private struct Unlabeled: Decodable {
    var _0: PauseEvent
  }

  /// Reads an event.
  ///
  /// - Throws: `DecodingError` for a version other than 1, and for an event of an unknown kind.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try values.checkVersion(.version)
    func decision(_ key: CodingKeys) throws -> PauseEvent {
      let former = try? values.decode(Unlabeled.self, forKey: key)
      var event = try former?._0 ?? values.decode(PauseEvent.self, forKey: key)
      event.isPause = key == .paused
      return event
    }
    switch values.allKeys.first(where: { $0 != .version }) {
    case .paused: self = .paused(try decision(.paused))
    case .resumed: self = .resumed(try decision(.resumed))
    case .activity: self = .activity(try values.decode(ActivityChange.self, forKey: .activity))
    case .gap: self = .gap(try values.decode(Range<SampleTime>.self, forKey: .gap))
    case .split: self = .split(try values.decode(Split.self, forKey: .split))
    case .lap:
      let lap = try values.decode(Lap.self, forKey: .lap)
      self = .lap(number: lap.number, at: lap.at)
    case .goal:
      let reached = try values.decode(Reached.self, forKey: .goal)
      self = .goal(reached.goal, at: reached.at)
    case .dropped:
      let dropped = try values.decode(Dropped.self, forKey: .dropped)
      self = .dropped(count: dropped.count, at: dropped.at)
    case .undecided: self = .undecided(try values.decode(Undecided.self, forKey: .undecided))
    case .snapshot: self = .snapshot(try values.decode(RunSnapshot.self, forKey: .snapshot))
    case .finished: self = .finished(try values.decode(RunTimeline.self, forKey: .finished))
    case .version, nil:
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: values, debugDescription: "this Gait does not know the event; update the app")
    }
  }

  /// Writes the event.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(FormVersion.current, forKey: .version)
    switch self {
    case .paused(let event): try values.encode(event, forKey: .paused)
    case .resumed(var event):
      // The decision is written without `isPause`, as the entry's name says that it is a resume.
      event.isPause = true
      try values.encode(event, forKey: .resumed)
    case .activity(let change): try values.encode(change, forKey: .activity)
    case .gap(let range): try values.encode(range, forKey: .gap)
    case .split(let split): try values.encode(split, forKey: .split)
    case .lap(let number, let time): try values.encode(Lap(number: number, at: time), forKey: .lap)
    case .goal(let goal, let time): try values.encode(Reached(goal: goal, at: time), forKey: .goal)
    case .dropped(let count, let time): try values.encode(Dropped(count: count, at: time), forKey: .dropped)
    case .undecided(let undecided): try values.encode(undecided, forKey: .undecided)
    case .snapshot(let snapshot): try values.encode(snapshot, forKey: .snapshot)
    case .finished(let run): try values.encode(run, forKey: .finished)
    }
  }
}

/// As JSON, the decisions are events: objects with one entry, `paused` or `resumed`.
extension PauseLog: Codable {
  private enum CodingKeys: String, CodingKey { case decisions, pauses, mergeGapSeconds }

  /// Reads a log.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      decisions: try values.decode([RunEvent].self, forKey: .decisions).compactMap(\.decision),
      pauses: try values.decode([Pause].self, forKey: .pauses),
      mergeGapSeconds: try values.decode(Double.self, forKey: .mergeGapSeconds))
  }

  /// Writes the log.
  package func encode(to encoder: any Encoder) throws {
    try JSONObject([
      "decisions": decisions.map(RunEvent.init(_:)), "pauses": pauses, "mergeGapSeconds": mergeGapSeconds,
    ]).encode(to: encoder)
  }
}
