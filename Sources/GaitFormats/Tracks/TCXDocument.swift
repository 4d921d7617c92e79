import Gait

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
      if let altitude = location.altitude { text += "<AltitudeMeters>\(altitude)</AltitudeMeters>" }
    }
    if distance != nil { text += "<DistanceMeters>\(meters)</DistanceMeters>" }
    let speed = location?.speed.map { "<ns3:Speed>\($0)</ns3:Speed>" } ?? ""
    let rate = rates.rate(at: time).map { "<ns3:RunCadence>\($0)</ns3:RunCadence>" } ?? ""
    if !(speed + rate).isEmpty { text += "<Extensions><ns3:TPX>\(speed)\(rate)</ns3:TPX></Extensions>" }
    return text + "</Trackpoint>\n"
  }
}
