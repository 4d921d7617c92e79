import Gait

/// Passes the motion of one source to a tracker, if several deliver at once, such as a watch and a phone.
///
/// Samples of two devices are never mixed. The devices are turned and shaken differently, and together they deliver
/// twice as often. Windows of both would give wrong steps and pauses.
///
/// The sources have an order of preference. The first one that delivered within `patienceSeconds` is used; samples of
/// the others are dropped and counted. A preferred source that returns is used again after it has delivered for
/// `returnSeconds`. Every change of source leaves a gap, during which nothing is decided.
///
///     var sources = MotionSources(["watch": .hertz(50), "phone": .hertz(100)], preferring: ["watch", "phone"])
///     for sample in sources.append(sample, from: "phone") { tracker.append(sample) }      // a tracker at sources.rate
///
/// All sources use one clock; the article *Clocks* says how to convert. GPS points need no such rule: a run uses one
/// receiver and counts the points of others (`RunTimeline.rejectedLocations`).
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
  /// For each source, the time since which it delivers without a break of more than `patienceSeconds`, and the time of
  /// its latest sample.
  private var heard: [String: (since: SampleTime, latest: SampleTime)] = [:]
  private var resampler: Resampler?
  /// The end of the gap after a change of source. Samples before it are dropped.
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
  /// If the rate of the source in use is not `rate`, its samples are passed on `delaySeconds` later. Their times do not
  /// change.
  ///
  /// - Precondition: the source is one of those given to `init`.
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

  /// How long after its time a sample of the source in use is passed on, seconds. It is half of the length of the
  /// low-pass filter, and 0 for a source of `rate`.
  public var delaySeconds: Double { resampler?.delay ?? 0 }

  /// Whether `source`, which delivers a sample at `time`, replaces the source in use.
  private func isBetter(_ source: String, at time: SampleTime) -> Bool {
    guard let current, let used = heard[current] else { return true }
    guard source != current else { return false }
    if time.seconds(since: used.latest) > Self.patienceSeconds { return true }
    let isPreferred = preference.prefix { $0 != current }.contains(source)
    return isPreferred && heard[source].map { time.seconds(since: $0.since) >= Self.returnSeconds } ?? false
  }
}

/// Records motion at a fixed rate for a limited time, for example training data or a demonstration.
///
///     var recorder = MotionRecorder(sourceRate: .hertz(100))
///     for await sample in motion where recorder.append(sample) {}
///     let recording = recorder.recording(named: "jumps")
///
/// A sample covers the time up to the next one, so 60 s at 10 Hz are 600 samples, at 0 to 59.9 s.
public struct MotionRecorder: Sendable {
  /// The rate of the recording.
  public let rate: SampleRate
  /// The longest recording, seconds.
  public let longestSeconds: Double

  private var resampler: Resampler
  private var samples: [MotionSample] = []

  /// A recorder.
  ///
  /// - Parameters:
  ///   - sourceRate: the nominal rate of the samples; the spacing may vary around it.
  ///   - rate: the rate of the recording. Default: 10 Hz.
  ///   - longestSeconds: the length of a full recording. Default: 60 s.
  /// - Precondition: `longestSeconds` is positive.
  public init(sourceRate: SampleRate, rate: SampleRate = .hertz(10), longestSeconds: Double = 60) {
    precondition(longestSeconds > 0, "a recorder must record for more than \(longestSeconds) s")
    self.rate = rate
    self.longestSeconds = longestSeconds
    resampler = Resampler(from: sourceRate, to: rate)
  }

  /// Takes the next sample. A late sample and a sample with an invalid time are dropped.
  ///
  /// A sample is recorded when the low-pass filter has the samples after it, up to `delaySeconds` later. Its time stays
  /// the time of the motion. The first `delaySeconds` of the stream are not recorded, because the filter lacks the
  /// samples before them.
  ///
  /// - Returns: whether the recorder takes more samples: `false` from the sample on that completes the recording.
  @discardableResult
  public mutating func append(_ sample: MotionSample) -> Bool {
    guard !isFull else { return false }
    let latest = longestSeconds - tolerance
    resampler.append(sample) { uniform in
      if uniform.time.seconds(since: samples.first?.time ?? uniform.time) < latest {
        samples.append(uniform)
      }
    }
    return !isFull
  }

  /// Whether the recorder takes no more samples.
  public var isFull: Bool { seconds >= longestSeconds - tolerance }

  /// The length of the recording so far, seconds: up to the end of the last sample.
  public var seconds: Double { samples.last.map { $0.time.seconds(since: samples[0].time) + 1 / rate.hertz } ?? 0 }

  /// How long after its time a sample is recorded, seconds. It is half of the length of the low-pass filter, and 0 if
  /// the source has the rate of the recording.
  public var delaySeconds: Double { resampler.delay }

  /// The time by which a sample may deviate from even spacing, seconds.
  private var tolerance: Double { 0.25 / rate.hertz }

  /// The recording so far.
  public func recording(named name: String) -> Recording {
    Recording(name: name, sampleRate: rate, samples: samples)
  }
}

extension Recording {
  /// The samples at the speed at which they were recorded, to try an app without a phone. The stream ends early if the
  /// task is cancelled.
  ///
  /// - Parameters:
  ///   - speed: 1 for the recorded speed, 10 for ten times as fast.
  ///   - clock: the clock that waits. Default: the system's.
  /// - Precondition: `speed` is positive.
  public func replayed(
    speed: Double = 1, clock: some Clock<Duration> = ContinuousClock()
  ) -> AsyncStream<MotionSample> {
    precondition(speed > 0, "a recording cannot be replayed at speed \(speed)")
    return AsyncStream { continuation in
      let task = Task {
        let start = clock.now
        for index in 0..<count {
          let sample = self[index]
          let wait = Duration.seconds(sample.time.seconds(since: time(at: 0)) / speed)
          do { try await clock.sleep(until: start.advanced(by: wait), tolerance: nil) } catch { break }
          continuation.yield(sample)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
