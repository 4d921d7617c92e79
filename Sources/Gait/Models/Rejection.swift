/// Recognises windows that are unlike all training data, to which no label applies (open-set recognition).
///
/// Formula: d = ‖x − mₖ‖, the distance from the standardised features x to the nearest of the means mₖ, at most
/// `distanceLimit`; each mₖ is the mean of training windows that are alike. c = the largest label probability before
/// calibration. Both are averaged over the preceding windows, s ← s + (value − s) ÷ 4, and start again after a gap. A
/// window is rejected if d > `largestDistance` or c < `leastConfidence`.
///
/// The distance finds movements far from the training data. The confidence finds movements between two labels. Neither
/// finds both.
///
/// Source: Mensink et al., "Distance-Based Image Classification", IEEE TPAMI 35, 2013 (several means for a class);
/// Hendrycks, Gimpel, "A Baseline for Detecting Misclassified and Out-of-Distribution Examples", ICLR 2017 (largest
/// probability). GaitTraining fits the bounds to held-out people.
package struct Rejection: Hashable, Sendable {
  /// The label of rejected windows.
  package static let label = "other"

  /// The means mₖ of standardised features, shape `[means × features]`, row-major. A label has one or several of them.
  package let means: [Float]
  package let featureCount: Int
  /// The largest distance that one window contributes to the average, so that one outlier does not reject the windows
  /// after it.
  package let distanceLimit: Float
  /// The largest averaged distance of a window that is not rejected.
  package private(set) var largestDistance: Float
  /// The least averaged probability of a window that is not rejected.
  package private(set) var leastConfidence: Float
  /// The share of rejected windows that is usual: 98 % of held-out recordings have at most this share.
  package private(set) var usualShare: Float

  /// The weight of a window in the averages. For the same share of rejected known windows, averages reject far more
  /// windows of unknown movement than single windows do. 1/4 still follows a change within about 3 s.
  package static let smoothing: Float = 0.25

  /// The number of means that a rejection may have.
  package static let meanCount = 1...1000

  /// A rejection from its numbers, as in a model file.
  ///
  /// - Throws: `ModelError.invalid` if a count does not match or a number is outside its range.
  package init(
    means: [Float], featureCount: Int, distanceLimit: Float, largestDistance: Float,
    leastConfidence: Float, usualShare: Float
  ) throws(ModelError) {
    let rows = min(max(means.count / max(1, featureCount), Self.meanCount.lowerBound), Self.meanCount.upperBound)
    try ModelError.check("means", means, rows: rows, columns: featureCount, within: ModelRanges.weight)
    let limits = ModelRanges.standardDeviation
    try ModelError.check("distanceLimit", [distanceLimit], columns: 1, within: limits)
    try ModelError.check("largestDistance", [largestDistance], columns: 1, within: 0...distanceLimit)
    try ModelError.check("leastConfidence", [leastConfidence], columns: 1, within: 0...1)
    try ModelError.check("usualShare", [usualShare], columns: 1, within: 0...1)
    self.means = means
    self.featureCount = featureCount
    self.distanceLimit = distanceLimit
    self.largestDistance = largestDistance
    self.leastConfidence = leastConfidence
    self.usualShare = usualShare
  }

  /// The same means with other bounds. `distance` is clamped to 0…`distanceLimit`.
  ///
  /// - Precondition: the confidence and the share are within 0…1.
  package func bounded(distance: Float, confidence: Float, usualShare: Float) -> Rejection {
    precondition(0...1 ~= confidence && 0...1 ~= usualShare, "a confidence and a share are within 0…1")
    var copy = self
    copy.largestDistance = min(distanceLimit, max(0, distance))
    copy.leastConfidence = confidence
    copy.usualShare = usualShare
    return copy
  }

  /// The distance of standardised features, shape `[features]`, to the nearest mean, at most `distanceLimit`.
  ///
  /// - Complexity: O(means · features), in a fixed order; no allocation.
  package func distance(of features: UnsafePointer<Float>) -> Float {
    var least = Float.infinity
    means.withUnsafeBufferPointer { means in
      for start in stride(from: 0, to: means.count, by: featureCount) {
        var sum: Float = 0
        for index in 0..<featureCount {
          let difference = features[index] - means[start + index]
          sum += difference * difference
        }
        least = min(least, sum)
      }
    }
    return min(least.squareRoot(), distanceLimit)
  }

  /// `largestDistance` and `leastConfidence`, the bounds of the averaged evidence.
  package var bounds: RejectionEvidence { RejectionEvidence(distance: largestDistance, confidence: leastConfidence) }
}

/// The evidence of a window, which decides whether it is rejected.
package struct RejectionEvidence: Hashable, Sendable {
  /// The distance to the nearest mean of training windows.
  package var distance: Float
  /// The largest label probability before calibration, 0…1.
  package var confidence: Float

  package init(distance: Float, confidence: Float) {
    self.distance = distance
    self.confidence = confidence
  }

  /// Whether a window with this averaged evidence is rejected.
  package func exceeds(_ bounds: RejectionEvidence) -> Bool {
    distance > bounds.distance || confidence < bounds.confidence
  }

  /// Moves the averages by a quarter (`Rejection.smoothing`) of the way to the evidence of the next window.
  package mutating func average(_ next: RejectionEvidence) {
    distance += (next.distance - distance) * Rejection.smoothing
    confidence += (next.confidence - confidence) * Rejection.smoothing
  }
}
