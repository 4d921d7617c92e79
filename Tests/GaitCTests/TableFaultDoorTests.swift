import CGait
import Foundation
import Gait
import GaitC
import GaitFormats
import GaitTestSupport
import Testing

/// Every fault of rows and times is named at every door by which it can come in. `python/tests/test_wrong_inputs.py`
/// has them at frames and arrays of Python, whose tables have columns of sensors and people, too.
struct TableFaultDoorTests {
  enum Fault: String, CaseIterable {
    case severalSensors, stackedRecordings, timesGoBack, repeatedTimes, otherRate

    /// Words of which each door says one.
    var words: [String] {
      switch self {
      case .severalSensors: ["the rows are of several sensors or devices, by column sensor"]
      case .stackedRecordings:
        ["the clock was set back", "late samples were dropped", "is not after that of the row before"]
      case .timesGoBack:
        ["sorted 150 rows by time", "late samples were dropped", "is not after that of the row before"]
      case .repeatedTimes:
        ["rows with a repeated time", "late samples were dropped", "is not after that of the row before"]
      case .otherRate: ["but its timestamps give 25 Hz", "the times give 25.0 Hz, but 50.0 Hz is stated"]
      }
    }
  }

  enum Door: String, CaseIterable {
    case file, blocks, folder, archive, live, memory, tracker, interfaceFile, arrays, stream

    /// Why a fault cannot come in by the door; `nil` if it can.
    func reasonWithout(_ fault: Fault) -> String? {
      switch (self, fault) {
      case (.memory, .stackedRecordings), (.memory, .timesGoBack), (.memory, .repeatedTimes):
        "the times of a Recording increase, by precondition"
      case (.memory, .severalSensors), (.tracker, .severalSensors), (.arrays, .severalSensors),
        (.stream, .severalSensors):
        "samples have no column that names a sensor"
      default: nil
      }
    }
  }

  private static let hertz = 50.0

  /// The times in seconds and the total accelerations of a walk with a fault, and the cell of its column of sensors.
  private static func rows(_ fault: Fault?) -> [(seconds: Double, total: SIMD3<Float>, sensor: String)] {
    (0..<1500).flatMap { row -> [(Double, SIMD3<Float>, String)] in
      let step = sin(2 * Float.pi * 1.8 * Float(row) / Float(hertz))
      let total = SIMD3<Float>(0, -0.6, -0.8) + 0.3 * SIMD3(0.2 * step, 0.3, 1) * step
      let even = Double(row) / hertz
      switch fault {
      case .severalSensors:
        return [(even, total, "accelerometer"), (even, 50 * SIMD3(step, 0.1, step), "magnetometer")]
      case .stackedRecordings: return [(Double(row % 750) / hertz, total, "")]
      case .timesGoBack: return [(Double(row % 10 == 4 ? row + 1 : row % 10 == 5 ? row - 1 : row) / hertz, total, "")]
      case .repeatedTimes: return [(Double(row % 10 == 5 ? row - 1 : row) / hertz, total, "")]
      case .otherRate: return [(2 * even, total, "")]
      case nil: return [(even, total, "")]
      }
    }
  }

  private static func text(_ fault: Fault?) -> String {
    let hasSensors = fault == .severalSensors
    return "time_s,\(hasSensors ? "sensor," : "")acc_x_g,acc_y_g,acc_z_g\n"
      + rows(fault).map { row in
        "\(row.seconds),\(hasSensors ? row.sensor + "," : "")\(row.total.x),\(row.total.y),\(row.total.z)\n"
      }.joined()
  }

  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func words(_ door: Door, _ fault: Fault?) throws -> String {
    do {
      return try said(door, fault)
    } catch let error as RecordingError {
      return error.description
    }
  }

