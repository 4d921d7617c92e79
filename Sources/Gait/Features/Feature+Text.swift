extension Feature: CustomStringConvertible {
  /// The feature's textual form: lane, statistic and transform, such as `total.bandRMS[1.2...2.2]`.
  public var description: String {
    "\(lane).\(statistic.text)\(transform.text)"
  }

  /// Parses a feature's textual form.
  ///
  /// - Throws: `ModelError.invalid` with the reason.
  public init(_ text: String) throws(ModelError) {
    guard let (lane, prefix) = Lane.prefixes.first(where: { text.hasPrefix($0.text) }) else {
      throw .notAFeature(text, "it does not begin with a lane, such as vertical or userAcceleration.x")
    }
    var scanner = FeatureScanner(text, from: prefix.utf8.count)
    let statistic = try scanner.statistic()
    let transform = try scanner.transform()
    try self.init(lane: lane, statistic: statistic, transform: transform, text: text)
  }
}

extension Lane {
  /// The beginning of a feature's textual form for each lane, the longest first: `gravity.x.mean` is a feature of
  /// gravity.x, not of gravity.
  fileprivate static let prefixes: [(lane: Lane, text: String)] = all.map { ($0, "\($0).") }
    .sorted { $0.text.utf8.count > $1.text.utf8.count }
}

extension Statistic {
  /// The statistic's textual form, such as `percentile[10]`.
  var text: String {
    switch self {
    case .percentile(let percent): "percentile[\(plain(percent))]"
    case .bandRMS(let band): "bandRMS[\(plain(band))]"
    case .bandLogRatio(let first, let second, let offset):
      "bandLogRatio[\(plain(first))/\(plain(second))+\(plain(offset))]"
    case .autocorrelationLag(let range): "autocorrelationLag[\(plain(range))]"
    case .autocorrelationPeak(let range): "autocorrelationPeak[\(plain(range))]"
    case .bandPower(let band): "bandPower[\(plain(band))]"
    case .correlation(let channel): "correlation[\(channel.rawValue)]"
    default: Self.withoutArguments.first { $0.statistic == self }!.name
    }
  }

  /// The statistics without arguments, and their textual forms.
  static let withoutArguments: [(statistic: Statistic, name: String)] = [
    (.mean, "mean"), (.standardDeviation, "standardDeviation"), (.minimum, "minimum"), (.maximum, "maximum"),
    (.range, "range"), (.rms, "rms"), (.meanAbsoluteDeviation, "meanAbsoluteDeviation"),
    (.meanAbsoluteDifference, "meanAbsoluteDifference"), (.meanCrossingRate, "meanCrossingRate"),
    (.skewness, "skewness"), (.kurtosis, "kurtosis"), (.interquartileRange, "interquartileRange"),
    (.energy, "energy"), (.dominantFrequency, "dominantFrequency"), (.spectralCentroid, "spectralCentroid"),
    (.spectralEntropy, "spectralEntropy"), (.spectralFlatness, "spectralFlatness"),
    (.sphericalVariance, "sphericalVariance"),
  ]
}

extension Transform {
  /// The transform's textual form with its leading full stop, such as `.log[0.01]`; empty for the identity.
  var text: String {
    switch self {
    case .identity: ""
    case .log(let offset): ".log[\(plain(offset))]"
    case .signedLog(let scale): ".signedLog[\(plain(scale))]"
    }
  }
}

