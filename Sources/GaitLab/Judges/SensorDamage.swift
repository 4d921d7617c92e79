import Foundation
import Gait
import GaitTraining

/// What sensors and loggers do to evenly sampled motion.
enum SensorDamage: String, CaseIterable {
  case lost1 = "1 % lost"
  case lost2 = "2 % lost"
  case lost5 = "5 % lost"
  /// Cells without a value.
  case empty5 = "5 % empty"
  /// Samples of uneven times, by up to a share of the period.
  case jitter3 = "jitter 0.3"
  case jitter6 = "jitter 0.6"
  /// Short gaps.
  case gaps = "80 ms in 7 s"

  /// Samples at their times, seconds.
  struct Samples {
    var times: [Double]
    var rows: [SIMD16<Float>]

    /// The samples whose index passes.
    fileprivate func filtered(_ keeps: (Int) -> Bool) -> Samples {
      let kept = times.indices.filter(keeps)
      return Samples(times: kept.map { times[$0] }, rows: kept.map { rows[$0] })
    }
  }

  /// A signal sampled with this damage.
  ///
  /// - Parameter times: evenly spaced, of a sensor at `rate` hertz.
  func samples(of signal: ContinuousMotion, at times: [Double], rate: Double, _ generator: inout SeededGenerator)
    -> Samples
  {
    switch self {
    case .lost1: Self.lost(0.01, signal, times, &generator)
    case .lost2: Self.lost(0.02, signal, times, &generator)
    case .lost5: Self.lost(0.05, signal, times, &generator)
    case .empty5: Self.emptied(signal, times, &generator)
    case .jitter3: Self.uneven(0.3 / rate, rate, signal, times, &generator)
    case .jitter6: Self.uneven(0.6 / rate, rate, signal, times, &generator)
    case .gaps:
      signal.samples(at: times).filtered { (times[$0] + 3).truncatingRemainder(dividingBy: 7) >= 0.08 }
    }
  }

  private static func lost(
    _ share: Double, _ signal: ContinuousMotion, _ times: [Double], _ generator: inout SeededGenerator
  ) -> Samples {
    let isLost = times.map { _ in generator.chance(share) }
    return signal.samples(at: times).filtered { !isLost[$0] }
  }

  private static func emptied(
    _ signal: ContinuousMotion, _ times: [Double], _ generator: inout SeededGenerator
  ) -> Samples {
    var samples = signal.samples(at: times)
    for index in times.indices where generator.chance(0.05) { samples.rows[index] = SIMD16(repeating: .nan) }
    return samples
  }

  private static func uneven(
    _ size: Double, _ rate: Double, _ signal: ContinuousMotion, _ times: [Double], _ generator: inout SeededGenerator
  ) -> Samples {
    let moved = times.map { $0 + generator.uniform(in: -size...size) }.sorted()
    let later = moved.map { $0 + 1 / rate - moved[0] }
    let distinct = later.indices.filter { $0 == 0 || later[$0] - later[$0 - 1] > 1e-6 }.map { later[$0] }
    return signal.samples(at: distinct)
  }
}

/// Motion as a function of time, without the frequencies above 0.4 of a sensor's rate.
struct ContinuousMotion {
  private let lanes: [(lane: Int, values: Interpolation)]

  /// The rate of the samples between which the motion is linear, hertz.
  private static let fineRate = 400.0

  /// - Parameters:
  ///   - samples: the recorded motion.
  ///   - channels: the channels that it has.
  ///   - rate: the rate of the sensor, hertz.
  init(_ samples: SensorDamage.Samples, channels: [Channel], rate: Double) {
    let times = Array(stride(from: 0, to: samples.times[samples.times.count - 1], by: 1 / Self.fineRate))
    let filter = ZeroPhaseFilter(lowPass: 0.4 * rate, order: 8, sampleRate: Self.fineRate)
    lanes = channels.map { channel in
      let recorded = Interpolation(times: samples.times, values: samples.rows.map { Double($0[channel.lane]) })
      return (channel.lane, Interpolation(times: times, values: filter.filtered(recorded.values(at: times))))
    }
  }

  /// The motion at ascending times, seconds.
  func samples(at times: [Double]) -> SensorDamage.Samples {
    var rows = [SIMD16<Float>](repeating: SIMD16(repeating: .nan), count: times.count)
    for (lane, values) in lanes {
      for (index, value) in values.values(at: times).enumerated() { rows[index][lane] = Float(value) }
    }
    return SensorDamage.Samples(times: times, rows: rows)
  }
}
