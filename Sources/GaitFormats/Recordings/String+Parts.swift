extension String {
  /// The part of a path after its last slash; slashes at the end do not count.
  var lastPathComponent: String { String(split(separator: "/").last ?? "") }

  /// The part of a file's path before its last slash: empty without one, `/` for a file in the root folder.
  var deletingLastPathComponent: String {
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return slash == startIndex ? "/" : String(self[..<slash])
  }

}

extension StringProtocol {
  /// The text without white space and line ends at its ends.
  package var trimmed: String {
    let text = drop(while: \.isWhitespace)
    return text.lastIndex { !$0.isWhitespace }.map { String(text[...$0]) } ?? ""
  }
}
