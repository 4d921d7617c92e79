/// What makes a classifier's probabilities mean what they say: of windows that it gives 0.8, eight in ten are right.
///
/// Fitted by GaitTraining on predictions for people that the classifier had not seen, stored in the model, and applied to
/// every window on the road.
package enum Calibration: Hashable, Sendable {
  /// All probabilities raised to the power 1 ÷ T and brought to a sum of 1.
  ///
  /// Of a logistic regression these are the probabilities with every logit divided by T. T > 1 makes a classifier less sure
  /// of itself, T < 1 surer; the most probable label stays the same.
  /// Source: Guo, Pleiss, Sun, Weinberger, "On Calibration of Modern Neural Networks", ICML 2017.
  case temperature(Float)
  /// Each label's probability through a rising curve of its own, and then all brought to a sum of 1; alike, where all are 0.
  ///
  /// Source: Zadrozny, Elkan, "Transforming classifier scores into accurate multiclass probability estimates", KDD 2002.
  case isotonic([RisingCurve])

  /// Replaces the probabilities of one window, shape `[labels]`, by calibrated ones.
  ///
  /// - Complexity: O(labels), for curves times the logarithm of their points; no allocation.
  package func apply(to probabilities: UnsafeMutablePointer<Float>, count: Int) {
    switch self {
    case .temperature(let temperature):
      var largest = probabilities[0]
      for index in 1..<count where probabilities[index] > largest { largest = probabilities[index] }
      for index in 0..<count {
        probabilities[index] = exponential(logarithm(probabilities[index] / largest) / temperature)
      }
    case .isotonic(let curves):
      for index in 0..<count { probabilities[index] = curves[index].value(at: probabilities[index]) }
    }
    var sum: Float = 0
    for index in 0..<count { sum += probabilities[index] }
    // NaN stays NaN: where nothing is known, nothing is calibrated.
    for index in 0..<count { probabilities[index] = sum == 0 ? 1 / Float(count) : probabilities[index] / sum }
  }

  /// The calibrated probabilities of every window, shape `[windows × labels]`: the road's, to the last bit.
  package func apply(to matrix: FeatureMatrix) -> FeatureMatrix {
    var values = matrix.values
    values.withUnsafeMutableBufferPointer { values in
      guard let base = values.baseAddress else { return }
      for row in 0..<matrix.rowCount { apply(to: base + row * matrix.columnCount, count: matrix.columnCount) }
    }
    return FeatureMatrix(columnCount: matrix.columnCount, values: values)
  }
}

/// A curve through points that never falls, straight between them and level beyond them.
package struct RisingCurve: Hashable, Sendable {
  /// Where the points stand, 0…1, rising.
  package let inputs: [Float]
  /// How high the points are, 0…1, never falling; as many as `inputs`.
  package let outputs: [Float]

  /// A curve from its points, as a model file holds them.
  ///
  /// - Throws: `ModelError.invalid` where there is no point, the counts differ, or the points do not rise within 0…1.
  package init(inputs: [Float], outputs: [Float]) throws(ModelError) {
    guard !inputs.isEmpty else { throw .fault(.wrongCount(.inputs, expected: 1, found: 0)) }
    try ModelFault.check(.inputs, inputs, columns: inputs.count)
    try ModelFault.check(.outputs, outputs, columns: inputs.count)
    for (part, values) in [(ModelFault.Part.inputs, inputs), (.outputs, outputs)] {
      for (index, value) in values.enumerated() {
        let isRising = index == 0 || value > values[index - 1] || (part == .outputs && value == values[index - 1])
        guard (0...1).contains(value), isRising else { throw .fault(.notRising(part, index: index)) }
      }
    }
    self.inputs = inputs
    self.outputs = outputs
  }

  /// The curve's height at `input`; NaN at NaN.
  ///
  /// - Complexity: O(log points).
  package func value(at input: Float) -> Float {
    guard input > inputs[0] else { return input.isNaN ? input : outputs[0] }
    guard input < inputs[inputs.count - 1] else { return outputs[outputs.count - 1] }
    var (low, high) = (0, inputs.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if inputs[middle] <= input { low = middle } else { high = middle }
    }
    let share = (input - inputs[low]) / (inputs[high] - inputs[low])
    return outputs[low] + share * (outputs[high] - outputs[low])
  }
}
