import GaitTestSupport

@testable import Gait

extension AnswerText {
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

  static func text(_ error: DistanceError) -> String {
    text([error.share, error.accuracy, error.speedShare, error.statedShare, error.stepShare])
  }
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
