import Gait

/// Runners against each other, second by second: live runners, stored runs, or both.
///
///     var race = Race()
///     race.add(yesterday, as: "yesterday")
///     race.update("me", seconds: 61, meters: 203)          // also late, in any order
///     race.standings(at: 61)[0].name                        // who leads
///
/// The time of a runner is in seconds since that runner's own start. Between two updates the distance grows evenly;
/// after the last update it stays. If messages are late or lost, the present distance of some runners is unknown.
/// `standings()` are then those at the latest time at which the distance of every runner is known.
public struct Race: Hashable, Sendable {
  /// A runner at one moment.
  public struct Standing: Hashable, Sendable {
    /// The runner.
    public var name: String
    /// The rank, from 1; equal distances have equal ranks.
    public var rank: Int
    /// The distance, metres.
    public var meters: Double
    /// Metres behind the leader.
    public var metersBehind: Double
    /// Seconds since the leader was at this distance. It is 0 for every runner of rank 1, also while standing. For a
    /// runner whose race has ended, it does not grow after the last update.
    public var secondsBehind: Double
    /// The time of the latest update up to this moment, seconds. An old one means that no message of the runner
    /// arrived.
    public var updatedAt: Double
  }

  /// A runner's result.
  public struct Result: Hashable, Sendable {
    /// The runner.
    public var name: String
    /// The rank, from 1; equal results have equal ranks. `nil` if `seconds` is `nil`.
    public var rank: Int?
    /// The runner's time, seconds. In a race over a distance, it is the time of the finish, interpolated between two
    /// updates; `nil` if the runner did not finish. In a race by time, it is that time; `nil` if the runner's distance
    /// then is unknown.
    public var seconds: Double?
    /// The distance, metres. In a race over a distance it is the distance of the race, or less if the runner's latest
    /// update is less. In a race by time it is the distance in that time.
    public var meters: Double
  }

  struct Point: Hashable {
    var seconds: Double
    var meters: Double
  }

  /// The updates of each runner in order of time. The first is the start, or an update that replaced it.
  var tracks: [String: [Point]] = [:]
  /// The runners whose race has ended: no more updates of them are expected.
  var ended: Set<String> = []

  /// A race without runners.
  public init() {}

  /// The runners, by name.
  public var runners: [String] { tracks.keys.sorted() }

  /// Records where a runner was. A second update for the same moment replaces the first. Values that are negative or
  /// not finite are ignored.
  ///
  /// - Complexity: O(log *n*) for an update later than the *n* before it. A late update also moves the updates after
  ///   it.
  public mutating func update(_ name: String, seconds: Double, meters: Double) {
    guard seconds >= 0, meters >= 0, seconds.isFinite, meters.isFinite else { return }
    tracks[name, default: [Point(seconds: 0, meters: 0)]].record(Point(seconds: seconds, meters: meters))
  }

  /// Adds a stored run as a runner whose race has ended. The runner's time is the time since the start of the run,
  /// including pauses. The memory depends on the length of the route, not on the duration.
  public mutating func add(_ run: RunTimeline, as name: String) {
    var track = [Point(seconds: 0, meters: 0)]
    for moment in run.distanceTimes + [run.end] where moment >= run.start {
      track.append(Point(seconds: moment.seconds(since: run.start), meters: 0))
    }
    let meters = run.distances(at: track.map { run.start.advanced(bySeconds: $0.seconds) })
    tracks[name] = zip(track, meters).reduce(into: []) { points, entry in
      if points.last?.seconds == entry.0.seconds { points.removeLast() }
      points.append(Point(seconds: entry.0.seconds, meters: entry.1))
    }
    ended.insert(name)
  }

  /// Ends the race of a runner, at the finish or elsewhere. No more updates are expected, and the distance stays.
  /// Unknown names are ignored.
  public mutating func end(_ name: String) {
    if tracks[name] != nil { ended.insert(name) }
  }

  /// The latest update of a runner; `nil` for an unknown runner.
  func latest(of name: String) -> (seconds: Double, meters: Double)? {
    tracks[name]?.last.map { ($0.seconds, $0.meters) }
  }

  /// The distance of a runner at a moment, metres; `nil` for an unknown runner.
  public func meters(of name: String, at seconds: Double) -> Double? {
    guard let track = tracks[name] else { return nil }
    let next = track.partitionIndex(where: { $0.seconds <= seconds })
    guard next < track.count, next > 0 else { return track[max(0, next - 1)].meters }
    let (from, to) = (track[next - 1], track[next])
    return from.meters + (seconds - from.seconds) / (to.seconds - from.seconds) * (to.meters - from.meters)
  }

  /// The time at which a runner had first run a distance, seconds; `nil` if the runner has not run that far.
  public func seconds(of name: String, at meters: Double) -> Double? {
    guard let track = tracks[name], let next = track.firstIndex(where: { $0.meters >= meters }) else { return nil }
    guard next > 0 else { return track[0].seconds }
    let (from, to) = (track[next - 1], track[next])
    return from.seconds + (meters - from.meters) / (to.meters - from.meters) * (to.seconds - from.seconds)
  }

