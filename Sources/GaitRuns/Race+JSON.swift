import Gait

/// As JSON, a race is an object with `version` = 1, `runners`: for each name an array of updates in order of time, beginning with the
/// start, each an array of seconds and metres; and `ended`: the names of runners of whom no update is awaited, or nothing.
extension Race: Codable {
  private enum CodingKeys: String, CodingKey { case version, runners, ended }

  /// Reads a race.
  ///
  /// - Throws: `DecodingError` for another version, and for a runner whose updates are missing, out of order, or negative.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try values.checkVersion(.version)
    self.init()
    tracks = try values.decode([String: [Point]].self, forKey: .runners)
    ended = try values.decodeIfPresent(Set<String>.self, forKey: .ended) ?? []
    for (name, track) in tracks {
      let isInOrder = zip(track, track.dropFirst()).allSatisfy { $0.seconds < $1.seconds }
      let isPossible = !track.isEmpty && track.allSatisfy { $0.seconds >= 0 && $0.meters >= 0 }
      try values.check(
        isInOrder && isPossible, at: .runners, "the updates of \(name) are missing, out of order, or negative")
    }
    for name in ended.sorted() { try values.check(tracks[name] != nil, at: .ended, "\(name) is not among the runners") }
  }

  /// Writes the race.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(FormVersion.current, forKey: .version)
    try values.encode(tracks, forKey: .runners)
    try values.encode(ended.sorted(), forKey: .ended)
  }
}

extension Race.Point: Codable {
  /// Reads an array of seconds and metres.
  init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    seconds = try values.decode(Double.self)
    meters = try values.decode(Double.self)
  }

  /// Writes an array of seconds and metres.
  func encode(to encoder: any Encoder) throws {
    var values = encoder.unkeyedContainer()
    try values.encode(seconds)
    try values.encode(meters)
  }
}
