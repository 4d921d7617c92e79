/// The last samples of a stream, contiguous in memory.
///
/// New samples go behind the older ones; when the room is used up, what a window may still need moves to the front, once in
/// hundreds of samples. Nothing is allocated after `init`.
struct WindowHistory: Sendable {
  /// The number of samples in a window.
  let length: Int

  /// How many Floats a sample has on each plane, and from one plane to the next.
  private let width: Int
  private let planeStride: Int
  private let capacity: Int
  private var storage: [LaneGroup]
  private var times: [Int64]
  private var count = 0

  /// What is kept at least, in Floats: enough that moving it to the front is rare, and well within a processor's first cache.
  private static let initialSize = 4096

  /// - Parameters:
  ///   - length: the number of samples in a window.
  ///   - packing: how the lanes of a sample stand in memory.
  init(length: Int, packing: LanePacking) {
    let slots = packing.sources.count
    // One batch is written whole behind the samples, and kernels read whole groups, so a group's room stays spare.
    capacity = (max(4 * length, Self.initialSize / slots) + SampleBatch.size) / 8 * 8
    width = packing.isColumnar ? 1 : slots
    planeStride = (capacity + SampleBatch.size) * width
    self.length = length
    storage = Array(repeating: .zero, count: planeStride * (packing.isColumnar ? slots : 1) / 8)
    times = Array(repeating: 0, count: capacity + SampleBatch.size)
  }

  private mutating func moveToFront() {
    let (first, width, planeStride) = (count - length, width, planeStride)
    let kept = length
    storage.withUnsafeMutableBufferPointer { storage in
      let floats = UnsafeMutableRawPointer(storage.baseAddress!).assumingMemoryBound(to: Float.self)
      for plane in stride(from: 0, to: storage.count * 8, by: planeStride) {
        (floats + plane).update(from: floats + plane + first * width, count: kept * width)
      }
    }
    times.withUnsafeMutableBufferPointer { times in
      times.baseAddress!.update(from: times.baseAddress! + first, count: kept)
    }
    count = kept
  }

  /// The time of the window's oldest sample, once `length` samples are there.
  var start: SampleTime { SampleTime(nanoseconds: times[count - length]) }

  /// Adds `added` samples, which `fill` writes; it may write a whole batch.
  @inline(__always)
  mutating func append<Result>(_ added: Int, _ fill: (MutableLaneWindow) -> Result) -> Result {
    if count + added > capacity { moveToFront() }
    let (count, width, planeStride) = (count, width, planeStride)
    self.count += added
    return storage.withUnsafeMutableBufferPointer { storage in
      times.withUnsafeMutableBufferPointer { times in
        let floats = UnsafeMutableRawPointer(storage.baseAddress!).assumingMemoryBound(to: Float.self)
        return fill(
          MutableLaneWindow(
            base: floats + count * width, width: width, planeStride: planeStride, times: times.baseAddress! + count))
      }
    }
  }

  /// Calls `body` with the last `length` samples, or the last few, oldest first. Mutating, because looking whether the
  /// storage is shared costs less than sharing it for the call.
  @inline(__always)
  mutating func withWindow(last length: Int, _ body: (LaneWindow) -> Void) {
    let (first, width, planeStride) = ((count - length) * width, width, planeStride)
    storage.withUnsafeMutableBufferPointer { storage in
      let floats = UnsafeRawPointer(storage.baseAddress!).assumingMemoryBound(to: Float.self)
      body(LaneWindow(base: floats + first, width: width, planeStride: planeStride))
    }
  }
}

/// Samples in memory, oldest first: lanes one after another, each contiguous in time, or rows of whole groups of lanes.
struct LaneWindow {
  let base: UnsafePointer<Float>
  /// Floats from one sample to the next: 1 where lanes are contiguous.
  let width: Int
  /// Floats from one lane to the next, where lanes are contiguous.
  let planeStride: Int

  /// Where the lane of `slot` begins; its samples are `width` Floats apart.
  @inline(__always)
  func lane(_ slot: Int) -> UnsafePointer<Float> { width == 1 ? base + slot * planeStride : base + slot }

  /// The rows, shape `[samples × groups]`, where a sample is a row.
  var rows: UnsafePointer<LaneGroup> { UnsafeRawPointer(base).assumingMemoryBound(to: LaneGroup.self) }
}

/// The place of samples that are still to be written; see `LaneWindow`.
struct MutableLaneWindow {
  let base: UnsafeMutablePointer<Float>
  let width: Int
  let planeStride: Int
  let times: UnsafeMutablePointer<Int64>

  /// The place some samples on.
  @inline(__always)
  func advanced(by samples: Int) -> MutableLaneWindow {
    MutableLaneWindow(base: base + samples * width, width: width, planeStride: planeStride, times: times + samples)
  }
}
