import Foundation
import Gait
import GaitFormats
import GaitLab
import GaitTestSupport
import GaitTraining
import Testing

/// Feature tables have the pipeline's values, and the label and subject of each recording.
@Suite struct FeatureTableTests {
  private static let running = MovingRecordings.labeled(.running, subject: 1)
  private static let still = MovingRecordings.labeled(.still, subject: 2)

  /// The cells of the rows of some recordings, without quoted fields.
  private static func cells(_ sections: [FeatureTable.Section]) -> [[String]] {
    String(decoding: sections.flatMap(\.bytes), as: UTF8.self).split(separator: "\n")
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
  }

  @Test func `The header names label, subject, recording and start, then the features`() throws {
    let header = String(decoding: try FeatureTable().header, as: UTF8.self)
    #expect(
      header == "label,subject,recording,start,coverage,"
        + Feature.orientationFree.map(\.description).joined(separator: ",")
        + "\n")
    let full = String(decoding: try FeatureTable(features: Feature.full).header, as: UTF8.self)
    #expect(full.split(separator: ",").count == 5 + Feature.full.count, "a name has a comma")
  }

  @Test(arguments: [Feature.orientationFree, Feature.full])
  func `Values read back exactly as the features of a stream`(features: [Feature]) throws {
    let (shape, recording) = (WindowShape(seconds: 2, hopSeconds: 0.5), Self.running.recording)
    let table = try FeatureTable(features: features, shape: shape)
    let rows = Self.cells(try table.sections(of: [FeatureTable.Source(Self.running)]))
    var resampler = Resampler(from: recording.sampleRate, to: .canonical)
    var stream = try FeatureStream(features: features, shape: shape, sampleRate: .canonical)
    var expected: [(start: SampleTime, values: [Float])] = []
    for index in 0..<recording.count {
      resampler.append(recording[index]) { stream.append($0) { expected.append(($0, Array($1))) } }
    }
    #expect(rows.count == expected.count)
    #expect(expected.count > 15)
    for (row, window) in zip(rows, expected) {
      #expect(Array(row[..<3]) == ["running", "1", recording.name])
      #expect(Double(row[3]) == window.start.seconds)
      #expect(row[5...].map { Float($0)?.bitPattern } == window.values.map(\.bitPattern))
    }
    let (starts, values) = try recording.features(features, shape: shape)
    #expect(starts == expected.map(\.start))
    #expect(values.values == expected.flatMap(\.values))
  }

  @Test func `Recordings follow each other in order, each counted`() throws {
    let table = try FeatureTable()
    let short = FeatureTable.Source(Self.still.recording[0..<60])
    let sources = [FeatureTable.Source(Self.still), short, FeatureTable.Source(Self.running)]
    let sections = try table.sections(of: sources)
    #expect(sections[0].windows > 0)
    #expect(sections[1].windows == 0)
    #expect(sections[1].bytes.isEmpty)
    let rows = Self.cells(sections)
    #expect(
      rows.map { $0[0] }
        == sections.indices.flatMap { Array(repeating: sources[$0].label ?? "", count: sections[$0].windows) })
    #expect(rows.count == sections.reduce(0) { $0 + $1.windows })
  }

  @Test func `Unknown values are empty, and fields are quoted if necessary`() throws {
    var recording = Self.running.recording
    recording.name = "a \"fast\", long run.csv"
    let table = try FeatureTable(features: [Feature(.total, .mean)])
    let section = try #require(try table.sections(of: [FeatureTable.Source(recording)]).first)
    let line = try #require(String(decoding: section.bytes, as: UTF8.self).split(separator: "\n").first)
    #expect(line.hasPrefix(",,\"a \"\"fast\"\", long run.csv\",0."))
    let breaks = FeatureTable.Source(Self.running.recording, label: "two\r\nlines", subject: "née")
    let other = try #require(try table.sections(of: [breaks]).first)
    #expect(String(decoding: other.bytes, as: UTF8.self).hasPrefix("\"two\r\nlines\",née,"))
  }

  @Test func `Recordings that lack channels or rate for the features are named`() throws {
    func error(_ recording: Recording, _ features: [Feature]) throws -> TrainingError? {
      let table = try FeatureTable(features: features)
      do throws(TrainingError) {
        _ = try table.sections(of: [FeatureTable.Source(recording)])
        return nil
      } catch { return error }
    }
    let partial = MovingRecordings.keeping([.gravity, .userAcceleration], of: Self.running.recording)
    #expect(try error(partial, Feature.orientationFree) == nil)
    #expect(
      try error(partial, [Feature(.channel(.rotationRateX), .rms)])
        == .missingChannels(recording: partial.name, channels: [.rotationRateX]))
    let slow = Simulator(seed: 1, sampleRate: .hertz(5)).recording(of: 1, activity: .walking, seconds: 20)
    #expect(
      try error(slow, Feature.orientationFree)
        == .tooSlow(recording: slow.name, source: .hertz(5), slowest: .hertz(7)))
  }

  @Test func `Features that do not fit the window are an error before reading`() {
    let beyond = Feature(.total, .bandRMS(5...20))
    #expect(throws: ModelError.self) { try FeatureTable(features: [beyond]) }
    #expect(throws: ModelError.noFeatures) { try FeatureTable(features: []) }
  }

  @Test func `A folder without labels is read by its layout`() throws {
    let folder = try TemporaryDirectory()
    for subject in ["anna", "bo"] {
      try folder.write(SampleRecordings.csv(SampleRecordings.rows(20, seed: 1)), to: "\(subject)/1.csv")
    }
    let sources = try FeatureTable.Source.unlabelled(
      in: folder.url, layout: PathLayout("{subject}/{recording}.csv"), options: ReadingOptions(sampleRate: .hertz(50)),
      except: [RecordingFilter("subject=bo")])
    try #require(sources.map(\.subject) == ["anna"])
    #expect(sources[0].label == nil)
    #expect(sources[0].recording.name.hasSuffix("anna/1.csv"))
  }
}
