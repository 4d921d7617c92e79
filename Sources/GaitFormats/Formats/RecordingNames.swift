import Foundation

/// What may be a recording, by its name.
package enum RecordingNames {
  private static let endings: Set<String> = ["csv", "txt", "tsv", "json", "zip"]
  private static let accelerationFiles: Set<String> = [
    "accelerometer", "totalacceleration", "linear acceleration", "linear accelerometer",
  ]

  /// Whether a file is called like a recording: as text, packed or not, as JSON, or as an archive.
  package static func isLike(file path: String) -> Bool {
    endings.contains(PartName((path as NSString).lastPathComponent).ending)
  }

  /// Whether a folder is one recording, with a file for each sensor: that of the acceleration is among its files.
  package static func isRecording(folderOf names: [String]) -> Bool {
    names.contains { name in
      let part = PartName(name)
      return endings.contains(part.ending) && accelerationFiles.contains(part.stem)
    }
  }

  /// Whether there is a folder at `url` that is one recording.
  package static func isRecordingFolder(_ url: URL) -> Bool {
    isRecording(folderOf: (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [])
  }
}
