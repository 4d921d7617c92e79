/// The version that a JSON form states, so that a later Gait can change the form and an earlier one refuses it.
package enum FormVersion {
  /// The version that this Gait writes, and the only one that it reads.
  package static let current = 1
}

extension KeyedDecodingContainer {
  /// Checks the version of a JSON form; a form without an entry has the first one.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with the place of the entry for another version.
  package func checkVersion(_ key: Key) throws {
    let version = try decodeIfPresent(Int.self, forKey: key) ?? FormVersion.current
    try check(
      version == FormVersion.current, at: key,
      "is \(version), but this Gait reads \(FormVersion.current); update the app")
  }

  /// Refuses an entry that cannot be.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with the place of the entry and the reason.
  package func check(_ isPossible: Bool, at key: Key, _ reason: @autoclosure () -> String) throws {
    guard !isPossible else { return }
    throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: reason())
  }
}
