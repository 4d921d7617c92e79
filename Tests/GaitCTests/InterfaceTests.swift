import CGait
import Foundation
import Gait
import GaitC
import GaitFormats
import GaitTestSupport
import Testing

@Suite("C interface")
struct InterfaceTests {
  @Test(
    "100,000 random calls on two threads neither end the process nor break its state", .requiresOptimization,
    arguments: [1, 2])
  func randomCalls(seed: UInt64) async throws {
    let count = 25_000
    await withTaskGroup(of: Int.self) { group in
      for thread in 0..<2 as Range<UInt64> {
        group.addTask {
          var calls = RandomCalls(seed: 10 * seed + thread)
          for _ in 0..<count { calls.call() }
          calls.releaseAll()
          return calls.failures
        }
      }
      for await failures in group {
        #expect(
          count / 25..<count * 249 / 250 ~= failures,
          "\(failures) of \(count) calls failed: the calls are all wrong, or none is")
      }
    }
  }

  @Test("A released handle stays an error when its slot is used again")
  func staleHandle() {
    let first = gait_model_load("running")
    #expect(first != 0)
    #expect(gait_release(first) == 0)
    let second = gait_model_load("running")
    #expect(second != 0)
    #expect(second != first)
    #expect(gait_describe(first, nil, 0) == -1)
    #expect(InterfaceCalls.error.contains("not a handle"))
    #expect(gait_release(first) == -1)
    #expect(gait_describe(second, nil, 0) > 0)
    gait_release(second)
  }

  @Test("Windows of a recording, of its columns and of blocks cut at random have the bits of the library")
  func sameBits() throws {
    let features = Feature.orientationFree
    var random = SplitMix64(seed: 5)
    let rows = 3000
    let table = (0..<12 * rows).map { _ in Float.random(in: -1...1, using: &random) }
    let columns = Dictionary(
      uniqueKeysWithValues: Channel.allCases.enumerated().map { index, channel in
        (channel, stride(from: index, to: table.count, by: 12).map { table[$0] })
      })
    for hertz in [25.0, 30, 100] {
      let expected = try Recording(name: "r", sampleRate: .hertz(hertz), columns: columns).features(features)
      let plan = gait_plan_create("orientationFree", 2.56, 0.64, 25)
      for cut in [rows, 1, 977] {
        let stream = gait_stream_create(plan, hertz, 0, 0xFFF, nil)
        var row = 0
        var waiting = 0 as Int64
        while row < rows {
          let count = min(cut, rows - row)
          waiting = table.withUnsafeBufferPointer {
            gait_stream_push(stream, nil, $0.baseAddress! + 12 * row, Int64(12 * count), Int64(count), 12, 1)
          }
          row += count
        }
        #expect(waiting == expected.starts.count, "\(InterfaceCalls.error)")
        var values = [Float](repeating: 0, count: Int(waiting) * 7)
        var starts = [Int64](repeating: 0, count: Int(waiting))
        #expect(gait_stream_pull(stream, waiting, &values, Int64(values.count), &starts, nil) == waiting)
        #expect(values == expected.values.values, "\(hertz) Hz in blocks of \(cut)")
        #expect(starts == expected.starts.map(\.nanoseconds))
        gait_release(stream)
      }
      gait_release(plan)
    }
  }

  @Test("Blocks of a file have the samples of the whole file, an export the bytes of the library")
  func blocksAndExports() throws {
    let (blocks, whole) = (
      gait_blocks_open(InterfaceCalls.file, "rate=50"), gait_recording_read(InterfaceCalls.file, "rate=50")
    )
    var (block, rows, all): (UInt64, Int64, [[Float]]) = (0, 1400, [])
    #expect(gait_blocks_next(blocks, nil) == -1)
    #expect(InterfaceCalls.error.contains("NULL"))
    #expect(gait_blocks_next(blocks, &block) == 1, "\(InterfaceCalls.error)")
    for recording in [block, whole] {
      var values = [Float](repeating: 0, count: 12 * Int(rows))
      rows = gait_recording_copy(recording, 0, rows, &values, Int64(values.count), nil, 0)
      #expect(rows == 1400, "\(InterfaceCalls.error)")
      all.append(values)
      gait_release(recording)
    }
    #expect(all[0] == all[1])
    #expect(gait_blocks_next(blocks, &block) == 0)
    #expect(gait_blocks_next(blocks, &block) == 0)
    #expect(InterfaceCalls.text { gait_describe(blocks, $0, $1) }.contains("\"rows\":1400"))
    let model = gait_model_load("running")
    let swift = InterfaceCalls.text { gait_model_export(model, "swift", "name=run", $0, $1) }
    #expect(try swift == String(decoding: ModelExport(.running, as: .swift, name: "run").bytes, as: UTF8.self))
    #expect(
      InterfaceCalls.text { gait_model_export(model, "gait", nil, $0, $1) }
        == InterfaceCalls.text { gait_model_json(model, $0, $1) })
    #expect(gait_model_export(model, "pdf", nil, nil, 0) == -1)
    #expect(InterfaceCalls.error.contains("swift, gait"))
    for handle in [blocks, model] { gait_release(handle) }
  }

  @Test("Without gravity, a run and labels of the model running are those of running-linear")
  func linearAcceleration() {
    let (rows, hertz) = (3000, 50.0)
    let samples = (0..<rows).flatMap { row in
      let phase = 2.7 * Double.pi * Double(row) / hertz
      return [Float(0.2 * sin(phase)), Float(0.3 * cos(phase)), Float(sin(2 * phase) + 0.2 * sin(4 * phase + 1))]
    }
    var runs: [String] = []
    for name in ["running", "running-linear"] {
      let model = gait_model_load(name)
      let streams = [
        gait_track_create(model, hertz, 0, 0xE00, nil), gait_stream_create(model, hertz, 0, 0xE00, nil),
      ]
      for stream in streams {
        #expect(stream != 0, "\(name): \(InterfaceCalls.error)")
        #expect(
          gait_stream_push(stream, nil, samples, Int64(samples.count), Int64(rows), 3, 1) >= 0,
          "\(name): \(InterfaceCalls.error)")
        runs.append(InterfaceCalls.text { gait_describe(stream, $0, $1) })
        gait_release(stream)
      }
      gait_release(model)
    }
    #expect(runs[0] == runs[2], "\(runs[0].prefix(200))")
    #expect(runs[1] == runs[3], "\(runs[0].prefix(200))")
    #expect(runs[0].contains("\"steps\":1"), "\(runs[0].prefix(200))")
    let pocket = gait_model_load("running-pocket")
    #expect(gait_track_create(pocket, hertz, 0, 0xE00, nil) == 0)
    #expect(InterfaceCalls.error.contains("gravity.x"))
    gait_release(pocket)
  }

  @Test("A missing channel is an error that names it")
  func missingChannel() {
    let plan = gait_plan_create("orientationFree", 2.56, 0.64, 25)
    #expect(gait_stream_create(plan, 50, 0, 0b111_000_000_000, nil) == 0)
    #expect(InterfaceCalls.error.hasPrefix("the recording lacks gravity.x"), "\(InterfaceCalls.error)")
    gait_release(plan)
  }

  @Test("An unknown model is an error that names the built-in ones")
  func unknownModel() {
    #expect(gait_model_load("runing") == 0)
    for name in ["runing", "running", "running-linear", "running-pocket", "running-wrist"] {
      #expect(InterfaceCalls.error.contains(name), "\(InterfaceCalls.error)")
    }
  }
}

