import Gait

/// Passes the motion of one source to a tracker, if several deliver it at once, such as a watch and a phone.
///
/// Samples of two devices are never mixed: they are turned differently and shaken differently, and together come twice as often,
/// so windows of both would give wrong steps and pauses. The rule: the first source in the order of preference that delivered
/// within `patienceSeconds` is used, the others are dropped and counted. A preferred source that returns is used again after it
/// delivered for `returnSeconds`. Every change of source leaves a gap, over which nothing is decided.
///
///     var sources = MotionSources(["watch": .hertz(50), "phone": .hertz(100)], preferring: ["watch", "phone"])
///     for sample in sources.append(sample, from: "phone") { tracker.append(sample) }      // a tracker at sources.rate
///
/// All sources use one clock; the article *Clocks* says how to convert. GPS points need no such rule: a run takes one receiver
/// and counts the points of another (`RunTimeline.rejectedLocations`).
public struct MotionSources: Sendable {
  /// The rate of the samples that are passed on.
  public let rate: SampleRate
  /// How long the source in use may be silent before another is used, seconds.
  public static let patienceSeconds = 2.0
  /// How long a preferred source must deliver before it is used again, seconds.
  public static let returnSeconds = 10.0
  /// The gap at a change of source, seconds.
  static let gapSeconds = 1.0

  /// The source in use; `nil` before the first sample.
  public private(set) var current: String?
  /// The number of samples of each source that were not used, late ones included.
  public private(set) var droppedCounts: [String: Int] = [:]

  private let preference: [String]
  private let rates: [String: SampleRate]
  /// Since when, and until when, each source delivers.
  private var heard: [String: (since: SampleTime, latest: SampleTime)] = [:]
  private var resampler: Resampler?
  /// Until when samples are dropped after a change of source.
  private var gapEnd: SampleTime?

  /// A selection among sources.
  ///
  /// - Parameters:
  ///   - rates: the sources with their nominal rates.
  ///   - preference: the sources, the preferred one first.
  ///   - rate: the rate of the samples that are passed on.
  /// - Precondition: `preference` has every source once.
  public init(_ rates: [String: SampleRate], preferring preference: [String], rate: SampleRate = .hertz(50)) {
    precondition(rates.keys.sorted() == preference.sorted(), "the preference must name every source once")
    self.rates = rates
    self.preference = preference
    self.rate = rate
  }

  /// Takes a sample of a source; returns the samples for the tracker, in order of time, usually none or one.
  ///
  /// Samples of a source with another rate than `rate` come `delaySeconds` later than they were taken; their times stay.
  ///
  /// - Precondition: the source is one of those given at the beginning.
  public mutating func append(_ sample: MotionSample, from source: String) -> [MotionSample] {
    guard let nominal = rates[source] else { preconditionFailure("\(source) is not one of \(preference)") }
    let before = heard[source]
    let latest = max(sample.time, before?.latest ?? sample.time)
    let isContinuous = before.map { sample.time.seconds(since: $0.latest) <= Self.patienceSeconds } ?? false
    heard[source] = (isContinuous ? before?.since ?? sample.time : sample.time, latest)
    if isBetter(source, at: sample.time) {
      gapEnd = current.flatMap { heard[$0]?.latest.advanced(bySeconds: Self.gapSeconds) }
      current = source
      resampler = Resampler(from: nominal, to: rate)
    }
    var samples: [MotionSample] = []
    let droppedBefore = resampler?.droppedCount ?? 0
    if source == current, gapEnd.map({ sample.time >= $0 }) ?? true {
      resampler?.append(sample) { samples.append($0) }
      droppedCounts[source, default: 0] += (resampler?.droppedCount ?? 0) - droppedBefore
    } else {
      droppedCounts[source, default: 0] += 1
    }
    return samples
  }

  /// How long after its time a sample of the source in use is passed on, seconds: half of the length of the low-pass filter, and 0
  /// for a source of `rate`.
  public var delaySeconds: Double { resampler?.delay ?? 0 }

  /// Whether a source that delivers now replaces the one in use.
  private func isBetter(_ source: String, at time: SampleTime) -> Bool {
    guard let current, let used = heard[current] else { return true }
    guard source != current else { return false }
    if time.seconds(since: used.latest) > Self.patienceSeconds { return true }
    let isPreferred = preference.prefix { $0 != current }.contains(source)
    return isPreferred && heard[source].map { time.seconds(since: $0.since) >= Self.returnSeconds } ?? false
  }
}
