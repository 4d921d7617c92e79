import Foundation
import Gait
import GaitFormats
import GaitTraining

/// The share of all jogging windows in which accelerometer and gyroscope show the same cadence.
struct SensorAgreement {
  let data: URL
  let sets: PublicSets
  let model: ActivityModel

  /// The largest difference that counts as the same, steps per minute.
  private static let tolerance = 2.0
  /// Recordings of fewer samples are left out.
  private static let fewestSamples = 400

  func judge(_ print: (String) -> Void) throws {
    print(
      "\n=== cadence of joggers: windows in which accelerometer and gyroscope are within \(Self.tolerance.fixed(0)) steps/min"
    )
    var (agreeing, windows) = (0, 0)
    for (name, recordings) in try joggers() {
      let points = try recordings.mappedConcurrently { try model.fitting($0.channels).track($0).shownCadence }.joined()
      let same = points.count {
        (($0.gyroscopeCadence ?? 0) - $0.stepsPerMinute).magnitude <= Self.tolerance
      }
      print(
        "  \("\(name):".padded(to: 20)) \(Self.percent(same, points.count)) % of \(points.count) windows of "
          + "\(recordings.count) recordings")
      (agreeing, windows) = (agreeing + same, windows + points.count)
    }
    print("  \("all:".padded(to: 20)) \(Self.percent(agreeing, windows)) % of \(windows) windows")
  }

  private static func percent(_ part: Int, _ all: Int) -> String { (100 * Double(part) / Double(all)).fixed(1) }

  /// The joggers of each set and place that has a gyroscope.
  private func joggers() throws -> [(name: String, recordings: [Recording])] {
    let jogs = try PathLayout("jog_{trial}/sub_{subject}.csv")
    let pockets = try FolderListing(directory: data.appending(path: "motionsense"), layout: jogs).files
    var found = [
      ("motionsense", try pockets.mappedConcurrently { try Recording(contentsOf: $0.url, sampleRate: .hertz(50)) })
    ]
    for (name, label) in [("dsads", "12"), ("wisdm-phone", "B"), ("wisdm-watch", "B")] where sets.has(name) {
      let recordings = try sets.recordings(of: name, labels: [label: "running"])
        .filter { $0.recording.channels.contains(.rotationRateX) && $0.recording.count > Self.fewestSamples }
      let places = Dictionary(grouping: recordings) { $0.fields["place"] ?? "" }
      for (place, recordings) in places.sorted(by: { $0.key < $1.key }) {
        found.append((places.count > 1 ? "\(name), \(place)" : name, recordings.map(\.recording)))
      }
    }
    return found
  }
}
