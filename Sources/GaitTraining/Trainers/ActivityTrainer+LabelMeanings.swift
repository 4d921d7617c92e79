import Foundation
import Gait

extension ActivityTrainer {
  /// Meanings of labels from texts such as `resting=still` or `climbing,jumping=moving`.
  ///
  /// - Throws: `LabelMeaningError` if a text has another form or names no activity.
  public static func meanings(_ texts: [String]) throws(LabelMeaningError) -> [String: Activity] {
    var meanings: [String: Activity] = [:]
    for text in texts {
      let sides = text.split(separator: "=", omittingEmptySubsequences: false).map(\.trimmed)
      let labels = sides[0].split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
      guard sides.count == 2, !labels.contains("") else { throw .malformed(text) }
      guard let activity = sides[1] == "moving" ? .other : Activity(rawValue: sides[1]) else {
        throw .unknownActivity(text, sides[1])
      }
      for label in labels {
        guard meanings[label] ?? activity == activity else { throw .twoMeanings(label) }
        meanings[label] = activity
      }
    }
    return meanings
  }

  /// Checks that every label with a stated meaning occurs in the dataset.
  ///
  /// - Throws: `LabelMeaningError.noSuchLabel`.
  public func requireMeanings(in dataset: LabeledDataset) throws(LabelMeaningError) {
    for label in meanings.keys.sorted() where !dataset.labels.contains(label) {
      throw .noSuchLabel(label, found: dataset.labels)
    }
  }

  /// Whether the dataset has both recordings of standing still and other recordings. A pause head needs both.
  func hasStops(_ dataset: LabeledDataset) -> Bool {
    let activities = Set(dataset.labels.map { meanings[$0] ?? Activity(label: $0) })
    return activities.contains(.still) && activities.count > 1
  }

  /// Warnings about labels that are taken for other movement because their meaning is unknown, and about a missing
  /// pause head.
  func meaningWarnings(of dataset: LabeledDataset) -> [String] {
    let assumed = dataset.labels.filter { meanings[$0] == nil && Activity(knownLabel: $0) == nil }
    var warnings: [String] = []
    if let first = assumed.first {
      let isOne = assumed.count == 1
      warnings.append(
        "\(isOne ? "label" : "labels") \(assumed.map { "\"\($0)\"" }.listed()) \(isOne ? "is" : "are") assumed to be "
          + "movement other than running and walking; if that is wrong, state the meaning (--meaning "
          + "\("\(first)=still".shellWord), or ActivityTrainer.meanings)")
    }
    if pauseWindow != nil, !hasStops(dataset) {
      warnings.append(
        "no pause head was fitted, because the labels do not include both standing still and movement; "
          + "a run tracked with this model is not paused while its wearer stands still")
    }
    return warnings
  }
}

/// An error in the stated meanings of labels.
public enum LabelMeaningError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// A text is not of the form `label,label=activity`.
  case malformed(String)
  /// A text names no activity.
  case unknownActivity(String, String)
  /// A label has two meanings.
  case twoMeanings(String)
  /// The dataset has no such label.
  case noSuchLabel(String, found: [String])

  /// The sentence of `description`.
  public var errorDescription: String? { description }

  /// What is wrong, and the cure.
  public var description: String {
    switch self {
    case .malformed(let text):
      "\"\(text)\" is no meaning of a label; write a label, an equals sign and an activity, such as resting=still."
    case .unknownActivity(let text, let name):
      "\"\(text)\": \"\(name)\" is no activity; choose running, walking, still or moving (any other movement)."
    case .twoMeanings(let label): "label \"\(label)\" has two meanings; keep one of them."
    case .noSuchLabel(let label, let found):
      "no recording has the label \"\(label)\", whose meaning is stated; the labels are "
        + "\(found.joined(separator: ", "))."
    }
  }
}
