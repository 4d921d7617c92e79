import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

struct Synthesize: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Makes recordings of simulated people who run, walk and stand still.",
    discussion: """
      The recordings come from a model of bodies and phones with physics in it, not from people: good for trying things \
      out, no evidence of how a model does on anybody. The same seed gives the same bytes. Files are laid out as \
      \(SimulationPlan.layout).

      JSON: {"folder", "layout", "seed", "sampleRate", "subjects", "recordings", "seconds"}
      """)

  @Argument(help: "The folder to make; it must not exist yet, or be empty.", completion: .directory)
  var folder: String

  @Option(parsing: .unconditional, help: "What the people are drawn from; another seed gives other people.")
  var seed: UInt64

  @Option(parsing: .unconditional, help: "How many people.")
  var subjects = 8

  @Option(parsing: .unconditional, help: ArgumentHelp("How long each recording is.", valueName: "seconds"))
  var seconds = 60.0

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How many rows there are in a second.", valueName: "hertz"))
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
        + "laid out as \(SimulationPlan.layout), \(number(rate.hertz)) Hz.")
  }

  /// What `--json` prints.
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
