import Foundation

@testable import Gait
@testable import GaitFormats
@testable import GaitTraining

/// Fuzz targets for short texts.
enum FuzzedText {
  /// Checks that a number has the same bits as from `strtod`, and that times and dates are in range.
  static func numbers(_ bytes: [UInt8]) {
    let bytes = Array(bytes.prefix(400))
    let text = String(decoding: bytes, as: UTF8.self)
    let number = bytes.withUnsafeBufferPointer { DecimalNumber.parse($0) }
    if let number {
      let expected = strtod(text, nil)
      precondition(number.bitPattern == expected.bitPattern, "\(text) is read as \(number), not \(expected)")
    }
    let digits = bytes.withUnsafeBufferPointer { DecimalDigits($0, mark: UInt8(ascii: ",")) }
    for unit in [TimeUnit.seconds, .milliseconds, .microseconds, .nanoseconds] {
      let time = digits.flatMap { DecimalTime.nanoseconds($0, unit: unit) }
      precondition(
        time.map { $0.magnitude <= SampleTime.farthest.magnitude } ?? true, "\(text) \(unit) is out of range")
    }
    let date = CalendarTime.nanoseconds(text)
    precondition(date.map { $0.magnitude <= SampleTime.farthest.magnitude } ?? true, "\(text) is out of range")
  }

  /// Checks that a match of a layout has a text for each placeholder, and that these texts rebuild the path.
  static func layouts(_ bytes: [UInt8]) {
    let lines = String(decoding: bytes.prefix(300), as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    guard let layout = try? PathLayout(String(lines[0])) else { return }
    for path in lines.dropFirst() {
      guard let fields = layout.match(String(path)) else { continue }
      let filled = layout.segments.map { segment in
        switch segment {
        case .text(let text): String(text)
        case .field(let field): fields[layout.fieldNames[field]]!
        }
      }
      precondition(Array(filled.joined()) == Array(path), "\(layout) matches \(path) as \(fields)")
    }
  }

  /// Checks that the textual form of a parsed feature parses to the same feature.
  static func featureNames(_ bytes: [UInt8]) {
    for line in String(decoding: bytes.prefix(300), as: UTF8.self).split(separator: "\n") {
      guard let feature = try? Feature(String(line)) else { continue }
      let again = try? Feature(feature.description)
      precondition(
        again == feature, "\(line) is written as \(feature), which parses to \(again.map(\.description) ?? "nothing")")
    }
  }
}
