import Foundation
import Gait
import GaitFormats

extension Workload {
  /// Reading of CSV files of increasing length.
  static let reading = [10, 60, 600].map { seconds in
    Workload("read/\(seconds)s", isInPipeline: seconds == 60) {
      let rate = SampleRate.hertz(50)
      let file = FileManager.default.temporaryDirectory.appending(path: "gait-workload-\(seconds)s.csv")
      try Material.run(seconds: Double(seconds), sampleRate: rate).write(to: file)
      return { Float(try Recording(contentsOf: file, sampleRate: rate).count) }
    }
  }
}
