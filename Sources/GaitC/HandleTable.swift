import Gait
import GaitFormats
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An object behind a handle.
enum Held: Sendable {
  case recording(Recording, FileFacts?)
  case blocks(FileBlocks)
  case plan(FeatureStreamPlan)
  case model(ActivityModel)
  case stream(SampleStream)

  // MARK: Descriptions

  /// The object's properties as JSON.
  var description: JSONObject {
    switch self {
    case .recording(let recording, let file):
      JSONObject(
        [
          "kind": "recording", "name": recording.name, "rows": recording.count,
          "sampleRate": recording.sampleRate.hertz,
          "start": recording.start.nanoseconds, "channels": Self.names(recording.channels),
          "gravityIsEstimated": recording.gravityIsEstimated, "format": file?.format?.rawValue,
          "repairs": recording.repairs.map(\.description), "labels": Self.runs(file?.labels),
          "subjects": Self.runs(file?.subjects),
        ], hasNulls: true)
    case .plan(let plan):
      JSONObject([
        "kind": "plan", "features": plan.features.map(\.description), "units": plan.features.map(\.unit),
        "channels": Self.names(plan.channels), "window": plan.shape.seconds, "hop": plan.shape.hopSeconds,
        "sampleRate": plan.sampleRate.hertz,
      ])
    case .model(let model):
      JSONObject([
        "kind": "model", "labels": model.activityHead.labels,
        "features": model.activityHead.features.map(\.description),
        "channels": Self.names(model.neededChannels), "window": model.activityHead.window.seconds,
        "hop": model.activityHead.window.hopSeconds, "sampleRate": model.sampleRate.hertz,
      ])
    case .stream(let stream): stream.description
    case .blocks(let blocks): blocks.description
    }
  }

  private static func names(_ channels: Set<Channel>) -> [String] {
    Channel.allCases.filter(channels.contains).map(\.rawValue)
  }

  private static func runs(_ runs: [LabelRun]?) -> [JSONObject]? {
    runs?.map { JSONObject(["label": $0.label, "first": $0.rows.lowerBound, "end": $0.rows.upperBound]) }
  }
}

/// What a file states about a recording besides its samples.
struct FileFacts: Sendable {
  var format: RecordingFormat?
  let labels: [LabelRun]?
  let subjects: [LabelRun]?
}

/// The blocks of a file. Only one call at a time reads; calls from other threads wait for it.
final class FileBlocks: Sendable {
  private let state: Mutex<(reader: RecordingBlocks.Reader, hasBegun: Bool, summary: RecordingSummary?)>

  init(_ file: RecordingBlocks) { state = Mutex((RecordingBlocks.Reader(file), false, nil)) }

  /// The next part of the file as a status for C: 1 with a block, 0 at the end, or 2 if all blocks follow once more.
  func next() throws -> (status: Int64, block: Held?) {
    try state.withLock { state in
      while true {
        switch try state.reader.next() {
        case .beginning where state.hasBegun: return (2, nil)
        case .beginning: state.hasBegun = true
        case .block(let block):
          return (1, .recording(block.recording, FileFacts(labels: block.labels, subjects: block.subjects)))
        case .end(let summary):
          state.summary = summary
          return (0, nil)
        }
      }
    }
  }

  var description: JSONObject {
    let summary = state.withLock { $0.summary }
    return JSONObject([
      "kind": "blocks", "rows": summary?.count, "repairs": summary?.recording.repairs.map(\.description),
    ])
  }
}

/// The contents of a plan: features, windows and rate.
struct FeatureStreamPlan: Sendable {
  let features: [Feature]
  let shape: WindowShape
  let sampleRate: SampleRate
  let stream: FeatureStream
  let channels: Set<Channel>

  init(features: [Feature], shape: WindowShape, sampleRate: SampleRate) throws {
    (self.features, self.shape, self.sampleRate) = (features, shape, sampleRate)
    stream = try FeatureStream(features: features, shape: shape, sampleRate: sampleRate)
    channels = Set(features.flatMap(\.lane.neededChannels))
  }
}

