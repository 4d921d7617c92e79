import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitReports
import GaitTraining

/// Tracks a run from standard input, line by line.
struct LiveTrack {
  let choice: ModelChoice
  let reading: ReadingOptions
  let options: RunOptions
  let isJSON: Bool

  private static let name = "standard input"

  /// Prints each event, and returns the run.
  func run() throws -> RunTimeline {
    var lines = try LiveRecording(descriptor: STDIN_FILENO, name: Self.name, options: reading)
    var tracker: RunTracker?
    while let block = try lines.next() {
      if tracker == nil { tracker = try begin(block) }
      for index in 0..<block.count {
        for event in tracker?.append(block[index]) ?? [] { try show(event) }
      }
    }
    for repair in lines.repairs { Terminal.warn("\(Self.name): \(repair)") }
    if lines.lateRowCount > 0 { Terminal.warn("\(lines.lateRowCount) late samples were dropped") }
    guard let tracker else { throw RecordingError.noRows(file: Self.name) }
    return tracker.finish()
  }

  private func begin(_ block: Recording) throws -> RunTracker {
    let model = choice.model(for: block.channels)
    try CommandDataError.naming(Self.name) { try model.check(block) }
    choice.tell(Self.name, channels: block.channels, policy: options.policy)
    return try RunTracker(
      model: model, sampleRate: block.sampleRate, options: options, gravityIsEstimated: block.gravityIsEstimated)
  }

  private func show(_ event: RunEvent) throws {
    let line = EventLine(event)
    if !isJSON { return try Terminal.print(line.text) }
    try Terminal.print(json: line, [])
  }
}
