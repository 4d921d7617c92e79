import Gait
import Testing

@testable import GaitTraining

/// A random population for comparing two models: three labels, and a confusion matrix for each person and model.
struct ComparedPopulation: Sendable, CustomTestStringConvertible {
  /// A description of the population.
  let name: String
  /// Windows of the second model per window of the first.
  var windowRatio = 1.0
  /// A factor on the usual 200 or so windows of a person.
  var size = 1.0
  /// The standard deviation of the logarithm of a person's number of windows.
  var spread = 0.5
  /// Whether error counts are exact instead of random, and all people have all labels.
  var isExact = false
  /// The error rates of both models for one random person.
  let rates: @Sendable (inout SeededGenerator) -> (first: Double, second: Double)

  var testDescription: String { name }

  /// Two models' tallies of people.
  func draw(_ count: Int, _ generator: inout SeededGenerator) -> PairedTallies {
    var (first, second): ([[Double]], [[Double]]) = ([], [])
    for _ in 0..<count {
      let rates = rates(&generator)
      let factor = size * exponential(generator.normal(deviation: spread))
      let absent = isExact || generator.uniform(in: 0...1) > 0.3 ? nil : Int(generator.next() % 3)
      let windows = [50.0, 50, 100].enumerated().map { $0 == absent ? 0 : max(1, ($1 * factor).rounded()) }
      first.append(confusion(windows, rate: rates.first, &generator))
      second.append(confusion(windows.map { ($0 * windowRatio).rounded(.up) }, rate: rates.second, &generator))
    }
    return PairedTallies(
      GroupTally(labelCount: 3, confusions: second), GroupTally(labelCount: 3, confusions: first))
  }

  /// Windows of which a share is confused with another label, twice as often with the next one as with the one after.
  private func confusion(_ windows: [Double], rate: Double, _ generator: inout SeededGenerator) -> [Double] {
    var confusion = [Double](repeating: 0, count: 9)
    for (label, count) in windows.enumerated() {
      let wrong = isExact ? (count * rate).rounded() : wrong(of: Int(count), rate: rate, &generator)
      let near = (wrong * 2 / 3).rounded()
      confusion[label * 3 + label] = count - wrong
      confusion[label * 3 + (label + 1) % 3] = near
      confusion[label * 3 + (label + 2) % 3] = wrong - near
    }
    return confusion
  }

  private func wrong(of count: Int, rate: Double, _ generator: inout SeededGenerator) -> Double {
    Double((0..<count).count { _ in generator.uniform(in: 0...1) < rate })
  }
}

extension ComparedPopulation {
  /// Populations on which both models are equally good.
  static let equal = [
    ComparedPopulation(name: "models that err alike") { generator in
      let person = 0.03 * exponential(generator.normal(deviation: 0.7))
      return (
        min(0.6, person * exponential(generator.normal(deviation: 0.5))),
        min(0.6, person * exponential(generator.normal(deviation: 0.5)))
      )
    },
    ComparedPopulation(name: "nearly no errors, many ties") { generator in
      let person = 0.0005 * exponential(generator.normal(deviation: 1))
      return (person, person)
    },
    ComparedPopulation(name: "one person in ten fails, by chance") { generator in
      (failing(0.1, &generator), failing(0.1, &generator))
    },
    ComparedPopulation(name: "few windows, of few to many", size: 0.1, spread: 1) { generator in
      let person = 0.1 * exponential(generator.normal(deviation: 0.7))
      return (min(0.6, person), min(0.6, person))
    },
    ComparedPopulation(name: "windows of other lengths", windowRatio: 0.4) { generator in
      let person = 0.05 * exponential(generator.normal(deviation: 0.7))
      return (min(0.6, person), min(0.6, person))
    },
    ComparedPopulation(name: "one model errs unevenly, the other evenly") { generator in
      (0.05, -0.05 * logarithm(generator.uniform(in: 1e-6...1)))
    },
  ]

  /// Equally good on average, but better for nine people of ten. A sample without the tenth person does not show it.
  static let rareFailure = ComparedPopulation(name: "better for nine of ten, much worse for one") { generator in
    (0.03, generator.uniform(in: 0...1) < 0.1 ? 0.21 : 0.01)
  }

  /// Normally distributed differences with a mean of two standard errors for twelve people.
  static func better(_ name: String, spread: Double) -> ComparedPopulation {
    ComparedPopulation(name: name, size: 5, spread: spread, isExact: true) { generator in
      (0.15, 0.15 - trueDifference + deviation * generator.normal())
    }
  }

  /// The standard deviation and the mean of the differences of `better`.
  static let deviation = 0.03
  static let trueDifference = 2 * deviation / 12.0.squareRoot()

  private static func failing(_ probability: Double, _ generator: inout SeededGenerator) -> Double {
    let fails = generator.uniform(in: 0...1) < probability
    return fails ? generator.uniform(in: 0.1...0.5) : 0.01 * exponential(generator.normal(deviation: 0.5))
  }
}
