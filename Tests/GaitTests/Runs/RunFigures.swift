import Foundation
import GaitTestSupport

@testable import Gait

/// Results of the parts of a run as numbers between spaces, for recorded answers.
enum RunFigures {
  /// The numbers themselves, or sums of up to 40 groups of neighbours, in which every number has another weight.
  static func text(_ values: [Double]) -> String {
    guard values.count > 40 else { return "\(values.count) " + values.map { "\($0)" }.joined(separator: " ") }
    let size = (values.count + 39) / 40
    let sums = stride(from: 0, to: values.count, by: size).map { first in
      values[first..<min(values.count, first + size)].enumerated().reduce(0) {
        $0 + $1.element * (1 + Double($1.offset % 97) / 10)
      }
    }
    return "\(values.count) " + sums.map { "\($0)" }.joined(separator: " ")
  }

  /// Numbers of which some are missing.
  static func text(_ values: [Double?]) -> String { text(values.map { $0 ?? -777 }) }

  static func text(_ values: [Bool]) -> String { values.map { $0 ? "1" : "0" }.joined() + "." }

  static func text(_ ranges: [Range<SampleTime>]) -> String {
    text(ranges.flatMap { [$0.lowerBound.seconds, $0.upperBound.seconds] })
  }

  static func text(_ steps: [PathStep]) -> String {
    text(steps.flatMap { [$0.start.seconds, $0.end.seconds, $0.meters, Double($0.kind.rawValue)] })
  }

  static func text(_ splits: [Split]) -> String {
    text(
      splits.flatMap {
        [
          Double($0.number), $0.start.seconds, $0.end.seconds, $0.meters, $0.movingSeconds, $0.isEstimated ? 1 : 0,
          $0.untimedMeters, $0.pace ?? -1,
        ]
      })
  }

  static func text(_ slices: [RunTimeline.Slice]) -> String {
    slices.map { "\($0.state) \($0.start.seconds) \($0.end.seconds)" }.joined(separator: " ")
  }

  static func text(_ pauses: [Pause]) -> String {
    pauses.map { "\($0.cause) \($0.onset.seconds) \($0.decidedAt.seconds) \($0.end?.seconds ?? -1)" }
      .joined(separator: " ")
  }

  static func text(_ error: WayError) -> String {
    text([error.share, error.accuracy, error.speedShare, error.statedShare, error.stepShare])
  }

  /// All numbers of a value and of its parts, also private ones, in the order of their declaration. A value with a
  /// dictionary or a set has no fixed order.
  static func state(of value: Any) -> String {
    let words = "\(value)".split { !($0.isLetter || $0.isNumber || ".-+_".contains($0)) }
    return text(
      words.compactMap { word in
        switch word {
        case "true": 1
        case "false": 0
        case "nil": -777
        default: Double(word)
        }
      })
  }
}

extension SplitMix64 {
  /// One of some values.
  mutating func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &self)] }

  /// Whether something happens that happens once in `count` times.
  mutating func isOnce(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}

extension LocationSample {
  /// A point at metres north and east of a place.
  static func at(
    _ seconds: Double, north: Double, east: Double = 0, altitude: Double? = nil, speed: Double? = nil,
    accuracy: Double? = 5
  ) -> LocationSample {
    LocationSample(
      time: .seconds(seconds), latitude: 48 + north / 111_200, longitude: 11 + east / 74_500, altitude: altitude,
      speed: speed, horizontalAccuracy: accuracy)
  }
}

extension MotionSample {
  /// The sample with other values.
  func with(
    time: SampleTime? = nil, gravity: SIMD3<Float>? = nil, rotationRate: SIMD3<Float>? = nil,
    userAcceleration: SIMD3<Float>? = nil
  ) -> MotionSample {
    MotionSample(
      time: time ?? self.time, gravity: gravity ?? self.gravity, rotationRate: rotationRate ?? self.rotationRate,
      userAcceleration: userAcceleration ?? self.userAcceleration)
  }
}
