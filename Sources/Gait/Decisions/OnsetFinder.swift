/// Estimates the onset of a stop or of movement: the change point of the acceleration's energy in the last seconds.
///
/// With e = |u|² + (0.01 g)² of every sample and v₁, v₂ its means before and after sample *k*, the result is the *k*
/// with the greatest log-likelihood −k ln v₁ − (n − k) ln v₂ (two zero-mean normal distributions of different variance;
/// Hinkley, "Inference about the change-point in a sequence of random variables", Biometrika 57, 1970). `gait-lab judge
/// pauses` compares the error of *k* with that of a fixed offset from the decision: on hard joins 95 % of pauses are
/// within 0.08 s instead of 0.46 s, and 95 % of resumes within 0.06 s instead of 0.30 s. The worst error is 2.38 s.
///
/// The search goes across gaps of at most `reach` seconds. Only samples are evidence: the missing range counts for
/// neither side. If the energy changes at the gap, the onset is in the gap, and the gap's start is the result.
package struct OnsetFinder: Sendable {
  /// The energy of a sample's acceleration, (g)².
  package struct Energy: Sendable {
    var time: Int64
    var energy: Float

    /// The energy of a sample; `nil` without an acceleration.
    @inline(__always)
    package init?(_ sample: MotionSample) { self.init(sample.row, at: sample.time.nanoseconds) }

    @inline(__always)
    fileprivate init?(_ row: SIMD16<Float>, at time: Int64) {
      let squares = row.highHalf.highHalf * row.highHalf.highHalf
      let energy = squares.x + squares.y + squares.z
      guard energy.isFinite else { return nil }
      (self.time, self.energy) = (time, energy + OnsetFinder.floor)
    }

    fileprivate init() { (time, energy) = (0, 0) }
  }

  /// How far back to search, seconds.
  static let reach = 4.0
  /// The smallest number of samples on each side of the change point.
  static let smallestPart = 3
  fileprivate static let floor: Float = 1e-4

  /// The energies, with room for twice the samples of the search and a batch, so that the latest ones are contiguous.
  package private(set) var energies: [Energy]
  private let capacity: Int
  /// The index in `energies` after the latest one, and the number of energies that are searched.
  private var end = 0
  private var count = 0
  private var previous: Int64 = 0
  private let longestGap = Int64(saturating: reach * 1e9)

  package init(sampleRate: SampleRate) {
    capacity = max(2 * Self.smallestPart, Int(saturating: (Self.reach * sampleRate.hertz).rounded(.up)))
    energies = Array(repeating: Energy(), count: 2 * capacity + SampleBatch.size)
  }

  /// Takes the samples of a batch from index `first` on. Samples without acceleration are skipped; a gap of more than
  /// `reach` seconds clears the history.
  mutating func append(_ batch: inout SampleBatch, from first: Int = 0) {
    let added = batch.count - first
    if end + added > energies.count { moveToFront() }
    let longestGap = longestGap
    var (end, count, previous) = (end, count, previous)
    batch.withSamples(from: first) { rows, times in
      energies.withUnsafeMutableBufferPointer { energies in
        for index in 0..<added {
          if times[index] &- previous > longestGap { count = 0 }
          guard let energy = Energy(rows[index], at: times[index]) else { continue }
          energies[end] = energy
          end &+= 1
          count &+= 1
          previous = times[index]
        }
      }
    }
    (self.end, self.count, self.previous) = (end, min(count, capacity), previous)
  }

  @inline(never)
  private mutating func moveToFront() {
    let first = end - capacity
    energies.withUnsafeMutableBufferPointer { $0.baseAddress!.update(from: $0.baseAddress! + first, count: capacity) }
    end = capacity
  }

  /// The range in `energies` of the latest samples, those of at most `reach` seconds, oldest first.
  package var searched: Range<Int> { end - count..<end }

  /// The change point among the `energies` after `earliest`; `nil` if fewer than 2 · `smallestPart` are later.
  ///
  /// - Parameter longestStep: the longest time between two samples without a gap, nanoseconds.
  static func onset(
    in energies: ArraySlice<Energy>, after earliest: SampleTime, longestStep: Int64
  ) -> SampleTime? {
    let searched = energies[(energies.firstIndex { $0.time > earliest.nanoseconds } ?? energies.endIndex)...]
    let length = searched.count
    guard length >= 2 * smallestPart else { return nil }
    let total = searched.reduce(0.0) { $0 + Double($1.energy) }
    var before = 0.0
    var best = (likelihood: -Double.infinity, place: 0)
    for index in searched.startIndex..<searched.endIndex - smallestPart {
      before += Double(searched[index].energy)
      let count = index - searched.startIndex + 1
      guard count >= smallestPart else { continue }
      let (part, rest) = (Double(count), Double(length) - Double(count))
      let likelihood = -part * logarithm(before / part) - rest * logarithm(max(total - before, 1e-12) / rest)
      if likelihood > best.likelihood { best = (likelihood, index + 1) }
    }
    let (last, next) = (searched[best.place - 1].time, searched[best.place].time)
    return SampleTime(nanoseconds: next - last > longestStep ? last : next)
  }
}
