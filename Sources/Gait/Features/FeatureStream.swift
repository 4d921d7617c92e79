/// Cuts a stream at the model's rate into windows and computes each window's features.
///
/// The first window ends with the `length`-th sample, the next one a hop later. A jump in time begins the stream anew: no
/// window spans it. A window that holds a missing value of a lane it needs has no features and is skipped.
package struct FeatureStream: Sendable {
  private var ring: WindowRing
  private var extractor: FeatureExtractor
  private var output: [Float]
  private let packer: RowPacker
  private let usesAngles: Bool
  private let hop: Int
  private let blockLength: Int?
  private let longestStep: Int64

  private var samplesUntilWindow: Int
  private var samplesSinceMissing = 0
  private var previousTime: Int64?
  private var samplesSinceJump = 0
  private var samplesInBlock = 0
  private var previous = SIMD16<Float>.zero

  /// A stream of windows of `shape` over samples at `sampleRate`.
  package init(features: [Feature], shape: WindowShape, sampleRate: SampleRate) throws(FeatureError) {
    let length = shape.sampleCount(at: sampleRate)
    hop = shape.hopCount(at: sampleRate)
    extractor = try FeatureExtractor(features: features, length: length, hop: hop, sampleRate: sampleRate)
    packer = extractor.plan.packing.packer
    usesAngles = !extractor.plan.packing.angleSlots.isEmpty
    blockLength = extractor.blockLength
    ring = WindowRing(length: length, groupCount: extractor.plan.packing.groupCount)
    output = Array(repeating: 0, count: features.count)
    longestStep = Int64(1.5 * sampleRate.periodNanoseconds)
    samplesUntilWindow = length
  }

  /// Takes the next sample; if it closes a window, calls `body` with the window's start and its features.
  @inline(__always)
  package mutating func append(
    _ sample: MotionSample, _ body: (_ start: SampleTime, _ features: UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    restartIfApart(sample)
    let before = previous.highHalf.highHalf
    let isComplete = ring.append(time: sample.time) { packer.pack(sample.row, after: before, into: $0) }
    samplesSinceMissing = isComplete ? samplesSinceMissing + 1 : 0
    if usesAngles { noteJump(to: sample.row) }
    previous = sample.row
    samplesInBlock += 1
    if samplesInBlock == blockLength { closeBlock() }
    samplesUntilWindow -= 1
    guard samplesUntilWindow == 0 else { return }
    samplesUntilWindow = hop
    guard samplesSinceMissing >= ring.length else { return }
    closeWindow(body)
  }

  /// Notes whether an angle has passed ±π since the sample before.
  @inline(__always)
  private mutating func noteJump(to row: SIMD16<Float>) {
    let turn = row.lowHalf.lowHalf - previous.lowHalf.lowHalf
    let jumps = SIMD4<Float>.zero.replacing(with: 1, where: turn * turn .> .pi * .pi)
    samplesSinceJump = jumps.sum() > 0 ? 1 : samplesSinceJump + 1
  }

  private mutating func closeBlock() {
    let rows = (ring.length - samplesInBlock) * ring.groupCount
    samplesInBlock = 0
    ring.withWindow { extractor.closeBlock($0 + rows) }
  }

  private mutating func closeWindow(_ body: (SampleTime, UnsafeMutableBufferPointer<Float>) -> Void) {
    let start = ring.start
    output.withUnsafeMutableBufferPointer { output in
      // Row 0 of the window has no neighbour in it to jump from.
      let anglesJump = usesAngles && samplesSinceJump < ring.length
      ring.withWindow { extractor.extract($0, anglesJump: anglesJump, into: output.baseAddress!) }
      body(start, output)
    }
  }

  private mutating func restartIfApart(_ sample: MotionSample) {
    let time = sample.time.nanoseconds
    defer { previousTime = time }
    if let previousTime, time - previousTime <= longestStep { return }
    samplesUntilWindow = ring.length
    samplesSinceMissing = 0
    samplesSinceJump = 0
    samplesInBlock = 0
    previous = sample.row
  }
}
