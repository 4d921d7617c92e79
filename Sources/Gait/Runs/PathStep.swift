/// A stretch of a run with its distance, regardless of pauses.
package struct PathStep: Hashable, Sendable {
  /// When it began.
  package var start: SampleTime
  /// When it ended.
  package var end: SampleTime
  /// Its length, metres.
  package var meters: Double
  /// How its length was found.
  package var kind: Kind

  /// A path step from its parts.
  package init(start: SampleTime, end: SampleTime, meters: Double, kind: Kind) {
    self.start = start
    self.end = end
    self.meters = meters
    self.kind = kind
  }

  /// How the length of a path step was found. The raw values are those of the JSON.
  package enum Kind: Int, Hashable, Sendable, Codable {
    /// By locations at most `DistanceMeter.longestChord` seconds apart.
    case measured
    /// By steps of known length.
    case steps
    /// By a straight line between two locations.
    case bridged
  }

  /// Whether the length is not measured by locations.
  var isEstimated: Bool { kind != .measured }

  /// The step, divided by time between itself and an earlier hole in the motion that has no distance yet.
  func divided(over hole: Range<SampleTime>) -> [PathStep] {
    let seconds = hole.upperBound.seconds(since: hole.lowerBound)
    var (within, after) = (self, self)
    (within.start, within.end) = (hole.lowerBound, hole.upperBound)
    within.meters *= seconds / (seconds + end.seconds(since: start))
    after.meters -= within.meters
    return [within, after]
  }
}

extension PathStep: Codable {
  /// Reads an array of start and end in nanoseconds, metres, and the kind.
  package init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    start = try values.decode(SampleTime.self)
    end = try values.decode(SampleTime.self)
    meters = try values.decode(Double.self)
    kind = try values.decode(Kind.self)
  }

  /// Writes an array: there is one for each GPS point, so names would be most of the text.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.unkeyedContainer()
    try values.encode(start)
    try values.encode(end)
    try values.encode(meters)
    try values.encode(kind)
  }
}
