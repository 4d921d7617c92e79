import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

@testable import GaitTraining

/// Altered copies of the simulated recordings: a short version of the table of `gait-lab judge copies`.
struct DuplicatesDisturbedTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "datasets/simulated")

  private static func simulated(subjects: [String]? = nil) throws -> LabeledDataset {
    try LabeledDataset(
      directory: folder, layout: "{label}/sub_{subject}.csv", sampleRate: .hertz(50),
      only: subjects.map { [RecordingFilter(field: "subject", values: $0)] } ?? [])
  }

  /// An alteration of the columns of a copy.
  enum Change: CaseIterable {
    case none, noise, rounding, everyTwentieth, randomRows, excerpt, excerptWithNoiseAndRowsDropped
    case noAttitude, noRotation, userAccelerationOnly, bareAccelerometer, bareExcerpt

    /// Whether the fingerprints of a card, which are of total acceleration, match the copy.
    var isKnownByCard: Bool { self != .userAccelerationOnly }

    func apply(to columns: [Channel: [Float]], rate: Int, seed: UInt64) -> [Channel: [Float]] {
      var generator = SplitMix64(seed: seed)
      let excerpt = 301..<301 + 10 * rate
      switch self {
      case .none: return columns
      case .noise: return columns.noisy(1e-6, &generator)
      case .rounding: return columns.mapValues { $0.map { ($0 * 1e4).rounded() / 1e4 } }
      case .everyTwentieth: return columns.keeping { !$0.isMultiple(of: 20) }
      case .randomRows: return columns.keeping { _ in Int.random(in: 0..<20, using: &generator) > 0 }
      case .excerpt: return columns.keeping { excerpt ~= $0 }
      case .excerptWithNoiseAndRowsDropped:
        return columns.keeping { excerpt ~= $0 && !$0.isMultiple(of: 20) }.noisy(1e-6, &generator)
      case .noAttitude: return columns.filter { $0.key.sensor != .attitude }
      case .noRotation: return columns.filter { $0.key.sensor == .gravity || $0.key.sensor == .userAcceleration }
      case .userAccelerationOnly: return columns.filter { $0.key.sensor == .userAcceleration }
      case .bareAccelerometer: return columns.bare
      case .bareExcerpt: return columns.keeping { excerpt ~= $0 }.bare
      }
    }
  }

  /// The recordings that are altered, few enough for debug builds.
  private static let few = ["1", "2", "7"]

  private static func changed(_ labeled: LabeledRecording, _ columns: [Channel: [Float]]) -> LabeledRecording {
    LabeledRecording(
      recording: Recording(name: "copy", sampleRate: labeled.recording.sampleRate, columns: columns),
      label: labeled.label, path: labeled.path)
  }

  @Test("an altered copy is detected, and nothing else is", .requiresOptimization, arguments: Change.allCases)
  func changes(change: Change) throws {
    let dataset = try Self.simulated(subjects: Self.few)
    let copies = LabeledDataset(
      dataset.recordings.enumerated().map { index, labeled in
        Self.changed(labeled, change.apply(to: labeled.recording.columns, rate: 50, seed: UInt64(index)))
      })
    let leaks = copies.leaks(from: dataset)
    #expect(leaks == dataset.recordings.map { Leak(path: $0.path, sources: [$0.path]) }.sortedByPath(of: copies))
    let card = RecordingFingerprint(text: dataset.fingerprints)
    let known = copies.contents(named: { $0 }).filter(card.matches).count
    if change.isKnownByCard { #expect(known >= copies.recordings.count * 3 / 4, "\(known)") }
  }

  @Test(
    "copies of people's recordings are found as well", .requiresOptimization, .requiresRealData,
    arguments: [Change.randomRows, .excerptWithNoiseAndRowsDropped, .bareExcerpt])
  func people(change: Change) throws {
    let dataset = try LabeledDataset(
      directory: RealData.boostRunClub, layout: "{label}/{recording}.csv", sampleRate: .hertz(10))
    let copies = LabeledDataset(
      dataset.recordings.enumerated().map { index, labeled in
        Self.changed(labeled, change.apply(to: labeled.recording.columns, rate: 10, seed: UInt64(index)))
      })
    let twins = Dictionary(uniqueKeysWithValues: dataset.duplicates.copies.flatMap { set in set.map { ($0, set) } })
    for leak in copies.leaks(from: dataset) { #expect(leak.sources == twins[leak.path] ?? [leak.path]) }
    #expect(copies.leaks(from: dataset).count == 98)
    let card = RecordingFingerprint(text: dataset.fingerprints)
    #expect(copies.contents(named: { $0 }).count(where: card.matches) >= 98 * 3 / 4)
  }

  @Test("a copy with one channel zeroed is detected", .requiresOptimization, arguments: Channel.allCases)
  func zeroedChannel(channel: Channel) throws {
    let dataset = try Self.simulated(subjects: Self.few)
    let copies = LabeledDataset(
      dataset.recordings.map { labeled in
        var columns = labeled.recording.columns
        columns[channel] = columns[channel]!.map { _ in 0 }
        return Self.changed(labeled, columns)
      })
    #expect(copies.leaks(from: dataset).count == dataset.recordings.count)
    #expect(copies.leaks(from: dataset).allSatisfy { $0.sources == [$0.path] })
  }

  @Test("separately simulated recordings share no rows, and a card matches none of another seed")
  func noFalseAlarms() throws {
    let dataset = try Self.simulated()
    #expect(dataset.duplicates.isEmpty, "\(dataset.duplicates.overlaps)")
    let subjects = dataset.groups
    let learned = LabeledDataset(dataset.recordings.filter { $0.group == subjects[0] })
    let others = LabeledDataset(dataset.recordings.filter { $0.group != subjects[0] })
    let card = RecordingFingerprint(text: learned.fingerprints)
    #expect(!others.contents(named: { $0 }).contains(where: card.matches))
  }

  @Test("every recording has fingerprints, for any number of recordings", arguments: [1, 3, 300, 8193, 100_000])
  func fingerprintCounts(recordings: Int) {
    let seconds = (0..<recordings).map { Double($0 % 7 * 100) }
    let counts = RecordingFingerprint.counts(forSeconds: seconds)
    #expect(counts.count == recordings && counts.allSatisfy { $0 >= 2 })
    #expect(counts.reduce(0, +) <= max(8192, 2 * recordings))
    if recordings == 3 { #expect(counts == [2, 25, 50]) }
  }

  @Test("fingerprints parse from their text, eight characters each")
  func fingerprintText() throws {
    let contents = try Self.simulated().contents(named: { $0 })
    let fingerprint = RecordingFingerprint(of: contents)
    #expect((100...168).contains(fingerprint.hashes.count), "\(fingerprint.hashes.count)")
    #expect(fingerprint.text.utf8.count == 2 + 8 * fingerprint.hashes.count)
    #expect(RecordingFingerprint(text: fingerprint.text).hashes == fingerprint.hashes)
    #expect(contents.allSatisfy(fingerprint.matches))
  }
}

extension Recording {
  fileprivate var columns: [Channel: [Float]] {
    Dictionary(uniqueKeysWithValues: channels.map { ($0, self[$0]) })
  }
}

extension [Leak] {
  /// In the order of a dataset's paths.
  fileprivate func sortedByPath(of dataset: LabeledDataset) -> [Leak] {
    let order = Dictionary(
      uniqueKeysWithValues: dataset.contents(named: { $0 }).map(\.path).enumerated().map { ($1, $0) })
    return sorted { order[$0.path]! < order[$1.path]! }
  }
}

extension [Channel: [Float]] {
  /// Adds noise with this standard deviation to every value.
  fileprivate func noisy(_ deviation: Float, _ generator: inout SplitMix64) -> Self {
    var noisy = self
    for channel in Channel.allCases {
      noisy[channel] = self[channel]?.map { value in
        let sum = (0..<12).reduce(Float(-6)) { sum, _ in sum + Float.random(in: 0..<1, using: &generator) }
        return value + deviation * sum
      }
    }
    return noisy
  }

  fileprivate func keeping(_ isKept: (Int) -> Bool) -> Self {
    let kept = self[.userAccelerationX]!.indices.filter(isKept)
    return mapValues { values in kept.map { values[$0] } }
  }

  /// The recording as read from its accelerometer alone.
  fileprivate var bare: Self {
    var estimator = GravityEstimator(sampleRate: .hertz(50))
    var bare: Self = [:]
    for row in self[.gravityX]!.indices {
      func total(_ gravity: Channel, _ user: Channel) -> Float { self[gravity]![row] + self[user]![row] }
      let sample = estimator.sample(
        time: SampleTime(nanoseconds: Int64(row) * 20_000_000),
        totalAcceleration: SIMD3(
          total(.gravityX, .userAccelerationX), total(.gravityY, .userAccelerationY),
          total(.gravityZ, .userAccelerationZ)))
      for channel in Sensor.gravity.channels + Sensor.userAcceleration.channels {
        bare[channel, default: []].append(sample[channel])
      }
    }
    return bare
  }
}
