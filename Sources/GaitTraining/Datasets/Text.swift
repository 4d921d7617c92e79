extension Substring {
  /// The text without the spaces and tabs around it.
  var trimmed: String {
    var rest = self
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}

extension Collection<String> {
  /// The texts one after another, as a sentence lists them; long lists are cut, and say so.
  func listed(limit: Int = 12) -> String {
    let shown = prefix(limit).joined(separator: ", ")
    return count > limit ? "\(shown) and \(count - limit) more" : shown
  }
}

extension Sequence<String> {
  /// The texts in natural order, each once.
  func sortedAndUnique() -> [String] {
    Set(self).sorted { $0.naturallyPrecedes($1) }
  }
}

extension String {
  /// Whether a person would list this text before `other`: `sub_2` before `sub_10`, a folder's files before its siblings.
  ///
  /// Digits compare by the number they write, everything else by its bytes, so that the order is the same everywhere.
  /// Texts that differ in leading zeros alone are in byte order, which makes this a strict total order.
  func naturallyPrecedes(_ other: String) -> Bool {
    var (left, right) = (Array(utf8)[...], Array(other.utf8)[...])
    while let a = left.first, let b = right.first {
      if a.isDigit, b.isDigit {
        let (x, y) = (left.popNumber(), right.popNumber())
        if x.count != y.count { return x.count < y.count }
        if x != y { return x.lexicographicallyPrecedes(y) }
      } else {
        if a != b { return a == UInt8(ascii: "/") || (b != UInt8(ascii: "/") && a < b) }
        left.removeFirst()
        right.removeFirst()
      }
    }
    guard left.isEmpty, right.isEmpty else { return left.isEmpty }
    return utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

extension ArraySlice<UInt8> {
  /// Takes the digits at the front, and gives them without leading zeros.
  fileprivate mutating func popNumber() -> ArraySlice<UInt8> {
    let digits = prefix { $0.isDigit }
    self = self[digits.endIndex...]
    return digits.drop { $0 == UInt8(ascii: "0") }
  }
}
