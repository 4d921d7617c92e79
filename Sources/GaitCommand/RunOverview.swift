import Foundation
import Gait
import GaitReports
import GaitTraining

/// The page of a batch of runs, from the JSON of each run.
struct RunOverview {
  let entries: [RecordingBatch.Entry]
  /// The folder of the outputs.
  let folder: String
  /// The path of the page, from which it links to those of the runs.
  let path: String
  /// What made the page.
  let origin: PageOrigin
  /// The length of a split, metres; with a mile the page is in miles.
  let splitMeters: Double

  var html: String {
    struct Figures: Decodable {
      struct Pause: Decodable {}
      struct Distance: Decodable { var meters: Double }
      struct Climb: Decodable { var gain: Double }
      struct Slice: Decodable {
        var start: Double
        var end: Double
        var state: RunTimeline.State
      }
      var startedAt: Double?
      var elapsed: Double
      var moving: Double
      var paused: Double
      var distance: Distance?
      var elevation: Climb?
      var pauses: [Pause]
      var slices: [Slice]
    }
    let rows = entries.map { entry -> RunListPage.Row in
      var row = RunListPage.Row(name: entry.recording)
      row.failure = entry.status == .done ? nil : entry.message ?? "not tracked"
      guard row.failure == nil, let file = entry.outputs.first else { return row }
      do {
        let run = try JSONDecoder().decode(
          Figures.self, from: Data(contentsOf: URL(filePath: folder).appending(path: file)))
        (row.elapsedSeconds, row.movingSeconds, row.pausedSeconds) = (run.elapsed, run.moving, run.paused)
        (row.pauses, row.distance, row.climb) = (run.pauses.count, run.distance?.meters, run.elevation?.gain)
        row.startedAt = run.startedAt.map { Date(timeIntervalSince1970: $0) }
        row.slices = run.slices.filter { $0.start < $0.end }.map { ($0.start..<$0.end, $0.state) }
        row.page = entry.outputs.first { $0.hasSuffix(".html") }.map { Self.address(of: "\(folder)/\($0)", from: path) }
      } catch {
        // A row with zeros would look like a run, so the row states a failure instead.
        row.failure = "\(file) cannot be read"
      }
      return row
    }
    var page = RunListPage(title: "Runs in \(URL(filePath: folder).lastPathComponent)", rows: rows)
    (page.origin, page.usesMiles) = (origin, splitMeters == Split.mile)
    return page.html
  }

  /// The address of a file as a link in a page, relative to it.
  private static func address(of file: String, from page: String) -> String {
    file.relativePath(from: URL(filePath: page).deletingLastPathComponent().path).split(separator: "/")
      .map { $0.addingPercentEncoding(withAllowedCharacters: .urlHostAllowed) ?? String($0) }.joined(separator: "/")
  }
}
