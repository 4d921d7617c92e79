import Testing

@testable import Gait

/// Motion whose times are wrong, and motion that cannot be decided.
@Suite struct MotionClockTests {
  private static func drops(_ events: [RunEvent]) -> [Int] {
    events.compactMap { if case .dropped(let count, _) = $0 { count } else { nil } }
  }

  private static func stretches(_ events: [RunEvent]) -> [Undecided] {
    events.compactMap { if case .undecided(let stretch) = $0 { stretch } else { nil } }
  }

  @Test(arguments: [100.0, 86_400, 3e9, -1]) func `One or two samples far ahead change nothing but the count`(
    ahead: Double
  ) throws {
    for count in 1...2 {
      var (tracker, plain) = (try RunStartTests.tracker(), try RunStartTests.tracker())
      var events: [RunEvent] = []
      for (index, sample) in personSamples(stretch("R", 30)).enumerated() {
        plain.append(sample)
        if index == 700 {
          for number in 0..<count {
            var wrong = sample
            wrong.time = sample.time.advanced(bySeconds: ahead + (ahead > 0 ? Double(number) / 50 : 0))
            events += tracker.append(wrong)
          }
        }
        events += tracker.append(sample)
      }
      var run = tracker.finish()
      #expect(run.droppedSampleCount == count)
      #expect(tracker.droppedSampleCount == count)
      #expect(Self.drops(events).last == count)
      run.droppedSampleCount = 0
      #expect(run == plain.finish())
      #expect(try tracker.evidence.replayed(by: TestModels.runner) == tracker.finish())
    }
  }

  @Test(arguments: [100.0, 86_400]) func `A first sample far ahead does not keep the run from beginning`(ahead: Double)
    throws
  {
    var tracker = try RunStartTests.tracker()
    var events: [RunEvent] = []
    let samples = personSamples(stretch("R", 30))
    var first = samples[0]
    first.time = first.time.advanced(bySeconds: ahead)
    for sample in [first] + samples { events += tracker.append(sample) }
    let run = tracker.finish()
    #expect(run.start == samples[0].time)
    #expect(run.end == samples[samples.count - 1].time)
    #expect(run.droppedSampleCount == 1)
    #expect(Self.drops(events) == [1])
  }

  @Test func `A clock that several samples show goes on after a hole`() throws {
    var tracker = try RunStartTests.tracker()
    for (index, var sample) in personSamples(stretch("R", 40)).enumerated() {
      if index >= 1000 { sample.time = sample.time.advanced(bySeconds: 3600) }
      tracker.append(sample)
    }
    let run = tracker.finish()
    #expect(run.droppedSampleCount == 0)
    #expect(run.gaps.count == 1)
    #expect(abs(run.elapsedSeconds - 3639.98) < 1e-6)
  }

  @Test func `Late samples are on record at each doubling`() throws {
    var tracker = try RunStartTests.tracker()
    var events: [RunEvent] = []
    let samples = personSamples(stretch("R", 10))
    for sample in samples { events += tracker.append(sample) }
    for sample in samples[100..<200] { events += tracker.append(sample) }
    #expect(Self.drops(events) == [1, 2, 4, 8, 16, 32, 64])
    #expect(tracker.finish().droppedSampleCount == 100)
  }

  @Test(arguments: [Undecided.Reason.zeroGravity, .missingChannels, .noWindow])
  func `A tracker without a usable window says so once, with the reason, until it decides again`(
    reason: Undecided.Reason
  ) throws {
    var tracker = try RunStartTests.tracker()
    var events: [RunEvent] = []
    for (index, var sample) in personSamples(stretch("R", 60)).enumerated() {
      if 500..<2000 ~= index {
        switch reason {
        case .zeroGravity: for channel in [Channel.gravityX, .gravityY, .gravityZ] { sample[channel] = 0 }
        case .missingChannels: sample[.gravityX] = .nan
        case .noWindow: if index % 40 > 15 { continue }
        }
      }
      events += tracker.append(sample)
      if index == 1900 { #expect(tracker.undecided?.reason == reason) }
    }
    let found = Self.stretches(events)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.reason == reason, "\(found)")
    #expect(tracker.undecided == nil, "\(found)")
    let since = try #require(found.first?.since.seconds), at = try #require(found.first?.at.seconds)
    #expect(abs(since - 10) < 1.5, "\(since) \(at)")
    #expect((10.0...13).contains(at - since), "\(since) \(at)")
    #expect(found.first?.missingChannels == (reason == .missingChannels ? [.gravityX] : []))
  }

  @Test func `A run that can be decided, and a hole of ten minutes, are not reported`() throws {
    var tracker = try RunStartTests.tracker()
    var events: [RunEvent] = []
    for (index, var sample) in personSamples(stretch("R", 60) + stretch(".", 30)).enumerated() {
      if index >= 1500 { sample.time = sample.time.advanced(bySeconds: 600) }
      events += tracker.append(sample)
    }
    #expect(Self.stretches(events).isEmpty)
    #expect(tracker.undecided == nil)
  }
}

/// GPS points of a hole in the motion that come after it.
@Suite struct LateLocationTests {
  /// A run of 360 s at 3 m/s without motion from 60 to 300 s, whose GPS of the hole comes `delay` seconds after the
  /// hole.
  private static func track(delay: Double, _ options: RunOptions = RunOptions()) throws -> RunTimeline {
    var tracker = try RunStartTests.tracker(options)
    var waiting: [LocationSample] = []
    for (index, sample) in personSamples(stretch("R", 360)).enumerated() {
      let time = sample.time.seconds
      let isHole = 60..<300 ~= time
      if index % 50 == 0 { waiting.append(RunStartTests.point(time)) }
      if !isHole, time < 60 || time >= 300 + delay {
        for point in waiting { tracker.append(point) }
        waiting = []
      }
      if !isHole { tracker.append(sample) }
    }
    return tracker.finish()
  }

  @Test(arguments: [nil, StrideModel(running: 1.1, walking: 0.7)])
  func `GPS of a hole counts whenever it comes within the limit`(strides: StrideModel?) throws {
    let options = RunOptions(strides: strides)
    let prompt = try Self.track(delay: 0, options)
    for delay in [1.0, 10, 40] {
      let late = try Self.track(delay: delay, options)
      #expect(late.route.count == prompt.route.count, "\(delay) s")
      #expect(late.unknownSeconds == 0, "\(delay) s")
      #expect(try abs(#require(late.distance) - 1077) < 20, "\(delay) s: \(late.distance ?? -1) m")
      #expect(late.rejectedLocations.isEmpty)
      #expect(late.fault == nil)
    }
  }

  @Test func `What comes later than the limit is counted by reason, and the limit can be set`() throws {
    let short = try Self.track(delay: 40, RunOptions(locationDelaySeconds: 60))
    #expect(short.rejectedLocations["tooLate"].map { $0 > 200 } == true)
    #expect(short.offClockLocationCount == 0)
    #expect(short.route.count + short.rejectedLocations.values.reduce(0, +) == 360)
  }
}
