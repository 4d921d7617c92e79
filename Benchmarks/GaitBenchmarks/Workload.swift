import Foundation
import Gait
import GaitLab
import GaitTraining

/// A unit of work for timing and instruction counts: prepared once, then repeated as often as needed.
package struct Workload: Sendable {
  /// The unique name, with the size, such as `features/full/128`.
  package let name: String

  /// Whether the workload is part of the pipeline from samples to events, whose costs are checked.
  package let isInPipeline: Bool

  /// Does everything that is not measured, and returns the work. A call of the work runs it once and returns a number
  /// that depends on all of it, so that the compiler cannot remove any part.
  package let prepare: @Sendable () throws -> () throws -> Float

  init(
    _ name: String, isInPipeline: Bool = false, prepare: @escaping @Sendable () throws -> () throws -> Float
  ) {
    self.name = name
    self.isInPipeline = isInPipeline
    self.prepare = prepare
  }

  /// All workloads, in the order of the pipeline.
  package static let all =
    reading + planning + resampling + features + scoring + training + pipeline + [restoring] + batches
}

/// The input of the workloads: simulated people, the same on every machine.
enum Material {
  /// A recording of running.
  static func run(seconds: Double, sampleRate: SampleRate) -> Recording {
    Simulator(seed: 1, sampleRate: sampleRate).recording(of: 1, activity: .running, seconds: seconds)
  }

  /// The features of four people who run, walk and keep still, and the label of each window as an index into
  /// `SimulatedActivity.allCases`.
  static func labelledFeatures(
    _ features: [Feature], seconds: Double = 60
  ) throws -> (matrix: FeatureMatrix, labels: [Int]) {
    let simulator = Simulator(seed: 1, sampleRate: .canonical)
    var matrix = FeatureMatrix(columnCount: features.count)
    var labels: [Int] = []
    for subject in 1...4 {
      for (label, activity) in SimulatedActivity.allCases.enumerated() {
        let values = try simulator.recording(of: subject, activity: activity, seconds: seconds).features(features)
          .values
        for row in 0..<values.rowCount {
          matrix.append(values[row])
          labels.append(label)
        }
      }
    }
    return (matrix, labels)
  }

  /// The samples of `runWithPauses` and a GPS point every second, on a circle of 1.2 km; positions err by up to 4 m.
  static func runWithPoints(minutes: Int, sampleRate: SampleRate) -> [RunInput] {
    var distance = 0.0
    return runWithPauses(minutes: minutes, sampleRate: sampleRate).enumerated().flatMap { index, sample -> [RunInput] in
      guard index % Int(saturating: sampleRate.hertz) == 0 else { return [.motion(sample)] }
      let second = Double(index / Int(saturating: sampleRate.hertz))
      let speed = second.truncatingRemainder(dividingBy: 300) < 270 ? 3.0 : 0
      distance += speed
      let (angle, error) = (distance / 191, 4 * sin(second * 0.7))
      let point = LocationSample(
        time: sample.time, latitude: 48 + (191 * sin(angle) + error) / 111_200,
        longitude: 11 + (191 * cos(angle) - error) / 74_400, altitude: 500, speed: speed, horizontalAccuracy: 5,
        verticalAccuracy: 4, speedAccuracy: 0.4)
      return [.location(point), .motion(sample)]
    }
  }

  /// Samples of running with a stop of half a minute after every four and a half minutes.
  static func runWithPauses(minutes: Int, sampleRate: SampleRate) -> [MotionSample] {
    let simulator = Simulator(seed: 1, sampleRate: sampleRate)
    var samples: [MotionSample] = []
    while Double(samples.count) < Double(minutes) * 60 * sampleRate.hertz {
      for (activity, seconds) in [(SimulatedActivity.running, 270.0), (.still, 30)] {
        let part = simulator.recording(of: 1, activity: activity, seconds: seconds)
        for index in 0..<part.count {
          var sample = part[index]
          sample.time = SampleTime(nanoseconds: sampleRate.nanoseconds(ofSample: samples.count))
          samples.append(sample)
        }
      }
    }
    return Array(samples.prefix(Int(saturating: Double(minutes) * 60 * sampleRate.hertz)))
  }
}