/// The shortest decimal that parses back to the same value, without a trailing `.0`.
package func plain(_ value: Double) -> String {
  let text = "\(value)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

private func plain(_ range: ClosedRange<Double>) -> String {
  "\(plain(range.lowerBound))...\(plain(range.upperBound))"
}

extension ModelError {
  /// The error for a text that is not a feature, with the reason and, if one is close, the feature that was meant.
  static func notAFeature(_ text: String, _ reason: String) -> ModelError {
    let near = EditDistance.suggestion(for: text, among: Feature.full.lazy.map(\.description))
    return .invalid("\"\(text)\" is not a feature: \(reason)\(near.map { "; did you mean \($0)?" } ?? ".")")
  }
}

/// Parses the part of a feature's text after the lane.
private struct FeatureScanner {
  private let text: String
  private var rest: Substring

  init(_ text: String, from offset: Int) {
    self.text = text
    self.rest = text[text.utf8.index(text.startIndex, offsetBy: offset)...]
  }

  mutating func statistic() throws(ModelError) -> Statistic {
    let name = word()
    if let known = Statistic.withoutArguments.first(where: { $0.name == name }) { return known.statistic }
    switch name {
    case "percentile": return .percentile(try number(argument(of: name)))
    case "bandRMS": return .bandRMS(try range(argument(of: name)))
    case "bandPower": return .bandPower(try range(argument(of: name)))
    case "autocorrelationLag": return .autocorrelationLag(try range(argument(of: name)))
    case "autocorrelationPeak": return .autocorrelationPeak(try range(argument(of: name)))
    case "correlation": return .correlation(try channel(argument(of: name)))
    case "bandLogRatio": return try bandLogRatio(argument(of: name))
    default: throw malformed("there is no statistic called \"\(name)\"")
    }
  }

  mutating func transform() throws(ModelError) -> Transform {
    guard !rest.isEmpty else { return .identity }
    guard rest.first == "." else { throw malformed("\"\(rest)\" after the statistic is unexpected") }
    rest.removeFirst()
    let name = word()
    let transform: Transform
    switch name {
    case "log": transform = .log(offset: try number(argument(of: name)))
    case "signedLog": transform = .signedLog(scale: try number(argument(of: name)))
    default: throw malformed("there is no transform called \"\(name)\"")
    }
    guard rest.isEmpty else { throw malformed("\"\(rest)\" after the transform is unexpected") }
    return transform
  }

  private func malformed(_ reason: String) -> ModelError { .notAFeature(text, reason) }

  /// Consumes the letters up to the next bracket or full stop.
  private mutating func word() -> String {
    let end = rest.utf8.firstIndex { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: ".") } ?? rest.endIndex
    defer { rest = rest[end...] }
    return String(rest[..<end])
  }

  /// Consumes the brackets that follow and returns the text between them.
  private mutating func argument(of name: String) throws(ModelError) -> Substring {
    guard rest.first == "[", let close = rest.firstIndex(of: "]") else {
      throw malformed("\(name) needs its argument in brackets")
    }
    defer { rest = rest[rest.index(after: close)...] }
    return rest[rest.index(after: rest.startIndex)..<close]
  }

  private func number(_ part: Substring) throws(ModelError) -> Double {
    guard let value = Double(part), value.isFinite else { throw malformed("\"\(part)\" is not a number") }
    return value
  }

  private func channel(_ part: Substring) throws(ModelError) -> Channel {
    guard let channel = Channel(rawValue: String(part)) else {
      throw malformed("\"\(part)\" is not a channel such as gravity.y")
    }
    return channel
  }

  private func range(_ part: Substring) throws(ModelError) -> ClosedRange<Double> {
    guard let dots = part.firstRange(of: "...") else { throw malformed("\"\(part)\" is not a range such as 1.2...2.2") }
    let (lower, upper) = (try number(part[..<dots.lowerBound]), try number(part[dots.upperBound...]))
    guard lower <= upper else { throw malformed("the bounds of the range \(part) are in the wrong order") }
    return lower...upper
  }

  private func bandLogRatio(_ part: Substring) throws(ModelError) -> Statistic {
    // The last plus sign that does not follow an e: the sign in an exponent such as 1e+20 is not a separator.
    let plus = part.indices.last {
      part[$0] == "+" && $0 > part.startIndex && part[part.index(before: $0)].lowercased() != "e"
    }
    guard let slash = part.firstIndex(of: "/"), let plus, slash < plus else {
      throw malformed("bandLogRatio needs [band/band+offset]")
    }
    return .bandLogRatio(
      try range(part[..<slash]), try range(part[part.index(after: slash)..<plus]),
      offset: try number(part[part.index(after: plus)...]))
  }
}
