import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// A page or a drawing, parsed as XML.
final class ParsedPage: NSObject, XMLParserDelegate {
  /// The number of elements of each name.
  private(set) var counts: [String: Int] = [:]
  /// The texts in the elements of each name, including nested elements.
  private(set) var texts: [String: [String]] = [:]
  /// The texts of drawings for screen readers.
  private(set) var labels: [String] = []
  /// Attributes with external resources.
  private(set) var links: [String] = []
  /// The greatest height of a drawing.
  private(set) var height = 0.0
  /// The extreme points of shapes, in thousandths of a drawing's width and in pixels.
  private(set) var corners: [(Double, Double)] = []

  private var open: [(name: String, text: String)] = []

  struct Malformed: Error {
    let line: Int
    let reason: String
  }

  /// Parses a page.
  ///
  /// - Throws: `Malformed` if it is not XML.
  init(_ source: String) throws {
    super.init()
    let parser = XMLParser(data: Data(source.utf8))
    parser.delegate = self
    guard parser.parse() else {
      throw Malformed(line: parser.lineNumber, reason: "\(parser.parserError.map { "\($0)" } ?? "unknown")")
    }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    counts[name, default: 0] += 1
    open.append((name, ""))
    links += attributes.filter { ["href", "src", "xlink:href"].contains($0.key) }.map(\.value).filter {
      !$0.hasPrefix("#")
    }
    func number(_ key: String) -> Double {
      let text = attributes[key] ?? ""
      return text.last == "%" ? (Double(text.dropLast()) ?? .nan) * 10 : Double(text) ?? 0
    }
    switch name {
    case "svg":
      if attributes["role"] == "img", let label = attributes["aria-label"] { labels.append(label) }
      height = max(height, attributes["height"].flatMap(Double.init) ?? 0)
    case "rect":
      corners += [(number("x"), number("y")), (number("x") + number("width"), number("y") + number("height"))]
    case "polyline":
      corners += (attributes["points"] ?? "").split(separator: " ").map { pair in
        let numbers = pair.split(separator: ",").compactMap { Double($0) }
        return (numbers[0], numbers[1])
      }
    case "path" where attributes["d"]?.contains("l") == false: corners += Self.corners(of: attributes["d"] ?? "")
    case "text" where attributes["transform"] == nil: corners.append((number("x"), number("y")))
    default: break
    }
  }

  /// The points of a path of absolute lines.
  private static func corners(of path: String) -> [(Double, Double)] {
    var (x, y, points) = (0.0, 0.0, [(Double, Double)]())
    for match in path.matches(of: /([MLHV]?)\s*(-?[0-9.]+)(?:,(-?[0-9.]+))?/) {
      guard let number = Double(match.2) else { continue }
      switch (match.1, match.3.flatMap { Double($0) }) {
      case (_, let second?): (x, y) = (number, second)
      case ("V", nil): y = number
      default: x = number
      }
      points.append((x, y))
    }
    return points
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    for index in open.indices { open[index].text += string }
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    let element = open.removeLast()
    texts[element.name, default: []].append(element.text)
  }
}
