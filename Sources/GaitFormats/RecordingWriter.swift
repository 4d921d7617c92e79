import Foundation
import Gait

extension Recording {
  /// Writes the recording in the form of MotionDataCollector, which `RecordingTable` reads.
  ///
  /// The columns are a row index without a name, then the channels of every sensor that the recording has. A value is
  /// the shortest decimal that reads back as the same `Float`; a missing one is an empty cell. The form has no place
  /// for the sample rate, the times, or the repairs: who reads the file must know the rate, and gaps close up.
  ///
  /// - Throws: `FileWriteError`; then no file is left behind, and an old one is as it was.
  /// - Complexity: O(`count`), with the file's bytes in memory.
  public func write(to url: URL) throws(FileWriteError) {
    try AtomicFile.write(motionCSV, to: url)
  }

  /// The bytes of the file that `write(to:)` writes.
  package var motionCSV: [UInt8] {
    let written = Sensor.allCases.filter { !channels.isDisjoint(with: $0.channels) }.flatMap(\.channels)
    let lanes = written.map(\.lane)
    var bytes: [UInt8] = []
    bytes.reserveCapacity((count + 1) * (8 + 13 * lanes.count))
    for channel in written {
      bytes.append(UInt8(ascii: ","))
      bytes.append(contentsOf: channel.rawValue.utf8)
    }
    bytes.append(UInt8(ascii: "\n"))
    for (index, row) in rows.enumerated() {
      bytes.append(contentsOf: index.description.utf8)
      for lane in lanes {
        bytes.append(UInt8(ascii: ","))
        // A `Float`'s description is the shortest decimal that reads back the same.
        if row[lane].isFinite { bytes.append(contentsOf: row[lane].description.utf8) }
      }
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }
}
