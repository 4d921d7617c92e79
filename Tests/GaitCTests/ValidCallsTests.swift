import CGait
import Foundation
import Gait
import GaitC
import GaitTestSupport
import Testing

/// Calls with valid arguments: each way in gives the same samples, and what comes out is the library's.
@Suite struct ValidCallsTests {
  private static let rows = 400
  private static let all: UInt32 = 0xFFF
  private static let times = (0..<rows).map { Int64($0) * 20_000_000 }
  private static let values = {
    var random = SplitMix64(seed: 7)
    return (0..<12 * rows).map { _ in Float.random(in: -1...1, using: &random) }
  }()

  private static func ofValues(times: [Int64]? = nil, gravity: Int32 = 0) -> UInt64 {
    gait_recording_create("values", 50, 0, all, times, values, Int64(values.count), Int64(rows), 12, 1, gravity)
  }

  /// Calls `body` with a pointer to each channel's values.
  private static func withColumns<Result>(_ body: ([UnsafePointer<Float>?]) -> Result) -> Result {
    let columns = (0..<12).flatMap { channel in (0..<rows).map { values[12 * $0 + channel] } }
    return columns.withUnsafeBufferPointer { columns in
      body((0..<12).map { columns.baseAddress! + rows * $0 })
    }
  }

  private static func copied(_ recording: UInt64) -> (values: [Float], times: [Int64]) {
    var (values, times) = ([Float](repeating: .nan, count: 12 * rows), [Int64](repeating: -1, count: rows))
    let count = gait_recording_copy(
      recording, 0, Int64(rows), &values, Int64(values.count), &times, Int64(times.count))
    #expect(count == Int64(rows), "\(InterfaceCalls.error)")
    return (values, times)
  }

  @Test func `Values, columns, and even or own times make the same recording`() {
    let columns = Self.withColumns {
      gait_recording_create_columns("columns", 50, 0, Self.all, Self.times, $0, Int64(Self.rows), 0)
    }
    for recording in [Self.ofValues(), Self.ofValues(times: Self.times), columns] {
      #expect(recording != 0, "\(InterfaceCalls.error)")
      let (values, times) = Self.copied(recording)
      #expect(values == Self.values)
      #expect(times == Self.times)
      #expect(gait_recording_copy(recording, 1, Int64(Self.rows), nil, 0, nil, 0) == -1)
      #expect(InterfaceCalls.error.contains("it has 400 rows"), "\(InterfaceCalls.error)")
      #expect(gait_release(recording) == 0)
    }
  }

  @Test func `Gravity is estimated from three accelerations, and from nothing else`() {
    let total = (0..<Self.rows).flatMap { row -> [Float] in
      [0.1 * sin(Float(row) / 4), 0.1 * cos(Float(row) / 4), -1]
    }
    let recording = gait_recording_create(
      "total", 50, 0, 0xE00, nil, total, Int64(total.count), Int64(Self.rows), 3, 1, 2)
    #expect(recording != 0, "\(InterfaceCalls.error)")
    let (values, _) = Self.copied(recording)
    for row in 0..<Self.rows {
      let (gravity, acceleration) = (values[12 * row + 3..<12 * row + 6], values[12 * row + 9..<12 * row + 12])
      for (axis, sum) in zip(gravity, acceleration).map({ $0 + $1 }).enumerated() {
        #expect(abs(sum - total[3 * row + axis]) < 1e-5, "row \(row)")
      }
      let square = gravity.reduce(0) { (sum: Float, value: Float) -> Float in sum + value * value }
      #expect(abs(square - 1) < 0.1, "row \(row)")
    }
    gait_release(recording)
    #expect(Self.ofValues(gravity: 2) == 0)
    #expect(InterfaceCalls.error.contains("three accelerations"))
  }

  @Test func `A recording, values and columns give a stream the same windows`() {
    let plan = gait_plan_create("orientationFree", 2.56, 0.64, 25)
    let recording = Self.ofValues()
    let push: [(UInt64) -> Int64] = [
      { gait_stream_push_recording($0, recording) },
      { gait_stream_push($0, Self.times, Self.values, Int64(Self.values.count), Int64(Self.rows), 12, 1) },
      { stream in Self.withColumns { gait_stream_push_columns(stream, Self.times, $0, Int64(Self.rows)) } },
    ]
    var windows: [[Float]] = []
    for push in push {
      let stream = gait_stream_create(plan, 50, 0, Self.all, nil)
      let waiting = push(stream)
      #expect(waiting > 5, "\(InterfaceCalls.error)")
      var values = [Float](repeating: 0, count: 7 * Int(max(0, waiting)))
      #expect(gait_stream_pull(stream, waiting, &values, Int64(values.count), nil, nil) == waiting)
      windows.append(values)
      gait_release(stream)
    }
    #expect(windows[0] == windows[1])
    #expect(windows[1] == windows[2])
    for handle in [plan, recording] { gait_release(handle) }
  }

