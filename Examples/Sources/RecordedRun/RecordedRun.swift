import Foundation
import Gait
import GaitFormats

/// The run of `datasets/simulated-runs`, as a phone would deliver it.
public struct RecordedRun: Sendable {
  /// The motion, at 20 Hz.
  public let motion: Recording
  /// The samples and the GPS points, in order of time.
  public let inputs: [RunInput]

  /// Reads the files.
  public init() throws {
    let folder = URL(filePath: #filePath).appending(path: "../../../../datasets/simulated-runs").standardizedFileURL
    let motion = try Recording(contentsOf: folder.appending(path: "run_1.csv"))
    var locations = try LocationFile(contentsOf: folder.appending(path: "run_1.gpx")).aligned(to: motion)[...]
    var inputs: [RunInput] = []
    for index in 0..<motion.count {
      while let point = locations.first, point.time <= motion[index].time {
        inputs.append(.location(point))
        locations.removeFirst()
      }
      inputs.append(.motion(motion[index]))
    }
    (self.motion, self.inputs) = (motion, inputs)
  }

  /// The whole run as a tracker records it.
  public func tracked(options: RunOptions = RunOptions()) throws -> RunTimeline {
    var tracker = try RunTracker(sampleRate: motion.sampleRate, options: options)
    for input in inputs { tracker.append(input) }
    return tracker.finish()
  }
}
