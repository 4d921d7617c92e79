import GaitTraining

extension String {
  /// The text aligned right in `width` characters; aligned left if `width` is negative.
  func padded(_ width: Int) -> String { ReportTable.padded(self, to: -width) }
}

extension Double {
  /// The number with its sign and one decimal, aligned right in `width` characters.
  func signed(_ width: Int = 0) -> String {
    let text = fixed(1)
    return (text.hasPrefix("-") ? text : "+" + text).padded(width)
  }
}
