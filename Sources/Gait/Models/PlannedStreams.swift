/// Values derived from a model's features, computed once when the model is made.
///
/// All values are equal, so that they do not affect the equality of models: they follow from the models' other parts.
struct PlannedStreams: Hashable, Sendable {
  /// The stream of windows of each head, before its first sample; each use takes a copy.
  let streams: [FeatureStream]
  /// The channels that the features need.
  let neededChannels: Set<Channel>
  /// The sensors of these channels.
  let neededSensors: Set<Sensor>
  /// The lowest sample rate of a source for the features' frequencies; `nil` if they use no frequency bands.
  let slowestSource: SampleRate?

  init(_ streams: [FeatureStream], features: [Feature]) {
    self.streams = streams
    let channels = Set(features.flatMap(\.lane.neededChannels))
    neededChannels = channels
    neededSensors = Set(Sensor.allCases.filter { !channels.isDisjoint(with: $0.channels) })
    slowestSource = features.slowestSource
  }

  static func == (first: PlannedStreams, second: PlannedStreams) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
