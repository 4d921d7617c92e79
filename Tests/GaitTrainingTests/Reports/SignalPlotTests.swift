import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

@testable import GaitLab
@testable import GaitReports
@testable import GaitTraining

@Suite struct SignalPlotTests {
  /// A recording of a minute at 200 Hz with one spike up and one down in each channel, and a stretch without gyroscope.
  private static func recording(count: Int = 12_000) -> Recording {
    var generator = SeededGenerator(seed: 9)
    let columns = Channel.allCases.map { channel -> (Channel, [Float]) in
      var values = (0..<count).map { _ in Float(generator.uniform(in: -0.5...0.5)) }
      values[Int(generator.uniform(in: 0...1) * Double(count - 1))] = 2.5
      values[Int(generator.uniform(in: 0...1) * Double(count - 1))] = -3
      if channel.sensor == .rotationRate { for index in 3000..<4000 { values[index] = .nan } }
      return (channel, values)
    }
    return Recording(name: "spikes", sampleRate: .hertz(200), columns: Dictionary(uniqueKeysWithValues: columns))
  }

  @Test(arguments: [1, 2, 7, 100, 2000, 50_000])
  func `The extremes of every channel are in the ranges, with any number of parts`(limit: Int) throws {
    let recording = Self.recording()
    let all = SignalEnvelope(recording, in: 0...recording.duration, limit: 50_000)
    for envelope in [SignalEnvelope(recording, in: 0...recording.duration, limit: limit), all.merged(to: limit)] {
      #expect(envelope.count <= limit)
      #expect(envelope.count == recording.count || 2 * envelope.count >= min(limit, 6000))
      for channel in Channel.allCases {
        let values = recording[channel].filter { !$0.isNaN }
        let (least, most) = (try #require(values.min()), try #require(values.max()))
        #expect(envelope.range(channel.lane) == Double(least)...Double(most), "\(channel.rawValue) in \(limit) parts")
      }
    }
  }

  @Test(arguments: [100, 999, 1400, 5000])
  func `Each part has the extremes of the samples of its own time`(limit: Int) {
    let recording = Self.recording()
    let all = SignalEnvelope(recording, in: 0...recording.duration, limit: limit)
    let lane = Channel.userAccelerationX.lane
    let size = Int((all.partSeconds * 200).rounded())
    let values = recording[.userAccelerationX]
    for (index, part) in all.parts(lane).enumerated() where all.count <= 1400 {
      let own = values[index * size..<min(values.count, (index + 1) * size)]
      #expect(part.low == own.min().map(Double.init), "part \(index)")
      #expect(part.high == own.max().map(Double.init), "part \(index)")
      #expect(abs(part.from - Double(index * size) / 200) < 1e-9)
    }
  }

  @Test func `With a part for each sample, the ranges are the samples, and missing values have none`() {
    let recording = Self.recording(count: 4500)
    let parts = SignalEnvelope(recording, in: 0...recording.duration, limit: 10_000).parts(
      Channel.rotationRateY.lane, limit: 10_000)
    let values = recording[.rotationRateY]
    #expect(parts.count == 4500)
    for (part, value) in zip(parts, values) {
      #expect(value.isNaN ? part.low.isNaN : part.low == Double(value) && part.high == Double(value))
    }
  }

  @Test func `The page draws every channel's extremes and carries samples for the zoom`() throws {
    let table = try Self.table(of: Self.recording())
    let plot = try SignalPlot(table)
    let parsed = try ParsedPage(plot.page)
    let texts = try #require(parsed.texts["text"])
    for channel in Channel.allCases { #expect(texts.contains("\(channel.rawValue), \(channel.unit)")) }
    #expect(texts.contains("|userAcceleration|, g"))
    #expect(texts.contains("time, min:s"))
    #expect(plot.samplesPerPart == 1)
    #expect(parsed.counts["script"] == 2)
    // With 4 % of room at each end of an axis of 56 px, spikes reach 2.1 and 53.9.
    let heights = parsed.corners.map { ($0.1 * 10).rounded() / 10 }
    #expect(heights.contains(2.1))
    #expect(heights.contains(53.9))
    #expect(
      parsed.texts["li"]?.contains { $0.hasPrefix("missing values in rows") } == true, "\(parsed.texts["li"] ?? [])")
  }

  @Test func `A part of a recording is drawn in its own range, and the drawing alone is an SVG file`() throws {
    let table = try Self.table(of: Self.recording())
    let plot = try SignalPlot(table, in: 10...20)
    let parsed = try ParsedPage(plot.chart)
    #expect(parsed.texts["text"]?.contains("0:12") == true)
    #expect(parsed.texts["text"]?.contains("0:30") == false)
    #expect(plot.chart.contains(RunPlot.mark))
    #expect(parsed.links.isEmpty)
  }

  @Test func `A model adds labels, probabilities, state and step rate`() throws {
    let run = SimulatedRun(
      subject: 1, stretches: [.init(.running, seconds: 30), .init(.still, seconds: 15), .init(.running, seconds: 15)])
    let recording = Simulator(seed: 1, sampleRate: .hertz(25)).recording(run)
    let parsed = try ParsedPage(SignalPlot(Self.table(of: recording), model: .running).page)
    let texts = try #require(parsed.texts["text"])
    for title in ["Labels of the windows", "Probability of each label", "State", "Cadence, steps/min"] {
      #expect(texts.contains(title), "\(title) is missing")
    }
  }

  @Test(.requiresOptimization) func `A page of a long recording stays below 5 MB and states its finest level`() throws {
    let recording = Self.recording(count: 120_000)
    let plot = try SignalPlot(Self.table(of: recording))
    let page = plot.page
    #expect(page.utf8.count < 5_000_000, "\(page.utf8.count) bytes")
    #expect(plot.samplesPerPart > 1)
    #expect(page.contains("largest of every \(plot.samplesPerPart.fixed(1)) samples"))
  }

  @Test(arguments: [false, true])
  func `A file that is read in blocks gives the page of the whole recording`(hasModel: Bool) throws {
    let folder = try TemporaryDirectory()
    let url = try folder.write(try Self.brokenFile(), to: "recording.csv")
    let options = ReadingOptions(labelColumn: "label")
    let model = hasModel ? ActivityModel.running : nil
    let annotated = try AnnotatedRecording(contentsOf: url, options)
    #expect(annotated.recording.gaps.count == 3)
    #expect(!annotated.missingRows.isEmpty)
    for range in [20...50.0, nil, 0...20].thinnedInDebug(by: 2) {
      for (rows, bytes) in [(333, 20_000), (100, 900)].thinnedInDebug(by: 2) {
        var plot = SignalPlot(in: range, model: model)
        var count = 0
        let blocks = RecordingBlocks(contentsOf: url, options, blockRows: rows, chunkBytes: bytes)
        plot.finish(
          try blocks.read(begin: { try plot.begin($0) }) {
            plot.append($0)
            count += 1
          })
        #expect(count > 2, "\(count) blocks")
        let whole = try SignalPlot(annotated, in: range, model: model)
        let areSame = (plot.page == whole.page, plot.chart == whole.chart)
        #expect(areSame == (true, true), "\(String(describing: range)), blocks of \(rows) rows")
        #expect(plot.samplesPerPart == whole.samplesPerPart)
      }
    }
  }

  /// A run of a minute with gaps, missing values and labels.
  private static func brokenFile() throws -> String {
    let run = SimulatedRun(subject: 1, stretches: [.init(.running, seconds: 40), .init(.still, seconds: 20)])
    let recording = Simulator(seed: 1, sampleRate: .hertz(25)).recording(run)
    let lines = recording.rows.indices.compactMap { index -> String? in
      if [310..<325, 620..<640, 1100..<1200].contains(where: { $0.contains(index) }) { return nil }
      let values = Channel.allCases.map { recording[index].row[$0.lane] }
      let isMissing = (400..<430).contains(index) || index % 211 == 210
      let cells = values.enumerated().map { $0 >= 6 && $0 < 9 && isMissing ? "" : "\($1)" }
      let label = index < 1000 ? "running" : "still"
      return (["\(recording[index].time.seconds)"] + cells + [label]).joined(separator: ",")
    }
    return ((["time (s)"] + Channel.allCases.map(\.rawValue) + ["label"]).joined(separator: ",") + "\n")
      + lines.joined(separator: "\n") + "\n"
  }

  @Test func `Spans of any number are drawn as few, and none is lost`() throws {
    var random = SeededGenerator(seed: 4)
    for (count, isRegular) in [(10, false), (1000, true), (1001, false), (1001, true), (20_000, false), (20_000, true)]
    {
      var (list, spans, time) = (SpanList(), [ClosedRange<Double>](), 0.0)
      for index in 0..<count {
        time += isRegular ? 2 : random.uniform(in: 0.1...20)
        let span = time...time + (isRegular ? 0.5 : random.uniform(in: 0.01...5))
        time = span.upperBound
        spans.append(span)
        list.append(span, isShown: true) { "\(index)" }
      }
      #expect(list.count == count)
      #expect(list.shown.count <= SpanList.limit)
      #expect(count > SpanList.limit || list.shown == spans, "\(count)")
      #expect(list.shown.count > min(count, SpanList.limit) / 4, "\(list.shown.count) of \(count)")
      var shown = list.shown[...]
      let lost = spans.first { span in
        while let band = shown.first, band.upperBound < span.lowerBound { shown.removeFirst() }
        return !(shown.first.map { $0.contains(span.lowerBound) && $0.contains(span.upperBound) } ?? false)
      }
      #expect(lost == nil, "\(count): \(String(describing: lost))")
      #expect(list.lines.last == (count > 60 ? "and \(count - 60) more like this" : "\(count - 1)"))
    }
  }

  @Test func `A part of a long run is drawn with its own step rate and decisions`() throws {
    let run = SimulatedRun(
      subject: 1, stretches: [.init(.running, seconds: 60), .init(.still, seconds: 20), .init(.running, seconds: 40)])
    let recording = Simulator(seed: 1, sampleRate: .hertz(25)).recording(run)
    let tracked = try TrackedRecording(recording, locations: [], model: .running, options: RunOptions())
    let readings = [0...120, 0...30.0].map { range in
      tracked.plot(in: range).runPanels.flatMap(\.marks).flatMap { mark -> [Double] in
        if case .curve(let curve, _, _) = mark { curve.points.map(\.x) } else { [] }
      }
    }
    #expect(readings[0].max() ?? 0 > 100)
    #expect(!readings[1].isEmpty, "\(readings[1].max() ?? 0) s")
    #expect(readings[1].allSatisfy { $0 <= 30 }, "\(readings[1].max() ?? 0) s")
  }

  /// A recording as if it was read from a file.
  private static func table(of recording: Recording) throws -> AnnotatedRecording {
    let folder = try TemporaryDirectory()
    try recording.write(to: folder.file("recording.csv"))
    return try AnnotatedRecording(contentsOf: folder.file("recording.csv"), ReadingOptions())
  }
}
