import CGait
import Foundation
import Gait
import GaitC
import GaitFormats
import GaitTestSupport
import Testing

/// Every fault of a signal is named at every door by which it can come in.
struct FaultDoorTests {
  /// A fault, and a word of what is said of it.
  enum Fault: String, CaseIterable {
    case metersPerSecond, counts, milligravity, degrees, fewAccelerations, stillGyroscope, noGravity

    /// Words of which each door says one.
    var words: [String] {
      switch self {
      case .metersPerSecond, .counts: ["neither rest nor movement", "is 1 g"]
      // A total without gravity has no direction, so the samples that a `GravityEstimator` makes of it are missing.
      case .milligravity: ["is 1 g", "% of the values of userAcceleration are missing", "neither rest nor movement"]
      case .noGravity:
        ["read as linear", "% of the values of userAcceleration are missing", "neither rest nor movement"]
      case .degrees: ["more than sensors measure"]
      case .fewAccelerations: ["% of the values of userAcceleration are missing"]
      case .stillGyroscope: ["rotationRate has the same value throughout"]
      }
    }
  }

  private static let (hertz, rows) = (50.0, 1500)

  /// The total acceleration and the rotation of a walk with a fault; the gravity is (0, −0.6, −0.8) g.
  private static func reading(_ row: Int, _ fault: Fault?) -> (total: SIMD3<Float>, rotation: SIMD3<Float>) {
    let step = sin(2 * Float.pi * 1.8 * Float(row) / Float(hertz))
    let user = 0.3 * SIMD3(0.2 * step, 0.3, 1) * step
    let gravity = fault == .noGravity ? SIMD3<Float>.zero : SIMD3<Float>(0, -0.6, -0.8)
    var (total, rotation) = (gravity + user, SIMD3<Float>(0.5 * step, 0.1, 0.2 - step))
    switch fault {
    case .metersPerSecond: total *= 9.80665
    case .counts: total *= 64
    case .milligravity: total /= 1000
    case .degrees: rotation *= 180 / .pi
    case .fewAccelerations: if row % 3 != 0 { total = SIMD3(repeating: .nan) }
    case .stillGyroscope: rotation = .zero
    case .noGravity, nil: break
    }
    return (total, rotation)
  }

  /// The signal as text, as samples with estimated gravity, and as samples whose user acceleration is the total.
  private static func text(_ fault: Fault?) -> String {
    func cell(_ value: Float) -> String { value.isNaN ? "" : "\(value)" }
    return "time_s,acc_x_g,acc_y_g,acc_z_g,gyro_x (rad/s),gyro_y (rad/s),gyro_z (rad/s)\n"
      + (0..<rows).map { row in
        let (total, rotation) = reading(row, fault)
        let values = [total.x, total.y, total.z, rotation.x, rotation.y, rotation.z].map(cell)
        return "\(Double(row) / hertz)," + values.joined(separator: ",") + "\n"
      }.joined()
  }

  private static func samples(_ fault: Fault?) -> [MotionSample] {
    var estimator = GravityEstimator(sampleRate: .hertz(hertz))
    return (0..<rows).map { row in
      let (total, rotation) = reading(row, fault)
      return estimator.sample(
        time: .seconds(Double(row) / hertz), totalAcceleration: total, rotationRate: rotation)
    }
  }

  // MARK: Doors

  enum Door: String, CaseIterable {
    case file, blocks, folder, live, memory, tracker, arrays, totalArrays, stream
  }

  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// What a door says of the signal.
  private func words(_ door: Door, _ fault: Fault?) throws -> String {
    do {
      return try said(door, fault)
    } catch let error as RecordingError {
      return error.description
    }
  }

