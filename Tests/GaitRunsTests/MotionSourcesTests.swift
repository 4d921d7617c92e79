import Gait
import GaitLab
import GaitRuns
import GaitTraining
import Testing

/// Watch and phone at once: never a mixture of both.
@Suite struct MotionSourcesTests {
  private static let watch = recording(subject: 1, hertz: 50)
  private static let phone = recording(subject: 1, hertz: 100)

  /// A minute of running, then a minute of walking.
  private static func recording(subject: Int, hertz: Double) -> Recording {
    Simulator(seed: 8, sampleRate: .hertz(hertz)).recording(
      SimulatedRun(subject: subject, stretches: [.init(.running, seconds: 40), .init(.walking, seconds: 40)]))
  }

  /// The phone lies differently, and its samples come 7 ms later.
  private static func turned(_ sample: MotionSample) -> MotionSample {
    func turn(_ vector: SIMD3<Float>) -> SIMD3<Float> { SIMD3(vector.y, -vector.x, vector.z) }
    return MotionSample(
      time: sample.time.advanced(bySeconds: 0.007), gravity: turn(sample.gravity),
      rotationRate: turn(sample.rotationRate),
      userAcceleration: turn(sample.userAcceleration))
  }

  /// The run of both, in order of time, with the watch silent in `silence`.
  private static func run(silence: Range<Double>? = nil) throws -> (RunTimeline, MotionSources, sources: [String]) {
    var selection = MotionSources(["watch": .hertz(50), "phone": .hertz(100)], preferring: ["watch", "phone"])
    var tracker = try RunTracker(sampleRate: selection.rate)
    let inputs =
      (0..<watch.count).map { ("watch", watch[$0]) } + (0..<phone.count).map { ("phone", turned(phone[$0])) }
    var sources: [String] = []
    for (source, sample) in inputs.sorted(by: { $0.1.time < $1.1.time }) {
      if source == "watch", let silence, silence.contains(sample.time.seconds) { continue }
      for sample in selection.append(sample, from: source) { tracker.append(sample) }
      if let current = selection.current, sources.last != current { sources.append(current) }
    }
    #expect(tracker.droppedSampleCount == 0)
    return (tracker.finish(), selection, sources)
  }

  @Test("of two sources at once the preferred one decides, alone")
  func preferred() throws {
    let (run, selection, sources) = try Self.run()
    let alone = try ActivityModel.running.track(Self.watch)
    #expect(sources == ["watch"])
    #expect(selection.droppedCounts["phone"] == Self.phone.count)
    #expect(run.pauses == alone.pauses)
    #expect(run.activities == alone.activities)
    #expect(run.cadencePoints == alone.cadencePoints)
    #expect(run.cadencePoints.count > 40)
  }

  @Test("the other source takes over after two seconds, and gives back after ten; the cadence stays right")
  func silence() throws {
    let (run, selection, sources) = try Self.run(silence: 15..<45)
    #expect(sources == ["watch", "phone", "watch"])
    #expect(run.gaps.count == 2)
    #expect((selection.droppedCounts["watch"] ?? 0) > 450)
    let alone = try ActivityModel.running.track(Self.watch).cadencePoints
    #expect(run.cadencePoints.count > 25)
    for point in run.cadencePoints {
      let near = alone.min { abs($0.time.seconds(since: point.time)) < abs($1.time.seconds(since: point.time)) }
      let truth = try #require(near).stepsPerMinute
      // Where running turns to walking, windows that lie differently show one or the other.
      guard !(34...46).contains(point.time.seconds) else { continue }
      #expect(abs(point.stepsPerMinute - truth) < 4, "\(point) instead of \(truth)")
    }
  }
}
