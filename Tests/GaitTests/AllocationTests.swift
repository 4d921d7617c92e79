import AllocationCounter
import Testing

@testable import Gait

/// Whether the code under test is optimised; debug builds allocate more.
private var isOptimised: Bool {
  #if DEBUG
    false
  #else
    true
  #endif
}

@Suite(
  .enabled(if: allocation_counter_is_available() != 0, "counting allocations needs glibc and no sanitizers"),
  .enabled(if: isOptimised, "debug builds allocate more; run make test-release"))
struct AllocationTests {
  @Test func `The counter counts allocations`() {
    let before = allocation_counter_count()
    var arrays: [[Int]] = []
    for count in 1...10 { arrays.append(Array(repeating: 0, count: count)) }
    #expect(allocation_counter_count() - before >= 10)
    #expect(arrays.count == 10)
  }

  @Test(arguments: [100.0, 50, 25, 10])
  func `A warm classifier allocates nothing for samples or windows`(rate: Double) throws {
    let samples = shakenSamples(count: Int(60 * rate), rate: rate)
    var classifier = try WindowClassifier(model: TestModels.threeLabels, sampleRate: .hertz(rate))
    var windows = 0
    let warmUp = samples.count / 2
    for sample in samples[..<warmUp] { classifier.append(sample) { _ in windows += 1 } }
    let before = (allocation_counter_count(), windows)
    for sample in samples[warmUp...] { classifier.append(sample) { _ in windows += 1 } }
    #expect(allocation_counter_count() - before.0 == 0)
    #expect(windows - before.1 > 30)
  }

  @Test(arguments: [TestModels.tree, TestModels.forest, TestModels.boosted])
  func `Trees, forests and boosted trees allocate nothing per window`(model: ActivityModel) throws {
    let samples = shakenSamples(count: 3000)
    var classifier = try WindowClassifier(model: model, sampleRate: .hertz(50))
    var windows = 0
    for sample in samples[..<1500] { classifier.append(sample) { _ in windows += 1 } }
    let before = (allocation_counter_count(), windows)
    for sample in samples[1500...] { classifier.append(sample) { _ in windows += 1 } }
    #expect(allocation_counter_count() - before.0 == 0)
    #expect(windows - before.1 > 30)
  }

  @Test(arguments: FeatureSet.allCases)
  func `Every feature set allocates nothing per window, with and without deferred windows`(set: FeatureSet) throws {
    let samples = shakenSamples(count: 3000, rate: 25)
    for folds in [false, true] {
      var stream = try FeatureStream(features: set.features, shape: WindowShape(), sampleRate: .hertz(25))
      if folds { stream.foldWindows() }
      var windows = 0
      for sample in samples[..<1500] { stream.append(sample) { _, _ in windows += 1 } }
      let before = (allocation_counter_count(), windows)
      for sample in samples[1500...] { stream.append(sample) { _, _ in windows += 1 } }
      #expect(allocation_counter_count() - before.0 == 0)
      #expect(windows - before.1 > 30)
    }
  }

  @Test(arguments: [100.0, 50, 25])
  func `A tracker allocates at most once per hundred windows, including its evidence`(rate: Double) throws {
    let samples = personSamples(stretch("R", 60) + stretch(".", 20) + stretch("R", 140), rate: rate)
    var tracker = try RunTracker(model: TestModels.runner, sampleRate: .hertz(rate))
    let warmUp = Int(40 * rate)
    for sample in samples[..<warmUp] { _ = tracker.append(sample) }
    let before = allocation_counter_count()
    for sample in samples[warmUp...] { _ = tracker.append(sample) }
    // 180 s have 900 windows of the pause head alone, and a stop.
    #expect(allocation_counter_count() - before <= 9)
    #expect(tracker.finish().pauses.count == 1)
  }

  @Test func `The full feature set allocates nothing per window`() throws {
    let samples = shakenSamples(count: 3000, rate: 25)
    var stream = try FeatureStream(features: Feature.full, shape: WindowShape(), sampleRate: .hertz(25))
    var windows = 0
    for sample in samples[..<1000] { stream.append(sample) { _, _ in windows += 1 } }
    let before = (allocation_counter_count(), windows)
    for sample in samples[1000...] { stream.append(sample) { _, _ in windows += 1 } }
    #expect(allocation_counter_count() - before.0 == 0)
    #expect(windows - before.1 > 100)
  }
}
