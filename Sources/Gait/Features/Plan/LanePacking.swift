/// The lanes that a list of features needs, and their layout in memory.
///
/// - Up to eight columns of `DerivedLanes` are stored one after another, each contiguous in time, if the features need
///   no whole spectrum and no correlation, and need bands, lags or sorting for at most two lanes. They are processed
///   eight samples at a time.
/// - Otherwise each sample is a row of groups of eight lanes. Rows are processed eight lanes at a time. Up to eight
///   columns without correlations are gathered into one group; others keep their places in `DerivedLanes`, without the
///   groups that no feature needs.
struct LanePacking: Sendable {
  /// The column in `DerivedLanes` of each slot's value; `nil` for an unused slot.
  let sources: [Int?]
  /// Whether each lane is contiguous in time.
  let isColumnar: Bool
  let angleSlots: [Int]

  /// The number of groups in a packed row.
  var groupCount: Int { (sources.count + 7) / 8 }

  init(features: [Feature]) {
    var isNeeded = Array(repeating: false, count: DerivedLanes.count)
    for feature in features { feature.forEachPosition { isNeeded[$0] = true } }
    let needed = isNeeded.indices.filter { isNeeded[$0] }
    let hasCorrelations = features.contains { if case .correlation = $0.statistic { true } else { false } }
    let isGathered = needed.count <= 8 && !hasCorrelations
    isColumnar = isGathered && Self.runsAlongTime(features)
    if isColumnar {
      sources = needed
    } else if isGathered {
      sources = (0..<8).map { $0 < needed.count ? needed[$0] : nil }
    } else {
      let groups = (0..<DerivedLanes.count / 8).filter { group in needed.contains { $0 / 8 == group } }
      sources = groups.flatMap { group in (group * 8..<group * 8 + 8).map { isNeeded[$0] ? $0 : nil } }
    }
    angleSlots = sources.indices.filter { [sources] in sources[$0].map(DerivedLanes.angles.contains) ?? false }
  }

  /// Whether processing one lane at a time costs less than eight lanes at a time: unless a feature needs a whole
  /// spectrum, or more than two lanes need bands and lags, or more than two need sorting.
  private static func runsAlongTime(_ features: [Feature]) -> Bool {
    !features.contains(where: \.statistic.needsWholeSpectrum) && features.filter(\.statistic.needsTime).haveFewLanes
      && features.filter(\.statistic.needsOrder).haveFewLanes
  }

  /// The slots of a lane: one, or three for the direction of gravity.
  func slots(of lane: Lane) -> [Int] { DerivedLanes.positions(of: lane).map(slot) }

  func firstSlot(of lane: Lane) -> Int { slot(of: DerivedLanes.firstPosition(of: lane)) }

  private func slot(of position: Int) -> Int {
    guard let slot = sources.firstIndex(of: position) else { preconditionFailure("column \(position) was not packed") }
    return slot
  }
}

extension [Feature] {
  /// Whether the features are of at most two lanes.
  var haveFewLanes: Bool {
    var lanes: [Lane] = []
    for feature in self where !lanes.contains(feature.lane) {
      guard lanes.count < 2 else { return false }
      lanes.append(feature.lane)
    }
    return true
  }
}

extension Feature {
  /// Calls `body` with each column in `DerivedLanes` that the feature is computed from.
  fileprivate func forEachPosition(_ body: (Int) -> Void) {
    if lane == .gravityDirection {
      DerivedLanes.positions(of: lane).forEach(body)
    } else {
      body(DerivedLanes.firstPosition(of: lane))
    }
    if case .correlation(let other) = statistic { body(DerivedLanes.firstPosition(of: .channel(other))) }
  }
}
