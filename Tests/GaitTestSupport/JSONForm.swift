import Foundation
import Gait

/// The JSON form of a value, as apps write and read it.
public enum JSONForm {
  /// The form with sorted keys.
  public static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// The value of a form, or a `JSONFault` that says what is wrong.
  public static func read<Value: Decodable>(_: Value.Type, _ json: String) throws -> Value {
    try JSONFault.decode(Value.self, from: Data(json.utf8))
  }
}
