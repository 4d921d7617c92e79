import Foundation
import Gait
import GaitFormats
import GaitTestSupport

/// A form of files from `Tests/logger-forms.txt`, with the walk of `LoggerTable` in it.
struct LoggerForm: CustomStringConvertible {
  struct File {
    let path: String
    var head: [String] = []
    var rows: [String] = []
    var tail: [String] = []
  }

  let name: String
  private(set) var hertz = 50.0
  /// What a newcomer states when asked: options of the command with their values.
  private(set) var stated: [(option: String, value: String)] = []
  private(set) var files: [File] = []
  private var decimalMark = "."

  var description: String { name }

  /// The rows of each file; those that an array ends with are not among them.
  var rowCount: Int { Int(12 * hertz) }

  static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../logger-forms.txt")
    .standardized

  static let all: [LoggerForm] = {
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
    return text.components(separatedBy: "\n\n").map { $0.split(separator: "\n").map(String.init) }
      .filter { $0.first?.hasPrefix("form: ") == true }.map(LoggerForm.init)
  }()

  private init(_ lines: [String]) {
    name = String(lines[0].dropFirst("form: ".count))
    for line in lines.dropFirst() {
      let key = line.prefix { $0 != ":" }
      let value = String(line.dropFirst(key.count + 2))
      switch key {
      case "hertz": hertz = Double(value) ?? 0
      case "decimal": decimalMark = value
      case "state": stated = Self.options(value)
      case "file": files.append(File(path: value))
      case "head": files[files.count - 1].head.append(value)
      case "row": files[files.count - 1].rows.append(value)
      default: files[files.count - 1].tail.append(value)
      }
    }
  }

  /// The options of a command line; values with blanks are quoted.
  private static func options(_ text: String) -> [(option: String, value: String)] {
    text.split(separator: "--").map { part in
      let option = part.prefix { $0 != " " }
      let value = part.dropFirst(option.count).trimmingCharacters(in: .whitespaces)
      return ("--" + option, value.trimmingCharacters(in: CharacterSet(charactersIn: "'")))
    }
  }

  /// How the options are read.
  static func reading(_ stated: [(option: String, value: String)]) -> ReadingOptions {
    var reading = ReadingOptions()
    for (option, value) in stated {
      switch option {
      case "--rate": reading.sampleRate = Double(value).flatMap { SampleRate(exactly: $0) }
      case "--acceleration-unit": reading.units.acceleration = AccelerationUnit(rawValue: value)
      case "--angle-unit": reading.units.angle = AngleUnit(rawValue: value)
      case "--time-unit": reading.units.time = TimeUnit(rawValue: value)
      case "--columns": reading.columnNames = value.components(separatedBy: ",")
      default: reading.sensor = value
      }
    }
    return reading
  }

  /// Writes the files into a folder; returns what is read: the file, or the folder of several.
  func write(into folder: TemporaryDirectory) throws -> URL {
    for file in files { try folder.write(text(of: file), to: file.path) }
    let parts = files[0].path.split(separator: "/")
    return folder.file(String(parts[0]))
  }

