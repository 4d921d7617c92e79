import Foundation
import Gait
import GaitTestSupport

/// The pause head's windows of real people's movement.
enum RealMovement {
  /// 20 s of each MotionSense recording whose path contains `part`, with the phone in a trousers' pocket.
  static func motionSense(_ part: String) throws -> [PauseWindow] {
    try windows(of: RealData.motionSense, part, rate: .hertz(50), rows: 500..<1500)
  }

  /// A minute of each walk and run of BoostRunClub, with the phone held or worn in many ways.
  static func boostRunClub() throws -> [PauseWindow] {
    try windows(of: RealData.boostRunClub, "/running/", rate: .hertz(10), rows: 1..<600)
  }

  /// The windows of 1 s that the built-in model does not classify as still.
  private static func windows(
    of folder: URL, _ part: String, rate: SampleRate, rows: Range<Int>
  ) throws -> [PauseWindow] {
    var moving: [PauseWindow] = []
    for url in try RealData.recordings(in: folder) where url.path.contains(part) {
      let recording = try realRecording(url, rate: rate, rows: rows)
      var resampler = Resampler(from: rate, to: .canonical)
      var windows = MotionMeter(model: .running)
      for index in 0..<recording.count {
        resampler.append(recording[index]) { sample in
          guard let window = windows.pauseWindow(endingWith: sample), window.probabilities["still"] < 0.5 else {
            return
          }
          moving.append(window)
        }
      }
    }
    return moving
  }
}
