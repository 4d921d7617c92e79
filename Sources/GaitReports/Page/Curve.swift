import Foundation
import Gait
import GaitTraining

/// Numbers over a horizontal axis at full resolution. A page carries them all for its script, and draws only those that
/// show the shape (`thinned`).
///
/// A number that is not finite is a break: the curve does not cross it.
struct Curve: Hashable, Sendable {
  /// The name of the number under the pointer, if a panel has several.
  var name = ""
  /// Whether each number holds until the next one, as a probability does; otherwise lines join the numbers.
  var isStepped = false
  var points: [Plot.Point]
  /// Heights at which every crossing is drawn where it is, such as the thresholds of a decision.
  var levels: [Double] = []

  /// The points with a break before every point that is more than `step` after the previous one.
  static func broken(_ points: [Plot.Point], atStepsOver step: Double) -> [Plot.Point] {
    var broken: [Plot.Point] = []
    broken.reserveCapacity(points.count)
    for point in points {
      if let last = broken.last, last.y.isFinite, point.x - last.x > step {
        broken.append(Plot.Point(x: last.x, y: .nan))
      }
      broken.append(point)
    }
    return broken
  }

  /// The points without those that repeat the number before, which a stepped curve does not need.
  static func changes(in points: [Plot.Point]) -> [Plot.Point] {
    points.indices.filter { index in
      guard index > 0, index < points.count - 1 else { return true }
      let (before, value) = (points[index - 1].y, points[index].y)
      return !(before == value || before.isNaN && value.isNaN)
    }.map { points[$0] }
  }

  /// The points that show the curve in `columns` columns: of each column the first, the smallest, the largest and the
  /// last, with all breaks and with both ends of each crossing of a level.
  ///
  /// No shape between two columns differs from the whole curve's, as each column's first and last points are kept.
  ///
  /// - Complexity: O(points).
  func thinned(to columns: Int, in range: ClosedRange<Double>) -> [Plot.Point] {
    let length = range.upperBound - range.lowerBound
    guard points.count > 4 * columns, length > 0 else { return points }
    func column(_ point: Plot.Point) -> Int {
      Int(
        saturating: min(max((point.x - range.lowerBound) / length * Double(columns), -1), Double(columns)).rounded(
          .down))
    }
    var kept: [Plot.Point] = []
    var start = 0
    while start < points.count {
      let place = column(points[start])
      var end = start + 1
      while end < points.count, column(points[end]) == place { end += 1 }
      var chosen: Set<Int> = [start, end - 1]
      let known = (start..<end).filter { points[$0].y.isFinite }
      if let least = known.min(by: { points[$0].y < points[$1].y }) { chosen.insert(least) }
      if let most = known.max(by: { points[$0].y < points[$1].y }) { chosen.insert(most) }
      for index in start..<end where index > 0 && isKept(index) { chosen.formUnion([index - 1, index]) }
      kept += chosen.sorted().filter { $0 >= start }.map { points[$0] }
      start = end
    }
    return kept
  }

  /// Whether the step to a point is a break or crosses a level.
  private func isKept(_ index: Int) -> Bool {
    let (before, value) = (points[index - 1].y, points[index].y)
    guard before.isFinite, value.isFinite else { return before.isFinite != value.isFinite }
    return levels.contains { (before < $0) != (value < $0) }
  }
}

/// The data of a plot that its script reads, as JSON without characters that HTML or XML escape.
///
/// Numbers are base64: of curves the places as 32-bit integers and the numbers as 32-bit floats, of envelopes see
/// `SignalEnvelope.encoded`.
struct PlotData {
  private(set) var json = "{\"panels\":["

  /// The data of panels, whose upper edges are at `tops`, pixels.
  init(_ plot: Plot, tops: [Double]) {
    let low = plot.axis.scale.domain.lowerBound
    let unit = max(1e-4, (plot.axis.scale.domain.upperBound - low) / 4e9)
    json += zip(plot.panels, tops).map { panel, top in
      let domain = panel.axis.scale.domain
      let texts = panel.marks.compactMap { mark -> String? in
        switch mark {
        case .curve(let curve, _, _): Self.text(of: curve, from: low, unit: unit)
        case .envelope(let envelope, let lane, _): envelope.json(lane, on: panel.axis)
        default: nil
        }
      }
      let bands = panel.marks.compactMap { mark -> String? in
        guard case .band(let range, _, _, let name?) = mark else { return nil }
        return "[\(range.lowerBound.fixed(4)),\(range.upperBound.fixed(4)),\(Self.string(name))]"
      }
      let fields = [
        "\"top\":\(top.coordinate)", "\"height\":\(panel.height.coordinate)", "\"low\":\(domain.lowerBound)",
        "\"high\":\(domain.upperBound)", "\"reversed\":\(panel.axis.isReversed)",
        "\"kind\":\(Self.string(panel.axis.kind.rawValue))", "\"digits\":\(panel.digits)",
        "\"curves\":[\(texts.joined(separator: ","))]", "\"bands\":[\(bands.joined(separator: ","))]",
      ]
      return "{\(fields.joined(separator: ","))}"
    }.joined(separator: ",")
    json += "],\"from\":\(low),\"unit\":\(unit)}"
  }

  private static func text(of curve: Curve, from low: Double, unit: Double) -> String {
    let places = curve.points.map { UInt32(saturating: min(max(0, ($0.x - low) / unit), 4_294_967_295).rounded()) }
    let numbers = curve.points.map { Float($0.y) }
    let levels = curve.levels.map { "\($0)" }.joined(separator: ",")
    return
      "{\"name\":\(string(curve.name)),\"stepped\":\(curve.isStepped),\"levels\":[\(levels)],"
      + "\"x\":\"\(base64(places.map(\.littleEndian)))\",\"y\":\"\(base64(numbers.map(\.bitPattern.littleEndian)))\"}"
  }

  static func base64<Number>(_ numbers: [Number]) -> String {
    numbers.withUnsafeBytes { Data($0).base64EncodedString() }
  }

  /// A value as JSON in which nothing reads as markup of HTML or XML.
  static func embedded(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self).escapedJSON } ?? "null"
    return ["<": "\\u003c", ">": "\\u003e", "&": "\\u0026"].reduce(json) { $0.replacing($1.key, with: $1.value) }
  }

  /// A JSON string in which every character that HTML or XML could read as markup is escaped.
  static func string(_ text: String) -> String {
    var json = "\""
    for unit in text.visible().utf16 {
      let isPlain = unit >= 0x20 && unit < 0x7F && !"\"\\<>&".utf16.contains(unit)
      let hex = String(unit, radix: 16)
      json += isPlain ? String(UnicodeScalar(UInt8(unit))) : "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
    }
    return json + "\""
  }
}
