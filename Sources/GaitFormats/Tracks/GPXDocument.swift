import Gait

/// A run as GPX 1.1.
struct GPXDocument {
  let run: RunTimeline
  let clock: TrackClock
  /// The segments of the track.
  let segments: [[LocationSample]]

  init(run: RunTimeline, clock: TrackClock) {
    self.init(run: run, clock: clock, segments: TrackStretches(run).points)
  }

  init(run: RunTimeline, clock: TrackClock, segments: [[LocationSample]]) {
    (self.run, self.clock, self.segments) = (run, clock, segments)
  }

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
      Self.element("gpxtpx:cad", rates.rate(at: location.time)) + Self.element("gpxtpx:speed", location.speed)
    let extensions =
      (garmin.isEmpty ? "" : "<gpxtpx:TrackPointExtension>\(garmin)</gpxtpx:TrackPointExtension>")
      + Self.element("gait:horizontalAccuracy", location.horizontalAccuracy)
      + Self.element("gait:verticalAccuracy", location.verticalAccuracy)
      + Self.element("gait:speedAccuracy", location.speedAccuracy)
    return "<trkpt lat=\"\(location.latitude)\" lon=\"\(location.longitude)\">"
      + Self.element("ele", location.altitude) + "<time>\(clock.stamp(location.time))</time>"
      + (extensions.isEmpty ? "" : "<extensions>\(extensions)</extensions>") + "</trkpt>\n"
  }

  private static func element(_ name: String, _ value: (some CustomStringConvertible)?) -> String {
    value.map { "<\(name)>\($0)</\(name)>" } ?? ""
  }
}
