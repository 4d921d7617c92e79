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
  /// - Throws: `ExportError.noLocations` for GPX if the run has no GPS points, `ExportError.invalidValue` for TCX
  ///   if the mass is not positive and finite.
  public func text(
    of run: RunTimeline, started: Date? = nil, bodyMass: Double? = nil
  ) throws(ExportError) -> String {
    let clock = TrackClock(run: run, started: started)
    switch self {
    case .csv:
      let rows = run.slices.map { "\($0.start.seconds),\($0.end.seconds),\($0.state.rawValue)\n" }
      return "start,end,state\n" + rows.joined()
    case .gpx:
      guard !run.route.isEmpty else { throw .noLocations }
      return GPXDocument(run: run, clock: clock, segments: TrackStretches(run).points).text
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
}

/// Step rates in strides per minute, the unit of GPX and TCX, at times in order.
struct StrideRates {
  private let points: [CadencePoint]
  private var next = 0

  init(_ run: RunTimeline) { points = run.shownCadence }

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
    date.addingTimeInterval(time.seconds(since: start))
      .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}

/// A run as GPX 1.1.
struct GPXDocument {
  let run: RunTimeline
  let clock: TrackClock
  /// The segments of the track.
  let segments: [[LocationSample]]

  var text: String {
    var rates = StrideRates(run)
    let segments = segments.map { points in
      "<trkseg>\n\(points.map { point($0, &rates) }.joined())</trkseg>\n"
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="Gait" xmlns="http://www.topografix.com/GPX/1/1" \
      xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" xmlns:gait="urn:gait:location">
      \(lapEnds)<trk><type>running</type>
      \(segments.joined())</trk>
      </gpx>

      """
  }

  /// A waypoint at the end of each lap, as GPX has no laps.
  private var lapEnds: String {
    run.lapEnds.enumerated().map { index, time in
      let place = run.route.place(at: time)
      return "<wpt lat=\"\(place.latitude)\" lon=\"\(place.longitude)\"><time>\(clock.stamp(time))</time>"
        + "<name>Lap \(index + 1)</name><type>lap</type></wpt>\n"
    }.joined()
  }

  private func point(_ location: LocationSample, _ rates: inout StrideRates) -> String {
    let garmin =
      element("gpxtpx:cad", rates.rate(at: location.time)) + element("gpxtpx:speed", location.speed)
    let extensions =
      (garmin.isEmpty ? "" : "<gpxtpx:TrackPointExtension>\(garmin)</gpxtpx:TrackPointExtension>")
      + element("gait:horizontalAccuracy", location.horizontalAccuracy)
      + element("gait:verticalAccuracy", location.verticalAccuracy)
      + element("gait:speedAccuracy", location.speedAccuracy)
    return "<trkpt lat=\"\(location.latitude)\" lon=\"\(location.longitude)\">"
      + element("ele", location.altitude) + "<time>\(clock.stamp(location.time))</time>"
      + (extensions.isEmpty ? "" : "<extensions>\(extensions)</extensions>") + "</trkpt>\n"
  }
}

/// A run as Garmin's Training Center XML: its laps, or without them one for each kilometre, and one for the rest. A lap has a
/// track for each stretch between pauses.
struct TCXDocument {
  let run: RunTimeline
  let clock: TrackClock
  /// The run's distance, metres, which is computed from all its points.
  private let distance: Double?
  /// Kilocalories per metre; 0 if not known.
  private let energyPerMeter: Double

  init(run: RunTimeline, clock: TrackClock, bodyMass: Double?) throws(RunValueError) {
    self.run = run
    self.clock = clock
    let energy = try bodyMass.flatMap { mass throws(RunValueError) in try run.energy(bodyMass: mass) }
    distance = run.distance
    energyPerMeter = distance.map { $0 > 0 ? (energy ?? 0) / $0 : 0 } ?? 0
  }

  /// A part of the run.
  private struct Lap {
    var start: SampleTime
    var end: SampleTime
    var meters: Double
    /// Moving time, and unknown time if the way in it is known: a reader divides one by the other.
    var seconds: Double
  }

  var text: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2" \
    xmlns:ns3="http://www.garmin.com/xmlschemas/ActivityExtension/v2">
    <Activities><Activity Sport="Running"><Id>\(clock.stamp(run.start))</Id>
    \(lapTexts)</Activity></Activities>
    </TrainingCenterDatabase>

    """
  }

  private var laps: [Lap] {
    var laps = (run.lapEnds.isEmpty ? run.splits(everyMeters: Split.kilometer) : run.laps).map {
      Lap(start: $0.start, end: $0.end, meters: $0.meters, seconds: seconds(from: $0.start, to: $0.end))
    }
    let start = laps.last?.end ?? run.start
    if start < run.end || laps.isEmpty {
      let rest = (distance ?? 0) - laps.reduce(0) { $0 + $1.meters }
      laps.append(
        Lap(start: start, end: run.end, meters: max(0, rest), seconds: seconds(from: start, to: run.end)))
    }
    return laps
  }

  private func seconds(from: SampleTime, to: SampleTime) -> Double {
    let unknown = run.untimedMeters(from: from, to: to) > 0 ? run.unknownSeconds(from: from, to: to) : 0
    return run.movingSeconds(from: from, to: to) + unknown
  }

  private var lapTexts: String {
    var rates = StrideRates(run)
    let laps = laps, stretches = TrackStretches(run)
    return laps.enumerated().map { index, lap in
      """
      <Lap StartTime="\(clock.stamp(lap.start))"><TotalTimeSeconds>\(lap.seconds)</TotalTimeSeconds>\
      <DistanceMeters>\(lap.meters)</DistanceMeters><Calories>\(calories(of: lap))</Calories>\
      <Intensity>Active</Intensity><TriggerMethod>\(index == laps.count - 1 || !run.lapEnds.isEmpty ? "Manual" : "Distance")</TriggerMethod>
      \(tracks(of: lap, stretches, &rates))</Lap>

      """
    }.joined()
  }

  /// A track for each stretch of a lap, with a point at its beginning and at its end.
  private func tracks(of lap: Lap, _ stretches: TrackStretches, _ rates: inout StrideRates) -> String {
    var text = ""
    for (index, stretch) in stretches.times.enumerated() {
      let (from, to) = (max(stretch.lowerBound, lap.start), min(stretch.upperBound, lap.end))
      guard from < to else { continue }
      let points = stretches.points(ofStretch: index, in: from..<to)
      let steps = run.cadencePoints.lazy.map(\.time).filter { from < $0 && $0 < to }
      let times = points.isEmpty ? [from] + steps + [to] : points.map(\.time)
      let distances = run.distances(at: times)
      text += "<Track>\n"
      for index in times.indices {
        text += trackpoint(times[index], points.isEmpty ? nil : points[index], meters: distances[index], &rates)
      }
      text += "</Track>\n"
    }
    return text
  }

  /// The lap's part of the run's energy by its part of the distance, kilocalories; 0 if not known.
  private func calories(of lap: Lap) -> Int {
    Int(saturating: max(0, min(65_535, (energyPerMeter * lap.meters).rounded())))
  }

  private func trackpoint(
    _ time: SampleTime, _ location: LocationSample?, meters: Double, _ rates: inout StrideRates
  ) -> String {
    var text = "<Trackpoint><Time>\(clock.stamp(time))</Time>"
    if let location {
      text += "<Position><LatitudeDegrees>\(location.latitude)</LatitudeDegrees>"
      text += "<LongitudeDegrees>\(location.longitude)</LongitudeDegrees></Position>"
    }
    text += element("AltitudeMeters", location?.altitude) + element("DistanceMeters", distance == nil ? nil : meters)
    let extensions = element("ns3:Speed", location?.speed) + element("ns3:RunCadence", rates.rate(at: time))
    return text + (extensions.isEmpty ? "" : "<Extensions><ns3:TPX>\(extensions)</ns3:TPX></Extensions>")
      + "</Trackpoint>\n"
  }
}

/// An XML element of a value, or nothing.
private func element(_ name: String, _ value: (some CustomStringConvertible)?) -> String {
  value.map { "<\(name)>\($0)</\(name)>" } ?? ""
}
