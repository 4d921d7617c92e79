import Gait

/// What is known of all runners, although messages are lost.
extension Race {
  /// The latest time at which every runner is known, seconds: that of the earliest last update; the latest update of all if
  /// every runner ended. `nil` without runners.
  ///
  /// - Parameter left: runners who do not count, such as those of `silentRunners(at:forSeconds:)`, who would hold it back.
  public func knownSeconds(without left: Set<String> = []) -> Double? {
    let racing = runners.filter { !left.contains($0) }
    let running = racing.filter { !ended.contains($0) }.compactMap { latest(of: $0)?.seconds }
    return running.min() ?? racing.compactMap { latest(of: $0)?.seconds }.max()
  }

  /// The standings at the latest time at which every runner is known; empty without runners.
  ///
  ///     let leader = race.standings().first?.name      // not the one whose messages arrive
  ///
  /// - Parameter left: runners who do not hold back the time; they are in the standings with their latest distance.
  public func standings(without left: Set<String> = []) -> [Standing] {
    knownSeconds(without: left).map(standings(at:)) ?? []
  }

  /// The runners without an update in the last seconds before a moment, by name; those who ended are not silent.
  ///
  /// - Parameters:
  ///   - moment: the time now, seconds since the start.
  ///   - seconds: how long a runner may be without an update.
  public func silentRunners(at moment: Double, forSeconds seconds: Double = 15) -> [String] {
    runners.filter { !ended.contains($0) && moment - (latest(of: $0)?.seconds ?? 0) > seconds }
  }

  /// The result over a distance, the first at the finish first; runners who did not finish come last, the farthest first.
  public func result(over meters: Double) -> [Result] {
    let results = runners.map { name in
      let seconds = seconds(of: name, at: meters)
      return Result(
        name: name, rank: nil, seconds: seconds, meters: seconds == nil ? latest(of: name)?.meters ?? 0 : meters)
    }
    return Self.ranked(results) { ($0.seconds ?? .infinity, -$0.meters) }
  }

  /// The result after a time, as of a run of an hour: the farthest first. Runners who are not known at that time come last,
  /// without a rank: their updates ended before, and they did not end the race.
  public func result(afterSeconds seconds: Double) -> [Result] {
    let results = runners.map { name in
      let isKnown = ended.contains(name) || latest(of: name)?.seconds ?? 0 >= seconds
      return Result(
        name: name, rank: nil, seconds: isKnown ? seconds : nil, meters: meters(of: name, at: seconds) ?? 0)
    }
    return Self.ranked(results) { ($0.seconds ?? .infinity, -$0.meters) }
  }

  /// The results in order of a key, whose first part is finite for those with a rank.
  private static func ranked(_ results: [Result], by key: (Result) -> (Double, Double)) -> [Result] {
    let sorted = results.sorted { (key($0).0, key($0).1, $0.name) < (key($1).0, key($1).1, $1.name) }
    return sorted.map { result in
      var result = result
      if result.seconds != nil { result.rank = 1 + sorted.count { key($0) < key(result) } }
      return result
    }
  }
}
