import Gait

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Sensor Logger's JSON: an array of readings, each with the name of its sensor.
///
///     [{"sensor": "Accelerometer", "time": "1655176505558479600", "seconds_elapsed": "0.37", "z": "-0.14", …}, …]
///
/// The readings of a sensor are converted to the text of its CSV file, which is then read.
enum SensorLoggerJSON {
  /// Whether a file that starts with `bytes` is an array of objects with the name of a sensor.
  static func isJSON(_ bytes: [UInt8]) -> Bool {
    guard GyroData.isArray(bytes),
      let name = String(decoding: bytes, as: UTF8.self).split(separator: "\"sensor\"").dropFirst().first
    else { return false }
    return name.drop { " \t\r\n:".contains($0) }.first == "\""
  }

  /// A CSV file in memory for each sensor in `source`.
  static func files(in source: any ByteSource, file: String) throws(RecordingError) -> [ContainedFile] {
    let text = Data(try source.readAll(upTo: GyroData.largestByteCount + 1))
    guard text.count <= GyroData.largestByteCount else {
      throw .invalid(file: file, "is JSON of more than \(GyroData.largestByteCount >> 20) MiB; export it as CSV")
    }
    let readings: [Reading]
    do throws(JSONFault) {
      readings = try JSONFault.decode([Reading].self, from: text)
    } catch {
      throw .invalid(file: file, "is not Sensor Logger's JSON: \(GyroData.reason(error)); export it again, or as CSV")
    }
    var sensors: [String] = []
    for reading in readings where !sensors.contains(reading.sensor) { sensors.append(reading.sensor) }
    let own = Dictionary(grouping: readings, by: \.sensor)
    return sensors.map { sensor in
      let bytes = table(of: own[sensor] ?? [])
      return ContainedFile(name: sensor + ".csv", label: "\(file)/\(sensor)") { () throws(RecordingError) in
        MemoryBytes(bytes[...])
      }
    }
  }

  private static func table(of readings: [Reading]) -> [UInt8] {
    let names = (readings.first?.values.keys).map { $0.sorted() } ?? []
    var bytes: [UInt8] = []
    func append(_ cells: [String]) {
      for (index, cell) in cells.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        CSVField.append(cell, to: &bytes)
      }
      bytes.append(UInt8(ascii: "\n"))
    }
    append(names)
    for reading in readings { append(names.map { reading.values[$0] ?? "" }) }
    return bytes
  }

  /// A reading: the texts of all entries but the sensor's name.
  private struct Reading: Decodable {
    var sensor = ""
    var values: [String: String] = [:]

    private struct Key: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init?(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
      let entries = try decoder.container(keyedBy: Key.self)
      for key in entries.allKeys {
        let text: String?
        if let string = try? entries.decode(String.self, forKey: key) {
          text = string
        } else if let number = try? entries.decode(Int64.self, forKey: key) {
          text = String(number)
        } else {
          text = (try? entries.decode(Double.self, forKey: key)).map { "\($0)" }
        }
        if key.stringValue == "sensor" { sensor = text ?? "" } else { values[key.stringValue] = text }
      }
    }
  }
}
