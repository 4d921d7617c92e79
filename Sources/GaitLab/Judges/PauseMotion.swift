import Foundation
import Gait
import GaitTraining

/// What a person does in a pause that no recording has, as motion that is added to standing.
enum PauseMotion: String, CaseIterable {
  /// Nothing.
  case still
  /// Lifts the phone to the ear within about a second, holds it with small motions, and puts it back.
  case call
  /// Bends down, jerks the laces for some seconds, and rises.
  case shoe
  /// Shifts the weight at 0.3 to 1 Hz; now and then a step in place.
  case wait

  /// The device's turn about its x axis, radians, and the acceleration that is added, g, at a time of the pause.
  typealias Function = (_ time: Double) -> (angle: Double, acceleration: SIMD3<Double>)

  /// The motion of one pause.
  func drawn(seconds: Double, from generator: inout SeededGenerator) -> Function {
    switch self {
    case .still: { _ in (0, .zero) }
    case .call: Self.call(seconds, &generator)
    case .shoe: Self.shoe(&generator)
    case .wait: Self.wait(seconds, &generator)
    }
  }

  private static func call(_ seconds: Double, _ generator: inout SeededGenerator) -> Function {
    let start = generator.uniform(in: 3...8)
    let end = seconds - generator.uniform(in: 6...12)
    let lift = generator.uniform(in: 1.2...2.4)
    let length = generator.uniform(in: 0.7...1.3)
    let tremor = generator.uniform(in: 0.01...0.04)
    let phases = SIMD3(
      generator.uniform(in: 0...6.28), generator.uniform(in: 0...6.28), generator.uniform(in: 0...6.28))
    return { time in
      let angle = lift * (smooth((time - start) / length) - smooth((time - end) / length))
      // The arm of 0.4 m moves on an arc.
      let bump = pulse(time - start, length) + pulse(time - end, length)
      var acceleration = SIMD3(0, 0, 0.3 * bump / (length * length))
      if start < time, time < end {
        for axis in 0..<3 { acceleration[axis] += tremor * sin(2 * .pi * 1.3 * time + phases[axis]) }
      }
      return (angle, acceleration)
    }
  }

  private static func shoe(_ generator: inout SeededGenerator) -> Function {
    let start = generator.uniform(in: 3...8)
    let length = generator.uniform(in: 8...20)
    let bend = generator.uniform(in: 0.8...1.5)
    let jerks = (0..<Int(length * 1.5)).map { _ in
      (
        time: generator.uniform(in: start + 1...start + length), width: generator.uniform(in: 0.1...0.35),
        size: generator.normalVector(deviation: 0.35)
      )
    }
    return { time in
      let angle = bend * (smooth(time - start) - smooth(time - start - length))
      return (angle, jerks.reduce(.zero) { $0 + $1.size * pulse(time - $1.time, $1.width) })
    }
  }

  private static func wait(_ seconds: Double, _ generator: inout SeededGenerator) -> Function {
    let hertz = generator.uniform(in: 0.3...1)
    let size = generator.uniform(in: 0.03...0.1)
    let steps = (0..<3 + generator.index(below: 6)).map { _ in generator.uniform(in: 3...seconds - 3) }
    return { time in
      let step = steps.reduce(0) { $0 + 0.7 * pulse(time - $1, 0.4) }
      let shift = sin(2 * .pi * hertz * time)
      return (0.05 * shift, SIMD3(size * shift, step, 0.3 * step))
    }
  }

  /// 0 to 1 with no jolt.
  static func smooth(_ share: Double) -> Double {
    let share = min(1, max(0, share))
    return share * share * share * (10 - 15 * share + 6 * share * share)
  }

  /// One period of a sine from time 0, of `width` seconds.
  private static func pulse(_ time: Double, _ width: Double) -> Double {
    0 < time && time < width ? sin(2 * .pi * time / width) : 0
  }
}
