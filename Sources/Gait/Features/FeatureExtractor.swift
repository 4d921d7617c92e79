/// Computes a list of features from windows of packed rows.
///
/// Everything is planned once, for one window length; `extract` allocates nothing. What no feature asks for is not
/// computed.
struct FeatureExtractor: Sendable {
  /// The shortest window that anything can be computed from.
  static let shortestWindow = 2

  let plan: FeaturePlan
  private let windowSeconds: Float
  private let layout: ScratchLayout
  private var scratch: [LaneGroup]
  private var blocks: [SortedBlocks?]

  /// A plan for `features` over windows of `length` samples at `sampleRate`, one every `hop` samples.
  init(features: [Feature], length: Int, hop: Int, sampleRate: SampleRate) throws(FeatureError) {
    guard !features.isEmpty else { throw .noFeatures }
    guard length >= Self.shortestWindow else { throw .windowTooShort(samples: length) }
    for feature in features {
      if let highest = feature.statistic.highestFrequency, highest > sampleRate.hertz / 2 {
        throw .bandBeyondNyquist(feature, sampleRate)
      }
    }
    plan = FeaturePlan(features: features, length: length, sampleRate: sampleRate)
    windowSeconds = Float(Double(length) / sampleRate.hertz)
    layout = ScratchLayout(plan)
    scratch = Array(repeating: .zero, count: layout.count)
    let shares = SortedBlocks.serves(length: length, hop: hop)
    blocks = plan.groups.map { shares && $0.needs.contains(.order) ? SortedBlocks(length: length, hop: hop) : nil }
  }

  /// How many rows make a block that must be announced by `closeBlock`; `nil` where there is no need.
  var blockLength: Int? { blocks.lazy.compactMap { $0?.hop }.first }

  /// Sorts a block of rows that several windows will share, shape `[blockLength × groupCount]`.
  mutating func closeBlock(_ rows: UnsafePointer<LaneGroup>) {
    let stride = plan.packing.groupCount
    for group in blocks.indices { blocks[group]?.append(rows + group, stride: stride) }
  }

  /// Computes the features of one window.
  ///
  /// - Parameters:
  ///   - window: the packed samples, oldest first; where blocks are shared, the newest one has been closed.
  ///   - anglesJump: whether an angle that some feature uses passes ±π in the window.
  ///   - features: receives the features, shape `[features.count]`.
  mutating func extract(_ window: LaneWindow, anglesJump: Bool, into features: UnsafeMutablePointer<Float>) {
    let (plan, layout, blocks, windowSeconds) = (plan, layout, blocks, windowSeconds)
    scratch.withUnsafeMutableBufferPointer { scratch in
      let base = scratch.baseAddress!
      let table = base + layout.table
      let values = UnsafeMutableRawPointer(table).assumingMemoryBound(to: Float.self)
      if !plan.packing.isColumnar {
        let rows = anglesJump ? Self.unwrap(window.rows, plan, into: base + layout.window) : window.rows
        for group in plan.groups.indices {
          var work = GroupWork(plan: plan, group: group, rows: rows + group, scratch: base, layout: layout)
          let isUnwrapped = anglesJump && plan.packing.angleSlots.contains { $0 / 8 == group }
          work.run(table: table, sharing: isUnwrapped ? nil : blocks[group], windowSeconds: windowSeconds)
        }
      }
      let work = SeriesWork(
        plan: plan, window: window, anglesJump: anglesJump, windowSeconds: windowSeconds, scratch: base, layout: layout)
      work.run(table: values)
      Self.readOff(values, plan, into: features)
    }
  }

  private static func readOff(
    _ table: UnsafePointer<Float>, _ plan: FeaturePlan, into features: UnsafeMutablePointer<Float>
  ) {
    for index in plan.reads.indices {
      let value: Float =
        switch plan.reads[index] {
        case .place(let place): table[place]
        case .difference(let first, let second): table[first] - table[second]
        case .logRatio(let first, let second, let offset):
          logarithm(offset + table[first]) - logarithm(offset + table[second])
        case .sphericalVariance(let x, let y, let z):
          max(0, 1 - (table[x] * table[x] + table[y] * table[y] + table[z] * table[z]).squareRoot())
        }
      features[index] = plan.transforms[index].apply(value)
    }
  }

  /// Copies the window with its angles made continuous, beginning within −π…π; returns the copy.
  private static func unwrap(
    _ window: UnsafePointer<LaneGroup>, _ plan: FeaturePlan, into copy: UnsafeMutablePointer<LaneGroup>
  ) -> UnsafePointer<LaneGroup> {
    let stride = plan.packing.groupCount
    copy.update(from: window, count: plan.length * stride)
    let values = UnsafeMutableRawPointer(copy).assumingMemoryBound(to: Float.self)
    for slot in plan.packing.angleSlots {
      values[slot] = Angle.wrapped(values[slot])
      for row in 1..<plan.length {
        let here = row * stride * 8 + slot
        values[here] = Angle.continued(values[here], after: values[here - stride * 8])
      }
    }
    return UnsafePointer(copy)
  }
}

/// Where each piece of scratch stands, in groups.
struct ScratchLayout: Sendable {
  /// The unwrapped window, where angles are used.
  let window: Int
  /// Mean-removed rows and the zeros behind them.
  let deviations: Int
  /// Sorted rows, where blocks are not shared.
  let sorted: Int
  let powers: Int
  let fourier: Int
  let lags: Int
  /// One lane, where it has to be copied.
  let seriesLane: Int
  /// The mean-removed lane, the halves of its spectrum's sums, its powers, its autocorrelation.
  let series: Int
  let seriesFolded: Int
  let seriesPowers: Int
  let seriesLags: Int
  let table: Int
  let count: Int

  init(_ plan: FeaturePlan) {
    var next = 0
    func take(_ count: Int) -> Int {
      defer { next += count }
      return next
    }
    let length = plan.length
    let usesRows = !plan.packing.isColumnar
    window = take(usesRows && !plan.packing.angleSlots.isEmpty ? length * plan.packing.groupCount : 0)
    deviations = take(usesRows ? length + Autocorrelation.block : 0)
    let sortsLane = plan.series.contains { $0.needs.contains(.order) }
    let sortsRows = plan.groups.contains { $0.needs.contains(.order) }
    sorted = take(sortsLane ? plan.order.scratchCount : sortsRows ? length : 0)
    powers = take(plan.fourier?.binCount ?? 0)
    fourier = take(plan.fourier?.scratchCount ?? 0)
    lags = take(plan.groups.flatMap(\.lags).map(\.search.scratchCount).max() ?? 0)
    func takeFloats(_ count: Int) -> Int { take(plan.series.isEmpty ? 0 : (count + 7) / 8) }
    seriesLane = takeFloats(length + 8)
    series = takeFloats(length + SeriesKernels.padding)
    seriesFolded = takeFloats(plan.periodogram.scratchCount)
    seriesPowers = takeFloats(plan.periodogram.powerCount)
    seriesLags = takeFloats(plan.seriesLags.map(\.search.seriesScratchCount).max() ?? 0)
    table = take(plan.rowCount * plan.packing.groupCount)
    count = next
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
