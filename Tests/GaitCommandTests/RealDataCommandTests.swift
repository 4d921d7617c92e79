import Foundation
import GaitTestSupport
import Testing

/// The command's accuracy on recordings of people.
@Suite(.requiresRealData, .requiresOptimization) struct RealDataCommandTests {
  @Test func `MotionSense, leave one subject out, reaches the documented accuracy`() throws {
    let folder = try TemporaryDirectory()
    let run = try GaitProcess(
      [
        "train", RealData.motionSense.path, "--layout", "{label}_{trial}/sub_{subject}.csv", "--rate", "50", "--map",
        "jog=running", "--map", "wlk,ups,dws=walking", "--map", "sit,std=still", "--output", "m.json", "--json",
      ] + Self.subset, in: folder.url)
    #expect(run.status == 0, "\(run.complaints)")
    let report = try #require(try run.json()["crossValidation"] as? [String: Any])
    #expect(report["labels"] as? [String] == ["running", "still", "walking"])
    #expect((report["accuracy"] as? Double ?? 0) >= 0.990)
    #expect((report["versusRestMacroF1"] as? [String: Double])?["running"] ?? 0 >= 0.985)
    let groups = try #require(report["groups"] as? [[String: Any]])
    #expect(groups.compactMap { $0["accuracy"] as? Double }.min() ?? 0 >= 0.96)
  }

  /// Four subjects in debug builds, which would take minutes; else all.
  private static var subset: [String] {
    #if DEBUG
      ["--only", "subject=1,2,4,7"]
    #else
      []
    #endif
  }

  @Test func `BoostRunClub trains with a warning of its copies`() throws {
    let folder = try TemporaryDirectory()
    let run = try GaitProcess(
      [
        "train", RealData.boostRunClub.path, "--layout", "{label}/{recording}.csv", "--rate", "10", "--json",
      ], in: folder.url)
    #expect(run.status == 0, "\(run.complaints)")
    #expect(run.complaints.hasPrefix("warning: 11 recordings are copies of another; copies stay in one fold: "))
    let report = try run.json()
    let copies = try #require(report["copies"] as? [[String]])
    #expect(copies.count == 11)
    #expect(copies.allSatisfy { $0.count == 2 })
    #expect((report["crossValidation"] as? [String: Any])?["accuracy"] as? Double ?? 0 > 0.98)
    #expect(try folder.contents == ["model.json"])
  }
}
