/// Names the command-line options that supply what a library error asks for.
enum Cures {
  /// The error's text, followed by its options in parentheses: "…; state the sample rate (--rate)."
  static func text(for error: any Error) -> String {
    let text = "\(error)"
    let options = options(for: error)
    guard !options.isEmpty, text.hasSuffix(".") else { return text }
    return "\(text.dropLast()) (\(options.joined(separator: ", ")))."
  }

  private static func options(for error: any Error) -> [String] {
    datasetOptions(for: error)
  }
}