  private func said(_ door: Door, _ fault: Fault?) throws -> String {
    let file = try folder.write(Self.text(fault), to: "walk/walk.csv")
    var tracker = try RunTracker(sampleRate: .hertz(Self.hertz))
    switch door {
    case .file, .folder:
      let read = try AnnotatedRecording(contentsOf: door == .file ? file : folder.file("walk")).recording
      return read.repairs.text + read.findings.text
    case .blocks:
      // Blocks and lines are judged by who takes their samples.
      let summary = try RecordingBlocks(contentsOf: file, blockRows: 400, chunkBytes: 1 << 14)
        .read(begin: { _ in }, append: { Self.append($0.recording, to: &tracker) })
      return summary.recording.repairs.text + tracker.findings.text
    case .live:
      var live = try LiveRecording(descriptor: open(file.path, O_RDONLY), name: "lines")
      while let block = try live.next() { Self.append(block, to: &tracker) }
      return live.repairs.text + tracker.findings.text
    case .memory:
      return Recording(name: "walk", sampleRate: .hertz(Self.hertz), samples: Self.samples(fault)).findings.text
    case .tracker:
      for sample in Self.samples(fault) { tracker.append(sample) }
      return tracker.findings.text
    case .arrays: return findings(of: recording(Self.samples(fault), estimatesGravity: false))
    case .totalArrays:
      let totals = (0..<Self.rows).map { row in
        let (total, rotation) = Self.reading(row, fault)
        return MotionSample(
          time: .seconds(Double(row) / Self.hertz), gravity: SIMD3(repeating: .nan), rotationRate: rotation,
          userAcceleration: total)
      }
      return findings(of: recording(totals, estimatesGravity: true))
    case .stream:
      let model = gait_model_load("running")
      let stream = gait_stream_create(model, Self.hertz, 0, 0xFF8, nil)
      let samples = recording(Self.samples(fault), estimatesGravity: false)
      var values = [Float](repeating: .nan, count: 12 * Self.rows)
      _ = gait_recording_copy(samples, 0, Int64(Self.rows), &values, Int64(values.count), nil, 0)
      let channels = values.indices.filter { $0 % 12 >= 3 }.map { values[$0] }
      _ = channels.withUnsafeBufferPointer {
        gait_stream_push(stream, nil, $0.baseAddress!, Int64($0.count), Int64(Self.rows), 9, 1)
      }
      defer { for handle in [model, stream, samples] { gait_release(handle) } }
      return findings(of: stream, releases: false)
    }
  }

  private static func append(_ recording: Recording, to tracker: inout RunTracker) {
    for index in 0..<recording.count { tracker.append(recording[index]) }
  }

  /// The samples as a recording of the C interface, without attitude.
  private func recording(_ samples: [MotionSample], estimatesGravity: Bool) -> UInt64 {
    let channels = Channel.allCases.filter { $0.sensor != .attitude && !(estimatesGravity && $0.sensor == .gravity) }
    let mask = channels.reduce(UInt32(0)) { $0 | 1 << UInt32(Channel.allCases.firstIndex(of: $1)!) }
    let values = samples.flatMap { sample in channels.map { sample[$0] } }
    return values.withUnsafeBufferPointer {
      gait_recording_create(
        "walk", Self.hertz, 0, mask, nil, $0.baseAddress!, Int64($0.count), Int64(samples.count), Int64(channels.count),
        1,
        estimatesGravity ? 2 : 1)
    }
  }

  private func findings(of handle: UInt64, releases: Bool = true) -> String {
    defer { if releases { gait_release(handle) } }
    return InterfaceCalls.text { gait_findings(handle, $0, $1) }
  }

  @Test(arguments: Fault.allCases, Door.allCases) func `No door is silent about a fault`(fault: Fault, door: Door)
    throws
  {
    let words = try words(door, fault)
    #expect(fault.words.contains { words.contains($0) }, "\(fault) at \(door): \(words)")
  }

  @Test(arguments: Door.allCases) func `A walk without a fault has no finding`(door: Door) throws {
    let words = try words(door, nil)
    for word in Fault.allCases.flatMap(\.words) { #expect(!words.contains(word), "\(words)") }
  }
}

extension [Repair] {
  fileprivate var text: String { map(\.description).joined(separator: "; ") }
}

extension [SignalFinding] {
  fileprivate var text: String { map(\.description).joined(separator: "; ") }
}
