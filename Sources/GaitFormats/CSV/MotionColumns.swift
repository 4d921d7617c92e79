import Gait

/// What each column of a motion CSV holds, as its first line names them.
struct MotionColumns {
  /// What to do with the cells of one column.
  enum Content: Equatable {
    case ignored
    case channel(Channel)
    case label
  }

  /// The names, blanks and quotes taken off, in the file's order.
  let names: [String]
  /// What each column holds, shape `[columns]`.
  let contents: [Content]
  /// The channels that the file has.
  let channels: Set<Channel>

  /// The columns of the header that starts at `cursor`, which moves to the line feed at its end.
  init(
    header cursor: inout UnsafePointer<UInt8>, file: String, labelColumn: String?
  ) throws(RecordingError) {
    let names = try Self.names(&cursor, file: file)
    guard Self.areNames(names) else { throw .noHeader(file: file) }
    let channels = try Self.channels(among: names, labelColumn: labelColumn, file: file)
    if let labelColumn, !names.contains(labelColumn) {
      throw .missingColumn(labelColumn, file: file, found: names)
    }
    self.names = names
    self.channels = channels
    self.contents = names.map { name in
      if name == labelColumn { return .label }
      return Channel(rawValue: name).map(Content.channel) ?? .ignored
    }
    try checkForDuplicates(file: file)
  }

  private static func names(
    _ cursor: inout UnsafePointer<UInt8>, file: String
  ) throws(RecordingError) -> [String] {
    var names: [String] = []
    while true {
      guard let cell = Cell.scan(&cursor) else {
        throw .badQuote(file: file, line: 1, column: names.count + 1)
      }
      guard let name = cell.text else { throw .notText(file: file, line: 1) }
      names.append(name)
      guard cursor.pointee == UInt8(ascii: ",") else { return names }
      cursor += 1
    }
  }

  /// Whether a first line names columns: it has a channel's name, or some text and more of it than numbers.
  private static func areNames(_ cells: [String]) -> Bool {
    if cells.contains(where: { Channel(rawValue: $0) != nil }) { return true }
    let filled = cells.filter { !$0.isEmpty }
    return filled.count { Double($0) == nil } * 2 > filled.count
  }

  /// The channels among `names`: gravity and user acceleration always, every other sensor wholly or not at all.
  private static func channels(
    among names: [String], labelColumn: String?, file: String
  ) throws(RecordingError) -> Set<Channel> {
    var channels: Set<Channel> = []
    for sensor in Sensor.allCases {
      let found = sensor.channels.filter { names.contains($0.rawValue) && $0.rawValue != labelColumn }
      let isRequired = sensor == .gravity || sensor == .userAcceleration
      if found.isEmpty, !isRequired { continue }
      if let missing = sensor.channels.first(where: { !found.contains($0) }) {
        throw .missingColumn(missing.rawValue, file: file, found: names)
      }
      channels.formUnion(found)
    }
    return channels
  }

  private func checkForDuplicates(file: String) throws(RecordingError) {
    for (index, name) in names.enumerated() where contents[index] != .ignored {
      if let first = names[..<index].firstIndex(of: name) {
        throw .duplicateColumn(name, file: file, columns: [first + 1, index + 1])
      }
    }
  }
}
