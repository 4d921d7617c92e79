import Foundation
import Gait
import GaitFormats
import GaitTestSupport

/// The text of a table by a logger of an unknown form: a walk of 1.8 steps a second, with the columns in any order.
struct LoggerTable {
  /// Rows per second.
  var hertz = 50.0
  var seconds = 20.0
  /// The strength of the steps, g; 0 is a rest.
  var strength = 0.3
  /// The text of a value in g.
  var value: (Double) -> String = { "\(($0 * 10_000).rounded() / 10_000)" }
  /// The text of the time of a row.
  var time: (_ row: Int, _ seconds: Double) -> String = { _, seconds in "\((seconds * 1e6).rounded() / 1e6)" }
  /// Whether values include gravity.
  var includesGravity = true

  /// The total acceleration at a time, g.
  func acceleration(_ seconds: Double) -> SIMD3<Double> {
    let step = sin(2 * .pi * 1.8 * seconds)
    let gravity = includesGravity ? SIMD3(0.1, -0.2, -0.9747) : .zero
    return gravity + strength * SIMD3(0.2 * cos(2 * .pi * 0.9 * seconds), 0.3 * step, step)
  }

  /// The cells of each row: the time, then x, y and z.
  var rows: [[String]] {
    (0..<Int(hertz * seconds)).map { row in
      let seconds = Double(row) / hertz
      let value = acceleration(seconds)
      return [time(row, seconds), self.value(value.x), self.value(value.y), self.value(value.z)]
    }
  }

  /// The table with these names of its four columns, in another order.
  func text(_ names: [String], order: [Int] = [0, 1, 2, 3], separator: String = ",") -> String {
    var text = ""
    for row in [names] + rows { text += order.map { row[$0] }.joined(separator: separator) + "\n" }
    return text
  }
}

extension FormatFixture {
  /// Reads `text` as a recording.
  func annotated(
    _ text: String, name: String = "walk.csv", _ options: ReadingOptions = ReadingOptions()
  ) throws -> AnnotatedRecording {
    try folder.write(text, to: name)
    return try AnnotatedRecording(contentsOf: url(name), options)
  }

  /// The error of reading `text` as a recording, or `nil` if it can be read.
  func refusal(
    _ text: String, name: String = "walk.csv", _ options: ReadingOptions = ReadingOptions()
  ) throws -> RecordingError? {
    do {
      _ = try annotated(text, name: name, options)
      return nil
    } catch let error as RecordingError {
      return error
    }
  }
}
