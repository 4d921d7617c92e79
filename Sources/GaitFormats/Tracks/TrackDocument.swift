import Foundation
import Gait

/// A run as a file that other programs read.
public enum TrackDocument: String, CaseIterable, Hashable, Sendable {
  /// A line a slice: start, end, state.
  case csv
  /// GPX 1.1 with Garmin's track point extension for cadence.
  case gpx
  /// Garmin's Training Center XML with its activity extension for cadence.
  case tcx

  /// The document's text.
  ///
  /// - Parameters:
  ///   - run: the run.
  ///   - started: the date of the run's first sample; unless given, sample times are seconds since 1970.
  /// - Throws: `TrackDocumentError.noLocations` for GPX, whose points must have a place.
  public func text(of run: RunTimeline, started: Date? = nil) throws(TrackDocumentError) -> String {
    let clock = TrackClock(run: run, started: started)
    switch self {
    case .csv: return Self.table(of: run)
    case .gpx:
      guard !run.route.isEmpty else { throw .noLocations }
      return Self.gpx(of: run, clock)
    case .tcx: return Self.tcx(of: run, clock)
    }
  }

  private static func table(of run: RunTimeline) -> String {
    let rows = run.slices.map { "\($0.start.seconds),\($0.end.seconds),\($0.state.rawValue)\n" }
    return "start,end,state\n" + rows.joined()
  }

  private static func gpx(of run: RunTimeline, _ clock: TrackClock) -> String {
    let stretches = run.slices.filter { $0.state != .paused }
    let segments = stretches.map { slice in
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
    let places = Dictionary(run.route.map { ($0.time, $0) }, uniquingKeysWith: { first, _ in first })
    let points = times.map { time in
      var text = "<Trackpoint><Time>\(clock.stamp(time))</Time>"
      if let place = places[time] {
        text += "<Position><LatitudeDegrees>\(place.latitude)</LatitudeDegrees>"
        text += "<LongitudeDegrees>\(place.longitude)</LongitudeDegrees></Position>"
        if let altitude = place.altitude { text += "<AltitudeMeters>\(altitude)</AltitudeMeters>" }
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

/// A run that a document cannot hold.
public enum TrackDocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// GPX points must have a place.
  case noLocations

  /// One sentence that says what is wrong and what would cure it.
  public var description: String {
    "a GPX track is made of places, and the run has none; give --location, or choose tcx"
  }
}

extension RunTimeline {
  /// Strides a minute, as GPX and TCX count cadence, of the point of cadence around a moment.
  fileprivate func strideRate(at time: SampleTime) -> Int? {
    let point = cadencePoints.last { $0.time <= time } ?? cadencePoints.first
    return point.map { Int(($0.stepsPerMinute / 2).rounded()) }
  }
}

/// The dates of a run's moments.
private struct TrackClock {
  let start: SampleTime
  let date: Date

  init(run: RunTimeline, started: Date?) {
    start = run.start
    date = started ?? Date(timeIntervalSince1970: run.start.seconds)
  }

  func stamp(_ time: SampleTime) -> String {
    let seconds = Double(time.nanoseconds - start.nanoseconds) / 1e9
    return date.addingTimeInterval(seconds).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
