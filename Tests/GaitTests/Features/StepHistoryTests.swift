import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// The history of the step meters: what it keeps, counts and forgets.
@Suite struct StepHistoryTests {
  private static func sample(_ index: Int, step: Double = 0.04) -> MotionSample {
    MotionSample(
      time: .seconds(Double(index) * step), gravity: SIMD3(0, 0, -1),
      rotationRate: SIMD3(3, 4, Float(index)), userAcceleration: SIMD3(Float(index), Float(-index), 1))
  }

  private static func lane(_ lane: StepHistory.Lane, _ history: StepHistory, last count: Int) -> [Float] {
    history.withLane(lane, last: count) { Array(UnsafeBufferPointer(start: $0, count: count)) }
  }

  @Test(arguments: [1, 2, 4, 9])
  func `The latest samples are contiguous, however often they are moved`(capacity: Int) {
    var history = StepHistory(seconds: Double(capacity) / 25, sampleRate: .hertz(25))
    #expect(history.capacity == capacity)
    #expect(history.stride == 2 * capacity + 16)
    #expect(history.lanes.count == 8 * history.stride)
    #expect(history.count == 0)
    #expect(history.completeCount == 0)
    for index in 0..<(5 * capacity + 3) {
      history.append(Self.sample(index))
      let count = min(capacity, index + 1)
      #expect(history.count == count)
      #expect(history.completeCount == count)
      #expect(history.time == Self.sample(index).time)
      let kept = (index + 1 - count...index).map { Float($0) }
      #expect(Self.lane(.x, history, last: count) == kept)
      #expect(Self.lane(.turnZ, history, last: count) == kept)
      #expect(Self.lane(.y, history, last: count) == kept.map { -$0 })
      #expect(Self.lane(.z, history, last: count).allSatisfy { $0 == 1 })
      #expect(Self.lane(.turnX, history, last: count).allSatisfy { $0 == 3 })
      #expect(Self.lane(.turnY, history, last: count).allSatisfy { $0 == 4 })
      let totals = kept.map { ($0 * $0 + $0 * $0).squareRoot() }
      #expect(Self.lane(.total, history, last: count) == totals)
      #expect(Self.lane(.turn, history, last: count) == kept.map { ($0 * $0 + 25).squareRoot() })
      let latest = history.start(of: .y, last: 1)
      #expect(history.lanes[latest] == Float(-index))
    }
  }

  @Test func `A restart begins the counts again, and a sample without acceleration the complete one`() {
    var restarted = StepHistory(seconds: 1, sampleRate: .hertz(25))
    for index in 0..<5 { restarted.append(Self.sample(index)) }
    restarted.restart()
    #expect(restarted.count == 0)
    #expect(restarted.completeCount == 0)
    restarted.append(Self.sample(9))
    #expect(restarted.count == 1)
    #expect(restarted.completeCount == 1)
    var history = StepHistory(seconds: 1, sampleRate: .hertz(25))
    for index in 0..<5 { history.append(Self.sample(index)) }
    var missing = Self.sample(5)
    missing[.userAccelerationY] = .nan
    history.append(missing)
    #expect(history.count == 6)
    #expect(history.completeCount == 0)
    history.append(Self.sample(6))
    #expect(history.count == 7)
    #expect(history.completeCount == 1)
    #expect(history.hasGravity)
    #expect(StepHistory.longestWindow == 7.68)
    #expect(StepHistory(seconds: 0.001, sampleRate: .hertz(25)).capacity == 1)
    #expect(StepHistory(seconds: 7.68, sampleRate: .hertz(25)).capacity == 192)
  }

  @Test func `The first sample continues nothing, also just after the time 0`() {
    var history = StepHistory(seconds: 1, sampleRate: .hertz(25))
    history.append(Self.sample(1))
    #expect(history.count == 1)
    #expect(history.completeCount == 1)
    var bare = StepHistory(seconds: 1, sampleRate: .hertz(25))
    bare.append(MotionSample(time: .seconds(1), gravity: SIMD3(repeating: .nan), userAcceleration: SIMD3(1, 0, 0)))
    #expect(!bare.hasGravity)
    #expect(bare.completeCount == 1)
  }

  @Test func `The deviation of the acceleration vector is that of its components together`() {
    var history = StepHistory(seconds: 1, sampleRate: .hertz(25))
    for index in 0..<6 { history.append(Self.sample(index)) }
    // 2, 3, 4 and 5 have the variance 1.25, and so do their negatives.
    #expect((history.vectorDeviation(last: 4) - Float(2.5).squareRoot()).magnitude < 1e-5)
    #expect(history.vectorDeviation(last: 1) == 0)
    var still = StepHistory(seconds: 1, sampleRate: .hertz(25))
    for index in 0..<6 {
      still.append(
        MotionSample(
          time: .seconds(Double(index) / 25), gravity: SIMD3(0, 0, -1), userAcceleration: SIMD3(0.1, 0.7, 0.3)))
    }
    #expect(still.vectorDeviation(last: 6) >= 0)
    #expect(still.vectorDeviation(last: 6) < 1e-3)
  }
}
