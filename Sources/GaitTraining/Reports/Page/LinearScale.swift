import Foundation

/// A linear scale: maps numbers of a domain to positions of 0…1.
struct LinearScale: Hashable, Sendable {
  /// The numbers at the two ends.
  let domain: ClosedRange<Double>

  /// A scale over `domain`.
  ///
  /// - Precondition: the domain is finite and not empty.
  init(_ domain: ClosedRange<Double>) {
    precondition(
      domain.lowerBound < domain.upperBound && (domain.upperBound - domain.lowerBound).isFinite,
      "an axis needs two different ends")
    self.domain = domain
  }

  /// The position of a number: 0 to 1 within the domain.
  func position(of value: Double) -> Double {
    (value - domain.lowerBound) / (domain.upperBound - domain.lowerBound)
  }

  /// About `count` round numbers within the domain, with a step of 1, 2 or 5 times a power of ten.
  func ticks(about count: Int = 5) -> [Double] {
    let rough = (domain.upperBound - domain.lowerBound) / Double(max(1, count))
    let power = pow(10, floor(log10(rough)))
    let step = [1, 2, 5, 10].map { $0 * power }.first { $0 >= rough * 0.63 } ?? 10 * power
    let first = Int((domain.lowerBound / step - 1e-9).rounded(.up))
    let last = Int((domain.upperBound / step + 1e-9).rounded(.down))
    return first > last ? [] : (first...last).map { Double($0) * step }
  }
}