  /// The runners at a moment, the leader first. Runners at the same distance are in the order of their names.
  ///
  /// At a moment later than `knownSeconds()`, the distances of some runners are those of older updates.
  public func standings(at seconds: Double) -> [Standing] {
    let distances = runners.map { ($0, meters(of: $0, at: seconds) ?? 0) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
    guard let leader = distances.first else { return [] }
    return distances.map { name, meters in
      let track = tracks[name] ?? []
      let last = ended.contains(name) ? min(seconds, track.last?.seconds ?? seconds) : seconds
      let behind = meters == leader.1 ? 0 : max(0, last - (self.seconds(of: leader.0, at: meters) ?? last))
      return Standing(
        name: name, rank: 1 + distances.count { $0.1 > meters }, meters: meters, metersBehind: leader.1 - meters,
        secondsBehind: behind,
        updatedAt: track[max(0, track.partitionIndex(where: { $0.seconds <= seconds }) - 1)].seconds)
    }
  }

  // Standings in which all runners are known, although messages are late or lost.

  /// The latest time at which the distance of every runner is known, seconds: the earliest of the runners' last
  /// updates. Runners whose race has ended do not count. If the race of every runner has ended, it is the latest update
  /// of all. `nil` without runners.
  ///
  /// - Parameter left: runners who are left out because they would keep the time from advancing, such as those of
  ///   `silentRunners(at:forSeconds:)`.
  public func knownSeconds(without left: Set<String> = []) -> Double? {
    let racing = runners.filter { !left.contains($0) }
    let running = racing.filter { !ended.contains($0) }.compactMap { latest(of: $0)?.seconds }
    return running.min() ?? racing.compactMap { latest(of: $0)?.seconds }.max()
  }

  /// The standings at `knownSeconds(without:)`, the latest time at which the distance of every runner is known; empty
  /// without runners.
  ///
  ///     let leader = race.standings().first?.name      // not the one whose messages arrive
  ///
  /// - Parameter left: runners who do not limit the time. They are in the standings with their latest distance.
  public func standings(without left: Set<String> = []) -> [Standing] {
    knownSeconds(without: left).map(standings(at:)) ?? []
  }

  /// The runners whose last update is more than `seconds` before `moment`, by name. A runner whose race has ended is
  /// not silent.
  ///
  /// - Parameters:
  ///   - moment: the time now, seconds since the start.
  ///   - seconds: how long a runner may be without an update.
  public func silentRunners(at moment: Double, forSeconds seconds: Double = 15) -> [String] {
    runners.filter { !ended.contains($0) && moment - (latest(of: $0)?.seconds ?? 0) > seconds }
  }

  /// The result over a distance, the first at the finish first. Runners who did not finish come last, the farthest
  /// first.
  public func result(over meters: Double) -> [Result] {
    let results = runners.map { name in
      let seconds = seconds(of: name, at: meters)
      return Result(
        name: name, rank: nil, seconds: seconds, meters: seconds == nil ? latest(of: name)?.meters ?? 0 : meters)
    }
    return Self.ranked(results) { ($0.seconds ?? .infinity, -$0.meters) }
  }

  /// The result after a time, such as an hour: the farthest first. If a runner's updates end before that time and the
  /// runner's race has not ended, the distance then is unknown. Such runners come last, without a rank.
  public func result(afterSeconds seconds: Double) -> [Result] {
    let results = runners.map { name in
      let isKnown = ended.contains(name) || latest(of: name)?.seconds ?? 0 >= seconds
      return Result(
        name: name, rank: nil, seconds: isKnown ? seconds : nil, meters: meters(of: name, at: seconds) ?? 0)
    }
    return Self.ranked(results) { ($0.seconds ?? .infinity, -$0.meters) }
  }

  /// The results in order of `key`, with ranks for those that have `seconds`.
  private static func ranked(_ results: [Result], by key: (Result) -> (Double, Double)) -> [Result] {
    let sorted = results.sorted { (key($0).0, key($0).1, $0.name) < (key($1).0, key($1).1, $1.name) }
    return sorted.map { result in
      var result = result
      if result.seconds != nil { result.rank = 1 + sorted.count { key($0) < key(result) } }
      return result
    }
  }
}

extension [Race.Point] {
  /// Inserts a point in order of time. A point with the same time is replaced.
  fileprivate mutating func record(_ point: Race.Point) {
    let index = partitionIndex(where: { $0.seconds <= point.seconds })
    if index > 0, self[index - 1].seconds == point.seconds {
      self[index - 1].meters = point.meters
    } else {
      insert(point, at: index)
    }
  }
}

/// As JSON, a race is an object with `version` = 1, `runners` and `ended`. `runners` has for each name an array of
/// updates in order of time, beginning with the start; each update is an array of seconds and metres. `ended` has the
/// names of the runners whose race has ended; it may be absent.
extension Race: Codable {
  private enum CodingKeys: String, CodingKey { case version, runners, ended }

  /// Reads a race.
  ///
  /// - Throws: `DecodingError` for a version other than 1, for a runner without updates, for updates out of order, and
  ///   for negative seconds or metres.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try values.checkVersion(.version)
    self.init()
    tracks = try values.decode([String: [Point]].self, forKey: .runners)
    ended = try values.decodeIfPresent(Set<String>.self, forKey: .ended) ?? []
    for (name, track) in tracks {
      let isInOrder = zip(track, track.dropFirst()).allSatisfy { $0.seconds < $1.seconds }
      let isPossible = !track.isEmpty && track.allSatisfy { $0.seconds >= 0 && $0.meters >= 0 }
      try values.check(
        isInOrder && isPossible, at: .runners, "the updates of \(name) are missing, out of order, or negative")
    }
    for name in ended.sorted() { try values.check(tracks[name] != nil, at: .ended, "\(name) is not among the runners") }
  }

  /// Writes the race.
  public func encode(to encoder: any Encoder) throws {
    try JSONObject(["version": FormVersion.current, "runners": tracks, "ended": ended.sorted()]).encode(to: encoder)
  }
}

extension Race.Point: Codable {
  /// Reads an array of seconds and metres.
  init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    seconds = try values.decode(Double.self)
    meters = try values.decode(Double.self)
  }

  /// Writes an array of seconds and metres.
  func encode(to encoder: any Encoder) throws {
    var values = encoder.unkeyedContainer()
    try values.encode(seconds)
    try values.encode(meters)
  }
}
