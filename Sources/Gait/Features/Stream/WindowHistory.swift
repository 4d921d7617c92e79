/// The latest samples of a stream, contiguous in memory.
///
/// When the buffer is full, the samples of one window are moved to its front. That happens once in hundreds of samples.
/// Nothing is allocated after `init`.
struct WindowHistory: Sendable {
  /// The number of samples in a window.
  let length: Int

  /// The number of Floats from one sample to the next, and from one plane to the next.
  private let width: Int
  private let planeStride: Int
  private let capacity: Int
  private var storage: [LaneGroup]
  private var times: [Int64]
  private var count = 0

  /// The size of the smallest buffer, in Floats. It is large enough that samples are rarely moved, and fits well into
  /// the first-level cache.
  private static let initialSize = 4096

  /// - Parameters:
  ///   - length: the number of samples in a window.
  ///   - packing: the layout of a sample's lanes in memory.
  init(length: Int, packing: LanePacking) {
    let slots = packing.sources.count
    // The buffer has spare room at its end: a whole batch may be written after the samples, and kernels read whole
    // groups.
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

  /// The time of the window's oldest sample, once there are `length` samples.
  var start: SampleTime { SampleTime(nanoseconds: times[count - length]) }

  /// Appends `added` samples, which `fill` writes. `fill` may write a whole batch.
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

  /// Calls `body` with the last `length` samples, oldest first.
  ///
  /// It is mutating because checking that an array is unique costs less than retaining it for the call.
  @inline(__always)
  mutating func withWindow(last length: Int, _ body: (LaneWindow) -> Void) {
    let (first, width, planeStride) = ((count - length) * width, width, planeStride)
    storage.withUnsafeMutableBufferPointer { storage in
      let floats = UnsafeRawPointer(storage.baseAddress!).assumingMemoryBound(to: Float.self)
      body(LaneWindow(base: floats + first, width: width, planeStride: planeStride))
    }
  }
}
