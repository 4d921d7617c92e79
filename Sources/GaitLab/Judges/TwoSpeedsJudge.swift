import Foundation
import Gait
import GaitFormats
import GaitTraining

/// Evaluates a model on activities at two speeds, as in SisFall: the share of windows called running, by activity, and
/// the person with the least favourable share.
///
/// Jogging should be called running, everything else should not.
package struct TwoSpeedsJudge {
  /// Recordings of people that no model is trained on, at `ACTIVITY_SPEED/PERSON_TRIAL.csv`.
  private let folder: URL
  private let model: ActivityModel

  package init(folder: URL, model: ActivityModel) {
    self.folder = folder
    self.model = model
  }

  /// The windows of one person in one activity.
  private struct Windows {
    var running = 0
    var all = 0

    var share: Double { Double(running) / Double(all) }

    static func += (sum: inout Windows, part: Windows) {
      sum.running += part.running
      sum.all += part.all
    }
  }

  /// The share of the windows of all activities but jogging that the model calls running.
  func otherCalledRunning() throws -> Double {
    try activities().filter { !$0.key.hasPrefix("jogging") }.values.joined()
      .reduce(into: Windows()) { $0 += $1.value }.share
  }

  /// The windows of each person in each activity.
  private func activities() throws -> [String: [String: Windows]] {
    let listing = try FolderListing(directory: folder, layout: PathLayout("{activity}/{subject}_{trial}.csv"))
    let windows = try listing.files.mappedConcurrently(showing: "recording") { try self.windows(of: $0.url) }
    var activities: [String: [String: Windows]] = [:]
    for (file, count) in zip(listing.files, windows) {
      activities[file.fields["activity"]!, default: [:]][file.fields["subject"]!, default: Windows()] += count
    }
    return activities
  }

  /// Judges the model; passes each line of the table to `print`.
  package func run(print: (String) -> Void) throws {
    var rows = [["activity", "windows", "called running", "worst person", "of which"]]
    var rest: [String: Windows] = [:]
    for (activity, people) in try activities().sorted(by: { $0.key < $1.key }) {
      let isRunning = activity.hasPrefix("jogging")
      rows.append(row(activity, people, leastIsWorst: isRunning))
      guard !isRunning, !activity.hasSuffix("_quickly") else { continue }
      for (person, count) in people { rest[person, default: Windows()] += count }
    }
    // The rest are all activities but jogging and those that are done quickly.
    rows.append(row("the rest", rest, leastIsWorst: false))
    ReportTable(list: rows).lines.forEach(print)
  }

  private func windows(of file: URL) throws -> Windows {
    let labels = try model.classify(Recording(contentsOf: file)).map(\.label)
    return Windows(running: labels.count { $0 == "running" }, all: labels.count)
  }

  private func row(_ name: String, _ people: [String: Windows], leastIsWorst: Bool) -> [String] {
    let all = people.values.reduce(into: Windows()) { $0 += $1 }
    let shares = people.filter { $0.value.all > 0 }.map { (share: $0.value.share, person: $0.key) }
    guard let worst = leastIsWorst ? shares.min(by: <) : shares.max(by: <) else { return [name, "0", "–", "–", "–"] }
    return [name, String(all.all), all.share.percent, worst.person, worst.share.percent]
  }
}
