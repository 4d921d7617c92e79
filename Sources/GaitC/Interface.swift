import Gait
import GaitFormats

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The functions of include/gait.h, which documents them. Every argument is checked here, so that no call ends the
// process.

/// `gait_abi_version` of gait.h.
@_cdecl("gait_abi_version")
public func abiVersion() -> UInt32 { 1 }

/// `gait_error` of gait.h.
@_cdecl("gait_error")
public func lastError(_ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int64) -> Int64 {
  copy(ThreadError.text, to: buffer, capacity)
}

/// `gait_release` of gait.h.
@_cdecl("gait_release")
public func release(_ handle: UInt64) -> Int32 {
  guarded(-1) {
    try HandleTable.release(handle)
    return 0
  }
}

/// `gait_describe` of gait.h.
@_cdecl("gait_describe")
public func describe(_ handle: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int64) -> Int64 {
  guarded(-1) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return copy(try encoder.encode(HandleTable.held(handle).description), to: buffer, capacity)
  }
}

/// `gait_findings` of gait.h.
@_cdecl("gait_findings")
public func findings(_ handle: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int64) -> Int64 {
  guarded(-1) {
    let findings =
      switch try HandleTable.held(handle) {
      case .recording(let recording, _): recording.findings
      case .stream(let stream): stream.findings
      default: throw InterfaceError("the handle is neither a recording nor a stream")
      }
    return copy(findings.map(\.description).joined(separator: "\n").utf8, to: buffer, capacity)
  }
}

// MARK: Recordings

/// `gait_recording_read` of gait.h.
@_cdecl("gait_recording_read")
public func readRecording(_ path: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?) -> UInt64 {
  handle {
    let (url, reading) = try source(path, options)
    let annotated = try AnnotatedRecording(contentsOf: url, reading)
    return .recording(
      annotated.recording,
      FileFacts(format: annotated.format, labels: annotated.labels, subjects: annotated.subjects))
  }
}

/// `gait_blocks_open` of gait.h.
@_cdecl("gait_blocks_open")
public func openBlocks(_ path: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?) -> UInt64 {
  handle {
    let (url, reading) = try source(path, options)
    return .blocks(FileBlocks(RecordingBlocks(contentsOf: url, reading)))
  }
}

/// `gait_blocks_next` of gait.h.
@_cdecl("gait_blocks_next")
public func nextBlock(_ handle: UInt64, _ recording: UnsafeMutablePointer<UInt64>?) -> Int64 {
  guarded(-1) {
    guard case .blocks(let blocks) = try HandleTable.held(handle) else {
      throw InterfaceError("the handle is not a file's blocks")
    }
    guard let recording = try room(recording, 1, "recording") else {
      throw InterfaceError("recording is NULL; pass room for a handle")
    }
    let (status, block) = try blocks.next()
    recording[0] = try block.map(HandleTable.insert) ?? 0
    return status
  }
}

/// A recording's file, and how to read it.
private func source(
  _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?
) throws -> (URL, ReadingOptions) {
  let path = try text(path, "path")
  guard !path.isEmpty else { throw InterfaceError("the path is empty; name a file, folder or archive") }
  var options = try Options(options)
  var reading = ReadingOptions(
    sampleRate: try options.number("rate", within: SampleRate.validHertz).flatMap { SampleRate(exactly: $0) },
    format: try options.take("format", RecordingFormat.self),
    units: RecordingUnits(
      acceleration: try options.take("accelerationUnit", AccelerationUnit.self),
      angle: try options.take("angleUnit", AngleUnit.self), time: try options.take("timeUnit", TimeUnit.self),
      accelerationScale: try options.take("scale", "a positive number or quotient, such as 1/64") {
        RecordingUnits.scale($0)
      }),
    labelColumn: try options.take("labelColumn", "a name") { $0 },
    columnNames: try options.take("columns", "names joined by commas") {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    })
  reading.subjectColumn = try options.take("subjectColumn", "a name") { $0 }
  reading.sensor = try options.take("sensor", "a value of the column of sensors") { $0 }
  try options.finish()
  return (URL(filePath: path), reading)
}

/// `gait_recording_create` of gait.h.
@_cdecl("gait_recording_create")
public func createRecording(
  _ name: UnsafePointer<CChar>?, _ hertz: Double, _ start: Int64, _ channels: UInt32,
  _ times: UnsafePointer<Int64>?, _ values: UnsafePointer<Float>?, _ length: Int64, _ rows: Int64, _ rowStride: Int64,
  _ channelStride: Int64, _ gravityIsEstimated: Int32
) -> UInt64 {
  handle {
    try recording(name, hertz, start, channels, gravityIsEstimated) {
      try SampleBlock(
        $0, values, length: length, rows: rows, rowStride: rowStride, channelStride: channelStride, times: times)
    }
  }
}

