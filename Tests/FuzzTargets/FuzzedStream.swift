import Foundation

@testable import Gait
@testable import GaitFormats

/// Fuzz targets for live streams.
enum FuzzedStream {
  /// Parses lines of text and feeds the samples to a tracker.
  static func lines(_ bytes: [UInt8]) {
    guard var tracker = try? RunTracker(sampleRate: .hertz(50)) else { return }
    var parser = MotionLineParser(name: "standard input", sampleRate: .hertz(50))
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      guard let sample = try? parser.parse(String(decoding: line, as: UTF8.self)) else { continue }
      _ = tracker.append(sample)
    }
    check(tracker)
  }

  /// Makes calls to a tracker. Ten bytes encode a call: the method, a time step, and values.
  static func calls(_ bytes: [UInt8]) {
    var options = RunOptions()
    options.snapshotInterval = 1
    options.strides = StrideModel(running: 1, walking: 0.7)
    guard var tracker = try? RunTracker(sampleRate: .hertz(50), options: options) else { return }
    var time = SampleTime(nanoseconds: 0)
    for start in stride(from: 0, to: bytes.count - 9, by: 10) {
      let step = Array(bytes[start..<start + 10])
      time = SampleTime(nanoseconds: time.nanoseconds &+ timeStep(step[1], step[2]))
      let events = call(step, at: time, &tracker)
      precondition(events.count < 1000, "\(events.count) events in one call")
    }
    check(tracker)
  }

  private static func call(_ step: [UInt8], at time: SampleTime, _ tracker: inout RunTracker) -> [RunEvent] {
    let values = step[3...].map { value($0) }
    switch step[0] % 16 {
    case 0: return tracker.pause(autoResume: step[3] > 127, at: time)
    case 1: return tracker.resume(at: time)
    case 2, 3:
      return tracker.append(
        LocationSample(
          time: time, latitude: 48 + Double(values[0]) / 1e3, longitude: 9 + Double(values[1]) / 1e3,
          altitude: Double(values[2]), speed: Double(values[3]), horizontalAccuracy: Double(values[4])))
    default:
      // A run of evenly spaced samples, so that windows fill.
      var events: [RunEvent] = []
      var time = time
      for index in 0..<(Int(step[9]) * 2 + 1) {
        let swing = Float(index % 17) / 8 - 1
        events += tracker.append(
          MotionSample(
            time: time, gravity: SIMD3(0, 0, -1),
            userAcceleration: SIMD3(values[0] * swing, values[1] * swing, values[2])))
        time = SampleTime(nanoseconds: time.nanoseconds &+ 20_000_000)
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
    default: (Float(byte) - 126) / 40
    }
  }

  /// Checks that no duration is negative or NaN, and that the moving time is at most the elapsed time.
  private static func check(_ tracker: RunTracker) {
    let run = tracker.finish()
    precondition(
      run.elapsed >= 0 && run.moving >= 0 && run.moving <= run.elapsed + 1e-6, "\(run.moving) of \(run.elapsed) s")
    _ = run.slices
    _ = run.distance
    _ = run.steps
    _ = try? tracker.evidence.replayed(by: tracker.model, options: RunOptions())
  }
}
