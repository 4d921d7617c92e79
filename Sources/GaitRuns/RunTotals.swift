import Foundation
import Gait

/// The totals of the runs of a week, a month or a year.
public struct RunTotals: Hashable, Sendable {
  /// A length of time of the calendar.
  public enum Period: String, Hashable, Sendable, CaseIterable {
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
  /// - Parameters:
  ///   - runs: the runs, in any order.
  ///   - period: the length of the periods.
  ///   - calendar: decides by its time zone and its first day of the week.
  public static func of(_ runs: [StoredRun], by period: Period, in calendar: Calendar = .current) -> [RunTotals] {
    let component: Calendar.Component =
      switch period {
      case .week: .weekOfYear
      case .month: .month
      case .year: .year
      }
    var totals: [DateInterval: RunTotals] = [:]
    for run in runs {
      guard let interval = calendar.dateInterval(of: component, for: run.startedAt) else { continue }
      totals[interval, default: RunTotals(interval: interval)].add(run.timeline)
    }
    return totals.values.sorted { $0.interval < $1.interval }
  }

  private init(interval: DateInterval) {
    self.interval = interval
  }

  private mutating func add(_ run: RunTimeline) {
    runCount += 1
    meters += run.distance ?? 0
    movingSeconds += run.movingSeconds
    climb += run.elevation()?.gain ?? 0
  }
}
