import Gait

/// The channels and the sample rate that features need.
struct FeatureNeeds: Sendable {
  private let channels: Set<Channel>
  private let slowest: SampleRate?

  init(of features: [Feature], allowsSlowSource: Bool) {
    channels = Set(features.flatMap(\.lane.neededChannels))
    slowest = allowsSlowSource ? nil : features.slowestSource
  }

  /// Checks that the recording has the channels and the rate.
  ///
  /// - Throws: `TrainingError`, with `name` for the recording.
  func check(_ recording: Recording, name: String) throws(TrainingError) {
    let missing = channels.subtracting(recording.channels)
    guard missing.isEmpty else {
      throw .missingChannels(recording: name, channels: Channel.allCases.filter(missing.contains))
    }
    try check(recording.sampleRate, name: name)
  }

  /// Checks that a rate suffices.
  func check(_ rate: SampleRate, name: String) throws(TrainingError) {
    if let slowest, rate < slowest { throw .tooSlow(recording: name, source: rate, slowest: slowest) }
  }
}
