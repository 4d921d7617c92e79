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
/// GPX and TCX are written so that other programs, which compute figures from the points, get those of the run. Places
/// are smoothed until the line through them is as long as the run's distance. Altitudes are the barometer's if there is
/// one. Pauses divide the track into parts, each with a point at both ends.
public enum TrackDocument: String, CaseIterable, Hashable, Sendable {
  /// One line for each slice of the run (`RunTimeline.slices`): its start and end in seconds, and its state.
  case csv
  /// GPX 1.1 with Garmin's track point extension for cadence and speed. It has a track segment for each stretch between
  /// pauses, and a waypoint of type `lap` at the end of each lap. The points' accuracies are in XML elements of Gait's
  /// own, which `LocationFile` reads.
  case gpx
  /// Garmin's Training Center XML with its activity extension for speed and cadence. Its laps are those of the run; if
  /// the run has none, there is one for each kilometre and one for the rest. Each lap has a track for each stretch
  /// between pauses.
  case tcx

  /// The document's text.
  ///
  /// - Parameters:
  ///   - run: the run.
  ///   - started: the date of the run's first sample; `nil` if sample times are seconds since 1970.
  ///   - bodyMass: the wearer's mass in kilograms, for the calories of TCX, which are 0 if it is `nil`.
  ///   - heartRates: heart rates that the app measured, as Gait measures none. Each point of GPX and TCX gets one that
  ///     is within 10 s, and each lap of TCX gets its mean and highest.
  /// - Throws: `ExportError.noLocations` for GPX if the run has no GPS points, `ExportError.invalidValue` for TCX
  ///   if the mass is not positive and finite, `ExportError.invalidHeartRate` if one is not within `HeartRate.range`.
  public func text(
    of run: RunTimeline, started: Date? = nil, bodyMass: Double? = nil, heartRates: [HeartRate] = []
  ) throws(ExportError) -> String {
    if let index = heartRates.firstIndex(where: { !(HeartRate.range ~= $0.beatsPerMinute) }) {
      throw .invalidHeartRate(heartRates[index].beatsPerMinute, index: index)
    }
    let heartRates = heartRates.sorted { $0.time < $1.time }
    let clock = TrackClock(run: run, started: started)
    switch self {
    case .csv:
      let rows = run.slices.map { "\($0.start.seconds),\($0.end.seconds),\($0.state.rawValue)\n" }
      return "start,end,state\n" + rows.joined()
    case .gpx:
      guard !run.route.isEmpty else { throw .noLocations }
      return GPXDocument(run: run, clock: clock, segments: TrackStretches(run).points, heartRates: heartRates).text
    case .tcx:
      do {
        return try TCXDocument(run: run, clock: clock, bodyMass: bodyMass, heartRates: heartRates).text
      } catch {
        throw .invalidValue(error)
      }
    }
  }

  /// The route of a run as GPX, in one segment and without smoothing, for the points of a simulated receiver.
  package static func gpx(ofRoute run: RunTimeline, started: Date) -> String {
    GPXDocument(run: run, clock: TrackClock(run: run, started: started), segments: [run.route]).text
  }
}

/// A heart rate that an app measured, for the GPX and TCX files of a run.
public struct HeartRate: Hashable, Sendable {
  /// The time of the measurement, on the clock of the run's samples.
  public var time: SampleTime
  /// Beats a minute.
  public var beatsPerMinute: Double

  /// A heart rate from its parts.
  public init(time: SampleTime, beatsPerMinute: Double) {
    (self.time, self.beatsPerMinute) = (time, beatsPerMinute)
  }

  /// The heart rates that GPX and TCX can hold, in beats a minute.
  public static let range = 1.0...255
}

/// Rates at times in order: step rates in strides per minute, the unit of GPX and TCX, or heart rates in beats per
/// minute.
struct PointRates {
  private let points: [(time: SampleTime, rate: Double)]
  /// The longest time between a rate and a point that gets it, seconds.
  private let longest: Double
  private var next = 0

  /// The strides per minute of a run. A rate is used up to 3.84 s from its time, which is half a window.
  init(stridesOf run: RunTimeline) {
    points = run.shownCadence.map { ($0.time, $0.stepsPerMinute / 2) }
    longest = 3.84
  }

  /// Heart rates, in order of time. A rate is used up to 10 s from its time.
  init(_ heartRates: [HeartRate]) {
    points = heartRates.map { ($0.time, $0.beatsPerMinute) }
    longest = 10
  }

