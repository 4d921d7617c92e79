/// Cuts a stream at the model's rate into windows and computes each window's features.
///
/// The first window ends with the `length`-th sample, the next one a hop later. A jump in time begins the stream anew: no
/// window spans it. A window that holds a missing value of a lane it needs has no features and is skipped, and so is one
/// with a feature outside `ModelRanges.feature`.
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
  /// How many samples the batch still takes before it is packed: until it is full, or a window or block ends.
  private var samplesUntilPacking = 0
  private var samplesSinceMissing = 0
  private var samplesSinceJump = 0
  /// The latest time, nanoseconds, that continues the stream.
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

  /// From now on windows may wait for later ones and are handed out a few at a time, which costs less where nobody waits
  /// for them; `finish` hands out the last.
  ///
  /// - Precondition: the stream has taken no sample.
  package mutating func foldWindows() {
    precondition(latestNext == .min, "windows can be folded only from a stream's beginning on")
    extractor.foldWindows()
  }

  /// Hands out the windows that still wait.
  package mutating func finish(_ body: (_ start: SampleTime, _ features: UnsafeMutableBufferPointer<Float>) -> Void) {
    guard extractor.waitingCount > 0 else { return }
    extractor.unfold()
    for index in 0..<extractor.waitingCount {
      output.withUnsafeMutableBufferPointer { output in
        guard let start = extractor.readOff(waiting: index, into: output.baseAddress!),
          Self.areUsable(UnsafeBufferPointer(output))
        else { return }
        body(start, output)
      }
    }
    extractor.clear()
  }

  /// Takes the next sample; if it closes a window, calls `body` with the window's start and its features.
  @inline(__always)
  package mutating func append(
    _ sample: MotionSample, _ body: (_ start: SampleTime, _ features: UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    guard sample.time.nanoseconds <= latestNext else { return begin(with: sample, body) }
    take(sample, body)
  }

  /// Takes the samples of a recording at the stream's own rate, as `append` takes one after another.
  package mutating func append(
    contentsOf recording: Recording,
    _ body: (_ start: SampleTime, _ features: UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    var index = 0
    while index < recording.count {
      let count = samplesUntilPacking
      // Samples up to the next packing are packed from where they stand, if the batch is empty, the sample before them is in
      // front of them, they may be read in whole eights and none comes after a jump in time.
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

  /// Begins the stream anew with a sample.
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

  /// Takes a sample that continues the stream.
  @inline(__always)
  private mutating func take(
    _ sample: MotionSample, _ body: (SampleTime, UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    latestNext = sample.time.nanoseconds + longestStep
    batch.append(sample)
    samplesUntilPacking &-= 1
    if samplesUntilPacking == 0 { closeBatch(body) }
  }

  /// Packs the batch, and closes the window that it ends.
  ///
  /// Kept out of `append`, so that most samples pass through a few instructions.
  @inline(never)
  private mutating func closeBatch(_ body: (SampleTime, UnsafeMutableBufferPointer<Float>) -> Void) {
    let count = batch.count
    if usesAngles { countSinceJump(batch.samplesSinceJump, of: count) }
    countPacked(count, complete: history.append(count) { batch.pack(into: $0) })
    closeWindows(body)
  }

  /// - Parameter since: how many of the last `count` samples came since an angle jumped; `nil` where none did among them.
  private mutating func countSinceJump(_ since: Int?, of count: Int) {
    samplesSinceJump = since ?? samplesSinceJump + count
  }

  /// - Parameter complete: how many of the last `count` samples are complete, from the last one on.
  private mutating func countPacked(_ count: Int, complete: Int) {
    samplesSinceMissing = complete == count ? samplesSinceMissing + count : complete
    samplesUntilWindow -= count
    samplesUntilBlock -= count
  }

  /// Closes the block and the window that end with the last packed sample.
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
    // The block's first sample has no neighbour in it to jump from.
    let anglesJump = usesAngles && samplesSinceJump < blockLength
    history.withWindow(last: blockLength) { extractor.closeBlock($0.rows, anglesJump: anglesJump) }
  }

  private mutating func closeWindow(_ body: (SampleTime, UnsafeMutableBufferPointer<Float>) -> Void) {
    let start = history.start
    if extractor.foldsWindows { return foldWindow(start, body) }
    output.withUnsafeMutableBufferPointer { output in
      // The window's first sample has no neighbour in it to jump from.
      let anglesJump = usesAngles && samplesSinceJump < history.length
      history.withWindow(last: history.length) {
        extractor.extract($0, anglesJump: anglesJump, into: output.baseAddress!)
      }
      if Self.areUsable(UnsafeBufferPointer(output)) { body(start, output) }
    }
  }

  /// Whether every feature is a number within `ModelRanges.feature`: samples of absurd size make others.
  @inline(__always)
  private static func areUsable(_ features: UnsafeBufferPointer<Float>) -> Bool {
    let largest = ModelRanges.feature.upperBound
    var unusable: Int32 = 0
    for value in features { unusable |= value.magnitude <= largest ? 0 : 1 }
    return unusable == 0
  }

  @inline(never)
  private mutating func foldWindow(
    _ start: SampleTime, _ body: (SampleTime, UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    let anglesJump = usesAngles && samplesSinceJump < history.length
    history.withWindow(last: history.length) { extractor.fold($0, start: start, anglesJump: anglesJump) }
    if extractor.isFull { finish(body) }
  }
}
