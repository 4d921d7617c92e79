import Gait

/// The parts of a recording that have different sample rates.
///
/// The steps are examined in blocks of 64. A block has a clear rate if its mean step is within a fifth of its median
/// step: then neither gaps nor a coarse clock distort the mean. Two or more consecutive blocks with the same rate,
/// within a fifth, that cover at least 5 s are a part. If all parts have the same rate, the rate does not change.
struct RateChanges {
  /// The parts, in order, each from its first row to that of the next; empty where the rate does not change.
  let parts: [Part]

  struct Part: Equatable {
    var rows: Range<Int>
    /// The mean step, nanoseconds.
    var period: Double
  }

  /// The relative difference up to which two steps count as the same rate.
  static let tolerance = 0.2
  private static let blockLength = 64
  private static let shortestPart = 5e9

  /// - Parameters:
  ///   - times: the rows' times, strictly rising.
  ///   - period: the mean step of all of them, nanoseconds.
  init(of times: [Int64], period: Double) {
    let starts = Array(stride(from: 0, to: times.count - Self.blockLength, by: Self.blockLength))
    // In nearly all recordings, every block has the rate of the whole.
    let isSteady = starts.allSatisfy { Self.isSame(Self.meanStep(times, from: $0), period) }
    parts = isSteady ? [] : Self.parts(of: times, blocks: starts)
  }

  private static func isSame(_ one: Double, _ other: Double) -> Bool {
    max(one, other) <= (1 + tolerance) * min(one, other)
  }

  private static func meanStep(_ times: [Int64], from start: Int) -> Double {
    Double(times[start + blockLength] - times[start]) / Double(blockLength)
  }

  /// The mean step of a block; `nil` if it has no clear rate.
  private static func clearStep(_ times: [Int64], from start: Int) -> Double? {
    let steps = (start..<start + blockLength).map { times[$0 + 1] - times[$0] }.sorted()
    let mean = meanStep(times, from: start)
    return isSame(mean, Double(steps[blockLength / 2])) ? mean : nil
  }

  private static func parts(of times: [Int64], blocks: [Int]) -> [Part] {
    var parts: [Part] = []
    for start in blocks {
      guard let step = clearStep(times, from: start) else { continue }
      let rows = start..<start + blockLength
      if let last = parts.last, isSame(last.period, step) {
        let (before, own) = (Double(last.rows.count), Double(blockLength))
        parts[parts.count - 1].rows = last.rows.lowerBound..<rows.upperBound
        parts[parts.count - 1].period = (last.period * before + step * own) / (before + own)
      } else {
        parts.append(Part(rows: rows, period: step))
      }
    }
    parts.removeAll { part in
      part.rows.count < 2 * blockLength
        || Double(times[part.rows.upperBound] - times[part.rows.lowerBound]) < shortestPart
    }
    let merged = merged(parts)
    return merged.count < 2 ? [] : bounded(merged, times)
  }

  /// Merges consecutive parts of the same rate.
  private static func merged(_ parts: [Part]) -> [Part] {
    parts.reduce(into: []) { merged, part in
      if let last = merged.last, isSame(last.period, part.period) {
        merged[merged.count - 1].rows = last.rows.lowerBound..<part.rows.upperBound
      } else {
        merged.append(part)
      }
    }
  }

  /// The parts extended to cover all rows of the recording.
  private static func bounded(_ parts: [Part], _ times: [Int64]) -> [Part] {
    var bounded = parts
    for index in parts.indices {
      let isLast = index == parts.count - 1
      let end = isLast ? times.count : boundary(from: parts[index], to: parts[index + 1], times)
      bounded[index].rows = (index == 0 ? 0 : bounded[index - 1].rows.upperBound)..<end
    }
    return bounded
  }

  /// The first row with three steps that are nearer to the next part's period than to the part's own.
  private static func boundary(from part: Part, to next: Part, _ times: [Int64]) -> Int {
    let middle = (part.period * next.period).squareRoot()
    let isNext = { (row: Int) in (Double(times[row + 1] - times[row]) < middle) == (next.period < middle) }
    let rows = max(part.rows.lowerBound, part.rows.upperBound - blockLength)..<next.rows.lowerBound + blockLength
    return rows.first { isNext($0) && isNext($0 + 1) && isNext($0 + 2) } ?? next.rows.lowerBound
  }
}
