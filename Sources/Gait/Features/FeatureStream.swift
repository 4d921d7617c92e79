/// Cuts a stream at the model's rate into windows and computes each window's features.
///
/// The first window ends with the `length`-th sample, the next one a hop later. A gap restarts the stream, so no window
/// spans it. A window is skipped if a lane it needs has a missing value, or if a feature is outside
/// `ModelRanges.feature`.
package struct FeatureStream: Sendable {
  private var batch: SampleBatch
  private var history: WindowHistory
  private var extractor: FeatureExtractor
  private var output: [Float]
  private let usesAngles: Bool
  private let hop: Int
  private let blockLength: Int
  private let longestStep: Int64

  private var samplesUntilWindow: Int
  private var samplesUntilBlock: Int
  /// The number of samples until the batch is packed: until it is full, or a window or block ends.
  private var samplesUntilPacking = 0
  private var samplesSinceMissing = 0
  private var samplesSinceJump = 0
  /// The latest time of a next sample that continues the stream, nanoseconds.
  private var latestNext = Int64.min

  /// A stream of windows of `shape` over samples at `sampleRate`.
  package init(features: [Feature], shape: WindowShape, sampleRate: SampleRate) throws(ModelError) {
    let length = shape.sampleCount(at: sampleRate)
    hop = shape.hopCount(at: sampleRate)
    extractor = try FeatureExtractor(features: features, length: length, hop: hop, sampleRate: sampleRate)
    let packing = extractor.plan.packing
    batch = SampleBatch(packing: packing, sampleRate: sampleRate)
    usesAngles = !packing.angleSlots.isEmpty
    blockLength = extractor.blockLength ?? .max
    history = WindowHistory(length: length, packing: packing)
    output = Array(repeating: 0, count: features.count)
    longestStep = Int64(1.5 * sampleRate.periodNanoseconds)
    samplesUntilWindow = length
    samplesUntilBlock = blockLength
  }

  /// Defers windows and computes them in batches, which is faster if latency does not matter. `finish` computes the
  /// last batch.
  ///
  /// - Precondition: no sample has been appended.
  package mutating func deferWindows() {
    precondition(latestNext == .min, "windows can be deferred only before the first sample")
    extractor.deferWindows()
  }

  /// Calls `body` with the windows that are still deferred.
  package mutating func finish(_ body: (_ start: SampleTime, _ features: UnsafeMutableBufferPointer<Float>) -> Void) {
    guard extractor.deferredCount > 0 else { return }
    extractor.computeDeferred()
    for index in 0..<extractor.deferredCount {
      output.withUnsafeMutableBufferPointer { output in
        guard let start = extractor.readFeatures(ofDeferred: index, into: output.baseAddress!),
          Self.areUsable(UnsafeBufferPointer(output))
        else { return }
        body(start, output)
      }
    }
    extractor.clear()
  }

  /// Appends a sample; if it completes a window, calls `body` with the window's start and features.
  @inline(__always)
  package mutating func append(
    _ sample: MotionSample, _ body: (_ start: SampleTime, _ features: UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    guard sample.time.nanoseconds <= latestNext else { return begin(with: sample, body) }
    take(sample, body)
  }

  /// Appends the samples of a recording at the stream's rate; equivalent to appending them one by one.
  package mutating func append(
    contentsOf recording: Recording,
    _ body: (_ start: SampleTime, _ features: UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    var index = 0
    while index < recording.count {
      let count = samplesUntilPacking
      // Samples up to the next packing are packed directly from the recording if the batch is empty, the previous
      // sample precedes them in memory, they can be read in whole groups of eight, and there is no gap before or among
      // them.
      guard batch.count == 0, index > 0, count > 0, index + (count + 7) / 8 * 8 <= recording.count,
        recording.isUnbroken(index, count: count, after: latestNext - longestStep, longestStep: longestStep)
      else {
        append(recording[index], body)
        index += 1
        continue
      }
      if usesAngles {
        countSinceJump(SampleBatch.samplesSinceJump(in: recording, from: index, count: count), of: count)
      }
      let writer = batch.writer
      countPacked(
        count, complete: history.append(count) { writer.pack(recording, from: index, count: count, into: $0) })
      index += count
      batch.restart(before: recording.rows[index - 1])
      latestNext = recording.time(at: index - 1).nanoseconds + longestStep
      closeWindows(body)
    }
  }

  /// Restarts the stream with a sample.
  @inline(never)
  private mutating func begin(
    with sample: MotionSample, _ body: (SampleTime, UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    samplesUntilWindow = history.length
    samplesUntilBlock = blockLength
    samplesSinceMissing = 0
    samplesSinceJump = 0
    batch.restart(before: sample.row)
    planNextBatch()
    take(sample, body)
  }

  /// Appends a sample that continues the stream.
  @inline(__always)
  private mutating func take(
    _ sample: MotionSample, _ body: (SampleTime, UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    latestNext = sample.time.nanoseconds + longestStep
    batch.append(sample)
    samplesUntilPacking &-= 1
    if samplesUntilPacking == 0 { closeBatch(body) }
  }

  /// Packs the batch, and closes the window that ends with it.
  ///
  /// Not inlined into `append`, so that most samples take only a few instructions.
  @inline(never)
  private mutating func closeBatch(_ body: (SampleTime, UnsafeMutableBufferPointer<Float>) -> Void) {
    let count = batch.count
    if usesAngles { countSinceJump(batch.samplesSinceJump, of: count) }
    countPacked(count, complete: history.append(count) { batch.pack(into: $0) })
    closeWindows(body)
  }

  /// - Parameter since: the number of samples since an angle last jumped; `nil` if none jumped in the last `count`
  ///   samples.
  private mutating func countSinceJump(_ since: Int?, of count: Int) {
    samplesSinceJump = since ?? samplesSinceJump + count
  }

  /// - Parameter complete: the number of complete samples at the end of the last `count` samples.
  private mutating func countPacked(_ count: Int, complete: Int) {
    samplesSinceMissing = complete == count ? samplesSinceMissing + count : complete
    samplesUntilWindow -= count
    samplesUntilBlock -= count
  }

  /// Closes the block and the window, if any, that end with the last packed sample.
  @inline(__always)
  private mutating func closeWindows(_ body: (SampleTime, UnsafeMutableBufferPointer<Float>) -> Void) {
    if samplesUntilBlock == 0 { closeBlock() }
    let closes = samplesUntilWindow == 0
    if closes { samplesUntilWindow = hop }
    planNextBatch()
    if closes && samplesSinceMissing >= history.length { closeWindow(body) }
  }

  private mutating func planNextBatch() {
    samplesUntilPacking = min(SampleBatch.size, samplesUntilWindow, samplesUntilBlock)
  }

  private mutating func closeBlock() {
    samplesUntilBlock = blockLength
    // A jump to the block's first sample is outside the block.
    let anglesJump = usesAngles && samplesSinceJump < blockLength
    history.withWindow(last: blockLength) { extractor.closeBlock($0.rows, anglesJump: anglesJump) }
  }

  private mutating func closeWindow(_ body: (SampleTime, UnsafeMutableBufferPointer<Float>) -> Void) {
    let start = history.start
    if extractor.defersWindows { return deferWindow(start, body) }
    output.withUnsafeMutableBufferPointer { output in
      // A jump to the window's first sample is outside the window.
      let anglesJump = usesAngles && samplesSinceJump < history.length
      history.withWindow(last: history.length) {
        extractor.extract($0, anglesJump: anglesJump, into: output.baseAddress!)
      }
      if Self.areUsable(UnsafeBufferPointer(output)) { body(start, output) }
    }
  }

  /// Whether every feature is a number within `ModelRanges.feature`. Samples of extreme size can give others.
  @inline(__always)
  private static func areUsable(_ features: UnsafeBufferPointer<Float>) -> Bool {
    let largest = ModelRanges.feature.upperBound
    var unusable: Int32 = 0
    for value in features { unusable |= value.magnitude <= largest ? 0 : 1 }
    return unusable == 0
  }

  @inline(never)
  private mutating func deferWindow(
    _ start: SampleTime, _ body: (SampleTime, UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    let anglesJump = usesAngles && samplesSinceJump < history.length
    history.withWindow(last: history.length) { extractor.deferWindow($0, start: start, anglesJump: anglesJump) }
    if extractor.isFull { finish(body) }
  }
}
