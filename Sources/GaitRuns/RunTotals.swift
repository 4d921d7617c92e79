import Foundation
import Gait

/// The totals of the runs of a day, a week, a month or a year.
///
/// As JSON they are an object with `version` = 1, `start` and `end` (seconds since 1970, UTC), `runCount`, `meters`,
/// `movingSeconds` and `climb`.
public struct RunTotals: Hashable, Sendable {
  /// A length of time of the calendar.
  public enum Period: String, Hashable, Sendable, CaseIterable {
    /// A day.
    case day
    /// A week, as the calendar begins it.
    case week
    /// A month.
    case month
    /// A year.
    case year
  }

  /// From the first moment of the period to the first of the next.
  public let interval: DateInterval
  /// The number of runs.
  public private(set) var runCount = 0
  /// The distance of the runs, metres; those of unknown distance add nothing.
  public private(set) var meters = 0.0
  /// Seconds of movement.
  public private(set) var movingSeconds = 0.0
  /// Metres climbed, of the runs in which it is known.
  public private(set) var climb = 0.0

  /// The totals of each period with a run, in order. A run belongs to the period in which it started.
  ///
  ///     RunTotals.of(store.summaries().summaries, by: .week)
  ///
  /// - Parameters:
  ///   - runs: the summaries of the runs, in any order.
  ///   - period: the length of the periods.
  ///   - calendar: decides by its time zone and its first day of the week.
  /// - Complexity: O(*n* log *n*).
  public static func of(_ runs: [RunSummary], by period: Period, in calendar: Calendar = .current) -> [RunTotals] {
    var totals: [RunTotals] = []
    for run in runs.sorted(by: { $0.startedAt < $1.startedAt }) {
      if totals.last.map({ run.startedAt >= $0.interval.end }) ?? true {
        guard let interval = calendar.dateInterval(of: period.component, for: run.startedAt) else { continue }
        totals.append(RunTotals(interval: interval))
      }
      totals[totals.count - 1].add(run)
    }
    return totals
  }

  /// The totals of runs that are in memory.
  public static func of(_ runs: [StoredRun], by period: Period, in calendar: Calendar = .current) -> [RunTotals] {
    of(runs.map(\.summary), by: period, in: calendar)
  }

  private init(interval: DateInterval) {
    self.interval = interval
  }

  private mutating func add(_ run: RunSummary) {
    runCount += 1
    meters += run.distance ?? 0
    movingSeconds += run.movingSeconds
    climb += run.climb ?? 0
  }
}

extension RunTotals.Period {
  fileprivate var component: Calendar.Component {
    switch self {
    case .day: .day
    case .week: .weekOfYear
    case .month: .month
    case .year: .year
    }
  }
}

extension RunTotals: Codable {
  private enum CodingKeys: String, CodingKey { case version, start, end, runCount, meters, movingSeconds, climb }

  /// Reads totals.
  ///
  /// - Throws: `DecodingError` for another version, and for an interval that ends before it starts.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try values.checkVersion(.version)
    let (start, end) = (try values.decodeDate(.start), try values.decodeDate(.end))
    try values.check(start <= end, at: .end, "is before the start")
    self.init(interval: DateInterval(start: start, end: end))
    runCount = try values.decode(Int.self, forKey: .runCount)
    meters = try values.decode(Double.self, forKey: .meters)
    movingSeconds = try values.decode(Double.self, forKey: .movingSeconds)
    climb = try values.decode(Double.self, forKey: .climb)
  }

  /// Writes the totals.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(FormVersion.current, forKey: .version)
    try values.encode(interval.start.timeIntervalSince1970, forKey: .start)
    try values.encode(interval.end.timeIntervalSince1970, forKey: .end)
    try values.encode(runCount, forKey: .runCount)
    try values.encode(meters, forKey: .meters)
    try values.encode(movingSeconds, forKey: .movingSeconds)
    try values.encode(climb, forKey: .climb)
  }
}
