import Foundation
import Gait

/// The track points of a GPX document: latitude, longitude, time, elevation and, where some extension has it, speed.
enum GPXReader {
  static func samples(in text: String, file: String) throws(LocationFileError) -> [LocationSample] {
    var samples: [LocationSample] = []
    var line = 1
    for (index, part) in text.components(separatedBy: "<trkpt").enumerated() {
      defer { line += part.count { $0.isNewline } }
      guard index > 0 else { continue }
      let point = part.components(separatedBy: "</trkpt>")[0]
      guard let latitude = attribute("lat", in: point), let longitude = attribute("lon", in: point),
        -90...90 ~= latitude, -180...180 ~= longitude
      else { throw .malformed(String(point.prefix(60)), file: file, line: line) }
      guard let stamp = element("time", in: point), let time = CalendarTime.nanoseconds(stamp) else {
        throw .malformed(element("time", in: point) ?? "no time", file: file, line: line)
      }
      samples.append(
        LocationSample(
          time: SampleTime(nanoseconds: time), latitude: latitude, longitude: longitude,
          altitude: element("ele", in: point).flatMap(Double.init),
          speed: (element("speed", in: point) ?? element("gpxtpx:speed", in: point)).flatMap(Double.init)))
    }
    return samples
  }

  private static func attribute(_ name: String, in text: String) -> Double? {
    for quote in ["\"", "'"] {
      let parts = text.components(separatedBy: "\(name)=\(quote)")
      if parts.count > 1 { return Double(parts[1].components(separatedBy: quote)[0]) }
    }
    return nil
  }

  private static func element(_ name: String, in text: String) -> String? {
    let parts = text.components(separatedBy: "<\(name)>")
    guard parts.count > 1 else { return nil }
    return parts[1].components(separatedBy: "</")[0].trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
