import Gait
import GaitTraining

/// A simulated outdoor run: what a phone delivered, and the truth.
public struct OutdoorRun: Sendable {
  /// The motion; `nil` for a run of location alone.
  public let motion: Recording?
  /// The reports of the receiver in order of arrival, cached ones first.
  public let locations: [LocationSample]
  /// The readings of the barometer.
  public let altitudes: [AltitudeSample]
  /// What truly happened.
  public let truth: Truth
  /// When each location arrives, seconds since the start: later than its time.
  private let arrivals: [Double]

  init(
    motion: Recording?, reports: [SimulatedReceiver.Report], altitudes: [(Double, AltitudeSample)], truth: Truth
  ) {
    self.motion = motion
    locations = reports.map(\.sample)
    arrivals = reports.map(\.arrival)
    self.altitudes = altitudes.map(\.1)
    self.truth = truth
  }

  /// What truly happened.
  public struct Truth: Sendable {
    /// When the run begins.
    public let start: SampleTime
    /// The length of the run, seconds.
    public let seconds: Double
    /// Metres along the ground, on the WGS 84 ellipsoid.
    public let distance: Double
    /// The metres climbed.
    public let climb: Double
    /// The times at which the person stands.
    public let stops: [Range<SampleTime>]
    /// What the person does, stretch by stretch: contiguous, neighbours may be the same.
    public let activities: [(activity: SimulatedActivity, range: Range<SampleTime>)]
    private let route: OutdoorRoute

    init(_ programme: OutdoorProgramme, _ route: OutdoorRoute, start: SampleTime, climb: Double) {
      self.start = start
      seconds = programme.seconds
      distance = route.places.last?.distance ?? 0
      self.climb = climb
      activities = programme.stretches.map {
        ($0.activity, start.advanced(bySeconds: $0.start)..<start.advanced(bySeconds: $0.end))
      }
      stops = activities.filter { $0.activity == .still }.map(\.range)
      self.route = route
    }

    /// The time without standing, seconds.
    public var movingSeconds: Double { movingSeconds(until: start.advanced(bySeconds: seconds)) }

    /// The metres along the ground from the start to a time.
    public func distance(at time: SampleTime) -> Double { route.place(at: time.seconds(since: start)).distance }

    /// Degrees north and east at a time.
    public func coordinates(at time: SampleTime) -> (latitude: Double, longitude: Double) {
      let place = route.place(at: time.seconds(since: start))
      return (place.latitude, place.longitude)
    }

    /// The moving time of every complete kilometre, seconds.
    public var kilometers: [Double] {
      let ends = (0..<Int(saturating: distance / 1000)).map { movingSeconds(until: time(of: Double($0 + 1) * 1000)) }
      return zip(ends, [0] + ends).map { $0 - $1 }
    }

    /// The moving time from the start to a time, seconds.
    func movingSeconds(until time: SampleTime) -> Double {
      stops.reduce(time.seconds(since: start)) { seconds, stop in
        seconds - max(0, min(time, stop.upperBound).seconds(since: stop.lowerBound))
      }
    }

    private func time(of meters: Double) -> SampleTime {
      let index = route.places.firstIndex { $0.distance >= meters } ?? route.places.count - 1
      guard index > 0 else { return start }
      let (before, after) = (route.places[index - 1].distance, route.places[index].distance)
      return start.advanced(
        bySeconds: (Double(index - 1) + (meters - before) / (after - before)) / OutdoorRoute.hertz)
    }
  }

  /// The run as a tracker records it, fed in order of arrival.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - options: the tracker's options.
  ///   - usesBarometer: whether the readings of the barometer are fed.
  ///   - event: takes each live event.
  /// - Throws: `ModelError` if the model cannot use 50 Hz.
  public func tracked(
    by model: ActivityModel, options: RunOptions = RunOptions(), usesBarometer: Bool = true,
    event: (RunEvent) -> Void = { _ in }
  ) throws(ModelError) -> RunTimeline {
    var tracker = try RunTracker(model: model, sampleRate: OutdoorRunSimulator.sampleRate, options: options)
    forEachInput(usesBarometer: usesBarometer) { tracker.append($0).forEach(event) }
    return tracker.finish()
  }

  /// Everything that the phone delivered, in order of arrival.
  public var inputs: [RunInput] {
    var inputs: [RunInput] = []
    forEachInput { inputs.append($0) }
    return inputs
  }

  private func forEachInput(usesBarometer: Bool = true, _ body: (RunInput) -> Void) {
    let altitudes = usesBarometer ? self.altitudes[...] : []
    var (location, altitude) = (0, altitudes.startIndex)
    func passOthers(until time: Double) {
      while altitude < altitudes.endIndex, altitudes[altitude].time.seconds(since: truth.start) <= time {
        body(.altitude(altitudes[altitude]))
        altitude += 1
      }
      while location < locations.count, arrivals[location] <= time {
        body(.location(locations[location]))
        location += 1
      }
    }
    for index in 0..<(motion?.count ?? 0) {
      guard let sample = motion?[index] else { break }
      passOthers(until: sample.time.seconds(since: truth.start) - 0.001)
      body(.motion(sample))
    }
    passOthers(until: motion == nil ? .infinity : truth.seconds)
  }
}
