import Foundation

@testable import GaitFormats

/// The naive reader of GyroData's JSON with Foundation's decoder, which keeps several copies of the text in memory.
enum FoundationGyroData {
  /// The result of reading a text.
  enum Outcome: Equatable {
    case contents([Content])
    case noJSON
    /// A member is missing or not valid.
    case otherForm(String)
    /// A number is not an integer or too large for a `Double`, so that Foundation stops.
    case otherNumber
  }

  static func outcome(of text: [UInt8]) -> Outcome {
    let data = Data(text)
    do {
      _ = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    } catch {
      let reason = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
      return reason?.contains("is not representable") == true ? .otherNumber : .noJSON
    }
    do {
      return .contents(try JSONDecoder().decode(Contents.self, from: data).all)
    } catch DecodingError.keyNotFound(let key, _) {
      return .otherForm("\(key.stringValue) is missing")
    } catch DecodingError.typeMismatch(_, let context) {
      return .otherForm(misfit(context.codingPath))
    } catch DecodingError.valueNotFound(_, let context) {
      return .otherForm(misfit(context.codingPath))
    } catch {
      return .otherNumber
    }
  }

  private static func misfit(_ path: [any CodingKey]) -> String {
    let name = path.isEmpty ? "it" : path.map(\.stringValue).joined(separator: ".")
    return "\(name) is not valid"
  }

  /// One sensor's object.
  struct Content: Decodable, Equatable {
    let sensor: Int
    let date: Double?
    /// The bits of x, y and z.
    let values: [SIMD3<UInt32>]

    private enum Key: String, CodingKey { case sensor, date, axisValue, axisValues }

    private struct Axes: Decodable {
      let x: Double?
      let y: Double?
      let z: Double?
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      sensor = try container.decode(Int.self, forKey: .sensor)
      date = try container.decodeIfPresent(Double.self, forKey: .date)
      if let date, date.magnitude > 4e9 {
        // Out of range for nanoseconds.
        throw DecodingError.typeMismatch(
          Double.self, .init(codingPath: decoder.codingPath + [Key.date], debugDescription: "out of range"))
      }
      let key: Key = container.contains(.axisValue) ? .axisValue : .axisValues
      values = try container.decode([Axes].self, forKey: key).map { axes in
        Self.bits(SIMD3(Self.float(axes.x), Self.float(axes.y), Self.float(axes.z)))
      }
    }

    init(_ content: GyroDataReader.Content) {
      sensor = content.sensor
      date = content.date
      values = content.values.map(Self.bits)
    }

    private static func float(_ value: Double?) -> Float {
      let float = Float(value ?? .nan)
      return float.isFinite ? float : .nan
    }

    private static func bits(_ value: SIMD3<Float>) -> SIMD3<UInt32> {
      SIMD3(value.x.bitPattern, value.y.bitPattern, value.z.bitPattern)
    }
  }

  /// One object, or an array of them.
  private struct Contents: Decodable {
    let all: [Content]

    init(from decoder: any Decoder) throws {
      if var array = try? decoder.unkeyedContainer() {
        var all: [Content] = []
        while !array.isAtEnd { all.append(try array.decode(Content.self)) }
        self.all = all
      } else {
        all = [try Content(from: decoder)]
      }
    }
  }
}