/// The objects that C holds. A handle consists of a slot's index and the slot's generation, so a released handle never
/// becomes valid again.
struct HandleTable: Sendable {
  private var slots: [(generation: UInt32, held: Held?)] = []
  private var free: [Int] = []
  private static let largestCount = 1 << 20
  /// There is one table for the process, because C has handles instead of references.
  private static let shared = Mutex(HandleTable())

  /// A new handle of `held`.
  static func insert(_ held: Held) throws -> UInt64 {
    try shared.withLock { table in
      if let index = table.free.popLast() {
        table.slots[index].held = held
        return UInt64(table.slots[index].generation) << 32 | UInt64(index)
      }
      guard table.slots.count < largestCount else { throw InterfaceError("too many handles; release some") }
      table.slots.append((1, held))
      return 1 << 32 | UInt64(table.slots.count - 1)
    }
  }

  /// The object of a handle.
  static func held(_ handle: UInt64) throws -> Held {
    guard let held = shared.withLock({ $0.index(of: handle).flatMap { [slots = $0.slots] in slots[$0].held } }) else {
      throw InterfaceError(
        "\(handle) is not a handle, or it was released; use a handle that was returned and is in use")
    }
    return held
  }

  static func release(_ handle: UInt64) throws {
    let held = try shared.withLock { table in
      guard let index = table.index(of: handle) else {
        throw InterfaceError("\(handle) is not a handle, or it was released before; release each handle once")
      }
      defer { table.slots[index].held = nil }
      table.slots[index].generation &+= 1
      if table.slots[index].generation != 0 { table.free.append(index) }
      return table.slots[index].held
    }
    // A large object is freed here, after the lock is released.
    _ = consume held
  }

  private func index(of handle: UInt64) -> Int? {
    let index = Int(handle & 0xFFFF_FFFF)
    guard slots.indices.contains(index), UInt64(slots[index].generation) == handle >> 32, slots[index].held != nil
    else { return nil }
    return index
  }
}

/// An error of a call: the problem and its cure.
struct InterfaceError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// The value of `body`. If `body` throws an error, returns `failure`, and `gait_error` gives the error's text.
func guarded<Value>(_ failure: Value, _ body: () throws -> Value) -> Value {
  do { return try body() } catch {
    ThreadError.set("\(error)")
    return failure
  }
}

/// Runs a call that returns a new handle, or 0 if it fails.
func handle(_ body: () throws -> Held) -> UInt64 { guarded(0) { try HandleTable.insert(body()) } }
func recording(_ handle: UInt64, _ name: String = "the handle") throws -> Recording {
  guard case .recording(let recording, _) = try HandleTable.held(handle) else {
    throw InterfaceError("\(name) is not a recording")
  }
  return recording
}
func model(_ handle: UInt64) throws -> ActivityModel {
  guard case .model(let model) = try HandleTable.held(handle) else { throw InterfaceError("the handle is not a model") }
  return model
}
func stream(_ handle: UInt64) throws -> SampleStream {
  guard case .stream(let stream) = try HandleTable.held(handle) else {
    throw InterfaceError("the handle is not a stream")
  }
  return stream
}

// MARK: Arguments

func text(_ pointer: UnsafePointer<CChar>?, _ name: String) throws -> String {
  guard let pointer else { throw InterfaceError("\(name) is NULL; pass a text") }
  guard let text = String(validatingCString: pointer) else { throw InterfaceError("\(name) is not UTF-8") }
  return text
}

/// A sample rate within the range of `SampleRate`.
func rate(_ hertz: Double) throws -> SampleRate {
  guard let rate = SampleRate(exactly: hertz) else {
    let valid = SampleRate.validHertz
    throw InterfaceError(
      "\(hertz) Hz is not a sample rate; give one within \(plain(valid.lowerBound))…\(plain(valid.upperBound)) Hz")
  }
  return rate
}

/// `count` values at a pointer, after checks of count and alignment.
func values<Value>(_ pointer: UnsafePointer<Value>?, _ count: Int64, _ name: String) throws -> UnsafeBufferPointer<
  Value
