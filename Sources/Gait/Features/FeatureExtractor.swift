/// Computes a list of features from windows of packed samples.
///
/// Everything is planned once, for one window length; `extract` allocates nothing. What no feature asks for is not
/// computed.
struct FeatureExtractor: Sendable {
  let plan: FeaturePlan
  private let windowSeconds: Float
  private let hop: Int
  private let layout: ScratchLayout
  private var scratch: [LaneGroup]
  /// The work that every window does alone.
  private var parts: [FeaturePlan.Part]
  /// Windows that wait for one another; `nil` where none does.
  private var folded: DeferredWindows?
  /// What windows share with those before them.
  private var sorted: SortedBlocks?
  private var halves: HalfWindowCache?
  /// Whether windows in which angles jump are put together from halves like others: each half's angles are continuous, and
  /// whole turns lie between them.
  private let joinsTurns: Bool

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
    parts = plan.parts
    let cachesHalves = length == 2 * hop && plan.canJoinHalves
    layout = ScratchLayout(plan, blockRows: cachesHalves ? hop : length)
    scratch = Array(repeating: .zero, count: layout.count)
    halves = cachesHalves ? HalfWindowCache(plan, layout: layout.part.block) : nil
    let sorts = plan.parts.contains { $0.needs.contains(.order) }
    sorted =
      sorts && SortedBlocks.serves(length: length, hop: hop)
      ? SortedBlocks(length: length, hop: hop, parts: plan.parts.count) : nil
    joinsTurns = halves != nil && (sorted != nil || !sorts)
  }

  /// How many rows make a block that must be announced by `closeBlock`; `nil` where there is no need.
  var blockLength: Int? { halves != nil || sorted != nil ? hop : nil }

  /// Takes a block of rows that several windows will share, shape `[blockLength × groupCount]`.
  ///
  /// - Parameter anglesJump: whether an angle that some feature uses passes ±π in the block.
  mutating func closeBlock(_ rows: UnsafePointer<LaneGroup>, anglesJump: Bool) {
    let (plan, parts, layout, count) = (plan, parts, layout, hop)
    scratch.withUnsafeMutableBufferPointer { scratch in
      let copy = UnsafeMutableRawPointer(scratch.baseAddress! + layout.window).assumingMemoryBound(to: Lanes.self)
      let rows = PartRows(
        UnsafeRawPointer(rows).assumingMemoryBound(to: Lanes.self), plan, count: count,
        unwrapping: anglesJump ? copy : nil)
      sorted?.append(rows, parts)
      halves?.append(rows, plan, parts)
    }
  }

  /// Computes the features of one window.
  ///
  /// - Parameters:
  ///   - window: the packed samples, oldest first; where blocks are shared, the newest one has been closed.
  ///   - anglesJump: whether an angle that some feature uses passes ±π in the window.
  ///   - features: receives the features, shape `[features.count]`.
  mutating func extract(_ window: LaneWindow, anglesJump: Bool, into features: UnsafeMutablePointer<Float>) {
    let (plan, layout, windowSeconds) = (plan, layout, windowSeconds)
    let (parts, halves, sorted, joinsTurns) = (parts, halves, sorted, joinsTurns)
    scratch.withUnsafeMutableBufferPointer { scratch in
      let scratch = scratch.baseAddress!
      let table = scratch + layout.table
      if !parts.isEmpty {
        WindowStatistics(
          plan: plan, layout: layout, windowSeconds: windowSeconds, window: window, anglesJump: anglesJump,
          joinsTurns: joinsTurns
        ).run(parts, sharing: halves, sorted, scratch: scratch, table: table)
      }
      SeriesStatistics(
        plan: plan, window: window, anglesJump: anglesJump, windowSeconds: windowSeconds, scratch: scratch,
        layout: layout
      ).run(table: table.floats)
      Self.readOff(table.floats, plan, into: features)
    }
  }

  private static func readOff(
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

// MARK: - Folding

extension FeatureExtractor {
  /// From now on windows may wait for one another, so that lanes which leave most of a register empty fill it together.
  ///
  /// - Precondition: no block has been closed.
  mutating func foldWindows() {
    guard let fold = plan.fold else { return }
    parts = fold.others
    folded = DeferredWindows(plan, fold)
  }

  /// Whether windows wait for one another.
  var foldsWindows: Bool { folded != nil }
  /// How many windows wait.
  var waitingCount: Int { folded?.count ?? 0 }
  /// Whether no more windows may wait.
  var isFull: Bool { waitingCount == FeaturePlan.Fold.windowCount }

  /// Computes of a window what does not wait.
  mutating func fold(_ window: LaneWindow, start: SampleTime, anglesJump: Bool) {
    let (plan, layout, windowSeconds) = (plan, layout, windowSeconds)
    let (parts, halves, sorted, joinsTurns) = (parts, halves, sorted, joinsTurns)
    scratch.withUnsafeMutableBufferPointer { scratch in
      folded?.append(window, start: start) { table in
        WindowStatistics(
          plan: plan, layout: layout, windowSeconds: windowSeconds, window: window, anglesJump: anglesJump,
          joinsTurns: joinsTurns
        ).run(parts, sharing: halves, sorted, scratch: scratch.baseAddress!, table: table)
        SeriesStatistics(
          plan: plan, window: window, anglesJump: anglesJump, windowSeconds: windowSeconds,
          scratch: scratch.baseAddress!, layout: layout
        ).run(table: table.floats)
      }
    }
  }

  /// Computes the rest of all windows that wait.
  mutating func unfold() {
    let (plan, layout, windowSeconds) = (plan, layout, windowSeconds)
    scratch.withUnsafeMutableBufferPointer { scratch in
      let base = scratch.baseAddress! + layout.parts
      folded?.unfold { part, rows, table in
        LaneStatistics(
          plan: plan, part: part, layout: layout.part, windowSeconds: windowSeconds, joinsTurns: false, rows: rows,
          stride: 1, scratch: base.lanes, table: table
        ).run(sharing: nil, nil)
      }
    }
  }

  /// The features of a window that has waited, shape `[features.count]`; returns when it began.
  func readOff(waiting index: Int, into features: UnsafeMutablePointer<Float>) -> SampleTime? {
    folded?.withTable(index) { start, table in
      Self.readOff(table, plan, into: features)
      return start
    }
  }

  /// Forgets the windows that have waited.
  mutating func clear() { folded?.clear() }
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
