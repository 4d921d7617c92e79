// A race between two runs: a stored one and a live one, whose updates come late and out of order.
import Gait
import GaitRuns
import RecordedRun

let recorded = try RecordedRun().tracked()
var race = Race()
race.add(recorded, as: "last week")

// The live runner's phone sends every five seconds; a third of the messages arrives a minute late.
// Today's run begins faster than the recorded one and ends slower.
let seconds = Array(stride(from: 5.0, through: 480, by: 5))
let meters = zip(seconds, recorded.distances(at: seconds.map { recorded.start.advanced(bySeconds: $0) })).map {
  $1 * (1.04 - $0 / 6000)
}
var late: [(Double, Double)] = []
for (index, (seconds, meters)) in zip(seconds, meters).enumerated() {
  if index % 3 == 0 { late.append((seconds, meters)) } else { race.update("today", seconds: seconds, meters: meters) }
  while let (first, distance) = late.first, first + 60 <= seconds {
    race.update("today", seconds: first, meters: distance)
    late.removeFirst()
  }
  guard Int(seconds) % 120 == 0 else { continue }
  let standings = race.standings(at: seconds)
  print(
    "\(Int(seconds)) s: \(standings[0].name) leads by \(Int(standings[1].metersBehind.rounded())) m, "
      + "\(Int(standings[1].secondsBehind.rounded())) s; heard at \(Int(standings[1].updatedAt)) s")
}
for result in race.result(over: 1000) {
  print(
    "\(result.rank.map(String.init) ?? "–"). \(result.name): \(result.seconds.map { "\(Int($0.rounded())) s" } ?? "did not finish")"
  )
}
