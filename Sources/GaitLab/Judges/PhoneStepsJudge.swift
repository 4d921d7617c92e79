import Foundation
import Gait
import GaitFormats
import GaitTraining

/// Evaluates step counts of strangers' phones against two counts that share no code with Gait.
///
/// Where both agree within 3 %, Gait's count should be within 5 % of their mean. They take any movement for steps, and
/// before the walk and after it a hand puts the phone away and takes it out. So recordings are also compared from the
/// first to the last moment at which the phone's GPS reports a speed, a second source that shares nothing with
/// acceleration.
package struct PhoneStepsJudge {
  /// Recordings of linear acceleration, each a folder with `Location.csv` beside it.
  private let folder: URL

  /// The largest difference of the two counts, and of Gait's from their mean, as shares.
  private static let (agreement, limit) = (0.03, 0.05)
  /// The highest speed that GPS reports of a phone at rest, m/s.
  private static let standing = 0.3

  package init(folder: URL) { self.folder = folder }

  /// Gait's steps beside the two counts, and whether they are within the limit; `nil` where the two disagree.
  private struct Comparison {
    let text: String
    let isWithin: Bool?

    init(_ counts: IndependentSteps, _ steps: Double) {
      let figures =
        "\(counts.bySpectrum.fixed(0).padded(to: -5)) \(String(counts.byPeaks).padded(to: -5)) \(steps.fixed(0).padded(to: -5))"
      guard counts.agree(within: agreement) else {
        (text, isWithin) = (figures + "        ", nil)
        return
      }
      let error = steps / counts.mean - 1
      (text, isWithin) = ("\(figures) \((100 * error).signed(5)) %", error.magnitude <= limit)
    }
  }

  /// Judges the recordings; passes each line to `print`.
  package func run(print: (String) -> Void) throws {
    print("steps by spectrum, by peaks and by Gait, whole       while GPS moves")
    let names = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.isDirectoryKey])
      .filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
    let results = try names.mappedConcurrently { try Self.compared(PhoneRecording(folder: $0)) }
    for (name, parts) in zip(names, results) {
      print("\(name.lastPathComponent.padded(to: 24)) " + parts.map(\.text).joined(separator: "          "))
    }
    for (index, name) in ["whole", "while GPS moves"].enumerated() {
      let known = results.compactMap { $0[index].isWithin }
      print(
        "\(name): \(known.count { $0 }) of \(known.count) within \((100 * Self.limit).fixed(0)) % where both counts agree "
          + "within \((100 * Self.agreement).fixed(0)) %")
    }
  }

  /// The comparisons of the whole recording, and of the part while GPS moves.
  private static func compared(_ phone: PhoneRecording) throws -> [Comparison] {
    let model = ActivityModel.running.fitting(phone.motion.channels)
    let run = try model.track(phone.motion, locations: phone.locations)
    let axes = phone.evenAcceleration(at: IndependentSteps.sampleRate)
    let motion = phone.motion
    let end = motion.time(at: motion.count - 1)
    let walk = walk(phone.locations).clamped(to: motion.start...end)
    func place(_ time: SampleTime) -> Int {
      min(axes.count, Int(saturating: (time.seconds(since: motion.start) * IndependentSteps.sampleRate).rounded()))
    }
    let part = Array(axes[place(walk.lowerBound)..<place(walk.upperBound)])
    return [
      Comparison(IndependentSteps(of: axes), Double(run.steps)),
      Comparison(IndependentSteps(of: part), run.stepCount(in: walk)),
    ]
  }

  /// From the first to the last moment at which two GPS points in a row report a speed above `standing`; of a phone that
  /// reports none, all points.
  private static func walk(_ points: [LocationSample]) -> ClosedRange<SampleTime> {
    let moves = points.indices.dropFirst().filter {
      (points[$0 - 1].speed ?? 0) > standing && (points[$0].speed ?? 0) > standing
    }
    guard let first = moves.first, let last = moves.last else { return points[0].time...points[points.count - 1].time }
    return points[first - 1].time...points[last].time
  }
}

extension RunTimeline {
  /// The steps between two moments: of each step rate up to halfway to its neighbours, in moving time.
  fileprivate func stepCount(in span: ClosedRange<SampleTime>) -> Double {
    let times = shownCadence.map(\.time)
    let halfway = zip(times, times.dropFirst()).map { $0.advanced(bySeconds: $1.seconds(since: $0) / 2) }
    let edges = ([span.lowerBound] + halfway + [span.upperBound]).map { min(max($0, span.lowerBound), span.upperBound) }
    return zip(shownCadence, zip(edges, edges.dropFirst())).reduce(0) { sum, part in
      sum + movingSeconds(from: part.1.0, to: part.1.1) * part.0.stepsPerMinute / 60
    }
  }
}

extension PhoneRecording {
  /// The linear acceleration at an even rate, g: interpolated, from a sensor of more than 2.2 times the rate after a
  /// low-pass filter of 20 Hz.
  fileprivate func evenAcceleration(at sampleRate: Double) -> [SIMD3<Double>] {
    let rows = (0..<motion.count).map { motion[$0] }.filter { !$0.userAcceleration.sum().isNaN }
    let times = rows.map { $0.time.seconds(since: motion.start) }
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }
    let source = 1 / ErrorSizes(steps).median
    var axes = (0..<3).map { axis in rows.map { Double($0.userAcceleration[axis]) } }
    if source > 2.2 * sampleRate {
      let filter = ZeroPhaseFilter(lowPass: 20, order: 4, sampleRate: source)
      axes = axes.map(filter.filtered)
    }
    let moments = stride(from: 0, to: times[times.count - 1], by: 1 / sampleRate)
    let even = axes.map { Interpolation(times: times, values: $0).values(at: Array(moments)) }
    return even[0].indices.map { SIMD3(even[0][$0], even[1][$0], even[2][$0]) }
  }
}
