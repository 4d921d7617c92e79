/// The steps in time between samples that count as even, and the longest ones that are no gaps.
extension Resampler {
  /// The longest step that is not a gap at `rate`, in whole nanoseconds: 0.3 s, or four periods below 13.3 Hz.
  package static func longestStep(at rate: SampleRate) -> Int64 {
    // Round up: times are whole nanoseconds, and a step of exactly four periods is not a gap.
    Int64(saturating: max(longestBridged * 1e9, longestStep * rate.periodNanoseconds).rounded(.up))
  }

  /// The longest step between two outputs at `rate` that is not a gap, in nanoseconds: 1.5 periods.
  package static func longestOutputStep(at rate: SampleRate) -> Int64 {
    Int64(saturating: 1.5 * rate.periodNanoseconds)
  }

  /// The steps that count as one `period`, nanoseconds: those within 1 ns of it.
  static func evenSteps(_ period: Double) -> ClosedRange<Int64> {
    let first = Int64(saturating: (period - 1).rounded(.up))
    return first...max(first, Int64(saturating: (period + 1).rounded(.down)))
  }

  /// The time from an output to the sample that completes it by `reach(of:)`, less a nanosecond so that rounding does
  /// not matter.
  static func shortestWait(_ kernel: ResamplingKernel, _ period: Double) -> Int64 {
    Int64(saturating: (kernel.halfLength - period).rounded(.down)) - 1
  }
}