  private func said(_ door: Door, _ fault: Fault?) throws -> String {
    let text = Self.text(fault)
    let file = try folder.write(text, to: "walk/walk.csv")
    let rate = SampleRate.hertz(Self.hertz)
    let options = ReadingOptions(sampleRate: rate)
    var tracker = try RunTracker(sampleRate: rate)
    switch door {
    case .file, .folder, .archive:
      let archive = try folder.write(StoredArchive.bytes("walk.csv", text), to: "walk.zip")
      let path = [.file: file, .archive: archive][door] ?? folder.file("walk")
      return try AnnotatedRecording(contentsOf: path, options).recording.repairs.text
    case .blocks:
      return try RecordingBlocks(contentsOf: file, options, blockRows: 400, chunkBytes: 1 << 14)
        .read(begin: { _ in }, append: { _ in }).recording.repairs.text
    case .live:
      var live = try LiveRecording(descriptor: open(file.path, O_RDONLY), name: "lines", options: options)
      while let block = try live.next() {
        for index in 0..<block.count { tracker.append(block[index]) }
      }
      return live.repairs.text + tracker.findings.text + Self.late(live.lateRowCount)
    case .memory:
      return Recording(name: "walk", sampleRate: rate, samples: Self.samples(fault)).findings.text
    case .tracker:
      let events = Self.samples(fault).flatMap { tracker.append($0) }
      let dropped = events.filter { if case .dropped = $0 { true } else { false } }
      #expect(dropped.isEmpty == (tracker.droppedSampleCount == 0))
      return tracker.findings.text + Self.late(tracker.droppedSampleCount)
    case .interfaceFile: return InterfaceCalls.repairs(ofFile: file.path, options: "rate=50")
    case .arrays:
      let recording = pushed { times, values, rows in
        gait_recording_create("walk", Self.hertz, 0, 0xE00, times, values, 3 * rows, rows, 3, 1, 2)
      }
      defer { gait_release(recording) }
      return InterfaceCalls.text { recording == 0 ? gait_error($0, $1) : gait_findings(recording, $0, $1) }
    case .stream:
      let model = gait_model_load("running-linear")
      let stream = gait_stream_create(model, Self.hertz, 0, 0xE00, nil)
      defer { for handle in [model, stream] { gait_release(handle) } }
      let waiting = pushed { gait_stream_push(stream, $0, $1, 3 * $2, $2, 3, 1) }
      return InterfaceCalls.text { waiting < 0 ? gait_error($0, $1) : gait_findings(stream, $0, $1) }
    }

    func pushed<Result>(
      _ call: (UnsafePointer<Int64>, UnsafePointer<Float>, Int64) -> Result
    ) -> Result {
      let rows = Self.rows(fault)
      let times = rows.map { SampleTime.seconds($0.seconds).nanoseconds }
      let values = rows.flatMap { [$0.total.x, $0.total.y, $0.total.z] }
      return times.withUnsafeBufferPointer { times in
        values.withUnsafeBufferPointer { call(times.baseAddress!, $0.baseAddress!, Int64(rows.count)) }
      }
    }
  }

  private static func late(_ count: Int) -> String { count > 0 ? "\(count) late samples were dropped" : "" }

  private static func samples(_ fault: Fault?) -> [MotionSample] {
    var estimator = GravityEstimator(sampleRate: .hertz(hertz))
    return rows(fault).map { estimator.sample(time: .seconds($0.seconds), totalAcceleration: $0.total) }
  }

  @Test(arguments: Fault.allCases, Door.allCases) func `No door is silent about a fault of rows or times`(
    fault: Fault, door: Door
  ) throws {
    guard door.reasonWithout(fault) == nil else { return }
    let words = try words(door, fault)
    #expect(fault.words.contains { words.contains($0) }, "\(fault) at \(door): \(words)")
  }

  @Test(arguments: Door.allCases) func `A table without a fault has no finding`(door: Door) throws {
    let words = try words(door, nil)
    for word in Fault.allCases.flatMap(\.words) { #expect(!words.contains(word), "\(words)") }
  }
}
