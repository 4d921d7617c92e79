import CGaitZlib
import Foundation

@testable import Gait
@testable import GaitFormats
@testable import GaitTraining

/// Fuzz targets that read files. Each input is written to a temporary file of the thread and read from there.
enum FuzzedFiles {
  /// Any recording.
  static func recording(_ bytes: [UInt8]) {
    withFile(bytes, name: "input.csv") { read($0) }
  }

  /// A recording in Gait's own format: the header is fixed, the input is the rows.
  static func ownRecording(_ bytes: [UInt8]) {
    let header = "time," + Channel.allCases.map(\.rawValue).joined(separator: ",") + ",label\n"
    withFile(Array(header.utf8) + bytes, name: "input.csv") { read($0) }
  }

  /// A table without a header. The input's first line gives the column names.
  static func namedColumns(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    let names = String(decoding: lines[0], as: UTF8.self).split(separator: ",").map(String.init)
    withFile(Array(lines.count > 1 ? lines[1] : []), name: "input.txt") { url in
      read(url, ReadingOptions(sampleRate: .hertz(20), columnNames: names))
    }
  }

  /// A JSON document.
  static func json(_ bytes: [UInt8]) {
    withFile(bytes.first == UInt8(ascii: "[") ? bytes : [UInt8(ascii: "{")] + bytes, name: "input.json") { read($0) }
  }

  /// The input as a zip archive, without and with a signature before it.
  static func zip(_ bytes: [UInt8]) {
    withFile([0x50, 0x4B, 0x03, 0x04] + bytes, name: "input.zip") { read($0) }
    withFile(bytes, name: "input.zip") { url in
      _ = try? ZipArchive(contentsOf: url, label: "input.zip").files.map { try $0.open().readAll().count }
      _ = try? LocationFile(contentsOf: url)
    }
  }

  /// The input after a gzip header, and the input compressed with gzip.
  static func gzip(_ bytes: [UInt8]) {
    withFile([0x1F, 0x8B, 0x08] + bytes, name: "input.csv.gz") { read($0) }
    withFile(compressed(bytes), name: "input.csv.gz") { read($0) }
  }

  /// A GPX document or a table of GPS points.
  static func locations(_ bytes: [UInt8]) {
    withFile(bytes, name: "input.gpx") { url in
      guard let file = try? LocationFile(contentsOf: url) else { return }
      precondition(
        file.samples.allSatisfy { -90...90 ~= $0.latitude && -180...180 ~= $0.longitude },
        "a GPS point with coordinates out of range")
      precondition(
        Swift.zip(file.samples, file.samples.dropFirst()).allSatisfy { $0.time < $1.time }, "GPS points out of order")
    }
  }

  /// Label intervals, applied to a recording of one minute.
  static func intervals(_ bytes: [UInt8]) {
    withFile(bytes, name: "input.labels.csv") { url in
      let samples = (0..<600).map { index in
        MotionSample(time: .seconds(Double(index) / 10), gravity: SIMD3(0, 0, -1), userAcceleration: SIMD3(0.1, 0, 0))
      }
      let recording = Recording(name: "minute", sampleRate: .hertz(10), samples: samples)
      guard let runs = try? LabelIntervals(contentsOf: url).runs(over: recording) else { return }
      var end = 0
      for run in runs {
        precondition(run.rows.lowerBound == end && !run.rows.isEmpty, "label runs are not contiguous: \(runs)")
        end = run.rows.upperBound
      }
      precondition(end == recording.count, "label runs do not cover the recording: \(runs)")
    }
  }

  /// Reads a recording, and checks the round trip: writing and reading it again changes nothing.
  private static func read(_ url: URL, _ options: ReadingOptions = ReadingOptions(sampleRate: .hertz(50))) {
    guard let recording = try? AnnotatedRecording(contentsOf: url, options) else { return }
    precondition(recording.recording.count > 0, "a recording without samples")
    let copy = url.deletingLastPathComponent().appending(path: "copy.csv")
    try! recording.write(to: copy)
    // Only the first read may repair rows; the second must give exactly the same file.
    guard let again = try? AnnotatedRecording(contentsOf: copy) else { return }
    let second = url.deletingLastPathComponent().appending(path: "second.csv")
    try! again.write(to: second)
    precondition(rows(of: copy) == rows(of: second), "the round trip changed the recording")
  }

  /// The lines of a file that are not comments.
  private static func rows(of url: URL) -> [Substring] {
    String(decoding: try! Data(contentsOf: url), as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
  }

  private static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    deflateInit2_(&stream, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
    defer { deflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: bytes.count + bytes.count / 100 + 100)
    let count = input.withUnsafeMutableBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        stream.next_in = source.baseAddress
        stream.avail_in = UInt32(source.count)
        stream.next_out = target.baseAddress
        stream.avail_out = UInt32(target.count)
        precondition(deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib failed to compress")
        return Int(stream.total_out)
      }
    }
    return Array(output[..<count])
  }

  private static let folder: URL = {
    let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
    let base =
      FileManager.default.isWritableFile(atPath: memory.path) ? memory : FileManager.default.temporaryDirectory
    let url = base.appending(path: "gait-fuzz-\(UUID().uuidString)", directoryHint: .isDirectory)
    try! FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(at: FuzzedFiles.folder) }
    return url
  }()

  private static func withFile(_ bytes: [UInt8], name: String, _ body: (URL) -> Void) {
    let own = folder.appending(path: "\(pthread_self())", directoryHint: .isDirectory)
    mkdir(own.path, 0o700)
    let url = own.appending(path: name)
    let file = fopen(url.path, "w")!
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    body(url)
  }

  /// Removes the temporary files of the process.
  static func removeTemporaryFiles() {
    try? FileManager.default.removeItem(at: folder)
  }
}

extension FuzzTarget {
  /// Removes the targets' temporary files.
  public static func removeTemporaryFiles() { FuzzedFiles.removeTemporaryFiles() }
}
