import Foundation
import Gait
import GaitTraining

/// The layout that a folder's paths probably have: parts that are the same in all paths are text, the others
/// placeholders.
///
/// Paths are cut at `/`, and the names of files also at `_`, `-`, spaces and before a number at the end. A layout is
/// proposed only if it fits the paths and gives at least two labels.
struct LayoutGuess {
  /// A template, such as `{subject}/{label}/{recording}.csv`.
  let layout: String

  /// A sentence with a layout to try, or with an example path if none fits; `nil` if the folder has no recordings.
  static func cure(for folder: String) -> String? {
    let directory = URL(filePath: folder, directoryHint: .isDirectory)
    guard let paths = try? FolderWalk(root: directory).recordings, let path = paths.first else { return nil }
    let example = "\(folder) has files such as \(path)"
    return LayoutGuess(paths).map { "\(example): try --layout '\($0.layout)'" }
      ?? "\(example), whose parts give no two labels: labels in a column or beside the files need --label-column or --intervals, too"
  }

  /// Whether a folder has a file that is named like a recording, at any depth.
  static func hasRecordings(_ folder: String) -> Bool {
    let directory = URL(filePath: folder, directoryHint: .isDirectory)
    let recordings = (try? FolderWalk(root: directory).recordings) ?? []
    return recordings.contains { !$0.lowercased().hasSuffix("location.csv") }
  }

  /// A layout of most of the paths; `nil` if none gives two labels.
  init?(_ paths: [String]) {
    guard let layout = Self.template(of: paths, cutsNames: true) ?? Self.template(of: paths, cutsNames: false) else {
      return nil
    }
    self.layout = layout
  }

  /// A layout of the largest group of paths with the same texts between their values; `nil` if it gives no two labels.
  ///
  /// - Parameter cutsNames: whether names of files are cut at each `_`, `-` and space; most paths must then be alike.
  private static func template(of paths: [String], cutsNames: Bool) -> String? {
    let all = paths.prefix(mostPaths).map { Pieces($0, cutsName: cutsNames) }
    let groups = Dictionary(grouping: all, by: \.texts)
    guard let common = groups.values.max(by: { ($0.count, $1[0].path) < ($1.count, $0[0].path) }),
      !cutsNames || 10 * common.count >= 9 * all.count
    else { return nil }
    let columns = common[0].values.indices.map { index in common.map { $0.values[index] } }
    /// The text before a column, if it is the same in all paths.
    func word(before index: Int) -> String {
      index > 0 && Set(columns[index - 1]).count == 1 ? columns[index - 1][0] : ""
    }
    let labels = columns.indices.filter { Set(columns[$0]).count > 1 }
      .map { (column: $0, score: score(ofLabels: columns[$0], after: word(before: $0))) }
      .max { ($0.score, $0.column) < ($1.score, $1.column) }
    guard let label = labels, label.score > 0 else { return nil }
    let person = columns.indices.first {
      $0 != label.column && arePeople(columns[$0], after: word(before: $0), labels: columns[label.column])
    }
    let template = common[0].template(columns, label: label.column, person: person)
    let layout = try? PathLayout(template)
    return Set(common.compactMap { layout?.match($0.path)?["label"] }).count > 1 ? template : nil
  }

  private static let mostPaths = 2000
  /// The maximum number of labels.
  private static let mostLabels = 60

  /// How much values look like labels: 10 times the share that are names of activities, plus the share that are words,
  /// plus 0.1 if values repeat (0.2 after a word such as "label"). 0 for more than `mostLabels` values.
  private static func score(ofLabels column: [String], after word: String) -> Double {
    let values = Set(column)
    guard values.count <= mostLabels else { return 0 }
    let known = values.count { Activity(knownLabel: $0) != nil }
    let words = values.count { $0.count { $0.isLetter } > 2 && !$0.contains(where: \.isNumber) }
    let repeats = values.count < column.count ? (wordsOfLabels.contains(word.lowercased()) ? 0.2 : 0.1) : 0
    return (10 * Double(known) + Double(words)) / Double(values.count) + repeats
  }

  /// Whether the values of a column are people. Two conditions must hold:
  ///
  /// 1. There are several values, and at least one of them has several labels.
  /// 2. A word such as "subject" is before the values or at the start of one, or all values are names without digits.
  private static func arePeople(_ column: [String], after word: String, labels: [String]) -> Bool {
    let values = Set(column)
    guard values.count > 1, Set(zip(column, labels).map { "\($0)/\($1)" }).count > values.count else { return false }
    let words = [word] + values.map { String($0.prefix { $0.isLetter }) }
    return words.contains { wordsOfPeople.contains($0.lowercased()) }
      || values.allSatisfy { $0.count > 2 && $0.allSatisfy { $0.isLetter || "_ ".contains($0) } }
  }

  private static let wordsOfLabels: Set<String> = [
    "a", "act", "activity", "label", "class", "task", "adl", "move", "movement", "motion", "exercise", "gesture",
  ]
  private static let wordsOfPeople: Set<String> = [
    "s", "p", "u", "sub", "subj", "subject", "user", "person", "participant", "volunteer", "id", "runner",
  ]

  /// A path in values, each after a text: the values may differ between paths of one layout, the texts do not.
  private struct Pieces {
    let path: String
    private(set) var values: [String] = []
    /// The text before each value, and the one at the end.
    private(set) var texts: [String] = []

    init(_ path: String, cutsName: Bool) {
      self.path = path
      let parts = path.split(separator: "/").map(String.init)
      let name = (parts[parts.count - 1] as NSString).deletingPathExtension
      for (index, part) in (parts.dropLast() + [name]).enumerated() {
        add(part, after: index == 0 ? "" : "/", cuts: cutsName && index == parts.count - 1)
      }
      texts.append(String(parts[parts.count - 1].dropFirst(name.count)))
    }

    /// Cuts a part of the path before a number at its end or, with `cuts`, also at each separator.
    private mutating func add(_ part: String, after text: String, cuts: Bool) {
      let number = part.reversed().prefix { $0.isNumber }.count
      let words = part.dropLast(number)
      let separator = words.reversed().prefix { "_- ".contains($0) }.count
      let stem = words.dropLast(separator)
      guard number > 0, !stem.isEmpty else { return addWords(part, after: text, cuts: cuts) }
      addWords(String(stem), after: text, cuts: cuts)
      values.append(String(part.suffix(number)))
      texts.append(String(words.suffix(separator)))
    }

    private mutating func addWords(_ words: String, after text: String, cuts: Bool) {
      var (text, value) = (text, "")
      for character in words {
        if cuts, "_- ".contains(character), !value.isEmpty {
          values.append(value)
          texts.append(text)
          (text, value) = (String(character), "")
        } else {
          value.append(character)
        }
      }
      values.append(value)
      texts.append(text)
    }

    /// The template: values that are the same in all paths are text, the others fields.
    func template(_ columns: [[String]], label: Int, person: Int?) -> String {
      var (result, count) = ("", 0)
      for (index, value) in values.enumerated() {
        result += texts[index]
        switch index {
        case label: result += "{label}"
        case person: result += "{subject}"
        case _ where Set(columns[index]).count == 1: result += value
        case values.count - 1: result += "{recording}"
        default:
          count += 1
          result += count == 1 ? "{part}" : "{part\(count)}"
        }
      }
      return result + texts[values.count]
    }
  }
}
