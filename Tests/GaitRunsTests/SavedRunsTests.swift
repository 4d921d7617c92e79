import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitRuns

/// Whatever a tracker finishes can be saved and opened. Optimised code makes 2,000 runs, times `GAIT_RANDOM_SCALE`.
@Suite struct SavedRunsTests {
  /// A run of one person, from which motion and GPS come as described.
  private struct Source {
    var stated = 25.0
    /// The real rate, hertz, and by how much of a period a sample may be early or late.
    var real = 25.0
    var jitter = 0.0
    var seconds = 40.0
    /// The time of the first GPS point, and how much later than its time it comes.
    var firstPoint = 10.0
    var delay = 0.0
    var strides: StrideModel?
    /// Stretches without motion, seconds.
    var holes: [ClosedRange<Double>] = []
    var sampleDelay = 0.0

    func run(using random: inout SplitMix64) throws -> RunTimeline {
      var options = RunOptions(strides: strides, sampleDelaySeconds: sampleDelay, keepsEvidence: false)
      options.snapshotSeconds = nil
      var tracker = try RunTracker(
        model: .running, sampleRate: .hertz(stated), options: options, allowsSlowSource: true)
      var point = firstPoint
      for index in 0..<Int(seconds * real) {
        var time = Double(index) / real
        if jitter > 0, index > 0 { time += Double.random(in: -jitter...jitter, using: &random) / real }
        while point + delay <= time {
          tracker.append(Self.point(point))
          point += 1
        }
        if !holes.contains(where: { $0.contains(time) }) { tracker.append(Self.sample(time)) }
      }
      return tracker.finish()
    }

    static func sample(_ time: Double) -> MotionSample {
      let (s, c) = (Float(sin(time * 2 * .pi * 2.7)), Float(cos(time * .pi * 2.7)))
      return MotionSample(
        time: .seconds(time), gravity: SIMD3(0, 0, -1), rotationRate: SIMD3(c, s * 0.5, 0.1),
        userAcceleration: SIMD3(0.9 * s, 0.2 * c, 0.4 * s))
    }

    static func point(_ time: Double) -> LocationSample {
      LocationSample(
        time: .seconds(time), latitude: 48 + 3 * time / 111_195, longitude: 11, altitude: 500, speed: 3,
        horizontalAccuracy: 5)
    }

    static func random(using random: inout SplitMix64) -> Source {
      var source = Source()
      source.stated = [9, 10, 20, 25, 30, 50, 60, 100, 200].randomElement(using: &random)!
      source.real = source.stated * (Bool.random(using: &random) ? 1 : .random(in: 0.8...1.25, using: &random))
      source.jitter = Bool.random(using: &random) ? 0 : .random(in: 0...0.6, using: &random)
      source.seconds = .random(in: 12...(Optimization.isOn ? 120 : 30), using: &random)
      source.firstPoint = .random(in: 0...60, using: &random)
      source.delay = Bool.random(using: &random) ? 0 : .random(in: 0...20, using: &random)
      source.strides = Bool.random(using: &random) ? nil : StrideModel(running: 1.1, walking: 0.7)
      source.sampleDelay = Bool.random(using: &random) ? 0 : .random(in: 0...0.5, using: &random)
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let start = Double.random(in: 0...source.seconds, using: &random)
        source.holes.append(start...start + .random(in: 0.05...20, using: &random))
      }
      return source
    }
  }

  private static let scale = Int(ProcessInfo.processInfo.environment["GAIT_RANDOM_SCALE"] ?? "") ?? 1

  @Test func `Every run that a tracker finishes is saved, opened and equal`() throws {
    let folder = try TemporaryDirectory()
    let store = RunStore(directory: folder.file("runs"))
    for seed in 0..<UInt64((Optimization.isOn ? 2000 : 5) * Self.scale) {
      var random = SplitMix64(seed: seed)
      let timeline = try Source.random(using: &random).run(using: &random)
      #expect(timeline.fault == nil, "seed \(seed): \(timeline.fault?.text ?? "")")
      #expect(timeline.corrected == timeline, "seed \(seed): \(timeline.fault?.text ?? "")")
      let run = StoredRun(timeline, startedAt: Date(timeIntervalSince1970: 1.7e9))
      try store.save(run)
      #expect(try store.run(run.id) == run, "seed \(seed)")
      try store.remove(run.id)
    }
  }

  /// A run at the model's rate with a stride model and no GPS until later.
  private static func lateStart() throws -> RunTimeline {
    var random = SplitMix64(seed: 1)
    return try Source(seconds: 16, strides: StrideModel(running: 1.1, walking: 0.7)).run(using: &random)
  }

  @Test func `The way begins with the run where its steps come before the first GPS point`() throws {
    let run = try Self.lateStart()
    #expect(run.path?.first?.start == run.start)
    #expect(run.corrections.isEmpty)
    #expect(run.fault == nil)
  }

  @Test func `A run whose way begins before it, as 0.1.0 saved it, opens, keeps its distance and says so`() throws {
    let run = try Self.lateStart()
    let distance = try #require(run.distance)
    var early = StoredRun(run, startedAt: Date(timeIntervalSince1970: 1.7e9))
    early.timeline.path?[0].start = run.start.advanced(bySeconds: -0.04)
    #expect(throws: RunStoreError.self) { try early.data() }
    for data in [Data(try RunFile.bytes(of: early)), try JSONEncoder().encode(early)] {
      let opened = try StoredRun(data: data)
      #expect(opened.timeline.path == run.path)
      #expect(
        opened.timeline.corrections
          == ["A part of the run began 0.04 s before the run. It begins with the run now; its length is unchanged."])
      #expect(try #require(opened.timeline.distance) == distance)
      #expect(try StoredRun(data: opened.data()) == opened)
    }
  }

  @Test func `An intact file with an impossible run is not called damaged, and no sentence deletes it`() throws {
    var run = StoredRun(try Self.lateStart(), startedAt: Date(timeIntervalSince1970: 1.7e9))
    run.timeline.path?[0].start = run.timeline.start.advanced(bySeconds: -60)
    let data = Data(try RunFile.bytes(of: run))
    let error = #expect(throws: RunStoreError.self) { try StoredRun(data: data) }
    let text = error?.description ?? ""
    #expect(text.contains("timeline.path[0]"), "\(text)")
    #expect(text.contains("not damaged"), "\(text)")
    #expect(!text.contains("delete"), "\(text)")
    let folder = try TemporaryDirectory()
    let refused = #expect(throws: RunStoreError.self) { try RunStore(directory: folder.file("runs")).save(run) }
    #expect(refused?.description.hasPrefix("cannot write") == true)
  }

  @Test func `No sentence of the libraries tells a person to delete a run or a journal`() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/GaitRuns")
    let files = try FileManager.default.contentsOfDirectory(at: sources, includingPropertiesForKeys: nil)
    for file in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(!text.contains("delete it"), "\(file.lastPathComponent)")
      #expect(!text.contains("delete the file"), "\(file.lastPathComponent)")
    }
  }
}
