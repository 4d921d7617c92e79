import Gait

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Facts about the recording that a file of label intervals was made for, in comment lines before its header.
///
///     # fingerprint: fnv1a64:fd2cb240df8c2510
///     # samples: 21000
///     # duration: 420.0
///     # reading: --rate 50
///
/// Only facts that a file states are compared with the recording, so files that were written by hand need none.
package struct LabelOrigin: Hashable, Sendable {
  /// `RecordingFingerprint` of the recording.
  package var fingerprint: String?
  /// The number of samples.
  package var samples: Int?
  /// `Recording.duration`, seconds.
  package var duration: Double?
  /// The options that the recording was read with, if any.
  package var reading: String?
  /// The part of the recording that the file covers, seconds from the first sample; `nil` if it covers the whole.
  package var stretch: ClosedRange<Double>?
  /// The time at which the file was saved, as a text whose alphabetical order is the order of time.
  package var saved: String?

  /// The facts about a recording.
  package init(of recording: Recording, fingerprint: String, reading: String) {
    (self.fingerprint, self.reading) = (fingerprint, reading.isEmpty ? nil : reading)
    (samples, duration) = (recording.count, recording.duration)
  }

  /// The facts in the comment lines at the start of a file.
  init(startOfFile bytes: [UInt8]) {
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).prefix { $0.hasPrefix("#") }
    func value(_ name: String) -> String? {
      lines.map { $0.dropFirst().drop { $0 == " " } }.first { $0.hasPrefix(name + ":") }
        .map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
    }
    (fingerprint, reading, saved) = (value("fingerprint"), value("reading"), value("saved"))
    (samples, duration) = (value("samples").flatMap { Int($0) }, value("duration").flatMap { Double($0) })
    let ends = value("stretch")?.split(separator: " ").compactMap { Double($0) } ?? []
    stretch = ends.count == 2 && ends[0] <= ends[1] ? ends[0]...ends[1] : nil
  }

  /// The comment lines, without their `#`.
  package var lines: [String] {
    [
      fingerprint.map { "fingerprint: \($0)" }, samples.map { "samples: \($0)" }, duration.map { "duration: \($0)" },
      reading.map { "reading: \($0)" }, stretch.map { "stretch: \($0.lowerBound) \($0.upperBound)" },
      saved.map { "saved: \($0)" },
    ].compactMap(\.self)
  }

  /// Checks that a recording has the length and the rate of the one that the labels were made for.
  ///
  /// - Throws: `RecordingError` if the number of samples differs, or the duration by more than half a period.
  func check(_ recording: Recording, file: String) throws(RecordingError) {
    let (count, length) = (samples ?? recording.count, duration ?? recording.duration)
    let tolerance = 0.5 / recording.sampleRate.hertz
    guard count != recording.count || abs(length - recording.duration) > tolerance else { return }
    let read = reading.map { ", read with \($0)" } ?? ""
    throw .invalid(
      file: file, line: 0,
      "it was made for \(count) samples in \(length) s\(read), and \(recording.name) has \(recording.count) in "
        + "\(recording.duration) s; read the recording with the same options, or label it again")
  }
}

/// A checksum of a recording's bytes. It does not depend on the recording's name or the options that it is read with.
package enum RecordingFingerprint {
  /// The fingerprint of a file, or of the files in a folder that is one recording, without its label intervals.
  ///
  /// - Throws: `RecordingError` if a file cannot be read.
  package static func text(of recording: URL) throws(RecordingError) -> String {
    var checksum = Checksum()
    func append(_ source: any ByteSource) throws(RecordingError) {
      while true {
        let bytes = try source.next(1 << 20)
        guard !bytes.isEmpty else { return }
        checksum.append(bytes)
      }
    }
    guard ContainedFile.isFolder(recording) else {
      try append(FileBytes(contentsOf: recording, file: recording.relativePath))
      return checksum.text
    }
    for file in try ContainedFile.files(inFolder: recording, label: recording.relativePath)
    where !RecordingNames.isIntervals(file: file.name) {
      checksum.append(Array((file.name + "\n").utf8))
      try append(file.open())
    }
    return checksum.text
  }
}

extension LabelIntervals {
  /// The text of a file with these intervals, in seconds from the first sample.
  package var text: String {
    var bytes = Array((origin.lines.map { "# \($0)\n" }.joined() + "start,end,label\n").utf8)
    for interval in elapsed {
      DecimalSeconds.append(interval.times.lowerBound, to: &bytes)
      bytes.append(UInt8(ascii: ","))
      DecimalSeconds.append(interval.times.upperBound, to: &bytes)
      bytes.append(UInt8(ascii: ","))
      CSVField.append(interval.label ?? "", to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text of a recording's intervals, updated by the files that pages of `gait label` saved, of which there is at
  /// least one. Where files overlap, the one that was saved last counts. A page that showed only a part of the
  /// recording (`LabelOrigin.stretch`) changes nothing outside of that part.
  package static func merged(_ saved: [LabelIntervals], into earlier: LabelIntervals?) -> String {
    let ordered = saved.sorted { ($0.origin.saved ?? "") < ($1.origin.saved ?? "") }
    return ordered.dropFirst().reduce(ordered[0].replacing(in: earlier)) { $1.replacing(in: $0) }.text
  }

  /// These intervals, and those of `earlier` outside of the part that this file covers. If it covers the whole
  /// recording, only these.
  private func replacing(in earlier: LabelIntervals?) -> LabelIntervals {
    guard let stretch = origin.stretch, let earlier else { return self }
    let own =
      Int64(saturating: (stretch.lowerBound * 1e9).rounded())..<Int64(saturating: (stretch.upperBound * 1e9).rounded())
    let outside = earlier.elapsed.flatMap { interval -> [Interval] in
      let times = interval.times
      return [
        times.clamped(to: .min..<own.lowerBound), times.clamped(to: own.upperBound..<(.max)),
      ].filter { !$0.isEmpty }.map { Interval(row: interval.row, label: interval.label, times: $0) }
    }
    var origin = origin
    origin.stretch = nil
    return LabelIntervals(
      name: name, elapsed: (outside + elapsed).sorted { $0.times.lowerBound < $1.times.lowerBound }, origin: origin)
  }

  private init(name: String, elapsed: [Interval], origin: LabelOrigin) {
    (self.name, self.elapsed, clock, areAnnotations, self.origin) = (name, elapsed, elapsed, false, origin)
  }
}
