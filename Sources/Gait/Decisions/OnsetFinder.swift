/// Estimates the onset of a stop or of movement: the change point of the acceleration's energy in the last seconds.
///
/// With e = |u|² + (0.01 g)² of every sample and v₁, v₂ its means before and after sample *k*, the result is the *k*
/// with the greatest log-likelihood −k ln v₁ − (n − k) ln v₂ (two zero-mean normal distributions of different variance;
/// Hinkley, "Inference about the change-point in a sequence of random variables", Biometrika 57, 1970).
/// `gait-lab judge pauses` compares its error with that of a fixed offset from the decision: on hard joins 95 % of
/// pauses are within 0.08 s instead of 0.46 s, and 95 % of resumes within 0.06 s instead of 0.30 s. The worst error is
/// 2.38 s.
///
/// The search goes across gaps of at most `reach` seconds. Only samples are evidence: the missing range counts for neither
/// side. If the energy changes at the gap, the onset is in it, and its start is the result.
struct OnsetFinder: Sendable {
  /// How far back to search, seconds.
  static let reach = 4.0
  /// The smallest number of samples on each side of the change point.
  static let smallestPart = 3
  private static let floor: Float = 1e-4

  private var history: RingBuffer<(time: Int64, energy: Float)>
  private var previous: Int64 = 0
  private let longestStep: Int64
  private let longestGap = Int64(saturating: reach * 1e9)

  init(sampleRate: SampleRate) {
    let capacity = max(2 * Self.smallestPart, Int(saturating: (Self.reach * sampleRate.hertz).rounded(.up)))
    history = RingBuffer(repeating: (0, 0), capacity: capacity)
    history.removeAll()
    longestStep = Resampler.longestOutputStep(at: sampleRate)
  }

  /// The greatest number of samples of the search.
  var capacity: Int { history.capacity }

  /// Takes the next sample. Samples without acceleration are skipped; a gap of more than `reach` seconds clears the
  /// history.
  @inline(__always)
  mutating func append(_ sample: MotionSample) {
    let time = sample.time.nanoseconds
    if time &- previous > longestGap { history.removeAll() }
    let acceleration = sample.userAcceleration
    let energy = (acceleration * acceleration).sum()
    guard energy.isFinite else { return }
    history.append((time, energy + Self.floor))
    previous = time
  }

  /// The change point after `earliest`; `nil` with too few samples.
  func onset(after earliest: SampleTime) -> SampleTime? {
    let count = history.count
    let first = (0..<count).first { history[$0].time > earliest.nanoseconds } ?? count
    let length = count - first
    guard length >= 2 * Self.smallestPart else { return nil }
    let total = (first..<count).reduce(0.0) { $0 + Double(history[$1].energy) }
    var before = 0.0
    var best = (likelihood: -Double.infinity, place: 0)
    for index in first..<count - Self.smallestPart {
      before += Double(history[index].energy)
      let part = Double(index - first + 1)
      guard index - first + 1 >= Self.smallestPart else { continue }
      let rest = Double(length) - part
      let likelihood = -part * logarithm(before / part) - rest * logarithm(max(total - before, 1e-12) / rest)
      if likelihood > best.likelihood { best = (likelihood, index + 1) }
    }
    let (last, next) = (history[best.place - 1].time, history[best.place].time)
    return SampleTime(nanoseconds: next - last > longestStep ? last : next)
  }
}

/// The last elements of a stream, in a ring of fixed capacity. Nothing is allocated after `init`.
struct RingBuffer<Element: Sendable>: Sendable {
  private var elements: [Element]
  private var next = 0
  /// The number of elements.
  private(set) var count: Int

  /// The greatest number of elements.
  var capacity: Int { elements.count }

  /// A buffer of `capacity` equal elements.
  init(repeating element: Element, capacity: Int) {
    elements = Array(repeating: element, count: capacity)
    count = capacity
  }

  /// Appends an element, in place of the oldest one if the buffer is full.
  @inline(__always)
  mutating func append(_ element: Element) {
    elements[next] = element
    next = next + 1 == elements.count ? 0 : next + 1
    if count < elements.count { count += 1 }
  }

  /// Removes all elements.
  mutating func removeAll() { count = 0 }

  /// Element `index` of `count`, the oldest first.
  @inline(__always)
  subscript(index: Int) -> Element {
    let place = next - count + index
    return elements[place < 0 ? place + elements.count : place]
  }
}
