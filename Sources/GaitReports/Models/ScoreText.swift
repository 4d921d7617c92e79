import Gait
import GaitTraining

extension ClassificationReport {
  /// One sentence on how good the model is, for whom it is worst, and what it confuses most.
  ///
  /// - Parameters:
  ///   - noun: what the windows are of, such as "held-out people".
  ///   - groupNoun: what a group is, such as "subject".
  func conclusion(on noun: String, groupNoun: String) -> String {
    let cells = labels.indices.flatMap { row in labels.indices.map { (row, $0) } }.filter { $0 != $1 }
    let most = cells.max { confusion[$0.0][$0.1] < confusion[$1.0][$1.1] }
    let mistake = most.flatMap { row, column -> String? in
      let count = confusion[row][column]
      return count == 0
        ? nil
        : " The most frequent mistake is \(labels[row]) predicted as \(labels[column]): \(count.grouped) of "
          + "\(confusion[row].reduce(0, +).grouped) windows."
    }
    let worst =
      areGroupsAlike ? "" : ", and \(worstGroup.accuracy.percent) for \(groupNoun) \(worstGroup.name), the worst"
    return "On \(noun) the model labels \(accuracy.percent) of the windows correctly\(worst).\(mistake ?? "")"
  }

  /// Whether several groups have the same accuracy, so that none is the worst.
  var areGroupsAlike: Bool {
    groups.count > 1 && groups.allSatisfy { $0.accuracy == worstGroup.accuracy }
  }

  /// The tile of the worst group.
  func worstTile(_ noun: String) -> (name: String, value: String, more: String) {
    (
      "Worst \(noun)", worstGroup.accuracy.percent,
      areGroupsAlike ? "all \(groups.count) \(noun)s alike" : "\(noun) \(worstGroup.name)"
    )
  }
}

extension Double {
  /// A number with a sign of its own width: `+0.0210`, `−0.0339`.
  func signedFixed(_ digits: Int) -> String { (self < 0 ? "−" : "+") + magnitude.fixed(digits) }
}

extension Markup {
  /// Sentences that a reader must know first.
  static func alert(_ sentences: [String]) -> Markup {
    .element("div", ["class": "alert"], [.list(sentences)])
  }
}
