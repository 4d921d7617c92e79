import Foundation
import Gait

/// An export format of a run.
public enum TrackDocument: String, CaseIterable, Hashable, Sendable {
  /// One line for each slice: start, end, state. Times are seconds since 1970 if the date of the start is known, else those of
  /// the samples.
  case csv
  /// GPX 1.1 with Garmin's track point extension for cadence.
  case gpx
  /// Garmin's Training Center XML with its activity extension for cadence.
  case tcx

  /// The document's text.
  ///
  /// - Parameters:
  ///   - run: the run.
  ///   - started: the date of the run's first sample; by default, sample times are seconds since 1970.
  /// - Throws: `TrackDocumentError.noLocations` for GPX if the run has no GPS points.
  public func text(of run: RunTimeline, started: Date? = nil) throws(TrackDocumentError) -> String {
    let clock = TrackClock(run: run, started: started)
    switch self {
    case .csv: return Self.table(of: run, clock)
    case .gpx:
      guard !run.route.isEmpty else { throw .noLocations }
      return Self.gpx(of: run, clock)
    case .tcx: return Self.tcx(of: run, clock)
    }
  }

  private static func table(of run: RunTimeline, _ clock: TrackClock) -> String {
    let rows = run.slices.map { "\(clock.seconds($0.start)),\(clock.seconds($0.end)),\($0.state.rawValue)\n" }
    return "start,end,state\n" + rows.joined()
  }

  private static func gpx(of run: RunTimeline, _ clock: TrackClock) -> String {
    let segments = run.slices.filter { $0.state != .paused }.map { slice in
      let points = run.route.filter { slice.start <= $0.time && $0.time < slice.end }.map { location in
        let elevation = location.altitude.map { "<ele>\($0)</ele>" } ?? ""
        let cadence = run.strideRate(at: location.time).map {
          "<extensions><gpxtpx:TrackPointExtension><gpxtpx:cad>\($0)</gpxtpx:cad></gpxtpx:TrackPointExtension></extensions>"
        }
        return "<trkpt lat=\"\(location.latitude)\" lon=\"\(location.longitude)\">\(elevation)"
          + "<time>\(clock.stamp(location.time))</time>\(cadence ?? "")</trkpt>\n"
      }
      return points.isEmpty ? "" : "<trkseg>\n\(points.joined())</trkseg>\n"
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="Gait" xmlns="http://www.topografix.com/GPX/1/1" \
      xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1">
      <trk><type>running</type>
      \(segments.joined())</trk>
      </gpx>

      """
  }

  private static func tcx(of run: RunTimeline, _ clock: TrackClock) -> String {
    let times = run.route.isEmpty ? run.cadencePoints.map(\.time) : run.route.map(\.time)
    let locations = Dictionary(run.route.map { ($0.time, $0) }, uniquingKeysWith: { first, _ in first })
    let points = times.map { time in
      var text = "<Trackpoint><Time>\(clock.stamp(time))</Time>"
      if let location = locations[time] {
        text += "<Position><LatitudeDegrees>\(location.latitude)</LatitudeDegrees>"
        text += "<LongitudeDegrees>\(location.longitude)</LongitudeDegrees></Position>"
        if let altitude = location.altitude { text += "<AltitudeMeters>\(altitude)</AltitudeMeters>" }
      }
      if let rate = run.strideRate(at: time) {
        text += "<Extensions><ns3:TPX><ns3:RunCadence>\(rate)</ns3:RunCadence></ns3:TPX></Extensions>"
      }
      return text + "</Trackpoint>\n"
    }
    let start = clock.stamp(run.start)
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2" \
      xmlns:ns3="http://www.garmin.com/xmlschemas/ActivityExtension/v2">
      <Activities><Activity Sport="Running"><Id>\(start)</Id>
      <Lap StartTime="\(start)"><TotalTimeSeconds>\(run.movingSeconds)</TotalTimeSeconds>\
      <DistanceMeters>\(run.distance ?? 0)</DistanceMeters><Calories>0</Calories>\
      <Intensity>Active</Intensity><TriggerMethod>Manual</TriggerMethod>
      <Track>
      \(points.joined())</Track></Lap></Activity></Activities>
      </TrainingCenterDatabase>

      """
  }
}

/// An error in exporting a run.
public enum TrackDocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The run has no GPS points, which GPX requires.
  case noLocations

  /// One sentence with the problem and the cure.
  public var description: String {
    switch self {
    case .noLocations: "the run has no GPS points, which GPX requires; choose TCX or CSV, or supply a route."
    }
  }
}

extension RunTimeline {
  /// The cadence at a time in strides per minute, the unit of GPX and TCX.
  fileprivate func strideRate(at time: SampleTime) -> Int? {
    let point = cadencePoints.last { $0.time <= time } ?? cadencePoints.first
    return point.map { Int(($0.stepsPerMinute / 2).rounded()) }
  }
}

/// Converts a run's sample times to dates.
private struct TrackClock {
  let start: SampleTime
  let date: Date
  private let isDated: Bool

  init(run: RunTimeline, started: Date?) {
    start = run.start
    isDated = started != nil
    date = started ?? Date(timeIntervalSince1970: run.start.seconds)
  }

  /// Seconds since 1970, or of the sample's clock if the date is unknown.
  func seconds(_ time: SampleTime) -> Double {
    isDated ? date.timeIntervalSince1970 + time.seconds(since: start) : time.seconds
  }

  func stamp(_ time: SampleTime) -> String {
    let seconds = Double(time.nanoseconds - start.nanoseconds) / 1e9
    return date.addingTimeInterval(seconds).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