  private func text(of file: File) -> String {
    var text = ""
    for line in file.head { text += line + "\n" }
    for row in 0..<rowCount {
      let values = values(row)
      for template in file.rows {
        for part in template.split(separator: "{", omittingEmptySubsequences: false).enumerated() {
          // A brace that opens no value is JSON's.
          let pieces = part.element.split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false)
          if part.offset > 0, pieces.count == 2, let value = values(String(pieces[0])) {
            text += value + pieces[1]
          } else {
            text += (part.offset > 0 ? "{" : "") + part.element
          }
        }
        text += "\n"
      }
    }
    for line in file.tail { text += line + "\n" }
    return text
  }

  // MARK: Values

  private static let gravity = SIMD3(0.1, -0.2, -0.9747)

  /// The acceleration without gravity, g, and the rotation rate, rad/s, of a row.
  func motion(_ row: Int) -> (user: SIMD3<Double>, rotation: SIMD3<Double>) {
    let (step, stride) = (sin(2 * .pi * 1.8 * Double(row) / hertz), cos(2 * .pi * 0.9 * Double(row) / hertz))
    return (SIMD3(0.06 * stride, 0.09 * step, 0.3 * step), SIMD3(0.5 * step, 0.1 * stride, 0.2))
  }

  func total(_ row: Int) -> SIMD3<Double> { motion(row).user + Self.gravity }

  /// The texts of a row's values, by their names and units.
  private func values(_ row: Int) -> (String) -> String? {
    let nanoseconds = Int64((Double(row) / hertz * 1e9).rounded())
    let (start, epoch) = (12_500_000_000 + nanoseconds, 1_700_000_000_000_000_000 + nanoseconds)
    let (user, rotation) = motion(row)
    func seconds(_ time: Int64) -> String {
      let digits = String(time % 1_000_000_000 + 1_000_000_000).dropFirst()
      return "\(time / 1_000_000_000)\(decimalMark)\(digits)"
    }
    return { name in
      switch name {
      case "n": return "\(row)"
      case "s": return seconds(start)
      case "ms": return "\(start / 1_000_000)"
      case "us": return "\(start / 1000)"
      case "ns": return "\(start)"
      case "es": return seconds(epoch)
      case "ems": return "\(epoch / 1_000_000)"
      case "ens": return "\(epoch)"
      case "iso", "isoms", "space", "colon", "us-date", "day-month", "clock2":
        let clock = Self.clock(milliseconds: Int(nanoseconds / 1_000_000))
        switch name {
        case "iso": return "2024-05-01T\(clock)Z"
        case "isoms": return "2024-05-01T\(clock)"
        case "space": return "2024-05-01 \(clock)"
        case "colon": return "2024-05-01 \(clock.replacing(".", with: ":"))"
        case "us-date": return "5/1/2024 \(clock)"
        case "day-month": return "01-May-2024 \(clock)"
        default: return String(clock.dropLast())
        }
      default:
        let parts = name.split(separator: " ")
        guard let axis = parts.first?.last.flatMap({ "xyz".firstIndex(of: $0) }) else { return nil }
        let place = "xyz".distance(from: "xyz".startIndex, to: axis)
        var value: Double
        switch parts[0].dropLast() {
        case "": value = user[place] + Self.gravity[place]
        case "u": value = user[place]
        case "g": value = Self.gravity[place]
        case "w": value = rotation[place]
        default: return nil
        }
        switch parts.dropFirst().first {
        case "ms2": value *= 9.80665
        case "mg": value *= 1000
        case "deg": value *= 180 / .pi
        case let unit? where unit.hasPrefix("lsb"):
          return "\(Int((value * (Double(unit.dropFirst(3)) ?? 0)).rounded()))"
        default: break
        }
        return String(format: "%.6f", value).replacing(".", with: decimalMark)
      }
    }
  }

  /// The time of day so long after noon.
  private static func clock(milliseconds: Int) -> String {
    let seconds = milliseconds / 1000
    return String(format: "12:%02d:%02d.%03d", seconds / 60, seconds % 60, milliseconds % 1000)
  }

  // MARK: The table of the article

  /// The row of the form in *Reading recordings*.
  func tableRow(questions: Int) -> String {
    let first = files[0].head.last.map { $0.isEmpty ? files[0].rows[0] : $0 } ?? "no header"
    let columns = first.count > 70 ? "\(first.prefix(69))…" : first
    let text = columns.replacing("\t", with: " ").replacing("|", with: "/")
    let options = stated.map { $0.value.contains(",") ? "\($0.option) '\($0.value)'" : "\($0.option) \($0.value)" }
    let state = options.isEmpty ? "nothing" : "`\(options.joined(separator: " "))`"
    return "| \(name) | `\(text)` | \(state) | \(questions) |"
  }
}
