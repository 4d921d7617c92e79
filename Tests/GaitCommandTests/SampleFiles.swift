import Foundation
import GaitTestSupport

/// Small recordings as text, and a folder of them.
enum SampleFiles {
  static let columns = ["attitude", "gravity", "rotationRate", "userAcceleration"]
    .flatMap { sensor in (sensor == "attitude" ? ["roll", "pitch", "yaw"] : ["x", "y", "z"]).map { "\(sensor).\($0)" } }

  /// The options for reading the sample folder.
  static let layout = ["--layout", "{label}/{recording}.csv", "--rate", "50"]

  /// The rows of a phone that oscillates vertically with `strength` g at 2.7 Hz.
  static func rows(_ count: Int = 200, strength: Float, seed: UInt64) -> [[String]] {
    var generator = SplitMix64(seed: seed)
    return (0..<count).map { row in
      let bounce = strength * Float(sin(2 * .pi * 2.7 * Double(row) / 50))
      return columns.map { column in
        let noise = Float.random(in: -0.01...0.01, using: &generator)
        switch column {
        case "gravity.z": return "-1"
        case "gravity.x", "gravity.y": return "0"
        case "userAcceleration.z": return "\(bounce + noise)"
        default: return "\(noise)"
        }
      }
    }
  }

  /// A file of the given columns and rows.
  static func csv(_ rows: [[String]], columns: [String] = columns) -> String {
    ([columns] + rows).map { $0.joined(separator: ",") }.joined(separator: "\n") + "\n"
  }

  /// A valid file.
  static func csv(_ count: Int = 200, strength: Float, seed: UInt64) -> String {
    csv(rows(count, strength: strength, seed: seed))
  }

  /// A valid file without some of its columns.
  static func csv(without missing: [String], strength: Float = 0.5) -> String {
    let kept = columns.indices.filter { !missing.contains(columns[$0]) }
    return csv(
      rows(strength: strength, seed: 9).map { row in kept.map { row[$0] } }, columns: kept.map { columns[$0] })
  }

  /// Two labels, two recordings each: `run/1.csv`, `run/2.csv`, `still/1.csv`, `still/2.csv`.
  static func folder(_ name: String = "data", in directory: TemporaryDirectory) throws -> String {
    for number in 1...2 {
      try directory.write(csv(strength: 0.8, seed: UInt64(number)), to: "\(name)/run/\(number).csv")
      try directory.write(csv(strength: 0.01, seed: UInt64(number + 2)), to: "\(name)/still/\(number).csv")
    }
    return directory.file(name).path
  }

  /// A folder with `data` and the model `model.json` that was trained on it.
  static func trained() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    _ = try folder(in: directory)
    let run = try GaitProcess(
      ["train", "data"] + layout + ["--output", "model.json", "--skip-cross-validation"], in: directory.url)
    guard run.status == 0 else { throw CannotTrain(complaints: run.complaints) }
    return directory
  }

  struct CannotTrain: Error {
    let complaints: String
  }
}
