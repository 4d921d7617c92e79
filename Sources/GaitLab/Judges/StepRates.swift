import Foundation
import Gait
import GaitFormats
import GaitTraining

/// Compares step rates with references that share nothing with the step meter.
enum StepRates {
  /// The activities of DSADS with steps, by the set's own label.
  private static let walks = [
    ("05", "stairs up"), ("06", "stairs down"), ("09", "walking"), ("10", "treadmill, flat"), ("11", "treadmill, 15°"),
    ("12", "treadmill, running"),
  ]

  /// Compares the step rates of all places of DSADS with twice the stride frequency beside the knees.
  static func judgeKnees(_ sets: PublicSets, _ print: (String) -> Void) throws {
    print("\n=== steps in dsads, by the gyroscopes beside the knees")
    let labels = Dictionary(uniqueKeysWithValues: walks)
    let recordings = try sets.recordings(of: "dsads", labels: labels)
    // The gyroscopes are the reference, so the step rates are measured without them.
    let rates = try sets.recordings(of: "dsads", labels: labels, columnCount: 3)
      .mappedConcurrently { $0.recording.stepFrequency() }
    for (_, kind) in walks {
      let people = Dictionary(grouping: zip(recordings, rates).filter { $0.0.label == kind }) { $0.0.group }
      let errors = people.values.flatMap { person in
        let legs = person.filter { $0.0.fields["place"]!.hasSuffix("leg") }.map { StrideFrequency.of($0.0.recording) }
        let steps = 2 * legs.reduce(0, +) / Double(legs.count)
        return person.map { ($0.1 ?? 0) / steps - 1 }
      }
      print(summary(kind, errors))
    }
  }

  private static func summary(_ name: String, _ errors: [Double]) -> String {
    let sizes = errors.map(\.magnitude).sorted()
    return "  \("\(name):".padded(to: 28)) \(sizes.count { $0 < 0.1 }) of \(sizes.count) within 10 %; median error "
      + "\((100 * sizes[sizes.count / 2]).fixed(1)) %, largest \((100 * sizes[sizes.count - 1]).fixed(1)) %"
  }

  /// Compares the step rates of WISDM's walkers and joggers with those that are usual.
  static func judgeUsualRates(_ sets: PublicSets, _ print: (String) -> Void) throws {
    print("\n=== steps in wisdm")
    for device in ["phone", "watch"] {
      let tables = try sets.tables(of: "wisdm-\(device)").map(\.table)
      for (label, kind, usual) in [("A", "walking", 1.4...2.3), ("B", "jogging", 2.2...3.3)] {
        let rates = try tables.map { $0.rows(labelled: label) }.filter { $0.count > 0 }
          .mappedConcurrently { try $0.recording().stepFrequency() ?? 0 }
        print(
          "  \("\(device), \(kind):".padded(to: 20)) \(rates.count(where: usual.contains)) of \(rates.count) within "
            + "\(usual.lowerBound)…\(usual.upperBound) a second, \((rates.min() ?? 0).fixed(2)) to "
            + "\((rates.max() ?? 0).fixed(2))")
      }
    }
  }
}

/// The stride frequency of a leg that a gyroscope is worn on.
enum StrideFrequency {
  private static let windowSeconds = 10.24
  /// The searched frequencies, hertz.
  private static let searched = (14...72).map { Double($0) * 0.025 }

  /// The highest peak of the rotation rate's spectrum within 0.35…1.8 Hz, over windows of 10.24 s, hertz.
  static func of(_ recording: Recording) -> Double {
    let (rate, length) = (recording.sampleRate.hertz, Int(windowSeconds * recording.sampleRate.hertz))
    let turns = (0..<recording.count).map { recording[$0].rotationRate }
    let hann = (0..<length).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(length)) }
    let powers = searched.map { frequency -> Double in
      var power = 0.0
      for start in stride(from: 0, through: turns.count - length, by: length) {
        var (real, imaginary) = (SIMD3<Double>.zero, SIMD3<Double>.zero)
        for index in 0..<length {
          let angle = -2 * .pi * frequency * Double(index) / rate
          let value = SIMD3<Double>(turns[start + index]) * hann[index]
          real += value * cos(angle)
          imaginary += value * sin(angle)
        }
        power += (real * real + imaginary * imaginary).sum()
      }
      return power
    }
    return zip(powers, searched).max { ($0.0, $0.1) < ($1.0, $1.1) }!.1
  }
}
