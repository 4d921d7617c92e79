extension RunTimeline {
  /// An impossible property of a run.
  package struct Fault: Hashable, Sendable {
    /// The name of the list or property.
    package var list: String
    /// The index of the entry, if it is of a list.
    package var index: Int?
    /// What is wrong.
    package var reason: String

    /// The place and the reason.
    package var text: String { "\(list)\(index.map { "[\($0)]" } ?? ""): \(reason)" }
  }

  /// The fastest step rate of a run, steps per minute: no person or animal steps faster.
  private static let largestCadence = 1000.0
  /// The longest distance of a run, metres: 400 times around the Earth.
  private static let longestPath = 1.6e10

  /// Why the run cannot be written and read again; `nil` if it can. Runs that `RunTracker.finish()` returns have none;
  /// those that an app has changed may.
  ///
  /// - Complexity: O(entries).
  package var fault: Fault? { faultOfTimes ?? faultOfPlaces ?? faultOfCounts }

  /// The first entry of a list that is not possible.
  private static func first<Entry>(
    of list: String, _ entries: [Entry]?, _ reason: String, where isPossible: (Entry) -> Bool
  ) -> Fault? {
    entries?.firstIndex { !isPossible($0) }.map { Fault(list: list, index: $0, reason: reason) }
  }

  /// The first fault of pauses, laps, activities, gaps, holes, unknown time, rides and step rates.
  private var faultOfTimes: Fault? {
    guard start <= end else { return Fault(list: "end", reason: "the run ends before it starts") }
    let (within, rates) = (start...end, 0...Self.largestCadence)
    var pauseEnd: SampleTime? = start
    var lapEnd = start
    var onset: SampleTime?
    return Self.first(
      of: "pauseLog.pauses", pauses,
      "a pause ends before it begins, overlaps the one before it, or is not within the run"
    ) { pause in
      let previous = pauseEnd
      pauseEnd = pause.end
      return previous.map { $0 <= pause.onset } ?? false && pause.onset <= pause.end ?? end && pause.end ?? end <= end
    }
      ?? Self.first(of: "lapEnds", lapEnds, "out of order, or outside of the run") { time in
        defer { lapEnd = time }
        return time >= lapEnd && time <= end
      }
      ?? Self.first(of: "activities", activities, "out of order, or after the run") { change in
        defer { onset = change.onset }
        return change.onset >= onset ?? change.onset && change.onset <= end
      }
      ?? fault(of: "gaps", gaps) ?? fault(of: "holes", holes) ?? fault(of: "unknown", unknown) ?? fault(
        of: "rides", rides)
      ?? Self.first(of: "cadencePoints", cadencePoints, "is not a step rate of a person in the run") {
        within ~= $0.time && rates ~= $0.stepsPerMinute && rates ~= $0.gyroscopeCadence ?? 0
      }
  }

  private func fault(of list: String, _ stretches: [Range<SampleTime>]) -> Fault? {
    var last = start
    return Self.first(of: list, stretches, "out of order, or outside of the run") { stretch in
      defer { last = stretch.upperBound }
      return stretch.lowerBound >= last && stretch.upperBound <= end
    }
  }

  /// The first fault of the route, the path steps, the altitudes and the error of the distance.
  private var faultOfPlaces: Fault? {
    let within = start...end
    var meters = 0.0
    return Self.first(of: "route", route, "is not a point on Earth during the run") {
      within ~= $0.time && $0.hasValidCoordinates && ($0.altitude ?? 0).magnitude <= 1e6
        && ($0.speed ?? 0).magnitude <= 1e6
    }
      ?? Self.first(of: "path", path, "is not a part of a path during the run") {
        meters += $0.meters
        return $0.meters >= 0 && meters <= Self.longestPath && $0.start <= $0.end && within ~= $0.start
          && within ~= $0.end
      }
      ?? Self.first(of: "barometer", barometer, "is not an altitude on Earth") { $0.relativeAltitude.magnitude <= 1e6 }
      ?? (distanceError?.isPossible ?? true
        ? nil : Fault(list: "wayError", reason: "an error of a path cannot be negative or infinite"))
  }

  private var faultOfCounts: Fault? {
    let counts = [
      ("cachedLocationCount", cachedLocationCount), ("offClockLocationCount", offClockLocationCount),
      ("droppedSampleCount", droppedSampleCount),
    ]
    let reasons = (rejected ?? [:]).map { ("rejected.\($0)", $1) }
    return (counts + reasons).first { $0.1 < 0 }.map {
      Fault(list: $0.0, reason: "a number of inputs cannot be \($0.1)")
    }
  }

  /// How long before the run path steps, gaps and holes could begin in files of version 0.1.0, seconds: half a window
  /// of the step rate.
  private static let longestLead = CadenceMeter.halfWindow

  /// The run with the path steps, gaps, holes and unknown time of 0.1.0 that began shortly before the run moved to its
  /// start, and with a sentence in `corrections` if there were any. The lengths of path steps stay, as the app has
  /// shown them.
  package var corrected: RunTimeline {
    let earliest = start.advanced(bySeconds: -Self.longestLead)
    func isEarly(_ from: SampleTime, _ to: SampleTime) -> Bool { earliest <= from && from < start && start <= to }
    var run = self
    var seconds = 0.0
    for index in (path ?? []).indices where isEarly(run.path![index].start, run.path![index].end) {
      seconds = max(seconds, start.seconds(since: run.path![index].start))
      run.path![index].start = start
    }
    for list in [\RunTimeline.gaps, \.holes, \.unknown] {
      guard let first = run[keyPath: list].first, isEarly(first.lowerBound, first.upperBound) else { continue }
      seconds = max(seconds, start.seconds(since: first.lowerBound))
      run[keyPath: list][0] = start..<first.upperBound
    }
    guard seconds > 0 else { return self }
    let amount = (seconds * 1000).rounded(.up) / 1000
    run.corrections.append(
      "A part of the run began \(amount) s before the run. It begins with the run now; its length is unchanged.")
    return run
  }
}
