import Foundation
import Gait
import GaitLab
import GaitTestSupport
import Testing

@testable import GaitTraining

/// Copies of simulated recordings of 20 s, as they are found in folders and by a model's card.
struct AlteredCopiesTests {
  /// What differs in a copy's file.
  enum Change: CaseIterable {
    case nothing, unit, columns, decimals, cut, times, lostRows, noGravity, noRotation

    /// The card has hashes of total acceleration.
    var isKnownByCard: Bool { self != .noGravity }
  }

  private static let people = SimulatedActivity.allCases.map {
    MovingRecordings.labeled($0, subject: 1, seconds: 20)
  }

  private static let originals = Result { try dataset(.nothing, in: TemporaryDirectory()) }

  /// The text of a recording, whose values have seven decimals.
  private static func csv(_ recording: Recording, _ change: Change, seed: UInt64) -> String {
    var generator = SplitMix64(seed: seed)
    var sensors: [Sensor] = [.gravity, .userAcceleration, .rotationRate]
    if change == .columns { sensors.reverse() }
    if change == .noGravity { sensors = [.userAcceleration] }
    if change == .noRotation { sensors.removeLast() }
    let channels = sensors.flatMap(\.channels)
    let inMetres = change == .unit
    let names = channels.map { $0.rawValue + (inMetres && $0.sensor != .rotationRate ? " (m/s^2)" : "") }
    var lines = [(["time (s)"] + names).joined(separator: ",")]
    for row in 0..<recording.count {
      let noise = (0..<12).map { _ in Double.random(in: -0.0005...0.0005, using: &generator) }
      if change == .cut, !(301..<801).contains(row) { continue }
      if change == .lostRows, row.isMultiple(of: 20) { continue }
      let values = channels.map { channel in
        let value = Double(recording[channel][row]) + noise[Channel.allCases.firstIndex(of: channel)!]
        let scaled = inMetres && channel.sensor != .rotationRate ? value * 9.80665 : value
        return String(format: change == .decimals ? "%.4f" : "%.7f", scaled)
      }
      let time = Double(row) / 50 + (change == .times ? 1234.567 : 0)
      lines.append(([String(format: "%.3f", time)] + values).joined(separator: ","))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A folder with one file for each of the recordings.
  private static func dataset(_ change: Change, in folder: TemporaryDirectory) throws -> LabeledDataset {
    for (index, person) in people.enumerated() {
      try folder.write(csv(person.recording, change, seed: UInt64(index)), to: "\(change)/\(person.label)/\(index).csv")
    }
    return try LabeledDataset(directory: folder.file("\(change)"), layout: "{label}/{recording}.csv")
  }

  @Test(arguments: Change.allCases)
  func `An altered copy is found by folder and by the card, and nothing else is`(change: Change) throws {
    let folder = try TemporaryDirectory()
    let (originals, copies) = (try Self.originals.get(), try Self.dataset(change, in: folder))
    #expect(originals.duplicates.isEmpty)
    #expect(copies.duplicates.isEmpty)
    let expected = originals.recordings.map(\.path)
    let leaks = copies.leaks(from: originals)
    #expect(leaks.map(\.path) == expected)
    #expect(leaks.allSatisfy { $0.sources == [$0.path] })
    if change.isKnownByCard {
      #expect(copies.leaks(amongFingerprints: originals.fingerprints).map(\.path) == expected)
    }
    let both = LabeledDataset(joining: [originals, copies]).duplicates
    #expect(both.copies.count == (change == .cut ? 0 : expected.count), "\(both.overlaps)")
    #expect(both.overlaps.count == (change == .cut ? expected.count : 0))
    #expect(both.overlaps.allSatisfy { abs($0.seconds - 10) < 1 && abs($0.starts.max()! - 6) < 0.5 })
  }

  @Test func `Other people's recordings share no rows, and a card matches none of them`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "datasets/simulated")
    let dataset = try LabeledDataset(
      directory: folder, layout: "{label}/sub_{subject}.csv", sampleRate: .hertz(50))
    #expect(dataset.duplicates.isEmpty, "\(dataset.duplicates.overlaps)")
    let learned = dataset.keeping { $0.group == dataset.groups[0] }
    #expect(dataset.keeping { $0.group != dataset.groups[0] }.leaks(amongFingerprints: learned.fingerprints).isEmpty)
  }

  @Test(arguments: [1, 3, 300, 8193, 100_000])
  func `Every recording has fingerprints, for any number of recordings`(recordings: Int) {
    let seconds = (0..<recordings).map { Double($0 % 7 * 100) }
    let counts = RecordingFingerprint.counts(forSeconds: seconds)
    #expect(counts.count == recordings)
    #expect(counts.allSatisfy { $0 >= 2 })
    #expect(counts.reduce(0, +) <= max(8192, 2 * recordings))
    if recordings == 3 { #expect(counts == [2, 25, 50]) }
  }

  @Test func `Fingerprints parse from their text, eight characters each`() throws {
    let dataset = LabeledDataset(Self.people)
    let fingerprint = RecordingFingerprint(of: dataset.contents(named: { $0 }))
    #expect((12...15).contains(fingerprint.hashes.count), "\(fingerprint.hashes.count)")
    #expect(fingerprint.text.utf8.count == 2 + 8 * fingerprint.hashes.count)
    #expect(RecordingFingerprint(text: fingerprint.text) == fingerprint)
  }
}

extension LabeledDataset {
  fileprivate func keeping(_ isKept: (LabeledRecording) -> Bool) -> LabeledDataset {
    LabeledDataset(recordings.filter(isKept))
  }
}
