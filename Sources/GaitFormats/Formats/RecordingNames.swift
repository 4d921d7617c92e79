import Foundation

/// Recognises recordings by their file names.
package enum RecordingNames {
  private static let endings: Set<String> = ["csv", "txt", "tsv", "json", "zip"]
  private static let accelerationFiles: Set<String> = [
    "accelerometer", "totalacceleration", "linear acceleration", "linear accelerometer",
  ]

  /// Whether a file has the extension of a recording: text, gzipped or not, JSON, or an archive.
  package static func isRecording(file path: String) -> Bool {
    endings.contains(PartName((path as NSString).lastPathComponent).ending)
  }

  /// Whether a folder is one recording with a file for each sensor: it contains a file of acceleration.
  package static func isRecording(folderOf names: [String]) -> Bool {
    names.contains { name in
      let part = PartName(name)
      return endings.contains(part.ending) && accelerationFiles.contains(part.stem)
    }
  }

  /// Whether `url` is a folder that is one recording.
  package static func isRecordingFolder(_ url: URL) -> Bool {
    isRecording(folderOf: (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [])
  }
}
