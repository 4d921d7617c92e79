import Foundation
import Gait
import GaitTestSupport
import GaitTraining
import Testing

@testable import GaitLab

/// The judges on a few simulated recordings in the form of the public sets.
@Suite("Judges on tiny sets", .requiresOptimization)
struct JudgeTests {
  /// What a judge prints of the tiny sets.
  private static func printed(_ judge: (TinySets, (String) -> Void) throws -> Void) throws -> [String] {
    let sets = try TinySets()
    var lines: [String] = []
    try judge(sets) { lines.append($0) }
    return lines
  }

  @Test("step rates are compared with labels, counts, knees, usual rates and gyroscopes")
  func steps() throws {
    let lines = try Self.printed { try StepsJudge(data: $0.folder, model: .running).run(print: $1) }
    #expect(lines.contains { $0.hasPrefix("  jogging:             2 of 2 have steps, ") })
    #expect(lines.contains { $0.hasPrefix("  sitting, standing:   0 of 2 have steps") })
    #expect(lines.contains { $0.hasPrefix("  Hard_InHand.csv          counted 110, found ") })
    #expect(lines.contains { $0.hasPrefix("  treadmill, flat:             5 of 5 within 10 %") })
    #expect(lines.contains { $0.hasPrefix("  phone, jogging:      1 of 1 within 2.2…3.3 a second") })
    #expect(lines.contains { $0.hasPrefix("  dsads, left leg: ") && $0.hasSuffix(" windows of 1 recordings") })
    #expect(lines.last?.hasPrefix("  all: ") == true)
  }

  @Test("distance of a phone is near its way")
  func distance() throws {
    let lines = try Self.printed { try DistanceJudge(folder: $0.folder.appending(path: "outdoors")).run(print: $1) }
    #expect(lines.count == 5)
    #expect(lines.suffix(2).allSatisfy { $0.contains("1 recordings: median ") && $0.contains(", 1 within 6 %") })
  }

  @Test("damage is compared for each set, rate and kind")
  func damage() throws {
    let lines = try Self.printed { try DamageJudge(data: $0.folder).run(print: $1) }
    #expect(lines.count == 1 + 2 * 5 * SensorDamage.allCases.count)
    #expect(lines.contains { $0.hasPrefix("outdoors        50 1 % lost         100.0   100.0") })
  }
}
