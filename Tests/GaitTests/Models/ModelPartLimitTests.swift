import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// The parts of models at their limits, and the errors beyond them.
@Suite struct ModelPartLimitTests {
  // MARK: - Probabilities and windows

  private static func probabilities(_ values: Float...) -> LabelProbabilities {
    LabelProbabilities(labels: values.indices.map { "label \($0)" }) { output in
      for (index, value) in values.enumerated() { output[index] = value }
    }
  }

  private static func window(
    at nanoseconds: Int64 = 0, distance: Float = 0, confidence: Float = 1
  ) -> ClassifiedWindow {
    ClassifiedWindow(
      start: SampleTime(nanoseconds: nanoseconds), end: SampleTime(nanoseconds: nanoseconds + 1),
      probabilities: probabilities(0.2, 0.8), evidence: RejectionEvidence(distance: distance, confidence: confidence))
  }

  @Test func `The most probable label is the first of equal ones`() {
    let tie = Self.probabilities(0.1, 0.3, 0.3, 0.3)
    #expect(tie.mostProbableIndex == 1)
    #expect(tie.mostProbable == "label 1")
    #expect(Array(tie) == [0.1, 0.3, 0.3, 0.3])
    #expect(Self.probabilities(0.5, 0.5).mostProbableIndex == 0)
    #expect(Self.probabilities(1).mostProbableIndex == 0)
    #expect(tie["label 3"] == 0.3)
    #expect(tie["none"] == 0)
    #expect(tie.startIndex == 0)
    #expect(tie.endIndex == 4)
  }

  @Test func `A window is unknown if less than 0.6 of it was measured, even if it is rejected`() {
    var window = Self.window()
    #expect(window.label == "label 1")
    #expect(!window.isUnknown)
    #expect(window.measuredShare == 1)
    #expect(!window.isRejected)
    window.measuredShare = 0.6
    #expect(!window.isUnknown)
    #expect(ClassifiedWindow.leastMeasuredShare == 0.6)
    window.isRejected = true
    #expect(window.label == "other")
    window.measuredShare = Float(0.6).nextDown
    #expect(window.isUnknown)
    #expect(window.label == "unknown")
  }

  // MARK: - Rejection

  private static func rejection(
    means: [Float] = [0, 0, 3, 4], features: Int = 2, limit: Float = 10, distance: Float = 2, confidence: Float = 0.5,
    share: Float = 0.25
  ) throws(ModelError) -> Rejection {
    try Rejection(
      means: means, featureCount: features, distanceLimit: limit, largestDistance: distance,
      leastConfidence: confidence, usualShare: share)
  }

  @Test func `Evidence at the bounds is not rejected`() throws {
    let bounds = try Self.rejection().bounds
    #expect(bounds == RejectionEvidence(distance: 2, confidence: 0.5))
    for (distance, confidence, isRejected) in [
      (2, 0.5, false), (Float(2).nextUp, 1, true), (0, Float(0.5).nextDown, true), (3, 0.1, true),
    ] as [(Float, Float, Bool)] {
      #expect(RejectionEvidence(distance: distance, confidence: confidence).exceeds(bounds) == isRejected)
    }
    var mean = RejectionEvidence(distance: 4, confidence: 1)
    mean.average(RejectionEvidence(distance: 8, confidence: 0.5))
    #expect(mean == RejectionEvidence(distance: 5, confidence: 0.875))
  }

  @Test func `The averages go on after one and a half hops, and restart after a nanosecond more`() throws {
    for (step, isRejected) in [(640_000_000, false), (960_000_000, false), (960_000_001, true)] as [(Int64, Bool)] {
      var head = TestModels.threeLabels.activityHead
      head.rejection = try Self.rejection()
      var filter = RejectionFilter(head, sampleRate: .canonical)
      // The averages are 0, 1.75 or 7, and 3.0625 or 7.
      let first = filter.rejects(Self.window(distance: 0))
      var second = Self.window(at: step, distance: 7)
      filter.judge(&second)
      let third = filter.rejects(Self.window(at: step + 640_000_000, distance: 7))
      #expect([first, second.isRejected, third] == [false, isRejected, true], "\(step) ns")
    }
    var plain = RejectionFilter(TestModels.threeLabels.activityHead, sampleRate: .canonical)
    var far = Self.window(distance: 100)
    plain.judge(&far)
    #expect(!far.isRejected)
    let isRejected = plain.rejects(far)
    #expect(!isRejected)
  }

