extension SpeedScale {
  /// The distance between two blocks.
  struct Part {
    var from: SampleTime
    var to: SampleTime
    /// As it was shown during the run, metres.
    var shown: Double
    /// By the reported speed, or by the line between the places if that speed is lost, metres.
    var meters: Double
    var isReplaced: Bool
    /// Whether both blocks are of one stretch, that is, no unknown distance lies between them.
    var isWhole: Bool

    var middle: SampleTime { from.advanced(bySeconds: to.seconds(since: from) / 2) }

    /// A path step with the length that is known after the run.
    func corrected(_ step: PathStep) -> PathStep {
      var step = step
      let seconds = to.seconds(since: from)
      // A speed that was lost gives no distance to multiply.
      if shown > max(1e-6, 0.3 * meters) {
        step.meters *= meters / shown
      } else if seconds > 0 {
        step.meters = meters * step.end.seconds(since: step.start) / seconds
      }
      return step
    }
  }

  /// The path steps of a live run, with the measured ones corrected by what the whole run shows about the speed, and
  /// what the run shows of their error.
  func hindsight(_ path: [PathStep]) -> (path: [PathStep], evidence: Evidence) {
    var whole = self
    if let open = block { whole.blocks.append(open.mean) }
    guard whole.blocks.count > ShortfallFilter.legBlocks else { return (path, evidence) }
    let (parts, review) = whole.correctedParts
    var evidence = evidence(of: review)
    evidence.meters = review.meters
    return (whole.corrected(path, by: parts), evidence)
  }

  private func corrected(_ path: [PathStep], by parts: [Part]) -> [PathStep] {
    var next = 0
    return path.map { step in
      guard !step.isEstimated else { return step }
      let middle = step.start.advanced(bySeconds: step.end.seconds(since: step.start) / 2)
      while next + 1 < parts.count, parts[next].to <= middle { next += 1 }
      return part(of: step, around: next, in: parts)?.corrected(step) ?? step
    }
  }

  /// The part that a step belongs to: the part around it. At the ends of a stretch it is the nearest part of the
  /// stretch, as blocks begin and end beyond their mean times.
  private func part(of step: PathStep, around index: Int, in parts: [Part]) -> Part? {
    if parts[index].isWhole { return parts[index] }
    // A stretch begins with the start of its first block and ends with the end of its last one.
    if step.end <= blocks[index].end { return index > 0 && parts[index - 1].isWhole ? parts[index - 1] : nil }
    guard step.start >= blocks[index + 1].start, index + 1 < parts.count, parts[index + 1].isWhole else { return nil }
    return parts[index + 1]
  }

  /// The parts between successive blocks, with their length after the run. There must be enough blocks for a leg.
  var correctedParts: (parts: [Part], review: Review) {
    let filter = shortfallFilter
    var parts = parts(filter)
    let legs = legs(over: parts, filter)
    var review = Review()
    review.scatter = Self.typicalScatter(of: legs)
    review.legCount = Double(legs.count)
    if let last = legs.indices.last {
      let shortfalls = legs.map(\.shortfall).sorted()
      let (middle, line) = (shortfalls[last / 2], legs.map(\.line).sorted()[last / 2])
      let isUnclear = middle < ShortfallFilter.excess && !filter.isSmooth && line < Self.shortestInUnit
      let gate = isUnclear ? 0 : filter.gate(middle, scatter: review.scatter, count: review.legCount)
      let estimates = filter.smoothed(legs, scatter: review.scatter)
      let factors = estimates.map { 1 + filter.correction(of: $0, gate: gate, scatter: review.scatter) }
      review.uncorrected =
        zip(estimates, factors).reduce(0) { $0 + $1.0.mean - ($1.1 - 1) } / review.legCount
      Self.multiply(&parts, by: factors, of: legs)
      (review.factor, review.gate) = (factors[last], gate)
      (review.middle, review.estimate) = (legs[last].middle, estimates[last])
    }
    for (index, part) in parts.enumerated() where part.isWhole {
      review.meters += part.meters
      review.shown += part.shown
      review.corrections += (part.meters - (blocks[index + 1].meters - blocks[index].meters)).magnitude
    }
    return (parts, review)
  }

  /// Multiplies the parts by the factors of legs, interpolated between their middles.
  private static func multiply(_ parts: inout [Part], by factors: [Double], of legs: [ShortfallFilter.Leg]) {
    var next = 0
    for index in parts.indices where !parts[index].isReplaced {
      let middle = parts[index].middle
      while next < legs.count, legs[next].middle <= middle { next += 1 }
      var factor = factors[min(next, legs.count - 1)]
      if next > 0, next < legs.count {
        let (from, to) = (legs[next - 1].middle, legs[next].middle)
        let share = middle.seconds(since: from) / max(1e-9, to.seconds(since: from))
        factor = factors[next - 1] + share * (factors[next] - factors[next - 1])
      }
      parts[index].meters *= factor
    }
  }

  /// The parts by the reported speed, and between places where it is lost.
  private func parts(_ filter: ShortfallFilter) -> [Part] {
    (0..<blocks.count - 1).map { index in
      let (from, to) = (blocks[index], blocks[index + 1])
      let isReplaced = isReplaced(index, filter)
      return Part(
        from: from.time, to: to.time, shown: to.shown - from.shown,
        meters: isReplaced ? from.meters(to: to) : reportedMeters(after: index), isReplaced: isReplaced,
        isWhole: from.stretch == to.stretch)
    }
  }

  private func legs(over parts: [Part], _ filter: ShortfallFilter) -> [ShortfallFilter.Leg] {
    (0..<blocks.count - ShortfallFilter.legBlocks).compactMap { first in
      guard !parts[first..<first + ShortfallFilter.legBlocks].contains(where: \.isReplaced) else { return nil }
      return leg(from: first, filter) { parts[$0].meters }
    }
  }

  /// The standard deviation of a leg's shortfall, from the median difference of legs that do not overlap.
  private static func typicalScatter(of legs: [ShortfallFilter.Leg]) -> Double {
    let differences = zip(legs, legs.dropFirst(ShortfallFilter.legBlocks)).map {
      ($1.shortfall - $0.shortfall).magnitude
    }.sorted()
    return differences.count > 2 ? differences[differences.count / 2] / 0.95 : 0.1
  }
}