/// The error text of the calling thread.
enum InterfaceCalls {
  /// A recording at 50 Hz.
  static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../datasets/simulated/running/sub_1.csv").standardized.path

  static var error: String { text { gait_error($0, $1) } }

  /// The text that a call writes.
  static func text(_ call: (UnsafeMutablePointer<CChar>?, Int64) -> Int64) -> String {
    var buffer = [CChar](repeating: 0, count: Int(max(0, call(nil, 0))) + 1)
    _ = call(&buffer, Int64(buffer.count))
    return String(decoding: buffer.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// A source of calls with valid and invalid arguments.
private struct RandomCalls {
  private var random: SplitMix64
  private var handles: [UInt64] = []
  private(set) var failures = 0

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func releaseAll() { for handle in handles { gait_release(handle) } }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  private mutating func handle() -> UInt64 {
    handles.isEmpty || Int.random(in: 0..<12, using: &random) == 0
      ? pick([0, 1, .max, 1 << 32, 7 << 32 | 3, UInt64.random(in: 0 ... .max, using: &random)]) : pick(handles)
  }

  private mutating func count() -> Int64 {
    pick([0, 1, 2, 30, 64, 300, -1, .min, .max, 1 << 33, 1 << 62, Int64.random(in: 0...300, using: &random)])
  }

  private mutating func number() -> Double {
    pick([50, 50, 100, 25, 30, 0.1, 100_000, 2.56, 0.64, -1, 0, .nan, .infinity, 1e300, 1e-300, 1000])
  }

  private mutating func options() -> String? {
    pick([
      nil, "", "allowSlowSource=true", "gravityIsEstimated=true", "policy=never\nsplitMeters=400", "splitMeters=nan",
      "policy=", "=", "nonsense", "bodyMass=1e999", "rate=50", "rate=0", "format=sensorLog", "columns=,,",
      "stepLength=0.7",
      "intervals=1",
    ])
  }

  private mutating func name() -> String? {
    pick([
      nil, "", "running", "running-linear", "running-pocket", "running-wrist", "orientationFree", "full",
      "vertical.rms",
      "vertical.rms\nvertical.rms",
      "total.bandRMS[1...99]", "/", "/nonexistent", InterfaceCalls.file, "\u{1F3C3}",
      String(repeating: "x", count: 3000),
    ])
  }

  private mutating func mask() -> UInt32 { pick([0xFFF, 0xFFF, 0xE38, 0xFC0, 1, 0, .max, 1 << 12, 0x38]) }

  private mutating func floats() -> [Float] {
    (0..<3600).map { _ in
      Int.random(in: 0..<400, using: &random) == 0
        ? pick([.nan, .infinity, 3e38, -0.0, Float.leastNonzeroMagnitude]) : Float.random(in: -1...1, using: &random)
    }
  }

  private mutating func times() -> [Int64]? {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: nil
    case 1: (0..<300).map { _ in pick([0, .min, .max, 5, 4_000_000_000_000_000_001]) }
    case 2: (0..<300).map { 4_000_000_000_000_000_000 - 300 + $0 }
    default: (0..<300).map { $0 * 20_000_000 }
    }
  }

  private mutating func keep(_ handle: UInt64) {
    if handle == 0 { failures += 1 } else { handles.append(handle) }
    if handles.count > 40 { gait_release(handles.remove(at: Int.random(in: 0..<20, using: &random))) }
  }

  private mutating func note(_ result: Int64) { if result < 0 { failures += 1 } }

  /// Makes one call. Stated lengths are those of the memory, or impossible ones, as C cannot know others.
  mutating func call() {
    // A length that a pointer does not have is only passed if it must be refused before memory is read.
    let length: Int64 = pick([3600, 3600, 3600, 0, 1, -1, .min, .max])
    let rows = count()
    let fitting = min(max(rows, 0), 300)
    switch Int.random(in: 0..<24, using: &random) {
    case 0: keep(gait_model_load(name()))
    case 1: keep(gait_plan_create(name(), number(), number(), number()))
    case 2: keep(gait_plan_create("orientationFree", 2.56, 0.64, 25))
    case 3: keep(gait_stream_create(handle(), number(), count(), mask(), options()))
    case 4: keep(gait_track_create(handle(), number(), count(), mask(), options()))
    case 5: keep(gait_recording_read(name(), options()))
    case 6:
      keep(
        gait_recording_create(
          name(), number(), count(), mask(), times().map { Array($0.prefix(300)) }, floats(), length,
          rows <= 300 ? rows : -1,
          pick([12, 1, 0, -3, .max]), pick([1, 1, 300, 0, .min, .max]), 1))
    case 7: recordingOfColumns(rows: fitting)
    case 8: note(Int64(gait_release(pick([handle(), 0, 5]))))
    case 9:
      var buffer = [CChar](repeating: 0, count: 64)
      note(gait_describe(handle(), &buffer, pick([0, 1, 64, -1, .min])))
    case 10:
      note(gait_describe(handle(), nil, count()))
      note(gait_findings(handle(), nil, count()))
      note(Int64(gait_stream_check(handle())))
    case 11:
      var (values, times) = ([Float](repeating: 0, count: 3600), [Int64](repeating: 0, count: 300))
      note(
        gait_recording_copy(handle(), count(), rows, &values, pick([3600, 12, -1, .min]), &times, pick([300, 0, -9])))
    case 12:
      let json = Array("{\"format\":\"gait.activityModel\",\"version\":2}".utf8)
      keep(gait_model_parse(json, pick([Int64(json.count), 0, 5, -1, .max]), name()))
      keep(gait_model_seal(pick([nil, json]), pick([Int64(json.count), 0, -1]), name()))
    case 13: note(gait_model_json(handle(), nil, count()))
    case 14:
      var output = [Float](repeating: 0, count: 3600)
      note(
        gait_model_probabilities(handle(), floats(), length == .max ? 0 : length, rows, &output, pick([3600, 0, -1])))
    case 15, 16, 17:
      note(
        gait_stream_push(
          handle(), times(), pick([floats(), floats(), floats(), nil]), length == .max ? -5 : length,
          rows <= 300 ? rows : -1, pick([12, 12, 6, 0, .max]), pick([1, 1, 300, -1, .max])))
    case 18: note(gait_stream_push_recording(handle(), handle()))
    case 20: keep(gait_blocks_open(name(), options()))
    case 21:
      var block: UInt64 = 0
      let handle = handle()
      note(Bool.random(using: &random) ? gait_blocks_next(handle, &block) : gait_blocks_next(handle, nil))
      if block != 0 { keep(block) }
    case 22:
      var buffer = [CChar](repeating: 0, count: 64)
      let format = pick(["swift", "gait", "", nil])
      note(gait_model_export(handle(), format, pick([options(), "name=x"]), &buffer, pick([0, 64, -1])))
    case 19: note(gait_track_push_recording(handle(), handle(), name(), pick([options(), "locationOffset=1e99"])))
    default:
      var (values, starts) = ([Float](repeating: 0, count: 3600), [Int64](repeating: 0, count: 300))
      var labels = [Int32](repeating: 0, count: 300)
      note(gait_stream_pull(handle(), rows <= 300 ? rows : -1, &values, pick([3600, 0, -1]), &starts, &labels))
    }
  }

  private mutating func recordingOfColumns(rows: Int64) {
    let column = (0..<300).map { _ in Float.random(in: -1...1, using: &random) }
    let times = times()
    let (name, hertz, start, mask) = (name(), number(), count(), mask())
    let result = column.withUnsafeBufferPointer { column in
      let columns: [UnsafePointer<Float>?] = (0..<12).map { _ in column.baseAddress }
      return gait_recording_create_columns(name, hertz, start, mask, times, columns, rows, 0)
    }
    keep(result)
  }
}
