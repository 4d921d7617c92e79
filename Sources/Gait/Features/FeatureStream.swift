/// Cuts a stream at the model's rate into windows and computes each window's features.
///
/// The first window ends with the `length`-th sample, the next one a hop later. A jump in time begins the stream anew: no
/// window spans it. A window that holds a missing value of a lane it needs has no features and is skipped.
struct FeatureStream: Sendable {
  private var ring: WindowRing
  private var extractor: FeatureExtractor
  private var output: [Float]
  private let hop: Int
  private let longestStep: Int64

  private var samplesUntilWindow: Int
  private var samplesSinceMissing = 0
  private var previousTime: Int64?
  private var previousAcceleration = SIMD4<Float>.zero

  /// A stream of windows of `shape` over samples at `sampleRate`.
  init(features: [Feature], shape: WindowShape, sampleRate: SampleRate) throws(FeatureError) {
    let length = shape.sampleCount(at: sampleRate)
    extractor = try FeatureExtractor(features: features, length: length, sampleRate: sampleRate)
    ring = WindowRing(length: length, groupCount: extractor.packing.groupCount)
    output = Array(repeating: 0, count: features.count)
    hop = shape.hopCount(at: sampleRate)
    longestStep = Int64(1.5 * sampleRate.periodNanoseconds)
    samplesUntilWindow = length
  }

  /// Takes the next sample; if it closes a window, calls `body` with the window's start and its features.
  @inline(__always)
  mutating func append(
    _ sample: MotionSample, _ body: (_ start: SampleTime, _ features: UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    restartIfApart(sample)
    let packing = extractor.packing
    let lanes = DerivedLanes(sample.row, after: previousAcceleration, rate: packing.rate)
    let isComplete = ring.append(time: sample.time) { packing.pack(lanes, into: $0) }
    samplesSinceMissing = isComplete ? samplesSinceMissing + 1 : 0
    previousAcceleration = sample.row.highHalf.highHalf
    samplesUntilWindow -= 1
    guard samplesUntilWindow == 0 else { return }
    samplesUntilWindow = hop
    guard samplesSinceMissing >= ring.length else { return }
    closeWindow(body)
  }

  private mutating func closeWindow(_ body: (SampleTime, UnsafeMutableBufferPointer<Float>) -> Void) {
    let start = ring.start
    output.withUnsafeMutableBufferPointer { output in
      ring.withWindow { extractor.extract($0, into: output.baseAddress!) }
      body(start, output)
    }
  }

  private mutating func restartIfApart(_ sample: MotionSample) {
    let time = sample.time.nanoseconds
    defer { previousTime = time }
    if let previousTime, time - previousTime <= longestStep { return }
    samplesUntilWindow = ring.length
    samplesSinceMissing = 0
    previousAcceleration = sample.row.highHalf.highHalf
  }
}
