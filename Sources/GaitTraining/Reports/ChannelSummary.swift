import Gait

/// A summary of one channel of a recording.
public struct ChannelSummary: Hashable, Encodable, Sendable {
  /// The unit of the values.
  public var unit: String
  /// The smallest value; absent if all are missing.
  public var minimum: Float?
  /// The largest value; absent if all are missing.
  public var maximum: Float?
  /// The number of missing values.
  public var missing: Int

  /// The summaries of a recording's channels, by the channel's name.
  static func summaries(of recording: Recording) -> [String: ChannelSummary] {
    var lowest = SIMD16<Float>(repeating: .infinity)
    var highest = -lowest
    var present = SIMD16<Int32>.zero
    for row in recording.rows {
      // Comparisons with a missing value are false.
      lowest.replace(with: row, where: row .< lowest)
      highest.replace(with: row, where: row .> highest)
      present.replace(with: present &+ 1, where: row .== row)
    }
    return recording.channels.reduce(into: [:]) { summaries, channel in
      let lane = channel.lane
      let isEmpty = present[lane] == 0
      summaries[channel.rawValue] = ChannelSummary(
        unit: channel.unit, minimum: isEmpty ? nil : lowest[lane], maximum: isEmpty ? nil : highest[lane],
        missing: recording.count - Int(present[lane]))
    }
  }
}
