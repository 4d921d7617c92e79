import AllocationCounter
import Gait
import GaitTestSupport
import Testing

@Suite(
  .enabled(if: allocation_counter_is_available() != 0, "allocations are counted with glibc and without sanitizers"),
  .enabled(if: Optimization.isOn, "a debug build allocates where a release build does not; run make test-release"))
struct AllocationTests {
  @Test func `The counter counts allocations`() {
    let before = allocation_counter_count()
    var arrays: [[Int]] = []
    for count in 1...10 { arrays.append(Array(repeating: 0, count: count)) }
    #expect(allocation_counter_count() - before >= 10)
    #expect(arrays.count == 10)
  }

  @Test(arguments: [100.0, 50, 25, 10])
  func `A warmed-up classifier allocates nothing per sample or window`(rate: Double) throws {
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
  func `Every feature set allocates nothing per window`(set: FeatureSet) throws {
    let samples = shakenSamples(count: 3000, rate: 25)
    var stream = try FeatureStream(features: set.features, shape: WindowShape(), sampleRate: .hertz(25))
    var windows = 0
    for sample in samples[..<1500] { stream.append(sample) { _, _ in windows += 1 } }
    let before = (allocation_counter_count(), windows)
    for sample in samples[1500...] { stream.append(sample) { _, _ in windows += 1 } }
    #expect(allocation_counter_count() - before.0 == 0)
    #expect(windows - before.1 > 30)
  }

  @Test(arguments: [100.0, 50, 25])
  func `A tracker allocates at most once in a hundred windows, stored evidence included`(rate: Double) throws {
    let samples = personSamples(stretch("R", 60) + stretch(".", 20) + stretch("R", 140), rate: rate)
    var tracker = try RunTracker(model: TestModels.runner, sampleRate: .hertz(rate))
    let warmUp = Int(40 * rate)
    for sample in samples[..<warmUp] { _ = tracker.append(sample) }
    let before = allocation_counter_count()
    for sample in samples[warmUp...] { _ = tracker.append(sample) }
    // The pause head alone has 900 windows in 180 s, which include one stop.
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
