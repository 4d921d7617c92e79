import Foundation
import Gait
import GaitFormats

/// A folder of a stranger's phone: linear acceleration, with GPS points in its Location.csv.
struct PhoneRecording {
  let name: String
  let motion: Recording
  /// The GPS points on the clock of the motion.
  let locations: [LocationSample]

  init(folder: URL) throws {
    var options = ReadingOptions()
    // The files' names do not tell, and a phone at rest without gravity has no acceleration.
    options.accelerationIncludesGravity = false
    name = folder.lastPathComponent
    motion = try Recording(contentsOf: folder, options)
    locations = try LocationFile(contentsOf: folder).aligned(to: motion)
  }

  /// The recording with a constant gravity, for models that need one. No activity can be decided from it.
  var withConstantGravity: Recording {
    let samples = (0..<motion.count).map { index in
      let sample = motion[index]
      return MotionSample(time: sample.time, gravity: SIMD3(0, 0, 1), userAcceleration: sample.userAcceleration)
    }
    return Recording(name: motion.name, sampleRate: motion.sampleRate, samples: samples)
  }
}
