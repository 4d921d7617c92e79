import Foundation
import FuzzTargets
import Gait
import GaitTestSupport
import Testing

/// Runs every fuzz target on inputs that crashed earlier, and on randomly damaged valid inputs.
@Suite struct CrashTests {
  @Test("Earlier crash inputs are read or rejected", arguments: FuzzTarget.allCases)
  func earlierCrashesAreHandled(_ target: FuzzTarget) throws {
    for input in try Self.inputs(in: "Crashes/\(target.rawValue)") { target.run(input) }
  }

  @Test(
    "Truncated, repeated and overwritten text is read or rejected", .requiresOptimization,
    arguments: FuzzTarget.allCases)
  func damagedTextIsHandled(_ target: FuzzTarget) {
    var random = SplitMix64(seed: 19)
    for _ in 0..<200 { target.run(Self.damaged(Self.sample(of: target), using: &random)) }
  }

  /// The contents of the files in a folder of the test's resources, sorted by name.
  private static func inputs(in folder: String) throws -> [[UInt8]] {
    let url = Bundle.module.resourceURL!.appending(path: folder)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    return try names.sorted().map { Array(try Data(contentsOf: url.appending(path: $0))) }
  }

  /// A valid input of a target, or one that reaches most of its code.
  private static func sample(of target: FuzzTarget) -> [UInt8] {
    let text =
      switch target {
      case .numbers: "-12.345678901234567890e-12"
      case .csv, .gzip, .zip:
        "time,gravity.x,gravity.y,gravity.z,userAcceleration.x,userAcceleration.y,userAcceleration.z\n"
          + (0..<20).map { "\(Double($0) / 50),0,0,-1,0.1,-0.2,0.05\n" }.joined()
      case .ownCSV: (0..<20).map { "\(Double($0) / 50),1,2,3,0,0,-1,0.1,0.2,0.3,0.1,-0.2,0.05,run\n" }.joined()
      case .columns:
        "subject,timestamp (ns),x (m/s2),y (m/s2),z (m/s2)\n1;50000000;0.1;9.7;-0.3;\n1;100000000;0.2;9.8;-0.2;\n"
      case .json: "\"sensor\":0,\"date\":720000000.5,\"time\":60,\"axisValues\":[{\"x\":0.1,\"y\":0.2,\"z\":-0.9}]}"
      case .gpx:
        "<gpx><trk><trkseg><trkpt lat=\"48.1\" lon=\"9.2\"><ele>400</ele><time>2024-05-01T12:00:00Z</time></trkpt></trkseg></trk></gpx>"
      case .intervals: "start,end,label\n0,10,walking\n10,30.5,running\n"
      case .layouts: "{label}_{trial}/sub_{subject}.csv\njog_9/sub_1.csv\n"
      case .featureNames: "total.bandRMS[1.2...2.2]\nvertical.rms.log[0.01]\ngravity.sphericalVariance.log[0.01]\n"
      case .modelFile: String(decoding: ActivityModel.running.json(), as: UTF8.self)
      case .liveLines:
        "time,gravity.x,gravity.y,gravity.z,userAcceleration.x,userAcceleration.y,userAcceleration.z\n0.02,0,0,-1,0.1,0,0\n"
      case .trackerCalls: String(repeating: "d!abcdefgz", count: 40)
      case .journals: String(decoding: FuzzTarget.journalSample, as: UTF8.self)
      case .batches: String(decoding: FuzzTarget.batchSample, as: UTF8.self)
      case .storedRuns: FuzzTarget.storedRunSample
      case .stepSpectrum: String(repeating: "az", count: 400)
      }
    return Array(text.utf8)
  }

  /// The bytes after one to four random edits.
  private static func damaged(_ bytes: [UInt8], using random: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: bytes.indices, using: &random)
      let end = min(bytes.count, place + Int.random(in: 1...8, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.removeSubrange(place..<end)
      case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 3: bytes.insert(contentsOf: Array("-9e999".utf8), at: place)
      default: bytes.removeSubrange(place...)
      }
    }
    return bytes
  }
}
