import Foundation
import Gait

/// Inputs of a run as bytes, for a message to another device or to a server.
///
///     let batch = RunInputBatch(inputs, number: 17)                                // on the phone
///     send(batch.bytes)
///
///     let batch = try RunInputBatch(bytes: body)                                   // on the server
///     if try journal.append(batch) { for input in batch.inputs { tracker.append(input) } }
///
/// Nothing is rounded: the inputs are the same to the last bit. A sample of motion with twelve channels takes 58 bytes,
/// a GPS point up to 66, and each batch 37 more.
///
/// The bytes are, in this order: a line, `gait.batch 1`; the number of the batch as `Int64`, −1 without one; the number
/// of inputs and the length of their records, `UInt32` each; the records, as in a ``RunJournal`` but without checksums
/// of their own; and FNV-1a of 64 bits over all before. Numbers are little-endian. A missing or changed byte is an
/// error.
public struct RunInputBatch: Sendable {
  /// The place of the batch among those of its run, from 0; `nil` if the batches are not numbered.
  public var number: Int? { content.number }
  /// The inputs, in order of time.
  public var inputs: [RunInput] { content.inputs }
  /// The batch as bytes.
  public let bytes: [UInt8]
  private let content: Content

  /// The most inputs of a batch that is read by default: three minutes of motion at 50 Hz.
  public static let usualLargestCount = 10_000

  fileprivate static let line = Array("gait.batch 1\n".utf8)
  fileprivate static let checksumSize = MemoryLayout<UInt64>.size

  /// A batch of inputs.
  ///
  /// - Parameters:
  ///   - inputs: at most 60 million, so that their length is a `UInt32`.
  ///   - number: the place of the batch among those of its run, 0 or more. `RunJournal.append(_:)` then refuses batches
  ///     that are sent again or out of order.
  public init(_ inputs: some Collection<RunInput>, number: Int? = nil) {
    precondition(number ?? 0 >= 0 && number != .max, "batches are numbered from 0")
    let inputs = Array(inputs)
    let largest = Self.largestByteCount(ofInputs: inputs.count)
    bytes = [UInt8](unsafeUninitializedCapacity: largest) { buffer, count in
      let first = UnsafeMutableRawPointer(buffer.baseAddress!)
      var writer = RecordWriter(at: first)
      for byte in Self.line { writer.append(byte) }
      writer.append(Int64(number ?? -1))
      writer.append(UInt32(inputs.count))
      var length = writer
      writer.append(UInt32(0))
      let start = writer.end
      for input in inputs { input.encode(into: &writer) }
      length.append(UInt32(writer.end - start))
      count = writer.end - first
      writer.append(Checksum.number(UnsafeRawBufferPointer(start: first, count: count)))
      count += Self.checksumSize
    }
    content = Content(number: number, inputs: inputs, end: bytes.count)
  }

  /// Reads a batch.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of one batch, and nothing else.
  ///   - largestCount: the most inputs. If the batch states more, it is refused before any input is read.
  /// - Throws: `RunInputBatchError`.
  public init(
    bytes: some ContiguousBytes, largestCount: Int = usualLargestCount
  ) throws(RunInputBatchError) {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(RunInputBatchError) in
        let content = try Content(in: bytes, at: 0, largestCount: largestCount)
        guard content.end == bytes.count else {
          throw .otherLength(byteCount: bytes.count, expected: content.end)
        }
        return (content, [UInt8](bytes))
      }
    }
    (content, self.bytes) = try result.get()
  }

  /// The most bytes of a batch with this number of inputs. A server can limit its messages to it.
  public static func largestByteCount(ofInputs count: Int) -> Int {
    line.count + 8 + 4 + 4 + count * RunInput.largestRecord + checksumSize
  }

  /// The contents of a batch's bytes.
  struct Content {
    var number: Int?
    var inputs: [RunInput]
    /// The position after the batch.
    var end: Int
  }
}

extension RunInputBatch {
  /// The numbers that a batch states before its records, and the positions that follow from them.
  struct Header {
    fileprivate let number: Int64
    fileprivate let count: UInt32
    /// The position of the first record; `last` is that after the last record, and `end` that after the batch.
    fileprivate let first: Int
    fileprivate let last: Int
    let end: Int
  }
}

