import Foundation
import Gait
import GaitFormats
import GaitTraining

/// Evaluates the detection of stale first rows, on recordings with one, without one, and with an inserted one.
package struct FirstRowsJudge {
  /// The folder of the data sets.
  private let data: URL

  private static let sets: [(title: String, folder: String, rate: SampleRate)] = [
    ("BoostRunClub", "boostrunclub", .hertz(10)), ("MotionSense", "motionsense", .hertz(50)),
  ]
  /// Random starts in each recording.
  private static let drawCount = 20
  /// Rows of an excerpt: more than the detector reads.
  private static let rowCount = 1200
  /// Rows that the detector needs.
  private static let fewestRows = 10

  package init(data: URL) { self.data = data }

  /// Judges the detection; passes each line to `print`.
  package func run(print: (String) -> Void) throws {
    let sets = try Self.sets.map { set in
      let listing = try FolderListing(
        directory: data.appending(path: set.folder), layout: PathLayout("{label}/{recording}.csv"))
      return (set, try listing.files.mappedConcurrently { try RecordingTable(contentsOf: $0.url) })
    }
    let left: Set<Sensor> = [.attitude, .rotationRate]
    for (title, leftOut) in [("all channels", []), ("without attitude and rotation rate", left)] {
      print("\n=== \(title): first rows detected as stale")
      for (set, tables) in sets {
        let excerpts = Self.excerpts(of: tables, seed: UInt64(saturating: set.rate.hertz))
        let cases = [
          ("unchanged", tables), ("from a random later row", excerpts),
          ("and first row replaced", Self.replaced(excerpts, of: tables, seed: UInt64(saturating: set.rate.hertz) + 1)),
        ]
        for (name, tables) in cases {
          let count = try Self.staleCount(of: tables, without: leftOut, rate: set.rate)
          print(
            "\("\(set.title),".padded(to: 13)) \(set.rate.hertz.fixed(0)) Hz, \("\(name):".padded(to: 29)) "
              + "\(String(count).padded(to: -5)) of \(String(tables.count).padded(to: -5)) "
              + "(\((100 * Double(count) / Double(tables.count)).fixed(1)) %)")
        }
      }
    }
  }

  /// Excerpts of every recording from random later rows.
  private static func excerpts(of tables: [RecordingTable], seed: UInt64) -> [RecordingTable] {
    var generator = SeededGenerator(seed: seed)
    return tables.flatMap { table in
      (0..<drawCount).map { _ in
        let start = 1 + generator.index(below: table.count - fewestRows - 1)
        return table.replacing(rows: Array(table.rows[start..<min(table.count, start + rowCount)]))
      }
    }
  }

  /// The excerpts, with the first row replaced by a random row of a different recording that is not a copy.
  private static func replaced(
    _ excerpts: [RecordingTable], of tables: [RecordingTable], seed: UInt64
  ) -> [RecordingTable] {
    var generator = SeededGenerator(seed: seed)
    return excerpts.enumerated().map { index, excerpt in
      let own = tables[index / drawCount].rows
      var other = own
      while other == own { other = tables[generator.index(below: tables.count)].rows }
      let row = other[generator.index(below: other.count)]
      return excerpt.replacing(rows: [row] + excerpt.rows.dropFirst())
    }
  }

  /// How many of the recordings lose their first row as stale.
  private static func staleCount(
    of tables: [RecordingTable], without sensors: Set<Sensor>, rate: SampleRate
  ) throws -> Int {
    try tables.mappedConcurrently { table in
      let kept = table.channels.filter { !sensors.contains($0.sensor) }
      let recording = try table.replacing(rows: table.rows, channels: kept).recording(sampleRate: rate)
      return recording.repairs.contains(.droppedStaleFirstRow)
    }.count { $0 }
  }
}
