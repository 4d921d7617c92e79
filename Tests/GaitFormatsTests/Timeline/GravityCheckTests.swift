import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

/// The check that the total acceleration includes gravity.
struct GravityCheckTests {
  private static func table(_ total: [SIMD3<Float>], format: RecordingFormat = .accelerometer) -> RecordingTable {
    RecordingTable(
      name: "run.csv", format: format, channels: Set(Sensor.userAcceleration.channels),
      rows: total.map { MotionSample(time: .seconds(0), gravity: SIMD3(repeating: .nan), userAcceleration: $0).row },
      accelerationIncludesGravity: true)
  }

  /// Whether rows with this acceleration are read as linear.
  private static func isLinear(_ total: [SIMD3<Float>], hertz: Double) throws -> Bool {
    let recording = try table(total).recording(sampleRate: .hertz(hertz))
    let hasNone = !recording.channels.contains(.gravityX)
    let isSaid = recording.repairs.contains {
      if case .assumedAcceleration(includesGravity: false, _) = $0 { true } else { false }
    }
    #expect(isSaid == hasNone)
    #expect(recording.gravityIsEstimated != hasNone)
    return hasNone
  }

  @Test func `An acceleration without gravity is linear, however strong, and one with gravity never is`() throws {
    for strength: Float in [0.01, 0.3, 2] {
      let user = (0..<1000).map { row -> SIMD3<Float> in
        strength * SIMD3(sin(Float(row) * 0.33), cos(Float(row) * 0.33), sin(Float(row) * 0.17))
      }
      #expect(try Self.isLinear(user, hertz: 50))
      #expect(try !Self.isLinear(user.map { $0 + SIMD3(0, -1, 0) }, hertz: 50))
    }
    // Turns round every four seconds.
    let turning = (0..<1000).map { row -> SIMD3<Float> in [sin(Float(row) * 0.0314), cos(Float(row) * 0.0314), 0] }
    #expect(try !Self.isLinear(turning, hertz: 50))
    // Too short for the check.
    #expect(try !Self.isLinear(Array(repeating: .zero, count: 200), hertz: 50))
  }

  @Test(arguments: [(0.49, true), (0.5, false), (8, false), (8.01, true)] as [(Float, Bool)])
  func `A mean length of half to eight g is no sign of another unit, bounds included`(mean: Float, isSuspect: Bool) {
    var lengths = GravityCheck.Lengths()
    let sample = MotionSample(
      time: .seconds(0), gravity: SIMD3(repeating: .nan), userAcceleration: SIMD3(0, mean, 0))
    lengths.append(Array(repeating: sample.row, count: 10), of: .userAcceleration)
    #expect(lengths.repairs.isEmpty != isSuspect)
  }

