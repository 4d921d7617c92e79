import Foundation
import GaitRuns

@testable import Gait
@testable import GaitFormats

/// Fuzz targets for live streams.
enum FuzzedStream {
  /// Parses lines of text and feeds the samples to a tracker.
  static func lines(_ bytes: [UInt8]) {
    guard var tracker = try? RunTracker(sampleRate: .hertz(50)) else { return }
    let options = ReadingOptions(sampleRate: .hertz(50))
    if var lines = try? LiveRecording(MemoryBytes(bytes[...]), name: "standard input", options: options) {
      while let block = try? lines.next() {
        for index in 0..<block.count { _ = tracker.append(block[index]) }
      }
    }
    check(tracker)
  }

  /// The most bytes and samples of an input, so that thousands of inputs are tried in a minute.
  private static let (mostBytes, mostSamples) = (300, 320)

  /// Makes calls to a tracker, and saves and opens its run on the way. Ten bytes encode a call: the method, a time
  /// step, and values. The last byte chooses the conditions.
  static func calls(_ bytes: [UInt8]) {
    let options = RunOptions(
      goals: [.distance(meters: 100), .movingTime(seconds: 5)], intervalSeconds: [1, 3],
      strides: StrideModel(running: 1, walking: 0.7), snapshotSeconds: 1, bodyMass: 70)
    let conditions = Conditions(bytes.last ?? 0)
    guard var tracker = try? RunTracker(sampleRate: conditions.stated, options: options) else { return }
    var (time, samples) = (conditions.start, 0)
    for start in stride(from: 0, to: min(bytes.count, mostBytes) - 9, by: 10) where samples < mostSamples {
      let step = Array(bytes[start..<start + 10])
      time = SampleTime(nanoseconds: time.nanoseconds &+ timeStep(step[1], step[2]))
      check(call(step, at: time, conditions, &tracker, &samples))
    }
    check(tracker)
    checkStored(tracker.finish(), startedAt: conditions.date)
  }

  /// What does not change during the calls.
  private struct Conditions {
    /// The stated rate of the motion.
    let stated: SampleRate
    /// The nanoseconds from sample to sample.
    let period: Int64
    /// The clock of the first call: from the device's start, or from 1970.
    let start: SampleTime
    /// The date of the run's start, from 1601 to 2400.
    let date: Date

    init(_ byte: UInt8) {
      let rates = [50, 25, 100, 12.5, 200, 60, 31, 50]
      stated = .hertz(rates[Int(byte & 7)])
      // A source keeps the stated rate or another one.
      let hertz = rates[Int(byte & 1 == 0 ? byte & 7 : byte >> 2 & 7)]
      period = Int64(1e9 / hertz)
      let (first, last) = (-11_644_473_600.0, 13_569_465_600.0)
      let seconds = first + (last - first) * Double(byte) / 255
      date = Date(timeIntervalSince1970: seconds)
      start = byte & 0x40 == 0 ? .seconds(0) : SampleTime.seconds(0).advanced(bySeconds: seconds)
    }
  }

  private static func call(
    _ step: [UInt8], at time: SampleTime, _ conditions: Conditions, _ tracker: inout RunTracker, _ samples: inout Int
  ) -> [RunEvent] {
    let values = step[3...].map { value($0) }
    switch step[0] % 16 {
    case 0: return tracker.pause(autoResume: step[3] > 127, at: time)
    case 1: return tracker.resume(at: time)
    case 2, 3:
      return tracker.append(
        LocationSample(
          time: time, latitude: 48 + Double(values[0]) / 1e3, longitude: 9 + Double(values[1]) / 1e3,
          altitude: Double(values[2]), speed: Double(values[3]), horizontalAccuracy: Double(values[4])))
    case 4: return tracker.lap(at: time)
    case 5: return tracker.change(to: [.never, .whenStill, .whenNotRunning][Int(step[3]) % 3], at: time)
    case 6: return tracker.append(AltitudeSample(time: time, relativeAltitude: Double(values[0])))
    case 7:
      if let run = tracker.timeline { check(run) }
      if step[3] > 127 { checkStored(tracker.finish(), startedAt: conditions.date) }
      return []
    default:
      // A run of evenly spaced samples, so that windows fill.
      var events: [RunEvent] = []
      var time = time
      let period = Int(step[8] % 40) + 2
      for index in 0..<(Int(step[9]) * 2 + 1) {
        samples += 1
        let swing = Float(index % period) / Float(period) * 2 - 1
        let knock: Float = step[0] > 200 && index % 64 == 0 ? 16 : 0
        events += tracker.append(
          MotionSample(
            time: time, attitude: SIMD3(values[4], 0, values[4] * swing), gravity: SIMD3(0, 0, -1),
            rotationRate: SIMD3(repeating: values[3] * swing),
            userAcceleration: SIMD3(values[0] * swing, values[1] * swing + knock, values[2])))
        time = SampleTime(nanoseconds: time.nanoseconds &+ conditions.period)
      }
      return events
    }
  }

