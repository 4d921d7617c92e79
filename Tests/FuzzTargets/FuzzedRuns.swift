import Foundation

@testable import Gait
@testable import GaitRuns

/// Fuzz targets for what is kept of runs.
enum FuzzedRuns {
  /// Restores a run from the bytes of a journal.
  static func journal(_ bytes: [UInt8]) {
    guard let file = try? JournalFile(Data(bytes), name: "fuzzed.journal", modified: nil) else { return }
    let options = RunOptions(snapshotSeconds: 5, keepsEvidence: false)
    guard var tracker = try? RunTracker(sampleRate: .hertz(50), options: options) else { return }
    let summary = file.read { FuzzedStream.check(tracker.append($0)) }
    precondition(summary.count * 10 + summary.dropped <= bytes.count, "\(summary)")
    FuzzedStream.check(tracker.finish())
  }

  /// Reads a batch. What was read is written and read again without a difference.
  static func batch(_ bytes: [UInt8]) {
    _ = try? RunInputBatch(bytes: bytes)
    var bytes = bytes
    if bytes.count > 8 {
      bytes.removeLast(8)
      bytes.append(little: bytes.withUnsafeBytes { Checksum.number($0) })
    }
    guard let batch = try? RunInputBatch(bytes: bytes) else { return }
    let again = RunInputBatch(batch.inputs, number: batch.number)
    let read = try? RunInputBatch(bytes: again.bytes)
    precondition(
      read?.inputs.count == batch.inputs.count && read?.bytes == again.bytes && again.bytes.count <= bytes.count)
  }

  /// Reads a stored run and computes its figures.
  static func storedRun(_ bytes: [UInt8]) {
    guard let stored = try? StoredRun(data: Data(bytes)) else { return }
    FuzzedStream.check(stored.timeline)
    var race = Race()
    race.add(stored.timeline, as: "run")
    _ = race.standings(at: stored.timeline.elapsedSeconds / 2)
    _ = RunTotals.of([stored], by: .month, in: Calendar(identifier: .gregorian))
  }

  /// Measures the step rate of a signal at 25 Hz, one byte for a sample; the first one chooses the scale.
  static func stepSpectrum(_ bytes: [UInt8]) {
    guard let scale = bytes.first, var meter = CadenceStream(sampleRate: .hertz(25)) else { return }
    let unit = Float(sign: .plus, exponent: Int(scale % 200) - 100, significand: 1)
    for (index, byte) in bytes.dropFirst().prefix(2048).enumerated() {
      let value: Float = byte == 255 ? .nan : byte == 254 ? .infinity : (Float(byte) - 127) * unit
      let sample = MotionSample(
        time: SampleTime(nanoseconds: Int64(index) * 40_000_000), gravity: [0, 0, -1],
        rotationRate: [value, -value, value], userAcceleration: [0, 0, value])
      guard let point = meter.append(sample) else { continue }
      for rate in [point.stepsPerMinute, point.gyroscopeCadence ?? 0] {
        precondition(rate == 0 || 30...240 ~= rate, "\(rate) steps a minute")
      }
    }
  }
}

extension FuzzTarget {
  /// A journal with an input of every kind as a record, then in a batch.
  public static var journalSample: [UInt8] {
    let batch = RunInputBatch(everyInput, number: 0)
    var records = [UInt8](repeating: 0, count: everyInput.count * RunInput.largestCheckedRecord)
    let length = records.withUnsafeMutableBytes { records in
      var writer = RecordWriter(at: records.baseAddress!)
      for input in everyInput { input.encodeChecked(into: &writer) }
      return writer.end - records.baseAddress!
    }
    return Array("gait.journal 1\n".utf8) + records[..<length] + batch.bytes
  }

  /// A batch with an input of every kind.
  public static var batchSample: [UInt8] { RunInputBatch(everyInput, number: 7).bytes }

  private static var everyInput: [RunInput] {
    [
      .motion(MotionSample(time: .seconds(1), gravity: [0, 0, -1], userAcceleration: [0.1, 0, 0])),
      .location(LocationSample(time: .seconds(2), latitude: 52.5, longitude: 13.4, altitude: 30, speed: 3)),
      .altitude(AltitudeSample(time: .seconds(3), relativeAltitude: 1)), .pause(autoResume: true, at: .seconds(4)),
      .resume(at: .seconds(5)), .lap(at: .seconds(6)), .policy(.never, at: .seconds(7)),
    ]
  }

  /// The JSON of a stored run.
  public static var storedRunSample: String {
    let route = (0..<12).map {
      LocationSample(time: .seconds(Double($0)), latitude: 50 + Double($0) / 4e4, longitude: 8, altitude: 100, speed: 3)
    }
    let activities = [ActivityChange(decidedAt: .seconds(3), onset: .seconds(2), activity: .running)]
    var run = RunTimeline(start: .seconds(0), end: .seconds(60), activities: activities, route: route)
    run.addPause(from: .seconds(20), to: .seconds(30))
    run.markLap(at: .seconds(40))
    run.cadencePoints = [CadencePoint(time: .seconds(5), stepsPerMinute: 160)]
    let stored = StoredRun(
      run, startedAt: Date(timeIntervalSince1970: 0), id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    return (try? JSONEncoder().encode(stored)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
