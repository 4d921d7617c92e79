import Gait
import GaitTraining

extension Simulator {
  /// The GPS points of a run, once a second from its start: the errors of `OutdoorRunSimulator` without tunnels.
  ///
  /// The times are those of `recording(_:)`. Route, speed and errors follow from the seed and the person's number; the speed
  /// does not follow from the step rate.
  ///
  /// - Precondition: the run lasts at most a day.
  public func locations(_ run: SimulatedRun) -> [LocationSample] {
    let seed = subject(run.subject).seed
    var generator = SeededGenerator(seed: seed, keys: [23, 0])
    let programme = OutdoorProgramme(run, using: &generator)
    let route = OutdoorRoute(programme, climb: 60, using: &generator)
    var receiver = SimulatedReceiver(
      route, seconds: programme.seconds, origin: SampleTime(nanoseconds: 0), reception: .withoutTunnels,
      generator: SeededGenerator(seed: seed, keys: [24, 0]))
    var points: [LocationSample] = []
    for report in receiver.reports() where report.sample.time > points.last?.time ?? SampleTime(nanoseconds: -1) {
      points.append(report.sample)
    }
    return points
  }
}
