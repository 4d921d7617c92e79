import Gait

/// What each column of a motion CSV holds, as its header names them.
struct MotionColumns {
  /// What is done with each column, shape `[columns]`.
  let roles: [ColumnRole]
  /// The channels that the file has.
  let channels: Set<Channel>

  init(header: Header, file: String, labelColumn: String?) throws(RecordingError) {
    let names = header.names
    let channels = try Self.channels(among: names, labelColumn: labelColumn, file: file, line: header.line)
    if let labelColumn, !names.contains(labelColumn) {
      throw .missingColumn(labelColumn, file: file, line: header.line, found: names)
    }
    self.channels = channels
    self.roles = names.map { name in
      if name == labelColumn { return .text(0) }
      return Channel(rawValue: name).map { .lane($0.lane) } ?? .ignored
    }
    try checkForDuplicates(among: names, file: file, line: header.line)
  }

  /// The channels among `names`: gravity and user acceleration always, every other sensor wholly or not at all.
  private static func channels(
    among names: [String], labelColumn: String?, file: String, line: Int
  ) throws(RecordingError) -> Set<Channel> {
    var channels: Set<Channel> = []
    for sensor in Sensor.allCases {
      let found = sensor.channels.filter { names.contains($0.rawValue) && $0.rawValue != labelColumn }
      let isRequired = sensor == .gravity || sensor == .userAcceleration
      if found.isEmpty, !isRequired { continue }
      if let missing = sensor.channels.first(where: { !found.contains($0) }) {
        throw .missingColumn(missing.rawValue, file: file, line: line, found: names)
      }
      channels.formUnion(found)
    }
    return channels
  }

  private func checkForDuplicates(among names: [String], file: String, line: Int) throws(RecordingError) {
    for (index, name) in names.enumerated() where roles[index] != .ignored {
      if let first = names[..<index].firstIndex(of: name) {
        throw .duplicateColumn(name, file: file, line: line, columns: [first + 1, index + 1])
      }
    }
  }
}
