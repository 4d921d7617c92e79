/// Computes a list of features from windows of packed samples.
///
/// The work is planned once, for one window length. `extract` allocates nothing, and computes only what the features
/// need.
struct FeatureExtractor: Sendable {
  let plan: FeaturePlan
  private let windowSeconds: Float
  private let layout: ScratchLayout
  private var scratch: [LaneGroup]
  /// The sorted blocks that overlapping windows share.
  private var sorted: SortedBlocks?

  /// An extractor of `features` from windows of `length` samples at `sampleRate`, one every `hop` samples.
  ///
  /// - Throws: `ModelError.invalid` if the list of features is empty or too long, if the window's length is outside
  ///   `ModelRanges.samplesPerWindow`, or if a band reaches above half the sample rate.
  init(features: [Feature], length: Int, hop: Int, sampleRate: SampleRate) throws(ModelError) {
    guard !features.isEmpty else { throw .noFeatures }
    let (most, valid) = (ModelRanges.featureCount.upperBound, ModelRanges.samplesPerWindow)
    guard features.count <= most else {
      throw .invalid("The list has \(features.count) features; name at most \(most).")
    }
    guard length >= valid.lowerBound else {
      throw .invalid("A window of \(length) samples is too short for features; it needs at least \(valid.lowerBound).")
    }
    guard length <= valid.upperBound else {
      throw .invalid(
        "A window of \(length) samples is too long for features; shorten it or lower the sample rate: at most "
          + "\(valid.upperBound) samples are allowed.")
    }
    for feature in features {
      if let highest = feature.statistic.highestFrequency, highest > sampleRate.hertz / 2 {
        throw .invalid(
          "\(feature) uses frequencies above \(plain(sampleRate.hertz / 2)) Hz, half the model's sample rate of "
            + "\(plain(sampleRate.hertz)) Hz; narrow the band or raise the model's sample rate.")
      }
    }
    plan = FeaturePlan(features: features, length: length, sampleRate: sampleRate)
    windowSeconds = Float(Double(length) / sampleRate.hertz)
    layout = ScratchLayout(plan)
    scratch = Array(repeating: .zero, count: layout.count)
    if SortedBlocks.supports(length: length, hop: hop), plan.parts.contains(where: { $0.needs.contains(.order) }) {
      sorted = SortedBlocks(length: length, hop: hop, parts: plan.parts.count)
    }
  }

  /// Forgets the sorted blocks of the previous windows. Call it if the next window does not follow the previous one.
  mutating func restart() { sorted?.restart() }

  /// Computes the features of one window.
  ///
  /// - Parameters:
  ///   - window: the packed samples, oldest first. Unless `restart` was called, it begins one hop after the previous
  ///     window.
  ///   - anglesJump: whether an angle that a feature uses crosses ±π in the window.
  ///   - features: receives the features, one for each in the plan.
  mutating func extract(_ window: LaneWindow, anglesJump: Bool, into features: UnsafeMutableBufferPointer<Float>) {
    sorted?.append(window.rows.lanes, plan.parts)
    let (plan, layout, windowSeconds, sorted) = (plan, layout, windowSeconds, sorted)
    scratch.withUnsafeMutableBufferPointer { scratch in
      let scratch = scratch.baseAddress!
      let table = scratch + layout.table
      if !plan.parts.isEmpty {
        LaneStatistics(
          plan: plan, layout: layout, windowSeconds: windowSeconds, window: window.rows.lanes, anglesJump: anglesJump,
          scratch: scratch, table: table.lanes
        ).run(sharing: sorted)
      }
      SeriesStatistics(
        plan: plan, window: window, anglesJump: anglesJump, windowSeconds: windowSeconds, scratch: scratch,
        layout: layout
      ).run(table: table.floats)
      Self.readFeatures(table.floats, plan, into: features)
    }
  }

  private static func readFeatures(
    _ table: UnsafePointer<Float>, _ plan: FeaturePlan, into features: UnsafeMutableBufferPointer<Float>
  ) {
    plan.places.withUnsafeBufferPointer { places in
      for index in places.indices { features[index] = table[Int(places[index])] }
    }
    plan.otherReads.withUnsafeBufferPointer { reads in
      for index in reads.indices {
        let (feature, read, curve) = reads[index]
        let value: Float =
          switch read {
          case .place(let place): table[place]
          case .difference(let first, let second): table[first] - table[second]
          case .logRatio(let first, let second, let offset):
            logarithm((offset + table[first]) / (offset + table[second]))
          case .sphericalVariance(let x, let y, let z):
            max(0, 1 - (table[x] * table[x] + table[y] * table[y] + table[z] * table[z]).squareRoot())
          }
        features[feature] = curve.apply(value)
      }
    }
  }
}

extension UnsafeMutablePointer<LaneGroup> {
  /// The same memory as Floats.
  var floats: UnsafeMutablePointer<Float> { UnsafeMutableRawPointer(self).assumingMemoryBound(to: Float.self) }
  /// The same memory as registers.
  var lanes: UnsafeMutablePointer<Lanes> { UnsafeMutableRawPointer(self).assumingMemoryBound(to: Lanes.self) }
}

extension UnsafePointer<LaneGroup> {
  /// The same memory as registers.
  var lanes: UnsafePointer<Lanes> { UnsafeRawPointer(self).assumingMemoryBound(to: Lanes.self) }
}
