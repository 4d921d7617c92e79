/// Computes a list of features from windows of packed samples.
///
/// The work is planned once, for one window length; `extract` allocates nothing. Only what the features need is
/// computed.
struct FeatureExtractor: Sendable {
  let plan: FeaturePlan
  private let windowSeconds: Float
  private let hop: Int
  private let layout: ScratchLayout
  private var scratch: [LaneGroup]
  /// Results that a window shares with the previous ones.
  private var sorted: SortedBlocks?
  private var halves: HalfWindowCache?
  /// Whether a window in which angles jump is also combined from halves: each half is unwrapped by itself, and whole
  /// turns are added between the two.
  private let unwrapsAcrossHalves: Bool

  /// A plan for `features` over windows of `length` samples at `sampleRate`, one every `hop` samples.
  init(features: [Feature], length: Int, hop: Int, sampleRate: SampleRate) throws(ModelError) {
    guard !features.isEmpty else { throw .feature(.noFeatures) }
    guard features.count <= ModelRanges.featureCount.upperBound else {
      throw .feature(.tooManyFeatures(features.count))
    }
    guard length >= ModelRanges.samplesPerWindow.lowerBound else { throw .feature(.windowTooShort(samples: length)) }
    guard length <= ModelRanges.samplesPerWindow.upperBound else { throw .feature(.windowTooLong(samples: length)) }
    for feature in features {
      if let highest = feature.statistic.highestFrequency, highest > sampleRate.hertz / 2 {
        throw .feature(.bandBeyondNyquist(feature, sampleRate))
      }
    }
    plan = FeaturePlan(features: features, length: length, sampleRate: sampleRate)
    windowSeconds = Float(Double(length) / sampleRate.hertz)
    self.hop = hop
    let cachesHalves = length == 2 * hop && plan.canJoinHalves
    layout = ScratchLayout(plan, blockRows: cachesHalves ? hop : length)
    scratch = Array(repeating: .zero, count: layout.count)
    halves = cachesHalves ? HalfWindowCache(plan, layout: layout.part.block) : nil
    let sorts = plan.parts.contains { $0.needs.contains(.order) }
    sorted =
      sorts && SortedBlocks.supports(length: length, hop: hop)
      ? SortedBlocks(length: length, hop: hop, parts: plan.parts.count) : nil
    unwrapsAcrossHalves = halves != nil && (sorted != nil || !sorts)
  }

  /// The number of rows after which `closeBlock` must be called; `nil` if windows share no blocks.
  var blockLength: Int? { halves != nil || sorted != nil ? hop : nil }

  /// Processes a block of rows that several windows share, shape `[blockLength × groupCount]`.
  ///
  /// - Parameter anglesJump: whether an angle that a feature uses crosses ±π in the block.
  mutating func closeBlock(_ rows: UnsafePointer<LaneGroup>, anglesJump: Bool) {
    let (plan, layout, count) = (plan, layout, hop)
    scratch.withUnsafeMutableBufferPointer { scratch in
      let copy = UnsafeMutableRawPointer(scratch.baseAddress! + layout.window).assumingMemoryBound(to: Lanes.self)
      let rows = PartRows(
        UnsafeRawPointer(rows).assumingMemoryBound(to: Lanes.self), plan, count: count,
        unwrapping: anglesJump ? copy : nil)
      sorted?.append(rows, plan.parts)
      halves?.append(rows, plan)
    }
  }

  /// Computes the features of one window.
  ///
  /// - Parameters:
  ///   - window: the packed samples, oldest first; if blocks are shared, the newest one must be closed.
  ///   - anglesJump: whether an angle that a feature uses crosses ±π in the window.
  ///   - features: receives the features, shape `[features.count]`.
  mutating func extract(_ window: LaneWindow, anglesJump: Bool, into features: UnsafeMutablePointer<Float>) {
    let (plan, layout, windowSeconds) = (plan, layout, windowSeconds)
    let (halves, sorted, unwrapsAcrossHalves) = (halves, sorted, unwrapsAcrossHalves)
    scratch.withUnsafeMutableBufferPointer { scratch in
      let scratch = scratch.baseAddress!
      let table = scratch + layout.table
      if !plan.parts.isEmpty {
        WindowStatistics(
          plan: plan, layout: layout, windowSeconds: windowSeconds, window: window, anglesJump: anglesJump,
          unwrapsAcrossHalves: unwrapsAcrossHalves
        ).run(sharing: halves, sorted, scratch: scratch, table: table)
      }
      SeriesStatistics(
        plan: plan, window: window, anglesJump: anglesJump, windowSeconds: windowSeconds, scratch: scratch,
        layout: layout
      ).run(table: table.floats)
      Self.readFeatures(table.floats, plan, into: features)
    }
  }

  private static func readFeatures(
    _ table: UnsafePointer<Float>, _ plan: FeaturePlan, into features: UnsafeMutablePointer<Float>
  ) {
    plan.places.withUnsafeBufferPointer { places in
      for index in places.indices { features[index] = table[Int(places[index])] }
    }
    for index in plan.otherReads.indices {
      let (feature, read, transform) = plan.otherReads[index]
      let value: Float =
        switch read {
        case .place(let place): table[place]
        case .difference(let first, let second): table[first] - table[second]
        case .logRatio(let first, let second, let offset):
          logarithm((offset + table[first]) / (offset + table[second]))
        case .sphericalVariance(let x, let y, let z):
          max(0, 1 - (table[x] * table[x] + table[y] * table[y] + table[z] * table[z]).squareRoot())
        }
      features[feature] = transform.apply(value)
    }
  }
}

extension Transform {
  /// The transformed value.
  @inline(__always)
  fileprivate func apply(_ value: Float) -> Float {
    switch self {
    case .identity: value
    case .log(let offset): logarithm(Float(offset) + value)
    case .signedLog(let scale):
      value < 0 ? -logarithm(1 - value / Float(scale)) : logarithm(1 + value / Float(scale))
    }
  }
}
