/// What follows from a model's features, worked out once, so that a recording is not kept waiting for it.
///
/// It tells no two models apart that their parts do not.
struct PlannedStreams: Hashable, Sendable {
  /// The stream of windows of each head, before its first sample; every use takes a copy.
  let streams: [FeatureStream]
  /// The channels that the features need.
  let neededChannels: Set<Channel>
  /// The sensors that these belong to.
  let neededSensors: Set<Sensor>
  /// The slowest source that holds every frequency that they look at.
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