  @Test func `A rejection's numbers may be at the ends of their ranges`() throws {
    #expect(throws: Never.self) { try Self.rejection(distance: 10, confidence: 1, share: 1) }
    #expect(throws: Never.self) { try Self.rejection(distance: 0, confidence: 0, share: 0) }
    #expect(throws: Never.self) { try Self.rejection(means: Array(repeating: 0, count: 2000)) }
    for (says, make) in [
      ("largestDistance[0] is 10.1, which is not within 0.0 to 10.0", { try Self.rejection(distance: 10.1) }),
      ("leastConfidence[0] is 1.1, which is not within 0.0 to 1.0", { try Self.rejection(confidence: 1.1) }),
      ("usualShare[0] is 1.1, which is not within 0.0 to 1.0", { try Self.rejection(share: 1.1) }),
      ("means has 3 numbers; the model's shape needs 2", { try Self.rejection(means: [1, 2, 3]) }),
      ("means has 0 numbers; the model's shape needs 2", { try Self.rejection(means: []) }),
      (
        "means has 2002 numbers; the model's shape needs 2000",
        {
          try Self.rejection(means: Array(repeating: 0, count: 2002))
        }
      ),
    ] as [(String, () throws -> Rejection)] {
      #expect(throws: ModelError.invalid(says)) { try make() }
    }
    let bounded = try Self.rejection().bounded(distance: 11, confidence: 1, usualShare: 0)
    #expect(bounded.largestDistance == 10)
    #expect(bounded.leastConfidence == 1)
    #expect(bounded.usualShare == 0)
    let low = try Self.rejection().bounded(distance: -1, confidence: 0, usualShare: 1)
    #expect(low.largestDistance == 0)
    #expect(low.leastConfidence == 0)
    #expect(low.usualShare == 1)
    #expect(try Self.rejection().distance(of: [3, 0]) == 3)
    #expect(try Self.rejection().distance(of: [3, 3]) == 1)
    #expect(try Self.rejection().distance(of: [100, 0]) == 10)
  }

  // MARK: - Calibration

  private static func calibrated(_ calibration: Calibration, _ values: [Float]) -> [Float] {
    var values = values
    values.withUnsafeMutableBufferPointer { calibration.apply(to: $0) }
    return values
  }

  private static func areNear(_ found: [Float], _ expected: [Float]) -> Bool {
    found.count == expected.count && zip(found, expected).allSatisfy { abs($0 - $1) < 1e-5 }
  }

  @Test func `A temperature raises probabilities to a power, curves map each label by its own`() throws {
    #expect(Self.areNear(Self.calibrated(.temperature(1), [0.1, 0.2, 0.7]), [0.1, 0.2, 0.7]))
    #expect(Self.areNear(Self.calibrated(.temperature(2), [0.64, 0.36]), [0.571_428_6, 0.428_571_4]))
    #expect(Self.areNear(Self.calibrated(.temperature(0.5), [0.25, 0.75]), [0.1, 0.9]))
    #expect(Self.areNear(Self.calibrated(.temperature(0.001), [0.1, 0.2, 0.7]), [0, 0, 1]))
    let curves = [
      try RisingCurve(inputs: [0, 1], outputs: [0, 0.5]), try RisingCurve(inputs: [0.5, 0.6], outputs: [0, 1]),
    ]
    #expect(Self.areNear(Self.calibrated(.isotonic(curves), [0.4, 0.6]), [0.166_666_7, 0.833_333_3]))
    #expect(Self.calibrated(.isotonic(curves), [0, 0.2]) == [0.5, 0.5])
    #expect(Self.calibrated(.isotonic(curves), [.nan, 0.2]).allSatisfy { $0.isNaN })
    let matrix = FeatureMatrix(columnCount: 2, values: [0.64, 0.36, 0.36, 0.64])
    let (more, less): (Float, Float) = (0.8 / 1.4, 0.6 / 1.4)
    #expect(Self.areNear(Calibration.temperature(2).apply(to: matrix).values, [more, less, less, more]))
  }

  @Test func `A curve of many points is linear between any two of them`() throws {
    for count in 1...9 {
      let inputs = (0..<count).map { 0.05 + 0.1 * Float($0) }
      let outputs = (0..<count).map { Float($0 * $0) / 100 }
      let curve = try RisingCurve(inputs: inputs, outputs: outputs)
      for place in 0..<count {
        #expect(curve.value(at: inputs[place]) == outputs[place])
        guard place > 0 else { continue }
        let (middle, expected) = (
          (inputs[place - 1] + inputs[place]) / 2, (outputs[place - 1] + outputs[place]) / 2
        )
        #expect(abs(curve.value(at: middle) - expected) < 1e-6, "\(count) points, before \(place)")
      }
      #expect(curve.value(at: 0) == outputs[0])
      #expect(curve.value(at: 1) == outputs[count - 1])
    }
    #expect(throws: ModelError.invalid("outputs[1] is outside 0 to 1 or falls below the number before it")) {
      try RisingCurve(inputs: [0.2, 0.4], outputs: [0.5, 0.1])
    }
    #expect(throws: ModelError.invalid("inputs[1] is outside 0 to 1 or falls below the number before it")) {
      try RisingCurve(inputs: [0.2, 0.2], outputs: [0.5, 0.5])
    }
  }

  // MARK: - Trees

  @Test func `Probabilities of a leaf may sum to nearly 1, and be 0 and 1`() throws {
    func tree(_ leaf: [Float]) throws -> DecisionTree {
      try DecisionTree(
        nodes: FlatTree(features: [-1], thresholds: [0], leftChildren: [-1], rightChildren: [-1], featureCount: 1),
        leafProbabilities: leaf, labelCount: 2)
    }
    #expect(throws: Never.self) { try tree([0, 1]) }
    #expect(throws: Never.self) { try tree([0.50003, 0.50003]) }
    #expect(throws: Never.self) { try tree([0.49997, 0.49997]) }
    #expect(throws: ModelError.self) { try tree([0.5001, 0.5001]) }
    #expect(throws: ModelError.self) { try tree([0.4999, 0.4999]) }
    #expect(try tree([0, 1]).nodes.depth == 0)
    #expect(try tree([0, 1]).nodes.leafCount == 1)
  }
}
