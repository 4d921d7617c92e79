import Gait

/// A run as GPX 1.1.
struct GPXDocument {
  let run: RunTimeline
  let clock: TrackClock

  var text: String {
    var rates = StrideRates(run)
    let slices = run.slices.filter { $0.state != .paused }
    var next = run.route.startIndex
    var segments = ""
    for (index, slice) in slices.enumerated() {
      // The last point of the run belongs to its last slice.
      let isLast = index == slices.count - 1
      while next < run.route.endIndex, run.route[next].time < slice.start { next += 1 }
      var points = ""
      while next < run.route.endIndex, run.route[next].time < slice.end || isLast {
        points += point(run.route[next], &rates)
        next += 1
      }
      if !points.isEmpty { segments += "<trkseg>\n\(points)</trkseg>\n" }
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="Gait" xmlns="http://www.topografix.com/GPX/1/1" \
      xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" xmlns:gait="urn:gait:location">
      <trk><type>running</type>
      \(segments)</trk>
      </gpx>

      """
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
