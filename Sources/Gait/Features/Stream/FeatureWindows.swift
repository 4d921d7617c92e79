/// The windows of a stream at the model's rate, and their features. It takes the samples in batches; a batch ends where
/// a window ends.
struct FeatureWindows: Sendable {
  private let writer: LaneWriter
  private var history: WindowHistory
  private var extractor: FeatureExtractor
  private var output: [Float]
  private let usesAngles: Bool
  private let hop: Int

  /// The number of samples until the next window ends.
  private(set) var samplesUntilWindow: Int
  private var samplesSinceMissing = 0
  private var samplesSinceJump = 0

  /// Windows of `shape` over samples at `sampleRate`.
  init(features: [Feature], shape: WindowShape, sampleRate: SampleRate) throws(ModelError) {
    let length = shape.sampleCount(at: sampleRate)
    hop = shape.hopCount(at: sampleRate)
    extractor = try FeatureExtractor(features: features, length: length, hop: hop, sampleRate: sampleRate)
    let packing = extractor.plan.packing
    writer = LaneWriter(packing: packing, sampleRate: sampleRate)
    usesAngles = !packing.angleSlots.isEmpty
    history = WindowHistory(length: length, packing: packing)
    output = Array(repeating: 0, count: features.count)
    samplesUntilWindow = length
  }

  /// Restarts the stream: the next window begins with the next sample.
  mutating func restart() {
    extractor.restart()
    samplesUntilWindow = history.length
    (samplesSinceMissing, samplesSinceJump) = (0, 0)
  }

  /// Takes the samples of a batch from index `first` on; returns whether a window that is not skipped ends with them.
  /// `withWindow` gives that window until more samples are taken.
  ///
  /// - Precondition: there are at most `samplesUntilWindow` samples.
  mutating func append(_ batch: inout SampleBatch, from first: Int = 0) -> Bool {
    let (count, writer) = (batch.count - first, writer)
    if usesAngles { samplesSinceJump = batch.samplesSinceJump(from: first) ?? samplesSinceJump + count }
    let complete = history.append(count) { place in
      batch.withSamples(from: first) { rows, times in
        let all = UnsafeRawPointer(times).loadUnaligned(as: SIMD16<Int64>.self)
        UnsafeMutableRawPointer(place.times).storeBytes(of: all, as: SIMD16<Int64>.self)
        return writer.pack(rows, upTo: count, into: place)
      }
    }
    samplesSinceMissing = complete == count ? samplesSinceMissing + count : complete
    samplesUntilWindow -= count
    guard samplesUntilWindow == 0 else { return false }
    samplesUntilWindow = hop
    guard samplesSinceMissing >= history.length else {
      extractor.restart()
      return false
    }
    return extractFeatures()
  }

  /// Calls `body` with the time of the latest window's first sample and the window's features. `body` may overwrite the
  /// features.
  @inline(__always)
  mutating func withWindow<Result>(
    _ body: (_ start: SampleTime, _ features: UnsafeMutableBufferPointer<Float>) -> Result
  ) -> Result {
    let start = history.start
    return output.withUnsafeMutableBufferPointer { body(start, $0) }
  }

  /// Computes the features of the window that ends with the latest batch; returns whether all are usable.
  private mutating func extractFeatures() -> Bool {
    output.withUnsafeMutableBufferPointer { output in
      // A jump between the window's first sample and the sample before it is outside the window.
      let anglesJump = usesAngles && samplesSinceJump < history.length
      history.withWindow(last: history.length) {
        extractor.extract($0, anglesJump: anglesJump, into: output)
      }
      return Self.areUsable(UnsafeBufferPointer(output))
    }
  }

  /// Whether every feature is a number within `ModelRanges.feature`. Samples of extreme size can give infinities and
  /// NaN.
  @inline(__always)
  private static func areUsable(_ features: UnsafeBufferPointer<Float>) -> Bool {
    let largest = ModelRanges.feature.upperBound
    var unusable: Int32 = 0
    for value in features { unusable |= value.magnitude <= largest ? 0 : 1 }
    return unusable == 0
  }
}
