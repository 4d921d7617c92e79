import Foundation
import Gait
import GaitFormats
import GaitLab
import GaitTestSupport

/// A folder with data sets in the form of the public ones, of a few simulated recordings.
struct TinySets {
  private let directory: TemporaryDirectory
  var folder: URL { directory.url }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  static let simulated = root.appending(path: "datasets/simulated")

  init() throws {
    directory = try TemporaryDirectory()
    for (set, label, activity) in [
      ("motionsense", "jog_9", "running"), ("motionsense", "wlk_7", "walking"), ("motionsense", "sit_5", "still"),
      ("boostrunclub", "running", "running"), ("boostrunclub", "standing", "still"),
    ] {
      for person in 1...2 {
        let file = Self.simulated.appending(path: "\(activity)/sub_\(person).csv")
        try write(String(contentsOf: file, encoding: .utf8), to: "\(set)/\(label)/sub_\(person).csv")
      }
    }
    try writePhone()
    try writeWalk()
    try writeWISDM()
    try writeDSADS()
  }

  private func write(_ text: String, to path: String) throws {
    let file = folder.appending(path: path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// The rows of a simulated person's total and user acceleration and rotation rate, SI units.
  private func rows(
    _ activity: SimulatedActivity, hertz: Double
  ) -> [(total: SIMD3<Float>, user: SIMD3<Float>, turn: SIMD3<Float>)] {
    let recording = Simulator(seed: 4, sampleRate: .hertz(hertz)).recording(of: 1, activity: activity, seconds: 60)
    return (0..<recording.count).map { index in
      let sample = recording[index]
      return (
        9.80665 * (sample.gravity + sample.userAcceleration), 9.80665 * sample.userAcceleration, sample.rotationRate
      )
    }
  }

  private func cells(_ vector: SIMD3<Float>) -> String { "\(vector.x),\(vector.y),\(vector.z)" }

  /// A runner at 3 m/s towards the north, whose phone has phyphox.
  private func writePhone() throws {
    let motion = rows(.running, hertz: 125).enumerated().map { "\(Double($0.offset) / 125),\(cells($0.element.user))" }
    try write(
      (["\"Time (s)\",\"X (m/s^2)\",\"Y (m/s^2)\",\"Z (m/s^2)\""] + motion).joined(separator: "\n") + "\n",
      to: "outdoors/phone_01/Linear Accelerometer.csv")
    let points = (0..<60).map { second in
      "\(Double(second) + 0.5),\(60 + 3 * Double(second) / 111_195),25,10,3,0,4,3"
    }
    let header = "Time (s),Latitude (°),Longitude (°),Height (m),Velocity (m/s),Direction (°),Horizontal Accuracy (m),"
    try write(
      ([header + "Vertical Accuracy (m)"] + points).joined(separator: "\n") + "\n", to: "outdoors/phone_01/Location.csv"
    )
    try write(
      """
      recording,way (m),way is uncertain by (%),at least about (m),integral of the reported speed (m)
      phone_01,177,1,175,178

      """, to: "outdoors/reference.csv")
  }

  private func writeWalk() throws {
    let lines = rows(.walking, hertz: 100).enumerated().map { "\($0.offset * 10_000_000),3,\(cells($0.element.total))" }
    try write(lines.joined(separator: "\n") + "\n", to: "steps/Hard_InHand.csv")
    try write("file,steps\nHard_InHand.csv,110\n", to: "steps/counted.csv")
  }

  private func writeWISDM() throws {
    let parts = [("A", SimulatedActivity.walking), ("B", .running)].map { ($0.0, rows($0.1, hertz: 20)) }
    for device in ["phone", "watch"] {
      for sensor in ["accel", "gyro"] {
        var lines: [String] = []
        for (label, rows) in parts {
          for row in rows {
            let vector = sensor == "accel" ? row.total : row.turn
            lines.append("1600,\(label),\(lines.count * 50_000_000),\(cells(vector));")
          }
        }
        try write(
          lines.joined(separator: "\n") + "\n", to: "wisdm/\(device)/\(sensor)/data_1600_\(sensor)_\(device).txt")
      }
    }
  }

  /// All places have the same sensors: acceleration, rotation rate, and a magnetometer that is not read.
  private func writeDSADS() throws {
    for label in ["05", "06", "09", "10", "11", "12"] {
      let rows = rows(label == "12" ? .running : .walking, hertz: 25)
      for segment in 1...12 {
        let lines = rows[125 * (segment - 1)..<125 * segment].map { row in
          Array(repeating: "\(cells(row.total)),\(cells(row.turn)),0,0,0", count: 5).joined(separator: ",")
        }
        let number = segment < 10 ? "0\(segment)" : "\(segment)"
        try write(lines.joined(separator: "\n") + "\n", to: "dsads/a\(label)/p1/s\(number).txt")
      }
    }
  }
}
