import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitLab
import GaitTraining

/// `gait-lab simulate`, which writes simulated recordings.
struct Simulate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Simulates recordings of people who run, walk and stand still.",
    discussion: """
      For example: gait-lab simulate people --seed 1 --run running=120,still=30,running=60 --gps

      The recordings come from a physical simulation of bodies and phones, not from people. They are for trials; they \
      do not show how accurate a model is on real people. The same seed gives the same bytes. The layout is \
      \(SimulationPlan.layout). With --run, each person makes one run through several activities instead: run_1.csv \
      and so on, in Gait's own format, with gravity and user acceleration.
      """)

  @Argument(help: "The folder to create; it must not exist or must be empty.", completion: .directory)
  var folder: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The seed of the simulated people; the same seed gives the same bytes.", valueName: "number"))
  var seed: UInt64

  @Option(parsing: .unconditional, help: ArgumentHelp("The number of people, 1 to 10000.", valueName: "count"))
  var subjects = 8

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The length of each recording, 1 to 3600; 60 unless given, not with --run.", valueName: "seconds"))
  var seconds: Double?

  @Option(
    name: .customLong("run"),
    help: ArgumentHelp(
      "Simulates runs: activities in order with their seconds, 5 to 3600 each, such as running=120,still=30,running=60.",
      valueName: "activity=seconds,…"),
    transform: RunStretches.parse)
  var stretches: [SimulatedRun.Stretch]?

  @Flag(
    help: ArgumentHelp(
      "With --run, writes the GPS points of each run too: run_1.gpx and so on. Their dates begin with 1970, as the "
        + "recordings begin at 0 s."))
  var gps = false

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The sample rate, 4 to 1000.", valueName: "hertz"))
  var rate = 50.0

  func validate() throws {
    func require(_ isMet: Bool, _ message: String) throws { if !isMet { throw ValidationError(message) } }
    try require(1...10_000 ~= subjects, "--subjects must be within 1…10000.")
    try require(seconds == nil || stretches == nil, "--seconds and --run both state the length; give one of them.")
    try require(!gps || stretches != nil, "--gps needs --run.")
    try require(seconds.map { 1...3600 ~= $0 } ?? true, "--seconds must be within 1…3600.")
    try require(stretches.map { $0.reduce(0) { $0 + $1.seconds } <= 86_400 } ?? true, "--run must last at most a day.")
    try require(4...1000 ~= rate, "--rate must be within 4…1000 Hz.")
  }

  private static let defaultSeconds = 60.0

  func run() throws {
    let target = URL(filePath: folder, directoryHint: .isDirectory)
    guard (try? FileManager.default.contentsOfDirectory(atPath: folder))?.isEmpty ?? !isThere else {
      throw ValidationError("\(folder) is there and is not an empty folder; name a new folder.")
    }
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    let simulator = Simulator(seed: seed, sampleRate: .hertz(rate))
    if let stretches {
      let runs = (1...subjects).map { SimulatedRun(subject: $0, stretches: stretches) }
      try runs.mappedConcurrently(showing: "recording") { (run) throws(FileWriteError) in
        try simulator.recording(run).trackable.write(to: target.appending(path: run.path))
      }
      if gps { for run in runs { try Self.writeTrack(simulator.locations(run), of: run, to: target) } }
      return report(count: runs.count, layout: "run_{subject}.csv")
    }
    let entries = SimulationPlan(subjects: subjects, seconds: seconds ?? Self.defaultSeconds).entries
    for label in Set(entries.map(\.activity.label)) {
      try FileManager.default.createDirectory(at: target.appending(path: label), withIntermediateDirectories: false)
    }
    try entries.mappedConcurrently(showing: "recording") { (entry) throws(FileWriteError) in
      try simulator.recording(entry).writeWithoutTimes(to: target.appending(path: entry.path))
    }
    report(count: entries.count, layout: SimulationPlan.layout)
  }

  private var isThere: Bool { FileManager.default.fileExists(atPath: folder) }

  /// Writes GPS points as GPX; the times of a simulated run start at 0, which is the beginning of 1970.
  private static func writeTrack(_ locations: [LocationSample], of run: SimulatedRun, to folder: URL) throws {
    let end = SampleTime(nanoseconds: 0).advanced(bySeconds: run.seconds)
    let timeline = RunTimeline(start: SampleTime(nanoseconds: 0), end: end, route: locations.map(\.rounded))
    let text = TrackDocument.gpx(ofRoute: timeline, started: Date(timeIntervalSince1970: 0))
    try AtomicFile.write(Array(text.utf8), to: folder.appending(path: run.path.replacing(".csv", with: ".gpx")))
  }

  private func report(count: Int, layout: String) {
    show(
      "Wrote \(count) simulated \(count == 1 ? "recording" : "recordings") of \(subjects) "
        + "\(subjects == 1 ? "person" : "people") to \(folder), layout \(layout), \(plain(rate)) Hz.")
  }
}

/// The text form of a run: activities with their lengths, such as `running=120,still=30,running=60`.
enum RunStretches {
  /// The shortest and longest stretch, seconds.
  private static let validSeconds = 5.0...3600

  /// The stretches that a text states.
  ///
  /// - Throws: `ValidationError`, which shows the form.
  static func parse(_ text: String) throws -> [SimulatedRun.Stretch] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      let sides = part.split(separator: "=", omittingEmptySubsequences: false)
      guard sides.count == 2, let activity = SimulatedActivity(rawValue: String(sides[0])),
        let seconds = Double(sides[1]), validSeconds.contains(seconds)
      else {
        throw ValidationError(
          "\"\(part)\" is not an activity with its length; write running, walking or still, an equals sign and "
            + "\(plain(validSeconds.lowerBound)) to \(plain(validSeconds.upperBound)) seconds, such as still=30")
      }
      return SimulatedRun.Stretch(activity, seconds: seconds)
    }
  }
}

extension Recording {
  /// The recording with only gravity and user acceleration, which auto-pause uses: files are half as large.
  fileprivate var trackable: Recording {
    let channels = Channel.allCases.filter { [.gravity, .userAcceleration].contains($0.sensor) }
    return Recording(
      name: name, sampleRate: sampleRate,
      columns: Dictionary(uniqueKeysWithValues: channels.map { ($0, self[$0]) }))
  }
}

extension LocationSample {
  /// The point with its position and altitude rounded to 0.1 m and its speed to 0.01 m/s, for small files.
  fileprivate var rounded: LocationSample {
    var point = self
    func round(_ value: Double, _ factor: Double) -> Double { (value * factor).rounded() / factor }
    (point.latitude, point.longitude) = (round(latitude, 1e6), round(longitude, 1e6))
    point.altitude = altitude.map { round($0, 10) }
    point.speed = speed.map { round($0, 100) }
    point.verticalAccuracy = verticalAccuracy.map { round($0, 10) }
    point.speedAccuracy = speedAccuracy.map { round($0, 100) }
    return point
  }
}
