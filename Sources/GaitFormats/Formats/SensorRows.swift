import Gait

/// The sensors or devices of a file that has rows of several of them, and a column that names the one of each row.
struct SensorRows {
  /// The names in the rows so far, at most `mostSensors`.
  private(set) var names: [String] = []
  private var rowCount = 0
  private var changeCount = 0
  private var last: String?

  /// The base names (`ColumnName.base`) of columns that name each row's sensor. Such a column is read even if the first
  /// rows are all of one sensor.
  static let columnNames: Set<String> = [
    "sensor", "type", "sensor type", "sensor_type", "sensortype", "sensor name", "sensor_name", "sensorname", "source",
    "messagetype",
  ]
  /// The names of columns that name each row's device or its place on the body, without blanks, underscores, hyphens
  /// and points. Such a column is read only if the first rows change between several values.
  private static let changingNames: Set<String> = [
    "sensor", "sensorid", "sensorno", "sensornumber", "sensornr", "sensorname", "sensortype", "sensorlocation", "type",
    "source", "messagetype", "device", "deviceid", "devicename", "devicetype", "deviceno", "position", "bodypart",
    "bodyposition", "bodylocation", "placement", "place", "limb", "side", "location", "attribute", "channel", "node",
    "nodeid", "mac", "macaddress", "address", "imu", "imuid", "modality", "stream",
    "id",
  ]
  /// Parts of the names of columns that count rows.
  private static let counters = ["index", "frame", "sample", "count", "seq", "row", "packet", "num"]
  /// Parts of the names of sensors whose readings are no acceleration.
  private static let noAccelerations = ["gyr", "magn", "rotat", "orient", "attitude"]
  /// Parts of the names of sensors whose readings are no total acceleration.
  private static let others = noAccelerations + ["linear", "gravity", "location"]
  /// The most sensors in a file.
  private static let mostSensors = 20
  /// The smallest share of rows that differ in sensor from the row before, in a file whose sensors alternate.
  private static let changingShare = 0.1

  /// Whether the file's name shows that its columns, such as `x`, `y` and `z`, are not an acceleration. Always `false`
  /// if a column names an accelerometer or states a unit of acceleration.
  static func isOther(_ file: String, _ columns: [ColumnName]) -> Bool {
    let accelerometer = RecordingFormat.accelerometer.profile
    guard !columns.contains(where: { accelerometer.names[$0.base] != nil }) else { return false }
    let isStated = columns.contains { accelerometer.substitutes[$0.base]?.needsUnit == false && $0.unit != nil }
    return !isStated && noAccelerations.contains { file.lowercased().contains($0) }
  }

  /// Whether `name` is that of a sensor that does not measure the total acceleration.
  private static func isOther(sensor name: String) -> Bool { others.contains { name.lowercased().contains($0) } }

  // MARK: By the first rows

  /// Finds the column that names the sensor of each row, from the first rows.
  ///
  /// Its cells have 2 to `mostSensors` values, none empty, and change between them again and again. If neither its name
  /// is in `changingNames` nor a value names a sensor, two more conditions apply: rows of the same time differ in it,
  /// or its values repeat in the same order; and the acceleration differs between its values.
  ///
  /// - Parameters:
  ///   - rows: the cells of the first rows.
  ///   - roles: what the columns are read as; only ignored ones are searched.
  ///   - wanted: the sensor that the caller names, which must be one of the column's values; `nil` if none is named.
  /// - Returns: the column and its values; `nil` if there is no such column.
  static func column(
    in rows: [[String]], _ header: Header, _ roles: [ColumnRole], wanted: String?
  ) -> (column: Int, names: [String])? {
    for column in header.names.indices where roles[column] == .ignored {
      let cells = rows.map { $0[column] }
      var names: [String] = []
      for cell in cells where names.count <= mostSensors && !names.contains(cell) { names.append(cell) }
      let changes = zip(cells, cells.dropFirst()).count { $0 != $1 }
      guard 2...mostSensors ~= names.count, !names.contains(""), changes > names.count,
        Double(changes) >= changingShare * Double(cells.count), wanted.map(names.contains) ?? true
      else { continue }
      let name = header.columns[column].base.filter { !" _-.".contains($0) }
      let isNamed = changingNames.contains(name) || names.contains { isOther(sensor: $0) }
      guard isNamed || !counters.contains(where: { name.contains($0) }) && areOfSeveral(rows, column, names, roles)
      else {
        continue
      }
      return (column, names)
    }
    return nil
  }

  private static func areOfSeveral(_ rows: [[String]], _ column: Int, _ names: [String], _ roles: [ColumnRole]) -> Bool
  {
    let cells = rows.map { $0[column] }
    let isCycle = zip(cells, cells.dropFirst(names.count)).count { $0 == $1 } * 10 >= 9 * (cells.count - names.count)
    let time = roles.firstIndex(where: \.isTime)
    let sharing = zip(rows, rows.dropFirst()).count { one, next in
      time.map { one[$0] == next[$0] } ?? false && one[column] != next[column]
    }
    return (isCycle || 3 * sharing >= rows.count) && separation(rows, column, names, roles) > 10
  }

  /// The F statistic of the readings, all axes together: the variance between the groups of rows with the same value in
  /// `column`, divided by the variance within the groups.
  private static func separation(_ rows: [[String]], _ column: Int, _ names: [String], _ roles: [ColumnRole]) -> Double
  {
    let lanes = roles.indices.filter { if case .lane = roles[$0] { true } else { false } }
    var (between, within) = (0.0, 0.0)
    for lane in lanes {
      let values = rows.compactMap { row in Double(row[lane]).map { (name: row[column], value: $0) } }
      guard values.count > names.count else { continue }
      let mean = values.reduce(0) { $0 + $1.value } / Double(values.count)
      for (_, group) in Dictionary(grouping: values, by: \.name) {
        let own = group.reduce(0) { $0 + $1.value } / Double(group.count)
        between += Double(group.count) * (own - mean) * (own - mean)
        within += group.reduce(0) { $0 + ($1.value - own) * ($1.value - own) }
      }
    }
    return between / Double(names.count - 1) / max(within / Double(rows.count - names.count), 1e-12)
  }

  // MARK: By all rows

  /// Adds the names of the next rows.
  mutating func add(_ runs: [LabelRun]) {
    for label in runs.compactMap(\.label) where names.count < Self.mostSensors && !names.contains(label) {
      names.append(label)
    }
  }

  /// Adds the names of the next rows.
  ///
  /// - Throws: `RecordingError.severalSensors` if there is more than one name, and one of them is not of a total
  ///   acceleration, or rows of different names alternate, or time steps back where the name changes.
  mutating func check(
    _ runs: [LabelRun], _ times: [Int64], column: String, file: String, line: Int
  ) throws(RecordingError) {
    add(runs)
    var stepsBack = false
    for run in runs {
      if let last, last != run.label {
        changeCount += 1
        let first = run.rows.lowerBound
        if first > 0, first < times.count, times[first] < times[first - 1] { stepsBack = true }
      }
      last = run.label ?? last
      rowCount += run.rows.count
    }
    guard names.count > 1 else { return }
    let isOther = names.contains { Self.isOther(sensor: $0) }
    let alternates = changeCount > names.count && Double(changeCount) >= Self.changingShare * Double(rowCount)
    guard isOther || alternates || stepsBack else { return }
    throw .severalSensors(column: column, file: file, line: line, found: names)
  }
}