  /// A time step in nanoseconds: small for most bytes, huge or negative for some.
  private static func timeStep(_ kind: UInt8, _ size: UInt8) -> Int64 {
    switch kind {
    case 0: Int64.max / 300 * Int64(size)
    case 1: -Int64.max / 300 * Int64(size)
    case 2: Int64(size) * 3_600_000_000_000
    case 3: -Int64(size) * 1_000_000_000
    default: Int64(kind) * Int64(size) * 1_000_000
    }
  }

  private static func value(_ byte: UInt8) -> Float {
    switch byte {
    case 255: .nan
    case 254: .infinity
    case 253: -.infinity
    case 252: .greatestFiniteMagnitude
    case 251: 1e18
    case 250: -1e20
    case 249: 1e30
    default: (Float(byte) - 126) / 40
    }
  }

  /// Checks a tracker, its run, and the run decided again.
  private static func check(_ tracker: RunTracker) {
    check(tracker.finish())
    if let run = try? tracker.evidence.replayed(by: tracker.model, options: RunOptions()) { check(run) }
  }

  /// Saves and opens a run, which must be the same.
  private static func checkStored(_ run: RunTimeline, startedAt: Date) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "gait-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let (store, stored) = (RunStore(directory: folder), StoredRun(run, startedAt: startedAt, bodyMass: 70))
    do {
      try store.save(stored)
      let opened = try store.run(stored.id)
      precondition(opened == stored && opened.summary == stored.summary, "a run has changed in its file")
    } catch { preconditionFailure("\(error)") }
    let (summaries, unreadable) = store.summaries()
    precondition(summaries == [stored.summary] && unreadable.isEmpty, "\(summaries), \(unreadable)")
  }

  /// Checks the events of one call: their number and figures.
  static func check(_ events: [RunEvent]) {
    precondition(events.count < 1000, "\(events.count) events in one call")
    for event in events {
      switch event {
      case .snapshot(let snapshot):
        precondition(snapshot.movingSeconds <= snapshot.elapsedSeconds + 1e-6, "\(snapshot)")
        checkFigures([
          snapshot.elapsedSeconds, snapshot.movingSeconds, snapshot.distance, snapshot.cadence, snapshot.currentPace,
          snapshot.averagePace, snapshot.energy, snapshot.activeEnergy, snapshot.climb,
        ])
      case .split(let split): checkFigures([split.meters, split.movingSeconds])
      case .finished(let run): check(run)
      case .paused, .resumed, .activity, .gap, .lap, .goal, .dropped, .undecided: break
      }
    }
  }

  /// Checks that no figure of a run is negative, infinite or NaN, that the times add up, and that its JSON can be read.
  static func check(_ run: RunTimeline) {
    checkFigures([
      run.elapsedSeconds, run.movingSeconds, run.pausedSeconds, run.unknownSeconds, run.distance, run.estimatedDistance,
      run.averagePace, run.bestPace(), run.elevation()?.gain, run.elevation()?.loss,
      try? run.energy(bodyMass: 70), try? run.activeEnergy(bodyMass: 70), Double(run.steps), run.gradeAdjustedPace,
    ])
    let sum = run.movingSeconds + run.pausedSeconds + run.unknownSeconds
    precondition(
      (sum - run.elapsedSeconds).magnitude <= 1e-6 * max(1, run.elapsedSeconds), "\(sum) of \(run.elapsedSeconds)")
    for slice in run.slices { precondition(slice.start <= slice.end, "\(slice)") }
    for split in run.splits(everyMeters: 100) + run.laps { checkFigures([split.meters, split.movingSeconds]) }
    guard let json = try? JSONEncoder().encode(run) else { preconditionFailure("the run cannot be written") }
    do { _ = try JSONFault.decode(RunTimeline.self, from: json) } catch { preconditionFailure("\(error)") }
  }

  private static func checkFigures(_ values: [Double?]) {
    for (index, value) in values.enumerated() {
      if let value { precondition(value >= -1e-9 && value.isFinite, "figure \(index) is \(value)") }
    }
  }
}
