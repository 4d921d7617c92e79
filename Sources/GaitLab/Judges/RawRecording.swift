import Foundation
import Gait
import GaitFormats
import GaitTraining

/// How gravity is split from total acceleration.
enum GravitySplit: String, CaseIterable {
  case own
  case ownWithGyroscope = "own, gyroscope"
  case slowLowPass = "low-pass 0.3 Hz"
  case lowPass = "low-pass 0.6 Hz"
  case coreMotion = "Core Motion"
}

/// A recording of total acceleration, whose gravity is still to be split.
struct RawRecording: Sendable {
  let label: String
  let subject: String
  /// The number among the recordings of the person and the label.
  var number = 0
  /// Seconds from the start.
  let times: [Double]
  /// The total acceleration, g.
  let total: [SIMD3<Double>]
  /// The rotation rate, rad/s; NaN where missing.
  let rotation: [SIMD3<Double>]
  /// Gravity as recorded, g; `nil` if it was not.
  let gravity: [SIMD3<Double>]?

  /// A path that tells it from the others of its set.
  var path: String { "\(label)/\(subject)_\(number).csv" }

  /// The recording with its label.
  func labelled(by split: GravitySplit) throws -> LabeledRecording {
    LabeledRecording(recording: try recording(split), label: label, group: subject, path: path)
  }

  /// The recording with gravity by a split: with Gait's own, gravity is estimated as from a file.
  func recording(_ split: GravitySplit) throws -> Recording {
    let gravity: [SIMD3<Double>]? =
      switch split {
      case .own, .ownWithGyroscope: nil
      case .slowLowPass: Self.lowPass(total, times, hertz: 0.3)
      case .lowPass: Self.lowPass(total, times, hertz: 0.6)
      case .coreMotion: self.gravity
      }
    let hasRotation = split == .ownWithGyroscope && rotation.contains { !$0.x.isNaN }
    let missing = SIMD3<Float>(repeating: .nan)
    let samples = times.indices.map { index in
      MotionSample(
        time: SampleTime(nanoseconds: Int64(saturating: (times[index] * 10_000).rounded()) * 100_000),
        attitude: missing,
        gravity: gravity.map { SIMD3<Float>($0[index]) } ?? missing,
        rotationRate: hasRotation ? SIMD3<Float>(rotation[index]) : missing,
        userAcceleration: SIMD3<Float>(total[index] - (gravity?[index] ?? .zero)))
    }
    let sensors: [Sensor] =
      [.userAcceleration] + (gravity == nil ? [] : [.gravity]) + (hasRotation ? [.rotationRate] : [])
    return try RecordingTable.inMemory(named: path, samples, channels: Set(sensors.flatMap(\.channels))).recording()
  }

  /// Readings after a causal low-pass filter of first order, which begins at the first one.
  static func lowPass(_ readings: [SIMD3<Double>], _ times: [Double], hertz: Double) -> [SIMD3<Double>] {
    var low: [SIMD3<Double>] = []
    for (index, reading) in readings.enumerated() {
      guard let last = low.last else {
        low.append(reading)
        continue
      }
      low.append(last + (1 - exp(-2 * .pi * hertz * (times[index] - times[index - 1]))) * (reading - last))
    }
    return low
  }
}

/// Reads the raw recordings of three sets.
struct RawSets {
  let folder: URL

  private static let standardGravity = 9.80665

  /// MotionSense, with gravity as Core Motion split it.
  func motionSense() throws -> [RawRecording] {
    let labels = [
      "jog": "running", "wlk": "walking", "ups": "walking", "dws": "walking", "sit": "still", "std": "still",
    ]
    let files = try files("motionsense", "{label}_{trial}/sub_{subject}.csv").sorted { $0.path < $1.path }
    let recordings = try files.mappedConcurrently(showing: "file") { file in
      let rows = try Self.numbers(in: file.url, from: 1, skipping: 1)
      func vectors(_ first: Int) -> [SIMD3<Double>] { rows.map { SIMD3($0[first], $0[first + 1], $0[first + 2]) } }
      let gravity = vectors(3)
      return RawRecording(
        label: labels[file.fields["label"]!]!, subject: file.fields["subject"]!,
        times: rows.indices.map { Double($0) / 50 }, total: zip(gravity, vectors(9)).map { $0 + $1 },
        rotation: vectors(6), gravity: gravity)
    }
    return Self.numbered(recordings)
  }

