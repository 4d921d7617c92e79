/// The files of a custom phyphox experiment, whose columns are `X (m/s^2)` or `X (rad/s)` without the sensor's name.
///
/// Source: `SimpleExperimentData.swift` of phyphox for iOS, which defines the export sets.
enum PhyphoxFile {
  /// The quantity in the file with this name and header; `nil` for others.
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

  /// Whether a column is phyphox's time column.
  static func isTime(_ name: ColumnName) -> Bool { name.base == "time" && name.unit == "s" }
}