extension RunInputBatch.Header {
  /// Reads the beginning of the batch at `start`. Throws if it is not a batch of version 1, or is longer than `bytes`.
  init(in bytes: UnsafeRawBufferPointer, at start: Int) throws(RunInputBatchError) {
    let rest = bytes[start...]
    guard rest.starts(with: RunInputBatch.line) else {
      throw rest.starts(with: RunInputBatch.line.dropLast(2)) ? .otherVersion : .notABatch
    }
    var reader = RecordReader(bytes: bytes, place: start + RunInputBatch.line.count)
    guard let number = reader.next(Int64.self), let count = reader.next(UInt32.self),
      let length = reader.next(UInt32.self)
    else { throw .otherLength(byteCount: rest.count, expected: RunInputBatch.largestByteCount(ofInputs: 0)) }
    (self.number, self.count, first) = (number, count, reader.place)
    // The length is compared with the remaining room before it is added: the sum may exceed an integer of 32 bits.
    let room = bytes.count - first - RunInputBatch.checksumSize
    guard length <= room else {
      throw .otherLength(
        byteCount: rest.count, expected: Int(clamping: Int64(rest.count) + Int64(length) - Int64(room)))
    }
    last = first + Int(clamping: length)
    end = last + RunInputBatch.checksumSize
  }
}

extension RunInputBatch.Content {
  /// Reads the batch at `start`. Throws if it is not complete and unchanged, or has more than `largestCount` inputs.
  init(in bytes: UnsafeRawBufferPointer, at start: Int, largestCount: Int = .max) throws(RunInputBatchError) {
    let header = try RunInputBatch.Header(in: bytes, at: start)
    let count = Int(clamping: header.count)
    guard count <= largestCount else { throw .tooMany(count: count, largest: largestCount) }
    var reader = RecordReader(bytes: bytes, place: header.last)
    guard reader.next(UInt64.self) == Checksum.number(UnsafeRawBufferPointer(rebasing: bytes[start..<header.last]))
    else { throw .changed }
    reader = RecordReader(bytes: UnsafeRawBufferPointer(rebasing: bytes[..<header.last]), place: header.first)
    var inputs: [RunInput] = []
    // Every record has at least ten bytes. This limits the memory that is reserved for a wrong count.
    inputs.reserveCapacity(min(count, (header.last - header.first) / 10))
    for index in 0..<count {
      guard let input = RunInput(from: &reader) else { throw .unknownInput(index: index) }
      inputs.append(input)
    }
    guard reader.place == header.last, header.number >= -1, header.number < Int.max else {
      throw .unknownInput(index: count)
    }
    self.init(number: header.number < 0 ? nil : Int(header.number), inputs: inputs, end: header.end)
  }
}

/// An error of the bytes of a batch of inputs.
public enum RunInputBatchError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// The bytes do not begin like a batch.
  case notABatch
  /// The batch has a version other than 1.
  case otherVersion
  /// The batch states more inputs than are accepted.
  case tooMany(count: Int, largest: Int)
  /// The bytes are fewer or more than the batch states.
  case otherLength(byteCount: Int, expected: Int)
  /// A byte of the batch has changed.
  case changed
  /// An input, counted from 0, is of a kind that this version does not know.
  case unknownInput(index: Int)

  /// The sentence of `description`.
  public var errorDescription: String? { description }

  /// What is wrong, where, and the cure, in one sentence.
  public var description: String {
    switch self {
    case .notABatch: "the bytes do not begin as a batch of inputs; send those of RunInputBatch."
    case .otherVersion: "the batch of inputs is of another version than 1; update the receiver."
    case .tooMany(let count, let largest):
      "the batch has \(count) inputs, more than the \(largest) that are accepted; send several batches."
    case .otherLength(let byteCount, let expected):
      "the batch has \(byteCount) bytes instead of \(expected); send it again, whole and alone."
    case .changed: "a byte of the batch has changed on the way; send it again."
    case .unknownInput(let index): "input \(index) of the batch is not of a known kind; update the receiver."
    }
  }
}