  /// DSADS at the torso: its segments of 5 s make one recording.
  func torsos() throws -> [RawRecording] {
    let labels = [
      "01": "still", "02": "still", "05": "walking", "06": "walking", "09": "walking", "10": "walking",
      "11": "walking", "12": "running",
    ]
    let segments = try files("dsads", "a{label}/p{subject}/s{segment}.txt").filter {
      labels[$0.fields["label"]!] != nil
    }
    let recordings = Dictionary(grouping: segments) { [$0.fields["label"]!, $0.fields["subject"]!] }
    let ordered = recordings.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    return Self.numbered(
      try ordered.map { key, segments in
        let rows = try segments.flatMap { try Self.numbers(in: $0.url, from: 0, skipping: 0) }
        return RawRecording(
          label: labels[key[0]]!, subject: key[1],
          times: rows.indices.map { Double($0) / 25 },
          total: rows.map { SIMD3($0[0], $0[1], $0[2]) / Self.standardGravity },
          rotation: rows.map { SIMD3($0[3], $0[4], $0[5]) }, gravity: nil)
      })
  }

  /// WISDM's watches.
  func watches() throws -> [RawRecording] {
    let gyroscopes = try files("wisdm/watch/gyro", "data_{subject}_gyro_watch.txt")
    let turns = Dictionary(uniqueKeysWithValues: gyroscopes.map { ($0.fields["subject"]!, $0.url) })
    let parts = try files("wisdm/watch/accel", "data_{subject}_accel_watch.txt")
      .mappedConcurrently(showing: "file") { file in
        let subject = file.fields["subject"]!
        return try Self.watch(of: subject, Self.readings(in: file.url), turns[subject].map(Self.readings) ?? [])
      }
    return Self.numbered(parts.flatMap { $0 })
  }

  /// The recordings of one watch, one for each activity.
  private static func watch(of subject: String, _ readings: [Reading], _ turns: [Reading]) -> [RawRecording] {
    let labels = [("A", "walking"), ("B", "running"), ("C", "walking"), ("D", "still"), ("E", "still")]
    return labels.compactMap { activity, label in
      let all = readings.filter { $0.activity == activity }
      let own = all.indices.filter { $0 == 0 || all[$0].time > all[$0 - 1].time }.map { all[$0] }
      guard let start = own.first?.time else { return nil }
      return RawRecording(
        label: label, subject: subject, times: own.map { $0.time - start },
        total: own.map { $0.value / standardGravity }, rotation: own.map { turn(at: $0.time, in: turns) }, gravity: nil)
    }
  }

  /// The recordings with numbers, which tell those of one person and label apart.
  private static func numbered(_ recordings: [RawRecording]) -> [RawRecording] {
    var counts: [[String]: Int] = [:]
    return recordings.map { recording in
      var recording = recording
      let key = [recording.label, recording.subject]
      recording.number = counts[key, default: 0]
      counts[key, default: 0] += 1
      return recording
    }
  }

  private func files(_ set: String, _ layout: String) throws -> [FolderListing.File] {
    try FolderListing(directory: folder.appending(path: set), layout: PathLayout(layout)).files
  }

  /// The numbers of the rows of comma-separated values, NaN for an empty cell.
  private static func numbers(in file: URL, from column: Int, skipping header: Int) throws -> [[Double]] {
    try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline).dropFirst(header).map { row in
      row.split(separator: ",", omittingEmptySubsequences: false).dropFirst(column).map { Double($0) ?? .nan }
    }
  }

  /// A reading of a watch.
  private struct Reading {
    var time: Double
    var activity: String
    var value: SIMD3<Double>
  }

  /// The readings in order of time.
  private static func readings(in file: URL) throws -> [Reading] {
    let lines = try String(contentsOf: file, encoding: .utf8).split { $0 == ";" || $0.isNewline }
    return lines.compactMap { line -> Reading? in
      let cells = line.split(separator: ",")
      guard cells.count == 6, let time = Double(cells[2]) else { return nil }
      let value = cells[3...].map { Double($0) ?? .nan }
      return Reading(time: time / 1e9, activity: String(cells[1]), value: SIMD3(value[0], value[1], value[2]))
    }.sorted { one, other in
      (one.time, one.activity, one.value.x, one.value.y, one.value.z)
        < (other.time, other.activity, other.value.x, other.value.y, other.value.z)
    }
  }

  /// The first reading of a gyroscope after a time, if it is within 0.1 s; else NaN.
  private static func turn(at time: Double, in readings: [Reading]) -> SIMD3<Double> {
    let next = readings.partitionIndex { $0.time <= time }
    guard let reading = readings[next...].first ?? readings.last, abs(reading.time - time) < 0.1
    else { return SIMD3(repeating: .nan) }
    return reading.value
  }
}
