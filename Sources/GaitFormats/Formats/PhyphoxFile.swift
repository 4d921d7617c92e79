/// What phyphox calls the files of an experiment of one's own, whose columns are `X (m/s^2)` or `X (rad/s)` without a sensor.
///
/// Source: `SimpleExperimentData.swift` of phyphox for iOS, which has the export sets.
enum PhyphoxFile {
  /// The quantity in the file of this name and header; `nil` for others.
  static func quantity(named name: String, columns: [ColumnName]) -> Quantity? {
    guard columns.contains(where: isTime),
      ["x", "y", "z"].allSatisfy({ axis in
        columns.contains { $0.base == axis && $0.unit != nil }
      })
    else { return nil }
    return switch PartName(name).stem {
    case "accelerometer": .totalAcceleration
    case "linear accelerometer": .userAcceleration
    case "gravity": .gravity
    case "gyroscope": .rotationRate
    default: nil
    }
  }

  /// Whether a column is phyphox's of times.
  static func isTime(_ name: ColumnName) -> Bool { name.base == "time" && name.unit == "s" }
}
