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
    case metersPerSecond, counts, milligravity, degrees, fewAccelerations, stillGyroscope, noGravity, zeroGravity
    case otherScale, missingAxis, infinite, totalAsUser

    /// Words of which each door says one.
    var words: [String] {
      switch self {
      case .metersPerSecond, .counts: ["neither rest nor movement", "is 1 g"]
      // A total without gravity has no direction, so the samples that a `GravityEstimator` makes of it are missing.
      case .milligravity: ["is 1 g", "% of the values of userAcceleration are missing", "neither rest nor movement"]
      case .noGravity:
        ["read as linear", "% of the values of userAcceleration are missing", "neither rest nor movement"]
      case .degrees: ["more than sensors measure"]
      case .fewAccelerations, .infinite: ["% of the values of userAcceleration are missing"]
      case .zeroGravity:
        [
          "gravity has the same value throughout", "neither rest nor movement",
          "% of the values of userAcceleration are missing",
        ]
      case .otherScale: ["at rest, where gravity alone is 1 g"]
      case .missingAxis: ["column acc_z is missing", "% of the values of userAcceleration are missing"]
      case .totalAsUser: ["read as total acceleration", "gravity is included"]
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
    case .otherScale: total = 2 * gravity + 0.02 * user
    case .missingAxis: total.z = .nan
    case .infinite: if row % 3 != 0 { total.x = .infinity }
    case .zeroGravity: total = user
    case .noGravity, .totalAsUser, nil: break
    }
    return (total, rotation)
  }

  /// The signal as text, as samples with estimated gravity, and as samples whose user acceleration is the total.
  private static func text(_ fault: Fault?) -> String {
    func cell(_ value: Float) -> String { value.isNaN ? "" : "\(value)" }
    let isLinear = fault == .totalAsUser || fault == .zeroGravity
    let prefix = isLinear ? "linear_acceleration" : "acc"
    var names =
      ["time_s"] + ["x", "y", "z"].map { "\(prefix)_\($0)_g" } + ["x", "y", "z"].map { "gyro_\($0) (rad/s)" }
    if fault == .zeroGravity { names += ["x", "y", "z"].map { "gravity_\($0)_g" } }
    let skipped = fault == .missingAxis ? 3 : names.count
    let table = (0..<rows).map { row in
      let (total, rotation) = reading(row, fault)
      let values = [total.x, total.y, total.z, rotation.x, rotation.y, rotation.z] + [0, 0, 0]
      return ["\(Double(row) / hertz)"] + values.map(cell).prefix(names.count - 1)
    }
    return ([names] + table).map { cells in
      cells.indices.filter { $0 != skipped }.map { cells[$0] }.joined(separator: ",") + "\n"
    }.joined()
  }

  private static func samples(_ fault: Fault?) -> [MotionSample] {
    var estimator = GravityEstimator(sampleRate: .hertz(hertz))
    return (0..<rows).map { row in
      let ((total, rotation), time) = (reading(row, fault), SampleTime.seconds(Double(row) / hertz))
      if fault == .zeroGravity || fault == .totalAsUser {
        let gravity = SIMD3<Float>(repeating: fault == .zeroGravity ? 0 : .nan)
        return MotionSample(time: time, gravity: gravity, rotationRate: rotation, userAcceleration: total)
      }
      return estimator.sample(time: time, totalAcceleration: total, rotationRate: rotation)
    }
  }

  // MARK: Doors

  enum Door: String, CaseIterable {
    case file, blocks, folder, archive, live, memory, tracker, interfaceFile, arrays, totalArrays, stream

    /// Why a fault cannot come in by the door; `nil` if it can.
    func reasonWithout(_ fault: Fault) -> String? {
      self == .totalArrays && fault == .totalAsUser ? "the caller states that gravity is included" : nil
    }
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
    case .file, .folder, .archive:
      let archive = try folder.write(StoredArchive.bytes("walk.csv", Self.text(fault)), to: "walk.zip")
      let read = try AnnotatedRecording(contentsOf: [.file: file, .archive: archive][door] ?? folder.file("walk"))
        .recording
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
    case .interfaceFile: return InterfaceCalls.repairs(ofFile: file.path)
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
    guard door.reasonWithout(fault) == nil else { return }
    let words = try words(door, fault)
    #expect(fault.words.contains { words.contains($0) }, "\(fault) at \(door): \(words)")
  }

  @Test(arguments: Door.allCases) func `A walk without a fault has no finding`(door: Door) throws {
    let words = try words(door, nil)
    for word in Fault.allCases.flatMap(\.words) { #expect(!words.contains(word), "\(words)") }
  }
}

extension InterfaceCalls {
  /// The repairs of a file that the C interface reads, or its error.
  static func repairs(ofFile path: String, options: String = "") -> String {
    let recording = gait_recording_read(path, options)
    defer { gait_release(recording) }
    return text { recording == 0 ? gait_error($0, $1) : gait_describe(recording, $0, $1) }
  }
}

extension [Repair] {
  var text: String { map(\.description).joined(separator: "; ") }
}

extension [SignalFinding] {
  var text: String { map(\.description).joined(separator: "; ") }
}