  @Test func `Interpolated samples of a stream are counted`() {
    let plan = gait_plan_create("orientationFree", 2.56, 0.64, 25)
    for missing in [0, 3] {
      var values = Self.values
      for index in 0..<12 * missing { values[12 * 100 + index] = .nan }
      let stream = gait_stream_create(plan, 50, 0, Self.all, nil)
      #expect(gait_stream_push(stream, Self.times, values, Int64(values.count), Int64(Self.rows), 12, 1) > 0)
      #expect(gait_stream_bridged(stream) == Int64(missing))
      gait_release(stream)
    }
    #expect(gait_stream_bridged(plan) == -1)
    #expect(InterfaceCalls.error.contains("not a stream"))
    gait_release(plan)
  }

  @Test func `Findings of a stream and a recording are the library's, and a needed channel without values is an error`()
  {
    let plan = gait_plan_create("orientationFree", 2.56, 0.64, 25)
    let model = gait_model_load("running")
    for isEmpty in [false, true] {
      var values = Self.values.map { $0 / 4 }
      // A gravity of 1 g.
      for row in 0..<Self.rows {
        values.replaceSubrange(12 * row + 3..<12 * row + 6, with: [isEmpty ? .nan : 0.6, 0, -0.8])
      }
      values[12 * 8 + 6] = 100
      let recording = gait_recording_create(
        "values", 50, 0, Self.all, nil, values, Int64(values.count), Int64(Self.rows), 12, 1, 0)
      let rotation = "the rotation rate reaches 100"
      #expect(InterfaceCalls.text { gait_findings(recording, $0, $1) }.hasPrefix(rotation))
      for stream in [gait_stream_create(plan, 50, 0, Self.all, nil), gait_track_create(model, 50, 0, Self.all, nil)] {
        #expect(gait_findings(stream, nil, 0) == 0)
        #expect(gait_stream_check(stream) == 0)
        #expect(gait_stream_push_recording(stream, recording) >= 0, "\(InterfaceCalls.error)")
        let lines = InterfaceCalls.text { gait_findings(stream, $0, $1) }.split(separator: "\n")
        #expect(lines.count == (isEmpty ? 2 : 1), "\(lines)")
        #expect(lines.first?.hasPrefix(rotation) == true, "\(lines)")
        #expect(gait_stream_check(stream) == (isEmpty ? -1 : 0))
        if isEmpty { #expect(InterfaceCalls.error.hasPrefix("gravity.x has no value"), "\(InterfaceCalls.error)") }
        gait_release(stream)
      }
      gait_release(recording)
    }
    #expect(gait_findings(plan, nil, 0) == -1)
    #expect(InterfaceCalls.error.contains("neither a recording nor a stream"))
    #expect(gait_stream_check(plan) == -1)
    #expect(InterfaceCalls.error.contains("not a stream"))
    for handle in [plan, model] { gait_release(handle) }
  }

  @Test func `A model's JSON makes the same model again`() {
    let model = gait_model_load("running")
    let json = InterfaceCalls.text { gait_model_json(model, $0, $1) }
    let bytes = Array(json.utf8)
    for copy in [gait_model_parse(bytes, Int64(bytes.count), "a"), gait_model_seal(bytes, Int64(bytes.count), "b")] {
      #expect(copy != 0, "\(InterfaceCalls.error)")
      #expect(InterfaceCalls.text { gait_model_json(copy, $0, $1) } == json)
      gait_release(copy)
    }
    #expect(gait_model_parse(bytes, Int64(bytes.count) - 2, "a") == 0)
    #expect(InterfaceCalls.error.hasPrefix("a"))
    gait_release(model)
  }

  @Test func `Probabilities of rows sum to 1, and a feature that is not finite is named`() {
    let model = gait_model_load("running")
    let head = ActivityModel.running.activityHead
    let (width, labels) = (head.features.count, head.labels.count)
    var features = (0..<3 * width).map { Float($0 % 5) / 4 }
    var output = [Float](repeating: 0, count: 3 * labels)
    #expect(
      gait_model_probabilities(model, features, Int64(features.count), 3, &output, Int64(output.count)) == 3,
      "\(InterfaceCalls.error)")
    for row in 0..<3 {
      let sum: Float = output[(row * labels)..<((row + 1) * labels)].reduce(0, +)
      #expect(abs(sum - 1) < 1e-5)
    }
    features[width + 1] = .nan
    #expect(gait_model_probabilities(model, features, Int64(features.count), 3, &output, Int64(output.count)) == -1)
    #expect(InterfaceCalls.error.contains("\(head.features[1]) of row 1 is not a finite number"))
    gait_release(model)
  }
}
