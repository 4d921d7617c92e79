@testable import Gait

extension SampleBatch {
  /// A batch of one sample.
  init(of sample: MotionSample) {
    self.init(sampleRate: .canonical)
    restart(before: sample.row)
    expect(1)
    _ = append(sample)
  }
}

extension StepHistory {
  /// Takes one sample as a batch of its own.
  mutating func append(_ sample: MotionSample) {
    var batch = SampleBatch(of: sample)
    append(&batch)
  }
}

extension OnsetFinder {
  /// Takes one sample as a batch of its own.
  mutating func append(_ sample: MotionSample) {
    var batch = SampleBatch(of: sample)
    append(&batch)
  }
}

extension MotionMeter {
  /// Takes one sample; returns the window of the pause head that ends with it, if any.
  mutating func pauseWindow(endingWith sample: MotionSample) -> PauseWindow? {
    append(sample).flatMap { pauseWindow($0) }
  }
}
