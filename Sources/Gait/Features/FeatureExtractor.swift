/// Computes a list of features from windows of packed samples.
///
/// Everything is planned once, for one window length; `extract` allocates nothing. What no feature asks for is not
/// computed.
struct FeatureExtractor: Sendable {
  /// The shortest window that anything can be computed from.
  static let shortestWindow = 2

  let plan: FeaturePlan
  private let windowSeconds: Float
  private let hop: Int
  private let layout: ScratchLayout
  private var scratch: [LaneGroup]
  /// What windows share with those before them.
  private var sorted: SortedBlocks?
  private var halves: SharedHalves?
  /// Whether windows in which angles jump are put together from halves like others: each half's angles are continuous, and
  /// whole turns lie between them.
  private let joinsTurns: Bool

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
    self.hop = hop
    let sharesHalves = length == 2 * hop && plan.canJoinHalves
    layout = ScratchLayout(plan, blockRows: sharesHalves ? hop : length)
    scratch = Array(repeating: .zero, count: layout.count)
    halves = sharesHalves ? SharedHalves(plan, layout: layout.part.block) : nil
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
    let (plan, layout, count) = (plan, layout, hop)
    scratch.withUnsafeMutableBufferPointer { scratch in
      let copy = UnsafeMutableRawPointer(scratch.baseAddress! + layout.window).assumingMemoryBound(to: Lanes.self)
      let rows = PartRows(
        UnsafeRawPointer(rows).assumingMemoryBound(to: Lanes.self), plan, count: count,
        unwrapping: anglesJump ? copy : nil)
      sorted?.append(rows, plan)
      halves?.append(rows, plan)
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
    let (sorted, halves, joinsTurns) = (sorted, halves, joinsTurns)
    scratch.withUnsafeMutableBufferPointer { scratch in
      let base = scratch.baseAddress!
      let table = base + layout.table
      let values = UnsafeMutableRawPointer(table).assumingMemoryBound(to: Float.self)
      if !plan.parts.isEmpty {
        let rows = anglesJump && !joinsTurns ? Self.unwrap(window.rows, plan, into: base + layout.window) : window.rows
        for part in plan.parts.indices where !plan.parts[part].needs.isEmpty {
          let hasJumps = anglesJump && plan.parts[part].hasAngles
          let isUnwrapped = hasJumps && !joinsTurns
          let work = PartWork(
            plan: plan, part: part, layout: layout.part, windowSeconds: windowSeconds,
            joinsTurns: hasJumps,
            rows: UnsafeRawPointer(rows).assumingMemoryBound(to: Lanes.self) + part,
            scratch: UnsafeMutableRawPointer(base + layout.parts).assumingMemoryBound(to: Lanes.self),
            table: UnsafeMutableRawPointer(table).assumingMemoryBound(to: Lanes.self) + part)
          work.run(sharing: isUnwrapped ? nil : halves, isUnwrapped ? nil : sorted)
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
