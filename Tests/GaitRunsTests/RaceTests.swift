import Gait
import GaitRuns
import GaitTestSupport
import Testing

@Suite struct RaceTests {
  @Test("a run whose clock jumped by 120 years is as small as its way, and its distance the same at every moment")
  func jump() {
    let route = (0...100).map {
      LocationSample(
        time: .seconds(Double($0)), latitude: 50 + Double($0) * 3 / 111_195, longitude: 8, speed: 3,
        horizontalAccuracy: 4)
    }
    var race = Race()
    let short = RunTimeline(start: .seconds(0), end: .seconds(100), route: route)
    race.add(short, as: "short")
    race.add(RunTimeline(start: .seconds(0), end: .seconds(3.8e9), route: route), as: "jump")
    for second in stride(from: 0.0, through: 100, by: 0.5) {
      let meters = short.distances(at: [.seconds(second)])[0]
      for name in race.runners {
        #expect(((race.meters(of: name, at: second) ?? -1) - meters).magnitude < 1e-6, "\(name) at \(second) s")
      }
    }
    #expect(race.standings(at: 3e9).map(\.rank) == [1, 1])
  }

  @Test("a million updates in order take no more than their sum")
  func manyUpdates() {
    var race = Race()
    let count = Optimization.isOn ? 1_000_000 : 20_000
    for second in 1...count { race.update("a", seconds: Double(second), meters: 3 * Double(second)) }
    #expect(race.meters(of: "a", at: Double(count)) == 3 * Double(count))
  }

  @Test("late and repeated updates give the same standings as updates in order")
  func lateUpdates() {
    let updates = [("a", 10.0, 30.0), ("b", 10, 28), ("a", 20, 55), ("b", 20, 60), ("a", 30, 90), ("b", 30, 89)]
    var ordered = Race()
    for (name, seconds, meters) in updates { ordered.update(name, seconds: seconds, meters: meters) }
    var late = Race()
    late.update("a", seconds: 20, meters: 1)
    for (name, seconds, meters) in updates.reversed() { late.update(name, seconds: seconds, meters: meters) }
    late.update("b", seconds: -1, meters: 5)
    late.update("b", seconds: 40, meters: .nan)
    #expect(late == ordered)
    #expect(ordered.standings(at: 20).map(\.name) == ["b", "a"])
    #expect(ordered.standings(at: 25).map(\.meters) == [74.5, 72.5])
    let second = ordered.standings(at: 20)[1]
    #expect(second.rank == 2)
    #expect(second.metersBehind == 5)
    #expect(second.updatedAt == 20)
    #expect((second.secondsBehind - 5 / 3.2).magnitude < 1e-9)
    #expect(ordered.standings(at: 60).map(\.updatedAt) == [30, 30])
  }

  @Test("equal distances share a rank, and who did not finish comes last")
  func result() {
    var race = Race()
    for (name, pace) in [("a", 3.0), ("b", 3), ("c", 2.5), ("d", 1)] {
      for second in 1...100 { race.update(name, seconds: Double(second), meters: pace * Double(second)) }
    }
    #expect(race.standings(at: 50).map(\.rank) == [1, 1, 3, 4])
    let result = race.result(over: 200)
    #expect(result.map(\.name) == ["a", "b", "c", "d"])
    #expect(result.map(\.rank) == [1, 1, 3, nil])
    #expect(result[2].seconds == 80)
    #expect(result[3].seconds == nil)
    #expect(Race().standings(at: 5).isEmpty)
    #expect(Race().result(over: 5).isEmpty)
    #expect(race.meters(of: "a stranger", at: 5) == nil)
    #expect(race.seconds(of: "a", at: 300) == 100)
  }

  @Test("a stored run races with its pauses")
  func runs() throws {
    var tracker = try SimulatedInputs.tracker()
    for input in SimulatedInputs.of(seed: 5, seconds: 60) { tracker.append(input) }
    let run = tracker.finish()
    var race = Race()
    race.add(run, as: "me")
    race.update("rabbit", seconds: 60, meters: 240)
    let total = try #require(run.distance)
    #expect(race.meters(of: "me", at: 1000) == total)
    let atPause = race.meters(of: "me", at: 31)
    #expect(atPause == race.meters(of: "me", at: 33), "a paused runner stays")
    #expect(race.standings(at: 60)[0].name == "rabbit")
    #expect(race.runners == ["me", "rabbit"])
  }
}
