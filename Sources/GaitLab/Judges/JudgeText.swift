import GaitTraining

extension String {
  /// The text with spaces after it, or before it for a negative width.
  func padded(to width: Int) -> String { ReportTable.padded(self, to: width) }
}

extension Double {
  /// The number with its sign and one decimal, aligned right in `width` characters.
  func signed(_ width: Int = 0) -> String {
    let text = fixed(1)
    return (text.hasPrefix("-") ? text : "+" + text).padded(to: -width)
  }
}
