import Gait
import GaitRuns
import GaitTestSupport
import Testing

/// Standings although messages are lost, and results.
@Suite struct RaceStandingsTests {
  /// What four runners did in ten minutes, metres at every second.
  private static func runners(_ random: inout SplitMix64) -> [[Double]] {
    (0..<4).map { _ in
      let usual = Double.random(in: 2.9...3.1, using: &random)
      var (meters, speed) = (0.0, usual)
      return (0...600).map { second in
        if second.isMultiple(of: 20) { speed = usual * Double.random(in: 0.8...1.2, using: &random) }
        if second > 0 { meters += speed }
        return meters
      }
    }
  }

  @Test func `With messages lost, the leader now is often wrong, and never at the latest time that is known of all`() {
    var random = SplitMix64(seed: 37)
    var (count, wrongNow, wrongKnown) = (0, 0, 0)
    for _ in 0..<14 {
      let truth = Self.runners(&random)
      var race = Race()
      for second in 1...600 {
        for (index, meters) in truth.enumerated() where Double.random(in: 0..<1, using: &random) < 0.7 {
          race.update("\(index)", seconds: Double(second), meters: meters[second])
        }
        guard race.runners.count == 4, let known = race.knownSeconds() else { continue }
        count += 1
        func meters(_ index: Int, _ time: Int) -> Double { truth[index][time] }
        func isWrong(_ name: String?, at time: Double) -> Bool {
          // Within half a metre, both are right.
          let best = (0..<4).map { meters($0, Int(time)) }.max() ?? 0
          return name.flatMap(Int.init).map { meters($0, Int(time)) < best - 0.5 } ?? true
        }
        if isWrong(race.standings(at: Double(second)).first?.name, at: Double(second)) { wrongNow += 1 }
        if isWrong(race.standings().first?.name, at: known) { wrongKnown += 1 }
      }
    }
    #expect(count > 8300, "\(wrongNow) of \(count)")
    #expect(wrongNow > 150, "\(wrongNow) of \(count)")
    #expect(wrongKnown == 0, "\(wrongKnown) of \(count)")
  }

  @Test func `A leader is 0 s behind, also at a light and after the finish`() {
    var race = Race()
    for second in 1...200 {
      race.update("leader", seconds: Double(second), meters: 3 * Double(min(second, 100)))
      race.update("second", seconds: Double(second), meters: 2 * Double(second))
    }
    for second in stride(from: 1.0, through: 140, by: 7) {
      #expect(race.standings(at: second)[0].secondsBehind == 0, "after \(second) s")
    }
    #expect(race.standings(at: 120)[1].secondsBehind == 40)
    #expect(race.standings(at: 150).map(\.secondsBehind) == [0, 0], "both stand at 300 m")
    race.end("leader")
    race.end("second")
    #expect(race.standings(at: 9000).map(\.secondsBehind) == [0, 50])
    #expect(race.standings(at: 9000)[0].name == "second")
  }

  @Test func `Silent runners are named, and do not hold back the others`() {
    var race = Race()
    #expect(race.knownSeconds() == nil)
    #expect(race.standings().isEmpty)
    #expect(race.silentRunners(at: 5).isEmpty)
    for second in 1...100 {
      if second <= 40 { race.update("lost", seconds: Double(second), meters: 4 * Double(second)) }
      race.update("here", seconds: Double(second), meters: 3 * Double(second))
    }
    race.add(RunTimeline(start: .seconds(0), end: .seconds(30)), as: "stored")
    #expect(race.silentRunners(at: 100) == ["lost"])
    #expect(race.silentRunners(at: 100, forSeconds: 60).isEmpty)
    #expect(race.knownSeconds() == 40)
    #expect(race.standings().map(\.name) == ["lost", "here", "stored"])
    let silent = Set(race.silentRunners(at: 100))
    #expect(race.knownSeconds(without: silent) == 100)
    #expect(race.standings(without: silent)[0].name == "here")
    race.end("lost")
    race.end("a stranger")
    #expect(race.knownSeconds() == 100)
    #expect(race.silentRunners(at: 100).isEmpty)
    #expect(race.runners.count == 3)
  }

  @Test func `Results are by distance or by time`() {
    var race = Race()
    for (name, speed, seconds) in [("a", 3.0, 100), ("b", 3, 100), ("c", 2.5, 100), ("d", 4, 50)] {
      for second in 1...seconds { race.update(name, seconds: Double(second), meters: speed * Double(second)) }
    }
    let byDistance = race.result(over: 240)
    #expect(byDistance.map(\.name) == ["a", "b", "c", "d"])
    #expect(byDistance.map(\.rank) == [1, 1, 3, nil])
    #expect(byDistance.map(\.meters) == [240, 240, 240, 200])
    let byTime = race.result(afterSeconds: 80)
    #expect(byTime.map(\.name) == ["a", "b", "c", "d"])
    #expect(byTime.map(\.rank) == [1, 1, 3, nil])
    #expect(byTime.map(\.meters) == [240, 240, 200, 200])
    race.end("d")
    #expect(race.result(afterSeconds: 60).map(\.name) == ["d", "a", "b", "c"])
    #expect(race.result(afterSeconds: 60)[0].meters == 200)
    #expect(race.result(afterSeconds: 60)[0].rank == 1)
  }
}