/// `gait_recording_create_columns` of gait.h.
@_cdecl("gait_recording_create_columns")
public func createRecordingOfColumns(
  _ name: UnsafePointer<CChar>?, _ hertz: Double, _ start: Int64, _ channels: UInt32,
  _ times: UnsafePointer<Int64>?, _ columns: UnsafePointer<UnsafePointer<Float>?>?, _ rows: Int64,
  _ gravityIsEstimated: Int32
) -> UInt64 {
  handle {
    try recording(name, hertz, start, channels, gravityIsEstimated) {
      try SampleBlock($0, columns: columns, rows: rows, times: times)
    }
  }
}

private func recording(
  _ name: UnsafePointer<CChar>?, _ hertz: Double, _ start: Int64, _ mask: UInt32, _ gravityIsEstimated: Int32,
  _ block: ([Channel]) throws -> SampleBlock
) throws -> Held {
  let (name, rate, channels) = (try text(name, "name"), try rate(hertz), try SampleBlock.channels(mask))
  let (block, start) = (try block(channels), SampleTime(nanoseconds: start))
  try block.checkTimes()
  try SampleBlock.check(start: start, count: block.times == nil ? block.rows : 0, rate: rate)
  let first = block.times?.first.map { SampleTime(nanoseconds: $0) } ?? start
  let times = block.times.map { $0.map { SampleTime(nanoseconds: $0) } } ?? []
  var (rows, known) = (block.rows(0..<block.rows), Set(channels))
  if gravityIsEstimated == 2 {
    guard known.isSuperset(of: Sensor.userAcceleration.channels), known.isDisjoint(with: Sensor.gravity.channels) else {
      throw InterfaceError(
        "gravity is estimated from three accelerations; pass userAcceleration.x, y, z and no gravity")
    }
    var estimator = GravityEstimator(sampleRate: rate)
    for index in rows.indices {
      let even = SampleTime(nanoseconds: first.nanoseconds + rate.nanoseconds(ofSample: index))
      let time = times.isEmpty ? even : times[index]
      let sample = MotionSample(time: time, row: rows[index])
      // The total acceleration is split into gravity and user acceleration, as it is when a file is read.
      rows[index] =
        estimator.sample(
          time: time, totalAcceleration: sample.userAcceleration, rotationRate: sample.rotationRate,
          attitude: sample.attitude
        ).row
    }
    known.formUnion(Sensor.gravity.channels)
  }
  return .recording(
    Recording(
      name: name, sampleRate: rate, start: first, channels: known, rows: rows, times: times,
      gravityIsEstimated: gravityIsEstimated != 0), nil)
}

/// `gait_recording_copy` of gait.h.
@_cdecl("gait_recording_copy")
public func copyRecording(
  _ handle: UInt64, _ first: Int64, _ rows: Int64, _ output: UnsafeMutablePointer<Float>?, _ length: Int64,
  _ times: UnsafeMutablePointer<Int64>?, _ timesLength: Int64
) -> Int64 {
  guarded(-1) {
    let recording = try recording(handle)
    guard 0...Int64(recording.count) ~= first, 0...Int64(recording.count) - first ~= rows else {
      throw InterfaceError("the recording has no \(rows) rows from \(first) on; it has \(recording.count) rows")
    }
    let (output, times) = (try room(output, length, "values"), try room(times, timesLength, "times"))
    guard output.map({ $0.count >= 12 * rows }) ?? true, times.map({ $0.count >= rows }) ?? true else {
      throw InterfaceError("\(rows) rows need \(12 * rows) values and \(rows) times")
    }
    let lanes = Channel.allCases.map(\.lane)
    for row in 0..<Int(rows) {
      let sample = recording[Int(first) + row]
      if let output { for (index, lane) in lanes.enumerated() { output[12 * row + index] = sample.row[lane] } }
      times?[row] = sample.time.nanoseconds
    }
    return rows
  }
}

// MARK: Plans and models

/// `gait_plan_create` of gait.h.
@_cdecl("gait_plan_create")
public func createPlan(_ features: UnsafePointer<CChar>?, _ window: Double, _ hop: Double, _ hertz: Double) -> UInt64 {
  handle {
    let names = try text(features, "features")
    var list: [Feature] = []
    for name in names.split(whereSeparator: \.isNewline).map(String.init) {
      if let set = FeatureSet(rawValue: name) { list += set.features } else { list.append(try Feature(name)) }
    }
    guard Set(list).count == list.count else {
      throw InterfaceError("the list names a feature twice; name each feature once")
    }
    guard ModelRanges.window ~= window, ModelRanges.hop ~= hop else { throw InterfaceError(ModelRanges.windowReason) }
    let rate = try rate(hertz)
    guard ModelRanges.sampleRate ~= hertz else {
      let valid = ModelRanges.sampleRate
      throw InterfaceError(
        "\(plain(hertz)) Hz is not within \(plain(valid.lowerBound)) to \(plain(valid.upperBound)) Hz")
    }
    let shape = WindowShape(seconds: window, hopSeconds: hop)
    return .plan(try FeatureStreamPlan(features: list, shape: shape, sampleRate: rate))
  }
}

