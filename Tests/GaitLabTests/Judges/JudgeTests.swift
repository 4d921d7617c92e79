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

  @Test("steps of a phone are compared as a whole and while its GPS moves")
  func phoneSteps() throws {
    let lines = try Self.printed { try PhoneStepsJudge(folder: $0.folder.appending(path: "outdoors")).run(print: $1) }
    #expect(lines.count == 4)
    let figures = lines[1].split(separator: " ").compactMap { Double($0) }
    // By spectrum, by peaks and by Gait, twice. A simulated runner makes 2.5 to 3.1 steps a second, for 60 s.
    #expect(figures.count == 6 && [0, 2, 3, 5].allSatisfy { 150...190 ~= figures[$0] }, "\(lines)")
    #expect(lines[2].hasPrefix("whole: ") && lines[3].hasPrefix("while GPS moves: "))
  }

  @Test("distance of a phone is near its way")
  func distance() throws {
    let lines = try Self.printed { try DistanceJudge(folder: $0.folder.appending(path: "outdoors")).run(print: $1) }
    #expect(lines.count == 5)
    #expect(lines.suffix(2).allSatisfy { $0.contains("1 recordings: median ") && $0.contains(", 1 within 6 %") })
  }

  @Test("a first row of another recording is detected, one's own is not")
  func firstRows() throws {
    let lines = try Self.printed { try FirstRowsJudge(data: $0.folder).run(print: $1) }
    #expect(lines.count == 14)
    #expect(lines[1] == "BoostRunClub, 10 Hz, unchanged:                        0 of     4 (0.0 %)")
    #expect(lines[4] == "MotionSense,  50 Hz, unchanged:                        0 of     6 (0.0 %)")
  }

  @Test("damage is compared for each set, rate and kind")
  func damage() throws {
    let lines = try Self.printed { try DamageJudge(data: $0.folder).run(print: $1) }
    #expect(lines.count == 1 + 2 * 5 * SensorDamage.allCases.count)
    #expect(lines.contains { $0.hasPrefix("outdoors        50 1 % lost         100.0   100.0") })
  }

  @Test("unaltered copies are detected by folder and by card, rows of half an interval later are not")
  func copies() throws {
    let lines = try Self.printed { sets, print in
      try CopiesJudge(data: nil, simulated: sets.folder.appending(path: "boostrunclub")).run(print: print)
    }
    #expect(lines[2] == "| none | 4 / 4 |")
    #expect(lines.contains("| sampled half an interval later | 0 / 0 |"))
    #expect(lines.contains("simulated: 4 recordings, 0 copies, 0 excerpts"))
  }

  @Test("pauses without motion are neither missed nor resumed")
  func simulatedPauses() throws {
    var judge = SimulatedPausesJudge(models: [("running-pocket", .runningPocket)])
    (judge.people, judge.stops) = (1, 2)
    var lines: [String] = []
    try judge.run { lines.append($0) }
    #expect(lines.count == PauseMotion.allCases.count)
    #expect(
      lines[0].hasPrefix(
        "running-pocket, still: 2 pauses of 1 people, 0.0 false resumes an hour of pause, 0 missed pauses, 0 false pauses"
      ))
  }
}