  @Test func `An acceleration of zeros, or of gravity in another unit, is refused`() throws {
    let walk = (0..<1000).map { row in SIMD3<Float>(0.05 * sin(Float(row) * 0.2), -1, 0.3 * cos(Float(row) * 0.2)) }
    for total in [Array(repeating: .zero, count: 1000), walk.map { $0 / 9.80665 }, walk.map { $0 / 1000 }] {
      let error = #expect(throws: RecordingError.self) { try Self.table(total).recording(sampleRate: .hertz(50)) }
      guard case .withoutGravity(file: "run.csv", mean: _)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  @Test func `The caller's statement decides before the numbers, and a wrong name does not decide`() throws {
    let linear = (0..<1000).map { SIMD3<Float>(0, 0.5 * sin(Float($0) * 0.3), 0.3) }
    let total = linear.map { $0 + SIMD3(0, -1, 0) }
    for (values, name, stated, isLinear) in [
      (linear, true, nil, true), (linear, true, true, false), (total, false, nil, false), (total, false, false, true),
      (total, true, nil, false), (linear, false, nil, true),
    ] as [([SIMD3<Float>], Bool, Bool?, Bool)] {
      var table = Self.table(values)
      (table.accelerationIncludesGravity, table.statedGravity) = (name, stated)
      let recording = try table.recording(sampleRate: .hertz(50))
      #expect(recording.channels.contains(.gravityX) == !isLinear, "\(name) \(String(describing: stated))")
      #expect(recording.repairs.isEmpty == (isLinear && (!name || stated != nil)) || !isLinear)
    }
  }

  @Test func `Seconds of zeros are missing values, not a rest`() throws {
    let walk = (0..<1000).map { SIMD3<Float>(0.3 * sin(Float($0) * 0.3), -1, 0.2 * cos(Float($0) * 0.3)) }
    let padded = walk.indices.map { $0 % 250 >= 200 ? SIMD3<Float>.zero : walk[$0] }
    #expect(try !Self.isLinear(padded, hertz: 50))
    #expect(try Self.isLinear(padded.map { $0 == .zero ? .zero : $0 - SIMD3(0, -1, 0) }, hertz: 50))
  }

  @Test func `A rest of two seconds decides, where the mean of all does not`() throws {
    // A linear acceleration with an offset while it moves.
    let moving = (0..<1000).map { SIMD3<Float>(0, 0.9 * sin(Float($0) * 0.3) + 0.6, 0) }
    #expect(try !Self.isLinear(moving, hertz: 50))
    let resting = (0..<200).map { SIMD3<Float>(0.002 * sin(Float($0)), 0.003, 0) }
    #expect(try Self.isLinear(moving + resting, hertz: 50))
  }

  @Test(.requiresRealData, .requiresOptimization)
  func `Real recordings without gravity are linear, and those with gravity are not`() throws {
    var refused: [String: (total: Int, user: Int, of: Int)] = [:]
    for (name, folder, hertz) in [
      ("MotionSense", RealData.motionSense, 50.0), ("BoostRunClub", RealData.boostRunClub, 10),
    ] {
      for file in try RealData.recordings(in: folder) {
        let rows = try RecordingTable(contentsOf: file).rows.map { MotionSample(time: .seconds(0), row: $0) }
        var counts = refused[name] ?? (0, 0, 0)
        if try Self.isLinear(rows.map { $0.gravity + $0.userAcceleration }, hertz: hertz) { counts.total += 1 }
        if try Self.isLinear(rows.map(\.userAcceleration), hertz: hertz) { counts.user += 1 }
        counts.of += 1
        refused[name] = counts
      }
    }
    let motionSense = try #require(refused["MotionSense"])
    #expect(motionSense.total == 0, "\(motionSense)")
    #expect(motionSense.user >= 175, "\(motionSense)")
    #expect(motionSense.of == 180, "\(motionSense)")
    let boostRunClub = try #require(refused["BoostRunClub"])
    #expect(boostRunClub.total == 0, "\(boostRunClub)")
    #expect(boostRunClub.user >= 92, "\(boostRunClub)")
    #expect(boostRunClub.of == 98, "\(boostRunClub)")
  }

  @Test(.requiresRealData, .requiresOptimization) func `No excerpt of ten seconds of a real accelerometer is linear`()
    throws
  {
    let data = try #require(RealData.directory)
    var count = 0
    func check(_ total: [SIMD3<Float>], hertz: Int, _ name: String) throws {
      #expect(try !Self.isLinear(total, hertz: Double(hertz)), "\(name)")
      for start in stride(from: 0, through: total.count - 10 * hertz, by: 10 * hertz) {
        let excerpt = Array(total[start..<start + 10 * hertz])
        #expect(try !Self.isLinear(excerpt, hertz: Double(hertz)), "\(name) from row \(start)")
        count += 1
      }
    }
    func numbers(_ line: Substring) -> [Float] { line.split { ",; ".contains($0) }.map { Float($0) ?? .nan } }
    for file in try FileManager.default.subpathsOfDirectory(atPath: data.path).sorted() {
      let isWisdm = file.hasPrefix("wisdm/") && file.contains("/accel/")
      guard isWisdm || file.hasPrefix("steps/") && !file.hasSuffix("counted.csv") && file.hasSuffix(".csv") else {
        continue
      }
      let text = try String(contentsOf: data.appending(path: file), encoding: .utf8)
      let lines = text.split(whereSeparator: \.isNewline)
      let activities = Dictionary(grouping: lines) { isWisdm ? String($0.split(separator: ",")[1]) : "" }
      for (activity, lines) in activities.sorted(by: { $0.key < $1.key }) {
        let total = lines.map(numbers).compactMap { cells in
          cells.count < 5
            ? nil : SIMD3(cells[cells.count - 3], cells[cells.count - 2], cells[cells.count - 1]) / 9.80665
        }
        try check(total, hertz: isWisdm ? 20 : 100, file + activity)
      }
    }
    #expect(count > 4000)
  }

  /// A runner's total acceleration and acceleration without gravity, the second some milliseconds late.
  private static func late(by milliseconds: Double) -> RecordingTable {
    func total(_ t: Double) -> SIMD3<Double> {
      let beat = sin(2 * .pi * 2.7 * t)
      return SIMD3(0.4 * beat + 1.2 * sin(2 * .pi * 13 * t), -1 - 1.5 * beat * beat * beat + sin(2 * .pi * 17 * t), 0.2)
    }
    let gravity = SIMD3(0.0, -1, 0)
    let rows = (0..<2000).map { row in
      let t = Double(row) / 100
      let user = total(t - milliseconds / 1000) - gravity
      return MotionSample(
        time: .seconds(0), gravity: SIMD3<Float>(total(t) - user), userAcceleration: SIMD3<Float>(user)
      ).row
    }
    return RecordingTable(
      name: "run.zip", format: .phyphox, channels: Set(Sensor.gravity.channels + Sensor.userAcceleration.channels),
      rows: rows, gravityIsDifference: true)
  }

  @Test(arguments: [4.0, 6, 8])
  func `Gravity from accelerations that are not simultaneous is replaced by an estimate`(
    milliseconds: Double
  ) throws {
    let recording = try Self.late(by: milliseconds).recording(sampleRate: .hertz(100))
    let lengths = (0..<recording.count).map { row in
      let gravity = recording[row].gravity
      return (gravity * gravity).sum().squareRoot()
    }
    #expect(lengths.allSatisfy { abs($0 - 1) < 1e-3 })
    #expect(recording.gravityIsEstimated)
    guard case .replacedGravity(let least, let greatest)? = recording.repairs.first else {
      Issue.record("\(recording.repairs)")
      return
    }
    #expect(least < 0.8)
    #expect(greatest > 1.2)
    let even = try Self.late(by: 0).recording(sampleRate: .hertz(100))
    #expect(even.repairs == [])
    #expect(!even.gravityIsEstimated)
  }

  @Test(arguments: [false, true])
  func `Gravity is subtracted only from an acceleration that includes it`(includesGravity: Bool) throws {
    let motion = SyntheticMotion(count: 1500)
    let total: [Channel] = [.userAccelerationX, .userAccelerationY, .userAccelerationZ]
    let gravity: [Channel] = [.gravityX, .gravityY, .gravityZ]
    let text = motion.table("time_ns,acc_x_g,acc_y_g,acc_z_g,gravity_x_g,gravity_y_g,gravity_z_g") { index in
      ["\(motion.times[index])"]
        + zip(total, gravity).map { "\(motion.value($0, index) + (includesGravity ? motion.value($1, index) : 0))" }
        + gravity.map { "\(motion.value($0, index))" }
    }
    let fixture = try FormatFixture()
    try fixture.folder.write(text, to: "walk.csv")
    let read = try AnnotatedRecording(contentsOf: fixture.url("walk.csv")).recording
    for channel in total {
      #expect(zip(read[channel], 0..<1500).allSatisfy { abs(Double($0) - motion.value(channel, $1)) < 1e-6 })
    }
    #expect(read.repairs == [.assumedSigns] + (includesGravity ? [] : [.keptAccelerationWithoutGravity]))
    var blocks: [Float] = []
    _ = try RecordingBlocks(contentsOf: fixture.url("walk.csv"), blockRows: 200, chunkBytes: 4000).read { _ in
      blocks = []
    } append: {
      blocks += $0.recording[.userAccelerationZ]
    }
    #expect(blocks == read[.userAccelerationZ])
  }

  @Test func `A reading too small to have gravity is missing and listed`() throws {
    var total = [SIMD3<Float>](repeating: SIMD3(0, 0, -1), count: 2000)
    for row in 500..<900 { total[row] = .zero }
    let read = try AnnotatedRecording(Self.table(total), sampleRate: .hertz(50))
    let lost = (0..<2000).filter { read.recording[$0].gravity.x.isNaN }
    try #require(lost.count > 200)
    #expect(read.missingRows == [lost[0]..<lost[lost.count - 1] + 1])
  }
}