/// `gait_model_load` of gait.h.
@_cdecl("gait_model_load")
public func loadModel(_ path: UnsafePointer<CChar>?) -> UInt64 {
  handle {
    let path = try text(path, "path")
    guard !path.isEmpty else { throw InterfaceError("the path is empty; name a model") }
    return .model(try ActivityModel.builtIn(path) ?? ActivityModel(contentsOf: URL(filePath: path)))
  }
}

/// `gait_model_parse` of gait.h.
@_cdecl("gait_model_parse")
public func parseModel(_ json: UnsafePointer<UInt8>?, _ length: Int64, _ name: UnsafePointer<CChar>?) -> UInt64 {
  handle { .model(try ActivityModel(json: bytes(json, length), name: text(name, "name"))) }
}

/// `gait_model_seal` of gait.h.
@_cdecl("gait_model_seal")
public func sealModel(_ json: UnsafePointer<UInt8>?, _ length: Int64, _ name: UnsafePointer<CChar>?) -> UInt64 {
  handle { .model(try ActivityModel(unsealed: bytes(json, length), name: text(name, "name"))) }
}

private func bytes(_ json: UnsafePointer<UInt8>?, _ length: Int64) throws -> Data {
  guard Int64(ModelRanges.fileSize.upperBound) >= length else {
    throw InterfaceError("\(length) bytes; a model has at most \(ModelRanges.fileSize.upperBound)")
  }
  return Data(try values(json, length, "json"))
}

/// `gait_model_json` of gait.h.
@_cdecl("gait_model_json")
public func modelJSON(_ handle: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int64) -> Int64 {
  guarded(-1) { copy(try model(handle).json(), to: buffer, capacity) }
}

/// `gait_model_export` of gait.h.
@_cdecl("gait_model_export")
public func exportModel(
  _ handle: UInt64, _ format: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?,
  _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int64
) -> Int64 {
  guarded(-1) {
    let name = try text(format, "format")
    guard let format = ModelExport.Format(rawValue: name) else {
      let formats = ModelExport.Format.allCases.map(\.rawValue).joined(separator: ", ")
      throw InterfaceError("\(name.shortened) is not a format; use one of \(formats)")
    }
    var options = try Options(options)
    let (title, notice) = try (options.take("name", "a name") { $0 }, options.take("notice", "a text") { $0 })
    try options.finish()
    let export = try ModelExport(model(handle), as: format, name: title ?? "activity", notice: notice ?? "")
    return copy(export.bytes, to: buffer, capacity)
  }
}

/// `gait_model_probabilities` of gait.h.
@_cdecl("gait_model_probabilities")
public func modelProbabilities(
  _ handle: UInt64, _ features: UnsafePointer<Float>?, _ length: Int64, _ rows: Int64,
  _ output: UnsafeMutablePointer<Float>?, _ outputLength: Int64
) -> Int64 {
  guarded(-1) {
    let model = try model(handle)
    let (head, features) = (model.activityHead, try values(features, length, "features"))
    let output = try room(output, outputLength, "probabilities") ?? UnsafeMutableBufferPointer(start: nil, count: 0)
    guard 0...Int64(1 << 40) ~= rows, Int64(features.count) >= rows * Int64(head.features.count),
      Int64(output.count) >= rows * Int64(head.labels.count)
    else {
      throw InterfaceError(
        "\(rows) rows need \(head.features.count) features each and room for \(head.labels.count) probabilities each")
    }
    let scorer = WindowScorer(head: head, sampleRate: model.sampleRate)
    var row = [Float](repeating: 0, count: head.features.count)
    for index in 0..<Int(rows) {
      for column in row.indices where !features[index * row.count + column].isFinite {
        throw InterfaceError(
          "the feature \(head.features[column]) of row \(index) is not a finite number; "
            + "remove the rows without features"
        )
      }
      let window = row.withUnsafeMutableBufferPointer { row in
        for column in row.indices { row[column] = features[index * row.count + column] }
        return scorer.classify(row, start: SampleTime(nanoseconds: 0))
      }
      for label in head.labels.indices { output[index * head.labels.count + label] = window.probabilities[label] }
    }
    return rows
  }
}
