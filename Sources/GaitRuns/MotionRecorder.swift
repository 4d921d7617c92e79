import Gait

/// Records motion at a fixed rate for a limited time, as for training data or a demonstration.
///
///     var recorder = MotionRecorder(sourceRate: .hertz(100))
///     for await sample in motion where recorder.append(sample) {}
///     let recording = recorder.recording(named: "jumps")
///
/// A sample stands for the time up to the next one, so 60 s at 10 Hz are 600 samples, at 0 to 59.9 s.
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

  /// Takes the next sample. Late samples and those with an invalid time are dropped.
  ///
  /// A sample is recorded once the low-pass filter has the samples after it, up to `delaySeconds` later; its time stays that of
  /// the motion. As much of the beginning of the stream is not recorded.
  ///
  /// - Returns: whether the recorder takes more: false from the sample on that completes the recording.
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

  /// How long after its time a sample is recorded, seconds: half of the length of the low-pass filter, and 0 where the source
  /// has the rate of the recording.
  public var delaySeconds: Double { resampler.delay }

  /// Samples may be off their grid by this, seconds.
  private var tolerance: Double { 0.25 / rate.hertz }

  /// The recording so far.
  public func recording(named name: String) -> Recording {
    Recording(name: name, sampleRate: rate, samples: samples)
  }
}

extension Recording {
  /// The samples at the speed at which they were recorded, for tries without a phone. Ends early if the task is cancelled.
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
