import Gait

/// Joins the rows of sensors that arrive one by one: interpolates the others at the times of the acceleration.
///
/// A row of acceleration is returned when every other sensor has a reading after it, or after 1 s.
struct LiveSensorJoin {
  private let others: [Sensor]
  /// The rows that are not returned, or needed for those that are not.
  private var pending: RecordingTable?
  /// The time of the last returned row.
  private var returned = Int64.min

  private static let longestWait: Int64 = 1_000_000_000

  init(_ others: [Sensor]) { self.others = others }

  var repairs: [Repair] { [.joinedChannels(Set(others.flatMap(\.channels)), droppedRows: 0)] }

  /// The rows of acceleration that are complete with the next rows, which are in order of time.
  mutating func append(_ next: RecordingTable, isLast: Bool) -> RecordingTable {
    var rows = next
    if var pending {
      pending.append(next)
      rows = pending
    }
    let latest = others.map { sensor in rows.rows.lastIndex { $0.has(sensor) }.map { rows.times[$0] } ?? .min }
    let last = rows.times.last ?? 0
    let ready = isLast ? last : max(latest.min() ?? last, last - Self.longestWait)
    var joined = rows.joined(others) ?? rows.acceleration
    joined.keep(joined.times.indices.filter { returned < joined.times[$0] && joined.times[$0] <= ready })
    returned = joined.times.last ?? returned
    rows.keep(rows.times.indices.filter { rows.times[$0] > ready - Self.longestWait })
    pending = rows
    return joined
  }
}
