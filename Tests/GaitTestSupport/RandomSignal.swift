/// The shapes of signals that no movement makes, but a broken sensor, a knock or an attacker may.
public enum RandomSignal: CaseIterable, Sendable {
  case constant, sawTooth, knocks, white, clipped, sine

  /// `count` samples of one axis, with a random period, phase and offset, at most about `scale` in magnitude.
  public func samples(_ count: Int, scale: Float, using random: inout SplitMix64) -> [Float] {
    let offset = Bool.random(using: &random) ? 0 : scale * Float.random(in: -1...1, using: &random)
    let period = Int.random(in: 2...max(3, count / 2), using: &random)
    let phase = Int.random(in: 0..<period, using: &random)
    return (0..<count).map { index in
      let place = Float((index + phase) % period) / Float(period)
      let value: Float =
        switch self {
        case .constant: 0
        case .sawTooth: 2 * place - 1
        case .knocks: index % max(period, count / 4) == phase ? Float.random(in: -1...1, using: &random) : 0
        case .white: Float.random(in: -1...1, using: &random)
        case .clipped: max(-0.3, min(0.3, Float.random(in: -1...1, using: &random) + (place < 0.5 ? 0.5 : -0.5)))
        case .sine: place < 0.5 ? 16 * place * (0.5 - place) : -16 * (place - 0.5) * (1 - place)
        }
      return offset + scale * value
    }
  }
}
