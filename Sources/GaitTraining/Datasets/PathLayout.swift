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
  /// - Complexity: O(*n*) for usual paths; at worst O(*s* · *n*²), *s* being the number of pieces of the layout, and *n*² times
  ///   as much for every name that is used twice.
  public func match(_ path: String) -> [String: String]? {
    var search = PathSearch(segments: segments, path: Array(path), fieldCount: fieldNames.count)
    guard search.match(from: 0, segment: 0) else { return nil }
    var fields: [String: String] = [:]
    for (name, range) in zip(fieldNames, search.found) { fields[name] = range.map { String(search.path[$0]) } }
    return fields
  }
}

/// A search for the first way in which a path can be read, by backtracking that remembers what has failed.
private struct PathSearch {
  let segments: [PathLayout.Segment]
  let path: [Character]
  /// What the placeholders stand for so far.
  private(set) var found: [Range<Int>?]
  /// For each segment, the placeholders that stand before it and again at it or behind it: only what these stand for
  /// decides whether the rest can be read.
  private let repeated: [[Int]]
  private var failures: Set<Failure> = []

  /// A rest of the path that a rest of the layout cannot read.
  private struct Failure: Hashable {
    var segment: Int
    var position: Int
    var repeated: [Range<Int>?]
  }

  init(segments: [PathLayout.Segment], path: [Character], fieldCount: Int) {
    self.segments = segments
    self.path = path
    found = Array(repeating: nil, count: fieldCount)
    repeated = segments.indices.map { index in
      Set(Self.fields(segments[..<index])).intersection(Self.fields(segments[index...])).sorted()
    }
  }

  private static func fields(_ segments: ArraySlice<PathLayout.Segment>) -> [Int] {
    segments.compactMap { segment in
      if case .field(let field) = segment { field } else { nil }
    }
  }

  /// Whether the segments from `index` on can be read from `position` to the end; then `found` says how.
  mutating func match(from position: Int, segment index: Int) -> Bool {
    guard index < segments.count else { return position == path.count }
    switch segments[index] {
    case .text(let text):
      return path[position...].starts(with: text) && match(from: position + text.count, segment: index + 1)
    case .field(let field):
      if let known = found[field] {
        return path[position...].starts(with: path[known])
          && match(from: position + known.count, segment: index + 1)
      }
      let state = Failure(segment: index, position: position, repeated: repeated[index].map { found[$0] })
      if failures.contains(state) { return false }
      var end = path[position...].firstIndex(of: "/") ?? path.count
      while end > position {
        found[field] = position..<end
        if match(from: end, segment: index + 1) { return true }
        end -= 1
      }
      found[field] = nil
      failures.insert(state)
      return false
    }
  }
}
