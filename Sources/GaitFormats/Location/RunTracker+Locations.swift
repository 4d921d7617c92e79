import Gait

extension ActivityModel {
  /// The run in a recording with its GPS points, as `gait track` decides it.
  ///
  /// - Throws: `ModelError` if the recording is too slow for the model or lacks a channel.
  package func track(
    _ recording: Recording, locations: [LocationSample], options: RunOptions = RunOptions()
  ) throws(ModelError) -> RunTimeline {
    try check(recording)
    var tracker = try RunTracker(
      model: self, sampleRate: recording.sampleRate, options: options, gravityIsEstimated: recording.gravityIsEstimated)
    tracker.begin(withLeadOf: locations, to: recording.start)
    tracker.append(contentsOf: recording, locations: locations)
    return tracker.finish()
  }
}

extension RunTracker {
  /// Begins the run with an unbroken series of GPS points that leads up to the first motion sample, if there is one: a
  /// recording begins with whichever sensor began first. Fixes that a receiver had cached are fewer, and farther apart.
  ///
  /// - Parameters:
  ///   - locations: GPS points on the clock of the samples, in order.
  ///   - start: the time of the first motion sample.
  package mutating func begin(withLeadOf locations: [LocationSample], to start: SampleTime) {
    guard let first = Self.lead(of: locations, to: start) else { return }
    append(MotionSample(time: first, row: SIMD16(repeating: .nan)))
  }

  private static func lead(of locations: [LocationSample], to start: SampleTime) -> SampleTime? {
    let before = locations.prefix { $0.time < start }.filter(\.time.isValid)
    guard let last = before.last, start.seconds(since: last.time) <= longestLeadStep else { return nil }
    var first = last.time
    var count = 0
    for point in before.reversed() {
      let step = first.seconds(since: point.time)
      guard 0...longestLeadStep ~= step, start.seconds(since: point.time) <= longestLead else { break }
      (first, count) = (point.time, count + 1)
    }
    return count >= fewestLeadPoints ? first : nil
  }

  /// The longest step between GPS points before the motion, and the longest time of them, seconds.
  private static let (longestLeadStep, longestLead, fewestLeadPoints) = (3.0, 60.0, 8)
}
