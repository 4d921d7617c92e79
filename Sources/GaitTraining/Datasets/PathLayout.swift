/// What the path of a recording says about it: a template such as `{label}_{trial}/sub_{subject}.csv`.
///
/// A placeholder stands for one or more characters other than `/`. Where a path can be read in several ways, the leftmost
/// placeholder takes as much as it can, then the next. A name that is used twice stands for the same text both times.
/// Two names mean something to a dataset: `label` is what was done, `subject` is who did it.
///
/// ```swift
/// let layout = try PathLayout("{label}_{trial}/sub_{subject}.csv")
/// layout.fieldNames                       // ["label", "trial", "subject"]
/// layout.match("jog_9/sub_1.csv")         // ["label": "jog", "trial": "9", "subject": "1"]
/// layout.match("README.md")               // nil
/// ```
///
/// Deliberately missing: wildcards, alternatives and a way to write a literal brace. A layout names every part of the path.
public struct PathLayout: Hashable, Sendable, CustomStringConvertible {
  /// The text that the layout was made from.
  public let template: String

  /// The names of the placeholders, each once, in the order of their first appearance.
  public let fieldNames: [String]

  let segments: [Segment]

  /// A piece of the template: text that must be there, or a placeholder by its position in `fieldNames`.
  enum Segment: Hashable, Sendable {
    case text([Character])
    case field(Int)
  }

  /// A layout from its template, relative to the dataset's folder, with `/` between folders.
  ///
  /// - Throws: `PathLayoutError` if the template cannot match any path, or could match it in ways that mean nothing.
  public init(_ template: String) throws(PathLayoutError) {
    var parser = PathLayoutParser(template: template)
    try parser.parse()
    self.template = template
    self.fieldNames = parser.fieldNames
    self.segments = parser.segments
  }

  /// The template.
  public var description: String { template }

  /// What `path` says for every placeholder, or `nil` if it is not laid out like this.
  ///
  /// - Parameter path: a path relative to the dataset's folder, such as `jog_9/sub_1.csv`.
  /// - Returns: a text for each of `fieldNames`.
  /// - Complexity: O(*n*) for usual paths; O(*nᵏ*) at worst, *k* being the number of placeholders in a path component.
  public func match(_ path: String) -> [String: String]? {
    let characters = Array(path)
    var found = [Range<Int>?](repeating: nil, count: fieldNames.count)
    guard match(characters, from: 0, segment: 0, &found) else { return nil }
    var fields: [String: String] = [:]
    for (name, range) in zip(fieldNames, found) { fields[name] = range.map { String(characters[$0]) } }
    return fields
  }

  /// Whether the segments from `index` on can be read from `position` to the end; `found` holds the placeholders so far.
  private func match(
    _ path: [Character], from position: Int, segment index: Int, _ found: inout [Range<Int>?]
  ) -> Bool {
    guard index < segments.count else { return position == path.count }
    switch segments[index] {
    case .text(let text):
      return path[position...].starts(with: text)
        && match(path, from: position + text.count, segment: index + 1, &found)
    case .field(let field):
      if let known = found[field] {
        return path[position...].starts(with: path[known])
          && match(path, from: position + known.count, segment: index + 1, &found)
      }
      var end = path[position...].firstIndex(of: "/") ?? path.count
      while end > position {
        found[field] = position..<end
        if match(path, from: end, segment: index + 1, &found) { return true }
        end -= 1
      }
      found[field] = nil
      return false
    }
  }
}
