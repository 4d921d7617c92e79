/// A correction of a classifier's probabilities, so that 80 % of the windows with a probability of 0.8 are correct.
///
/// GaitTraining fits it to predictions for held-out people. A model stores it and applies it to every window.
package enum Calibration: Hashable, Sendable {
  /// All probabilities are raised to the power 1 ÷ T and normalised to a sum of 1.
  ///
  /// For a logistic regression this divides every logit by T. T > 1 lowers the confidence, T < 1 raises it; the most
  /// probable label stays the same.
  /// Source: Guo, Pleiss, Sun, Weinberger, "On Calibration of Modern Neural Networks", ICML 2017.
  case temperature(Float)
  /// Each label's probability is mapped by a rising curve of its own. All are then normalised to a sum of 1. If all are
  /// 0, they become equal.
  ///
  /// Source: Zadrozny, Elkan, "Transforming classifier scores into accurate multiclass probability estimates", KDD
  /// 2002.
  case isotonic([RisingCurve])

  /// Replaces the probabilities of one window, shape `[labels]`, with calibrated ones.
  ///
  /// - Complexity: O(labels), or O(labels · log points) with curves; no allocation.
  package func apply(to probabilities: UnsafeMutableBufferPointer<Float>) {
    let count = probabilities.count
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
    // A NaN probability stays NaN.
    for index in 0..<count { probabilities[index] = sum == 0 ? 1 / Float(count) : probabilities[index] / sum }
  }

  /// The calibrated probabilities of every window, shape `[windows × labels]`; bit-identical to those of single
  /// windows.
  package func apply(to matrix: FeatureMatrix) -> FeatureMatrix { matrix.changingRows { apply(to: $0) } }
}

/// A non-decreasing curve: linear between its points and constant beyond them.
package struct RisingCurve: Hashable, Sendable {
  /// The inputs of the points, 0…1, strictly increasing; shape `[points]`.
  package let inputs: [Float]
  /// The outputs of the points, 0…1, non-decreasing; shape `[points]`.
  package let outputs: [Float]

  /// A curve from its points, as in a model file.
  ///
  /// - Throws: `ModelError.invalid` if there are no points, if the counts differ, if a number is outside 0…1, or if the
  ///   numbers are not in the order that the properties state.
  package init(inputs: [Float], outputs: [Float]) throws(ModelError) {
    try ModelError.check("inputs", inputs, columns: max(1, inputs.count))
    try ModelError.check("outputs", outputs, columns: inputs.count)
    for (name, values) in [("inputs", inputs), ("outputs", outputs)] {
      for (index, value) in values.enumerated() {
        let isRising = index == 0 || value > values[index - 1] || (name == "outputs" && value == values[index - 1])
        guard (0...1).contains(value), isRising else {
          throw .invalid("\(name)[\(index)] is outside 0 to 1 or falls below the number before it")
        }
      }
    }
    self.inputs = inputs
    self.outputs = outputs
  }

  /// The output at `input`; NaN for NaN.
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
