import Gait

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An export format of a run.
///
/// A run holds only the GPS points that it used, so points that were rejected are not written.
///
/// GPX and TCX are written for other programs: what these compute from the points agrees with the run. The places are smoothed
/// until the line through them is as long as the distance, the altitudes are the barometer's if there is one, and pauses divide
/// the track, with a point at both ends of each part.
public enum TrackDocument: String, CaseIterable, Hashable, Sendable {
  /// One line for each slice: start, end, state.
  case csv
  /// GPX 1.1 with Garmin's track point extension for cadence and speed. A segment for each stretch between pauses, and a waypoint
  /// of type `lap` at the end of each lap. The points' accuracies are in elements of Gait's own, which `LocationFile` reads.
  case gpx
  /// Garmin's Training Center XML with its activity extension for speed and cadence. The run's laps, or
  /// without them one for each kilometre and the rest, with a track for each stretch between pauses.
  case tcx

  /// The document's text.
  ///
  /// - Parameters:
  ///   - run: the run.
  ///   - started: the date of the run's first sample; by default, sample times are seconds since 1970.
  ///   - bodyMass: the wearer's mass in kilograms, for the calories of TCX, which are 0 without it.
  /// - Throws: `TrackDocumentError.noLocations` for GPX if the run has no GPS points, `TrackDocumentError.invalidValue` for TCX
  ///   if the mass is not positive and finite.
  public func text(
    of run: RunTimeline, started: Date? = nil, bodyMass: Double? = nil
  ) throws(TrackDocumentError) -> String {
    let clock = TrackClock(run: run, started: started)
    switch self {
    case .csv: return Self.table(of: run)
    case .gpx:
      guard !run.route.isEmpty else { throw .noLocations }
      return GPXDocument(run: run, clock: clock).text
    case .tcx:
      do { return try TCXDocument(run: run, clock: clock, bodyMass: bodyMass).text } catch {
        throw .invalidValue(error)
      }
    }
  }

  /// GPX of a route as it is, for the points of a simulated receiver.
  package static func gpx(ofRoute run: RunTimeline, started: Date) -> String {
    GPXDocument(run: run, clock: TrackClock(run: run, started: started), segments: [run.route]).text
  }

  private static func table(of run: RunTimeline) -> String {
    let rows = run.slices.map { "\($0.start.seconds),\($0.end.seconds),\($0.state.rawValue)\n" }
    return "start,end,state\n" + rows.joined()
  }
}

/// An error in exporting a run.
public enum TrackDocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The run has no GPS points, which GPX requires.
  case noLocations
  /// A value of the wearer cannot be.
  case invalidValue(RunValueError)

  /// One sentence with the problem and the cure.
  public var description: String {
    switch self {
    case .noLocations: "the run has no GPS points, which GPX requires; choose TCX or CSV, or supply a route."
    case .invalidValue(let error): error.description
    }
  }
}

/// Step rates in strides per minute, the unit of GPX and TCX, at times in order.
struct StrideRates {
  private let points: [CadencePoint]
  private var next = 0

  init(_ run: RunTimeline) {
    points = run.shownCadence
  }

  /// The longest time between a rate and its use, seconds: half a window.
  private static let longest = 3.84

  /// The rate at a time that is not earlier than that of the previous call; `nil` without a step rate beside it.
  mutating func rate(at time: SampleTime) -> Int? {
    while next + 1 < points.count, points[next + 1].time <= time { next += 1 }
    guard next < points.count, abs(points[next].time.seconds(since: time)) <= Self.longest else { return nil }
    return Int(saturating: (points[next].stepsPerMinute / 2).rounded())
  }
}

/// Converts a run's sample times to dates.
struct TrackClock {
  private let start: SampleTime
  private let date: Date

  init(run: RunTimeline, started: Date?) {
    start = run.start
    date = started ?? Date(timeIntervalSince1970: run.start.seconds)
  }

  func stamp(_ time: SampleTime) -> String {
    let seconds = Double(time.nanoseconds - start.nanoseconds) / 1e9
    return date.addingTimeInterval(seconds).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
