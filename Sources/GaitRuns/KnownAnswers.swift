import Gait

/// Results on a fixed input, recorded on Linux, to compare with those of a device.
///
/// Gait was built and tested on x86-64 only. Call this once on a device, for example in an app's own tests. It puts an
/// artificial run of 100 s through the built-in model, and compares windows, pauses, cadence and distance.
///
///     assert(KnownAnswers.failures().isEmpty, KnownAnswers.failures().joined(separator: "\n"))
public enum KnownAnswers {
  /// The results that differ from those recorded, each with name, value and expected value; empty if all agree.
  public static func failures() -> [String] { failures(expecting: recorded) }

  static func failures(expecting answers: [(name: String, value: Double, tolerance: Double)]) -> [String] {
    do {
      let results = try measured()
      return answers.compactMap { answer in
        guard let result = results[answer.name] else { return "\(answer.name): there is none" }
        return (result - answer.value).magnitude <= answer.tolerance
          ? nil : "\(answer.name): \(result) instead of \(answer.value)"
      }
    } catch {
      return ["\(error)"]
    }
  }

  /// Probabilities are compared within 0.001, times within 0.2 s (the step between windows that decide pauses), cadence
  /// within 1 step/min, and metres within 0.1.
  private static let recorded: [(name: String, value: Double, tolerance: Double)] = [
    ("windows", 152, 0), ("window 5, running", 0.999991, 1e-3), ("window 5, still", 0.000005, 1e-3),
    ("window 35, running", 0.999991, 1e-3), ("window 35, walking", 0.000004, 1e-3),
    ("window 65, still", 0.999396, 1e-3), ("window 65, walking", 0.000562, 1e-3),
    ("window 65, running", 0.000042, 1e-3), ("window 95, running", 0.999991, 1e-3),
    ("window 125, walking", 0.000004, 1e-3), ("pauses", 1, 0), ("pause", 40.08, 0.2), ("resume", 60, 0.2),
    ("cadence", 166.666, 1), ("distance", 235.621, 0.1),
  ]

  /// The results on this device, by name.
  static func measured() throws -> [String: Double] {
    let samples = input()
    let recording = Recording(name: "known input", sampleRate: .hertz(50), samples: samples)
    var results: [String: Double] = [:]
    let windows = try ActivityModel.running.classify(recording)
    results["windows"] = Double(windows.count)
    for index in stride(from: 5, to: windows.count, by: 30) {
      for label in windows[index].probabilities.labels {
        results["window \(index), \(label)"] = Double(windows[index].probabilities[label])
      }
    }
    var tracker = try RunTracker(sampleRate: .hertz(50))
    for (index, sample) in samples.enumerated() {
      tracker.append(sample)
      if index % 50 == 25 { tracker.append(place(after: index / 50, at: sample.time)) }
    }
    let run = tracker.finish()
    results["pauses"] = Double(run.pauses.count)
    results["pause"] = run.pauses.first?.onset.seconds
    results["resume"] = run.pauses.first?.end?.seconds
    results["cadence"] = run.cadence
    results["distance"] = run.distance
    return results
  }

  /// 40 s of steps of 0.36 s, 20 s of rest, and 40 s of steps. The signals are triangles, whose values are the same on
  /// every device.
  private static func input() -> [MotionSample] {
    (0..<5000).map { index in
      let isMoving = !(2000..<3000).contains(index)
      let step = Float(9 - abs(index % 18 - 9)) / 9 - 0.5
      let stride = Float(18 - abs(index % 36 - 18)) / 18 - 0.5
      // A noise of a few thousandths that repeats after 251 samples, because every sensor has noise.
      let noise = Float((index * 97) % 251 - 125) / 60_000
      return MotionSample(
        time: .seconds(Double(index) / 50), gravity: [0.1, -0.8, -0.6],
        rotationRate: isMoving ? [4 * stride, stride, noise] : [noise, noise, 0],
        userAcceleration: isMoving ? [stride / 2, 2 * step, step + noise] : [noise, 0, -noise])
    }
  }

  /// The place of a runner who goes due north at 3 m/s while moving.
  private static func place(after seconds: Int, at time: SampleTime) -> LocationSample {
    let meters = 3 * Double(seconds < 40 ? seconds : max(40, seconds - 20))
    return LocationSample(
      time: time, latitude: 50 + meters / 111_195, longitude: 8, speed: 40..<60 ~= seconds ? 0 : 3,
      horizontalAccuracy: 4)
  }
}