  /// The rate for a point at `time`, which must not be earlier than at the previous call; `nil` if no rate is near
  /// enough.
  mutating func rate(at time: SampleTime) -> Int? {
    while next + 1 < points.count, points[next + 1].time <= time { next += 1 }
    guard next < points.count, abs(points[next].time.seconds(since: time)) <= longest else { return nil }
    return Int(saturating: points[next].rate.rounded())
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
  /// In order of time.
  var heartRates: [HeartRate] = []

  var text: String {
    var (strides, beats) = (PointRates(stridesOf: run), PointRates(heartRates))
    let segments = segments.map { points in
      "<trkseg>\n\(points.map { point($0, &strides, &beats) }.joined())</trkseg>\n"
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

  /// A waypoint at the end of each lap, because GPX has no laps.
  private var lapEnds: String {
    run.lapEnds.enumerated().map { index, time in
      let place = run.route.place(at: time)
      return "<wpt lat=\"\(place.latitude)\" lon=\"\(place.longitude)\"><time>\(clock.stamp(time))</time>"
        + "<name>Lap \(index + 1)</name><type>lap</type></wpt>\n"
    }.joined()
  }

  private func point(_ location: LocationSample, _ strides: inout PointRates, _ beats: inout PointRates) -> String {
    let garmin =
      element("gpxtpx:hr", beats.rate(at: location.time)) + element("gpxtpx:cad", strides.rate(at: location.time))
      + element("gpxtpx:speed", location.speed)
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

/// A run as Garmin's Training Center XML. Its laps are those of the run; if the run has none, there is one for each
/// kilometre and one for the rest. A lap has a track for each stretch between pauses.
struct TCXDocument {
  let run: RunTimeline
  let clock: TrackClock
  /// In order of time.
  let heartRates: [HeartRate]
  /// The run's distance, metres, which is computed from all its points.
  private let distance: Double?
  /// Kilocalories per metre; 0 if the energy is not known.
  private let energyPerMeter: Double

  init(
    run: RunTimeline, clock: TrackClock, bodyMass: Double?, heartRates: [HeartRate] = []
  ) throws(RunValueError) {
    (self.run, self.clock, self.heartRates) = (run, clock, heartRates)
    let energy = try bodyMass.flatMap { mass throws(RunValueError) in try run.energy(bodyMass: mass) }
    distance = run.distance
    energyPerMeter = distance.map { $0 > 0 ? (energy ?? 0) / $0 : 0 } ?? 0
  }

  /// A lap of the document.
  private struct Lap {
    var start: SampleTime
    var end: SampleTime
    var meters: Double
    /// The moving time, and the unknown time too if distance was measured in it: a reader divides distance by time.
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
    let (kilometers, rest) = run.splitsAndRest(everyMeters: Split.kilometer)
    return (run.lapEnds.isEmpty ? kilometers + [rest].compactMap(\.self) : run.laps).map {
      Lap(start: $0.start, end: $0.end, meters: $0.meters, seconds: seconds(from: $0.start, to: $0.end))
    }
  }

  private func seconds(from: SampleTime, to: SampleTime) -> Double {
    let unknown = run.untimedMeters(from: from, to: to) > 0 ? run.unknownSeconds(from: from, to: to) : 0
    return run.movingSeconds(from: from, to: to) + unknown
  }

  private var lapTexts: String {
    var (strides, beats) = (PointRates(stridesOf: run), PointRates(heartRates))
    let laps = laps, stretches = TrackStretches(run)
    return laps.enumerated().map { index, lap in
      """
      <Lap StartTime="\(clock.stamp(lap.start))"><TotalTimeSeconds>\(lap.seconds)</TotalTimeSeconds>\
      <DistanceMeters>\(lap.meters)</DistanceMeters><Calories>\(calories(of: lap))</Calories>\(heart(of: lap))\
      <Intensity>Active</Intensity><TriggerMethod>\(index == laps.count - 1 || !run.lapEnds.isEmpty ? "Manual" : "Distance")</TriggerMethod>
      \(tracks(of: lap, stretches, &strides, &beats))</Lap>

      """
    }.joined()
  }

  /// A track for each stretch of a lap, with a point at its beginning and at its end.
  private func tracks(
    of lap: Lap, _ stretches: TrackStretches, _ strides: inout PointRates, _ beats: inout PointRates
  ) -> String {
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
        text += trackpoint(
          times[index], points.isEmpty ? nil : points[index], meters: distances[index],
          strides: strides.rate(at: times[index]), beats: beats.rate(at: times[index]))
      }
      text += "</Track>\n"
    }
    return text
  }

  /// The lap's kilocalories: the run's, in proportion to the distance; 0 if not known.
  private func calories(of lap: Lap) -> Int {
    Int(saturating: max(0, min(65_535, (energyPerMeter * lap.meters).rounded())))
  }

  /// The elements with the mean and the greatest heart rate of a lap; empty if it has none.
  private func heart(of lap: Lap) -> String {
    let rates = heartRates.lazy.filter { lap.start <= $0.time && $0.time < lap.end }.map(\.beatsPerMinute)
    guard let greatest = rates.max() else { return "" }
    let mean = rates.reduce(0, +) / Double(rates.count)
    return [("AverageHeartRateBpm", mean), ("MaximumHeartRateBpm", greatest)].map { name, rate in
      element(name, element("Value", Int(saturating: rate.rounded())))
    }.joined()
  }

  private func trackpoint(
    _ time: SampleTime, _ location: LocationSample?, meters: Double, strides: Int?, beats: Int?
  ) -> String {
    var text = "<Trackpoint><Time>\(clock.stamp(time))</Time>"
    if let location {
      text += "<Position><LatitudeDegrees>\(location.latitude)</LatitudeDegrees>"
      text += "<LongitudeDegrees>\(location.longitude)</LongitudeDegrees></Position>"
    }
    text += element("AltitudeMeters", location?.altitude) + element("DistanceMeters", distance == nil ? nil : meters)
    text += element("HeartRateBpm", beats.map { element("Value", $0) })
    let extensions = element("ns3:Speed", location?.speed) + element("ns3:RunCadence", strides)
    return text + (extensions.isEmpty ? "" : "<Extensions><ns3:TPX>\(extensions)</ns3:TPX></Extensions>")
      + "</Trackpoint>\n"
  }
}

/// An XML element with `value`; empty if `value` is `nil`.
private func element(_ name: String, _ value: (some CustomStringConvertible)?) -> String {
  value.map { "<\(name)>\($0)</\(name)>" } ?? ""
}
