import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

struct Synthesize: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Simulates recordings of people who run, walk and stand still.",
    discussion: """
      The recordings come from a physical simulation of bodies and phones, not from people. They are for trials; they \
      do not show how accurate a model is on real people. The same seed gives the same bytes. The layout is \
      \(SimulationPlan.layout).

      JSON: {"folder", "layout", "seed", "sampleRate", "subjects", "recordings", "seconds"}
      """)

  @Argument(help: "The folder to create; it must not exist or must be empty.", completion: .directory)
  var folder: String

  @Option(parsing: .unconditional, help: "The seed of the simulated people.")
  var seed: UInt64

  @Option(parsing: .unconditional, help: "The number of people.")
  var subjects = 8

  @Option(parsing: .unconditional, help: ArgumentHelp("The length of each recording.", valueName: "seconds"))
  var seconds = 60.0

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The sample rate.", valueName: "hertz"))
  var rate = SampleRate.hertz(50)

  @Flag(help: "Prints the results as JSON.")
  var json = false

  func validate() throws {
    guard (1...10_000).contains(subjects) else { throw ValidationError("--subjects must be within 1…10000.") }
    guard (1...3600).contains(seconds) else { throw ValidationError("--seconds must be within 1…3600.") }
    guard (4...1000).contains(rate.hertz) else { throw ValidationError("--rate must be within 4…1000 Hz.") }
  }

  func run() throws {
    let draft = try DraftFolder(at: folder)
    let entries = SimulationPlan(subjects: subjects, seconds: seconds).entries
    try draft.fill { try write(entries, to: $0) }
    try report(entries)
  }

  private func write(_ entries: [SimulationPlan.Entry], to draft: URL) throws {
    let simulator = Simulator(seed: seed, sampleRate: rate)
    let progress = Progress("recording", of: entries.count)
    for label in Set(entries.map(\.activity.label)) {
      try FileManager.default.createDirectory(
        at: draft.appending(path: label), withIntermediateDirectories: true)
    }
    try entries.mappedConcurrently { (entry) throws(FileWriteError) in
      defer { progress.advance() }
      try simulator.recording(entry).writeWithoutTimes(to: draft.appending(path: entry.path))
    }
  }

  private func report(_ entries: [SimulationPlan.Entry]) throws {
    let result = Result(
      folder: folder, layout: SimulationPlan.layout, seed: seed, sampleRate: rate.hertz, subjects: subjects,
      recordings: entries.count, seconds: entries.reduce(0) { $0 + $1.seconds })
    guard !json else { return try Terminal.print(json: result) }
    try Terminal.print(
      "Wrote \(entries.count) simulated recordings of \(subjects) \(subjects == 1 ? "person" : "people") to \(folder), "
        + "layout \(SimulationPlan.layout), \(number(rate.hertz)) Hz.")
  }

  /// The output of `--json`.
  private struct Result: Encodable {
    var folder: String
    var layout: String
    var seed: UInt64
    var sampleRate: Double
    var subjects: Int
    var recordings: Int
    var seconds: Double
  }
}
