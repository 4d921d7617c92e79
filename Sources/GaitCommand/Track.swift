import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitReports
import GaitTraining

struct Track: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "track",
    abstract: "Tracks a run: running, walking and pauses, splits, steps and distance.",
    discussion: """
      For example: gait track datasets/simulated-runs/run_1.csv --location datasets/simulated-runs/run_1.gpx

      Without a model it uses the built-in one that fits the recording, and says which: running, or running-linear for \
      a recording without gravity. A recording that is a folder or archive has its GPS points in its Location.csv. A \
      GPX or TCX track, or a table of GPS points, is tracked without motion.

      Processes a recording like a live stream: pauses and resumes the run automatically and dates every decision back \
      to its onset. With - as the recording it reads lines from standard input, in every text format that files may \
      have, prints every event at once and the run at the end. Without --rate, the times of the first 3 s of lines \
      determine the sample rate.
      """)

  enum Format: String, OptionWord {
    case text, json, csv, gpx, tcx
  }

  @Argument(
    help: ArgumentHelp(
      "The model, a file or a built-in one, by default the built-in one that fits; then the recording, or - for "
        + "standard input; with --output-folder, recordings and folders.", valueName: "model> <recording"),
    completion: .file())
  var arguments: [String]

  private var model: ModelArgument? {
    ModelArgument.isFirst(of: arguments) || arguments.count > 1 && batch.outputFolder == nil
      ? ModelArgument(argument: arguments[0]) : nil
  }

  private var recordings: [String] { Array(model == nil ? arguments[...] : arguments.dropFirst()) }

  private var recording: String { recordings[0] }

  @OptionGroup var batch: BatchOptions

  @OptionGroup var recordingOptions: RecordingOptions

  @Option(
    help: ArgumentHelp(
      "The activities that pause the run: still, notRunning, never, or a list such as still+walking.",
      valueName: "activities"))
  var policy = PausePolicy.whenStill

  @Option(
    help: ArgumentHelp(
      "The GPS points of the same run: a GPX or TCX track, a table of GPS points, or a folder with Location.csv. With "
        + "--output-folder, the ending of the recordings' GPS files, such as .gpx.", valueName: "file"),
    completion: .file())
  var location: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The seconds to add to the times of the GPS points; needed only if the clocks differ by an unknown offset.",
      valueName: "seconds"))
  var locationOffset: Double?

  @Option(help: ArgumentHelp("The format of the output.", valueName: "format"))
  var outputFormat = Format.text

  @Flag(help: "Prints JSON; the same as --output-format json.")
  var json = false

  @OptionGroup var quiet: QuietOption

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The length of a split in meters, 1 to 1000000, or km or mile (default: km).", valueName: "meters|km|mile"),
    transform: Self.splitLength)
  var split = Split.kilometer

  @Option(
    help: ArgumentHelp(
      "The times at which laps end, in seconds from the recording's start, such as 300,725.5; not with -.",
      valueName: "seconds,…"))
  var lap: String?

  @Option(
    help: ArgumentHelp(
      "A programme of intervals in seconds of moving time, 1 to 86400 each, such as 300,60; a lap ends with each.",
      valueName: "seconds,…"))
  var intervals: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The length of a running step, for the distance without GPS, 0.1 to 5.", valueName: "meters"))
  var stepLength: Double?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The body mass, for the energy, 1 to 500.", valueName: "kilograms"))
  var bodyMass: Double?

  @Option(
    help: ArgumentHelp(
      "An HTML page of the run: totals, a map, pace, cadence and altitude, splits, pauses, and how they were measured, "
        + "in miles with --split mile; with --output-folder, an overview of the runs.", valueName: "file.html")
  )
  var report: String?

  @Option(help: ArgumentHelp("The heading of the page; by default the date of the run.", valueName: "text"))
  var title: String?

  @Option(
    help: ArgumentHelp(
      "A picture of the run for light and dark backgrounds: acceleration, stopping probability, pauses and decisions.",
      valueName: "file.svg"))
  var chart: String?

  func validate() throws {
    let first = arguments.first ?? "running"
    try require(
      !recordings.isEmpty,
      "\(first) is the model; name a recording after it, such as gait track \(first) run.csv, or - for standard input.")
    try require(
      !json || outputFormat == .text || outputFormat == .json,
      "--json and --output-format \(outputFormat.rawValue) exclude each other; omit one of them.")
    if batch.outputFolder == nil, arguments.count == 2, Self.isRoute(arguments[1]),
      !ModelArgument.isFirst(of: arguments)
    {
      throw ValidationError(
        "\(arguments[1]) holds GPS points; name it with --location, as in gait track \(first) --location \(arguments[1])."
      )
    }
    try batch.check(recordings)
    try require(
      batch.outputFolder == nil || [lap, chart].allSatisfy({ $0 == nil }) && !recordings.contains("-"),
      "--output-folder excludes -, --lap and --chart; omit one of them.")
    try require(
      batch.outputFolder == nil || location?.hasPrefix(".") ?? true,
      "with --output-folder, --location is the ending of each recording's GPS file, such as .gpx for run_1.gpx beside "
        + "run_1.csv.")
    guard 1...1_000_000 ~= split, stepLength.map({ 0.1...5 ~= $0 }) ?? true, bodyMass.map({ 1...500 ~= $0 }) ?? true
    else {
      throw ValidationError(
        "--split must be within 1…1000000 m, --step-length within 0.1…5 m, --body-mass within 1…500 kg.")
    }
    try require(
      locationOffset.map({ abs($0) <= 4e9 && location != nil }) ?? true,
      "--location-offset must be within ±4e9 s and needs --location.")
    try require(
      lap == nil || Self.seconds(lap, within: 0...1e9) != nil,
      "--lap must be seconds from the start, joined by commas, such as 300,725.5.")
    try require(
      intervals == nil || Self.seconds(intervals, within: 1...86_400) != nil,
      "--intervals must be seconds within 1…86400, joined by commas, such as 300,60.")
    try require(lap == nil || recording != "-", "--lap needs a recording from a file; a live run can have --intervals.")
    try require(
      recording != "-" || (location == nil && report == nil && chart == nil),
      "--location, --report and --chart need a recording from a file, not from standard input.")
  }

  /// Whether the path is named like a file of GPS points.
  private static func isRoute(_ path: String) -> Bool {
    let name = path.lowercased()
    return [".gpx", ".tcx", ".fit"].contains { name.hasSuffix($0) }
  }

  /// The length of a split, metres, from a number or a unit.
  private static func splitLength(_ text: String) throws -> Double {
    switch text {
    case "km": return Split.kilometer
    case "mile", "mi": return Split.mile
    default:
      guard let meters = Double(text) else {
        throw ValidationError("\"\(text)\" is not a length; write meters, km or mile, such as --split 400.")
      }
      return meters
    }
  }

  /// The numbers of a list joined by commas; `nil` if one is not within `range`.
  private static func seconds(_ list: String?, within range: ClosedRange<Double>) -> [Double]? {
    guard let list else { return [] }
    let numbers = list.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    return numbers.allSatisfy { $0.map(range.contains) ?? false } ? numbers.compactMap { $0 } : nil
  }

  func run() throws {
    let page = report.map { OutputFile($0, .document) }
    let picture = chart.map { OutputFile($0, .document) }
    let points = batch.outputFolder == nil ? location : nil
    try OutputFile.check([page, picture], inputs: (model?.inputs ?? []) + [recording] + [points].compactMap { $0 })
    let choice = try ModelChoice(model)
    if let folder = batch.outputFolder { return try runBatch(choice, folder, page) }
    if recording == "-" {
      let live = LiveTrack(choice: choice, reading: recordingOptions.reading(), options: options, isJSON: isJSON)
      return try print(live.run(), started: nil)
    }
    let url = URL(filePath: recording)
    if location == nil, Self.isRoute(recording) { return try track(LocationFile(contentsOf: url), page, picture) }
    var file = try location.map { try LocationFile(contentsOf: URL(filePath: $0)) }
    if location == nil, let inside = try LocationFile(inside: url) {
      Terminal.warn("\(recording): used the GPS points in its Location.csv")
      file = inside
    }
    let keepsPoints = page != nil || picture != nil
    var model = choice.model(for: choice.channels)
    var run = try TrackedRecording(model: model, options: options, keepsPoints: keepsPoints)
    var shift: LocationFile.ClockShift?
    var date: Date?
    var hasMotion = false
    let summary: RecordingSummary
    do {
      // With GPS points or laps the recording is read as one block, because they are placed by the times of all its
      // samples.
      summary = try recordingOptions.read(recording, isWhole: file != nil || lap != nil) { recording in
        hasMotion = true
        try CommandDataError.naming(recording.name) {
          model = choice.model(for: recording.channels)
          try run.begin(recording, model: model)
        }
      } append: {
        let recording = $0.recording
        shift = try file?.shift(to: recording, offset: locationOffset)
        date = try file?.date(ofStartOf: recording, offset: locationOffset)
        let locations = try file?.aligned(to: recording, offset: locationOffset) ?? []
        run.append(recording, locations: locations, laps: try laps(of: recording))
      }
    } catch {
      guard !hasMotion, location == nil, let points = pointsAlone(at: url) else { throw error }
      return try track(points, page, picture)
    }
    run.finish()
    choice.tell(summary.recording.name, channels: summary.recording.channels, policy: policy)
    if let file, let shift { tell(shift, of: file) }
    if !run.hasWindow { Terminal.warn(ofNoWindowIn: summary.recording.name, lasting: summary.duration, model) }
    run.title = title
    run.started = PhyphoxClock.date(ofStartOf: summary.recording, at: url) ?? date ?? summary.recording.startDate
    if keepsPoints { run.origin = .thisCommand(by: [choice.name(for: summary.recording.channels)]) }
    try page?.write(run.page.utf8)
    try picture?.write(run.chart.utf8)
    try print(
      run.run, started: run.started,
      invalidPoints: file?.invalidPointCount ?? 0)
  }

  /// The GPS points of a table that has no motion; `nil` if it has none, or comes through a pipe, which can be read
  /// once only.
  private func pointsAlone(at url: URL) -> LocationFile? {
    guard case .file? = PathKind(at: url.path) else { return nil }
    return try? LocationFile(contentsOf: url)
  }

  /// Tracks a run from GPS points without motion, and prints it.
  private func track(_ file: LocationFile, _ page: OutputFile?, _ picture: OutputFile?) throws {
    var run = try TrackedRecording(model: .running, options: options)
    run.track(file, name: recording)
    (run.title, run.origin) = (title, .thisCommand())
    Terminal.warn("\(recording): a run of \(file.samples.count) GPS points alone; pauses are where they stand")
    if file.segments.count > 1 {
      Terminal.warn("\(recording): paused between its \(file.segments.count) segments")
    }
    try page?.write(run.page.utf8)
    try picture?.write(run.chart.utf8)
    try print(run.run, started: run.started, invalidPoints: file.invalidPointCount)
  }

  /// Writes the JSON of each recording's run, and with an overview its page.
  private func runBatch(_ choice: ModelChoice, _ folder: String, _ page: OutputFile?) throws {
    let (options, splitMeters, bodyMass, ending, offset) = (options, split, bodyMass, location, locationOffset)
    let hasPages = page != nil
    let origin = PageOrigin.thisCommand(by: model.map { [$0.text] } ?? [])
    try batch.run(
      recordings, in: folder,
      settings: [
        "track", choice.settings, "\(options)", "\(splitMeters)", "\(bodyMass ?? 0)",
        "\(offset ?? 0)", "\(hasPages)",
      ],
      options: recordingOptions.reading(), results: json, endings: [".run.json"] + (hasPages ? [".run.html"] : []),
      inputs: model?.inputs ?? [],
      locationEnding: ending,
      overview: { entries in
        try page.map {
          let overview = RunOverview(
            entries: entries, folder: folder, path: $0.path, origin: origin, splitMeters: splitMeters)
          try $0.write(overview.html.utf8)
        }
      }
    ) { path, blocks in
      var run = try TrackedRecording(model: choice.model(for: choice.channels), options: options, keepsPoints: hasPages)
      var date: Date?
      var gps = try RecordingBatch.location(of: path, ending: ending).map { try LocationFile(contentsOf: $0) }
      if ending == nil { gps = try LocationFile(inside: URL(filePath: path)) }
      let summary = try blocks.read(isWhole: gps != nil) { recording in
        try CommandDataError.naming(recording.name) {
          try run.begin(recording, model: choice.model(for: recording.channels))
        }
      } append: {
        date = try gps?.date(ofStartOf: $0.recording, offset: offset)
        run.append($0.recording, locations: try gps?.aligned(to: $0.recording, offset: offset) ?? [])
      }
      run.finish()
      let recording = summary.recording
      run.started = PhyphoxClock.date(ofStartOf: recording, at: URL(filePath: path)) ?? date ?? recording.startDate
      run.origin = origin
      run.origin.models = [choice.name(for: recording.channels)]
      let document = RunJSON(
        run: run.run, started: run.started, splitMeters: splitMeters, bodyMass: bodyMass,
        invalidPoints: gps?.invalidPointCount ?? 0)
      let json = SpooledBytes()
      try LongJSON.encode("cadencePoints", of: document.pointCount, document.cadencePoints, in: document.object(with:))
      { piece in
        try json.append { $0 += piece }
      }
      try json.append { $0.append(UInt8(ascii: "\n")) }
      let warnings =
        choice.notes(for: summary.recording.channels, policy: policy)
        + (ending != nil && gps == nil ? ["there is no file of GPS points"] : [])
      return (
        summary,
        RecordingBatch.Result(
          files: [(".run.json", [json])] + (hasPages ? [(".run.html", [SpooledBytes(Array(run.page.utf8))])] : []),
          warnings: warnings)
      )
    }
  }

  /// Says by how much the times of the GPS points were shifted, and why.
  private func tell(_ shift: LocationFile.ClockShift, of file: LocationFile) {
    guard let reason = shift.reason, shift.nanoseconds != 0 else { return }
    let seconds = (Double(shift.nanoseconds) / 1e9).fixed(3)
    Terminal.warn("\(location ?? recording): \(seconds) s were added to the times of the GPS points (\(reason))")
  }

  private func laps(of recording: Recording) throws -> [SampleTime] {
    try (Self.seconds(lap, within: 0...1e9) ?? []).sorted().map { seconds in
      guard seconds <= recording.duration else {
        throw CommandDataError(
          file: recording.name,
          reason: "the recording ends after \(recording.duration.fixed(2)) s, before the lap at \(plain(seconds)) s; "
            + "change --lap")
      }
      return recording.start.advanced(bySeconds: seconds)
    }
  }

  private var isJSON: Bool { json || outputFormat == .json }

  private var options: RunOptions {
    // The evidence is not kept: the policy does not change later, and a live run may be endless.
    RunOptions(
      policy: policy, splitMeters: split, intervalSeconds: Self.seconds(intervals, within: 1...86_400) ?? [],
      strides: stepLength.map { StrideModel(running: $0, walking: 0.65 * $0) }, keepsEvidence: false)
  }

  private func print(_ run: RunTimeline, started: Date?, invalidPoints: Int = 0) throws {
    let summary = RunSummary(
      run: run, started: started, splitMeters: split, bodyMass: bodyMass, invalidPoints: invalidPoints)
    if isJSON {
      let json = summary.document
      return try Terminal.print(list: "cadencePoints", of: json.pointCount, json.cadencePoints, in: json.object(with:))
    }
    guard let document = TrackDocument(rawValue: outputFormat.rawValue) else {
      return try Terminal.print(summary.lines.joined(separator: "\n"))
    }
    do { try Terminal.write(Data(try document.text(of: run, started: started, bodyMass: bodyMass).utf8)) } catch let
      error
      as ExportError
    {
      throw CommandDataError(file: recording, reason: "\(error)".dropLast() + " (--location)")
    }
  }
}