> {
  guard 0...Int64(1 << 40) ~= count else { throw InterfaceError("\(name): \(count) is not a possible count") }
  guard count > 0 else { return UnsafeBufferPointer(start: nil, count: 0) }
  guard let pointer else { throw InterfaceError("\(name) is NULL but has \(count) values") }
  guard Int(bitPattern: pointer) % MemoryLayout<Value>.alignment == 0 else {
    throw InterfaceError("\(name) is not aligned to its \(MemoryLayout<Value>.size)-byte values")
  }
  return UnsafeBufferPointer(start: pointer, count: Int(count))
}

/// Room for `count` values at a pointer; `nil` for NULL.
func room<Value>(
  _ pointer: UnsafeMutablePointer<Value>?, _ count: Int64, _ name: String
) throws -> UnsafeMutableBufferPointer<Value>? {
  guard pointer != nil else { return nil }
  return UnsafeMutableBufferPointer(mutating: try values(UnsafePointer(pointer), count, name))
}

/// Writes a text and its final NUL if they fit.
///
/// - Returns: the number of bytes without the NUL.
func copy(_ bytes: some Collection<UInt8>, to buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int64) -> Int64 {
  if let buffer, capacity > 0 {
    buffer.pointee = 0
    if Int64(bytes.count) < capacity {
      for (index, byte) in bytes.enumerated() { buffer[index] = CChar(bitPattern: byte) }
      buffer[bytes.count] = 0
    }
  }
  return Int64(bytes.count)
}

/// Options as lines of `key=value`.
struct Options {
  private var values: [String: String] = [:]

  init(_ pointer: UnsafePointer<CChar>?, _ name: String = "options") throws {
    guard pointer != nil else { return }
    for line in try text(pointer, name).split(whereSeparator: \.isNewline) {
      guard let equals = line.firstIndex(of: "=") else {
        throw InterfaceError("\"\(line)\" in \(name) is not key=value")
      }
      values[String(line[..<equals])] = String(line[line.index(after: equals)...])
    }
  }

  /// Removes an option and parses it; `nil` if it is not given.
  mutating func take<Value>(_ key: String, _ choices: String, _ parse: (String) -> Value?) throws -> Value? {
    guard let text = values.removeValue(forKey: key) else { return nil }
    guard let value = parse(text) else {
      throw InterfaceError("\(key)=\(text.shortened) is not valid; \(key) is \(choices)")
    }
    return value
  }

  /// Removes the option of an enumeration.
  mutating func take<Value: RawRepresentable & CaseIterable>(
    _ key: String, _: Value.Type
  ) throws -> Value? where Value.RawValue == String {
    try take(key, "one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))") { Value(rawValue: $0) }
  }

  mutating func flag(_ key: String) throws -> Bool { try take(key, "true or false") { Bool($0) } ?? false }

  mutating func number(_ key: String, within range: ClosedRange<Double>) throws -> Double? {
    try take(key, "a number within \(plain(range.lowerBound))…\(plain(range.upperBound))") {
      Double($0).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// Throws an error if an option was not taken.
  func finish() throws {
    guard let key = values.keys.min() else { return }
    throw InterfaceError("there is no option \(key.shortened) here")
  }
}

/// The text of the last failed call of each thread, freed when the thread ends.
enum ThreadError {
  private final class Text: Sendable {
    let bytes: [UInt8]
    init(_ text: String) { bytes = Array(text.utf8) }
  }

  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    let made = pthread_key_create(&key) { (text: UnsafeMutableRawPointer?) in
      if let text { Unmanaged<Text>.fromOpaque(text).release() }
    }
    return made == 0 ? key : nil
  }()

  /// Replaces the text of this thread.
  static func set(_ text: String) {
    guard let key else { return }
    let old = pthread_getspecific(key)
    let new = Unmanaged.passRetained(Text(text))
    if pthread_setspecific(key, new.toOpaque()) != 0 { return new.release() }
    if let old { Unmanaged<Text>.fromOpaque(old).release() }
  }

  /// The text of this thread as UTF-8; empty if no call failed.
  static var text: [UInt8] {
    guard let key, let text = pthread_getspecific(key) else { return [] }
    return Unmanaged<Text>.fromOpaque(text).takeUnretainedValue().bytes
  }
}
