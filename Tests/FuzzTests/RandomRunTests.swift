import Foundation
import FuzzTargets
import GaitTestSupport
import Testing

/// Random calls of a live run, damaged journals and damaged stored runs: nothing ends the process, and no figure is
/// negative, infinite or NaN. Optimised code makes 100,000 calls; `.ci/nightly` makes ten times as many, by
/// `GAIT_RANDOM_SCALE`. A failure is repeated by its seed.
@Suite struct RandomRunTests {
  private static let scale = Int(ProcessInfo.processInfo.environment["GAIT_RANDOM_SCALE"] ?? "") ?? 1

  @Test("random live calls keep every figure possible")
  func calls() {
    for seed in 0..<UInt64(Optimization.isOn ? 1000 * Self.scale : 8 * Self.scale) {
      var random = SplitMix64(seed: seed)
      let bytes = (0..<1000).map { _ in UInt8.random(in: 0...255, using: &random) }
      Self.run(.trackerCalls, bytes, seed)
    }
  }

  @Test("damaged journals and stored runs are restored or refused")
  func damaged() {
    for seed in 0..<UInt64(Optimization.isOn ? 100 * Self.scale : 30 * Self.scale) {
      var random = SplitMix64(seed: seed)
      var (journal, run) = (FuzzTarget.journalSample, Array(FuzzTarget.storedRunSample.utf8))
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        journal[Int.random(in: journal.indices, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
        run[Int.random(in: run.indices, using: &random)] = UInt8.random(in: 32...126, using: &random)
      }
      Self.run(.journals, journal, seed)
      Self.run(.storedRuns, run, seed)
    }
  }

  /// Runs a target; a trap follows the target and the tens of its seed in the output.
  private static func run(_ target: FuzzTarget, _ bytes: [UInt8], _ seed: UInt64) {
    FileHandle.standardError.write(Data(seed % 10 == 0 ? "\(target) from seed \(seed)\n".utf8 : "".utf8))
    target.run(bytes)
  }
}
