import Gait
import GaitLab
import Testing

/// Distance in situations that are hard to measure: one seed of every kind, of which `gait-lab judge distance` judges
/// twenty.
@Suite struct SituationTests {
  @Test func `Distances of situations are right, and their intervals hold the way`() throws {
    let results = try SituationJudge(seeds: 3...3).results()
    let far = results.filter { $0.median > 2 * $0.kind.limit }
    #expect(far.count <= results.count / 30, "\(far.map { "\($0.kind.name): \($0.median) %" })")
    let covered = results.count { $0.covered == 1 }
    #expect(Double(covered) >= 0.94 * Double(results.count), "\(covered) of \(results.count)")
    #expect(results.count { $0.median <= $0.kind.limit } * 10 >= results.count * 9)
  }

  @Test(arguments: Situation.Receiver.allCases)
  func `Steps with places that do not move are a treadmill, whose length is estimated and can be typed`(
    receiver: Situation.Receiver
  ) throws {
    var situation = Situation(.treadmill, receiver)
    situation.hasSpeed = false
    let run = situation.run().run
    let distance = try #require(run.distanceEstimate)
    #expect(distance.isEstimated)
    #expect(distance.bySteps > 0.9 * distance.meters)
    #expect(distance.interval ~= 1800)
    let typed = try run.calibrated(toMeters: 1800)
    #expect(try abs(#require(typed.distance) - 1800) < 1e-6)
    let strides: StrideModel = try #require(typed.strides)
    (situation.strides, situation.seed) = (strides, 2)
    #expect(try abs(#require(situation.run().run.distance) - 1800) < 0.03 * 1800)
  }

  @Test func `Places that freeze while steps go on are bridged by steps, and estimated`() throws {
    var situation = Situation(.park, .own)
    situation.frozen = 200..<330
    let (run, meters) = situation.run()
    let distance = try #require(run.distanceEstimate)
    #expect(abs(distance.meters / meters - 1) < 0.02, "\(distance)")
    #expect(distance.bySteps > 330, "\(distance)")
    situation.hasSteps = false
    let alone = try #require(situation.run().run.distance)
    #expect(abs(alone / meters - 1) < 0.1, "without steps the line between the places counts: \(alone) of \(meters)")
  }

  @Test func `A hairpin at an even pace shows no dip of the pace`() throws {
    var situation = Situation(.switchbacks(60), .perfect)
    situation.speed = { _ in 2.9 }
    let run = situation.run().run
    let times = stride(from: 30.0, through: 590, by: 10).map { run.start.advanced(bySeconds: $0) }
    let meters = run.distances(at: times)
    for (from, to) in zip(meters, meters.dropFirst()) { #expect(abs((to - from) / 29 - 1) < 0.1) }
  }

  @Test(arguments: [Situation.Route.shuttle(150), .switchbacks(150)], Situation.Receiver.allCases)
  func `Places without speeds show no dip of the pace at hairpins`(
    route: Situation.Route, receiver: Situation.Receiver
  ) {
    let errors = SituationJudge(seeds: 1...3).paceErrors(route, receiver, hasSpeed: false).sorted()
    let (first, middle, last) = (errors[0], errors[errors.count / 2], errors[errors.count - 1])
    #expect(errors.count > 20 && abs(middle) < 5, "\(errors)")
    if receiver == .perfect { #expect(-3 < first && last < 3) }
  }

  @Test(arguments: [8, 16] as [UInt64])
  func `A speed on a shuttle is not taken for one in another unit`(seed: UInt64) throws {
    var situation = Situation(.shuttle(10), .lagging)
    situation.seed = seed
    let (run, meters) = situation.run()
    #expect(try abs(#require(run.distance) / meters - 1) < 0.03)
  }

  @Test(arguments: Situation.Receiver.allCases)
  func `GPS alone with speeds shows every stop of a run of 15 s and more, and most of a walk`(
    receiver: Situation.Receiver
  ) throws {
    for (speed, share) in [(3, 1.0), (1.4, 0.8)] {
      let pauses = try SituationJudge(seeds: 1...2).pauses(at: speed, receiver, hasSpeed: true)
      #expect(Double(pauses.found) >= share * Double(pauses.stops), "\(pauses)")
      #expect(pauses.outside.allSatisfy { $0 < 3 }, "\(pauses)")
    }
  }

  @Test(arguments: Situation.Receiver.allCases)
  func `GPS alone without speeds shows most stops of a run`(receiver: Situation.Receiver) throws {
    let pauses = try SituationJudge(seeds: 1...3).pauses(at: 3, receiver, hasSpeed: false)
    #expect(5 * pauses.found >= 4 * pauses.stops && pauses.outside.allSatisfy { $0 < 30 }, "\(pauses)")
  }
}
