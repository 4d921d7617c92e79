import Foundation
import Gait
import GaitFormats
import GaitLab
import GaitReports
import GaitTestSupport
import GaitTraining
import Testing

/// Simulated outdoor runs in the files of Sensor Logger and phyphox, with cached fixes, on clocks apart, with holes and
/// pauses, read and tracked as `gait track` does: elapsed time is the motion's duration, and distance is the truth's.
struct LoggedOutdoorRunTests {
  /// How the receiver's clock differs from that of the motion.
  enum Clock: CaseIterable, Sendable {
    case same
    case hourAhead
    case daysBack
    case sinceBoot
  }

  #if DEBUG
    /// A run takes seconds in a debug build.
    private static let seeds: [UInt64] = [1]
    private static let clocks: [LoggedRun.Logger: [Clock]] = [.sensorLogger: [.hourAhead], .phyphox: [.same]]
  #else
    private static let seeds: [UInt64] = Array(1...6)
    private static let clocks: [LoggedRun.Logger: [Clock]] = [
      .sensorLogger: Clock.allCases, .phyphox: [.same, .hourAhead, .daysBack],
    ]
  #endif

  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test(.requiresOptimization, arguments: seeds, LoggedRun.Logger.allCases)
  func `Cached fixes, clocks apart, holes and pauses leave elapsed time and distance right`(
    seed: UInt64, logger: LoggedRun.Logger
  ) throws {
    var simulator = OutdoorRunSimulator(seed: seed)
    simulator.programme = .varied(minutes: 12...14)
    // In a short run, two tunnels may be half of it; how they are bridged is judged elsewhere.
    simulator.reception = .withoutTunnels
    let simulated = simulator.run()
    for (index, clock) in (Self.clocks[logger] ?? []).enumerated() {
      let logged = try Self.logged(simulated, logger, clock)
      let folder = try logged.write(logger, to: "run \(seed) \(logger) \(index)", in: directory)
      let recording = try Recording(contentsOf: folder)
      let file = try LocationFile(contentsOf: folder)
      let run = try TrackedRecording(
        recording, locations: file.aligned(to: recording), model: .running, options: RunOptions()
      ).run
      let motion = try #require(logged.motion.last).time.seconds(since: logged.motion[0].time)
      let meters = try #require(run.distance)
      let comment: Comment = "seed \(seed), \(logger), \(clock): \(run.elapsedSeconds) s, \(meters) m"
      #expect(abs(run.elapsedSeconds - motion) < 1, comment)
      #expect(abs(meters / simulated.truth.distance - 1) < 0.02, comment)
      #expect(run.cachedLocationCount > 0, comment)
      #expect(run.offClockLocationCount == 0, comment)
    }
  }

  /// The run with a minute without motion, or with two pauses of a phyphox experiment: one while running, and one in a
  /// stop. phyphox dates GPS points in experiment time, so a receiver on another clock knows nothing of its pauses.
  private static func logged(
    _ run: OutdoorRun, _ logger: LoggedRun.Logger, _ clock: Clock
  ) throws -> LoggedRun {
    let motion = try #require(run.motion)
    var logged = LoggedRun(
      motion: (0..<motion.count).map { motion[$0] }, locations: run.locations, altitudes: run.altitudes)
    let truth = run.truth
    func seconds(_ range: Range<SampleTime>) -> Range<Double> {
      range.lowerBound.seconds(since: truth.start)..<range.upperBound.seconds(since: truth.start)
    }
    let running = truth.activities.filter { $0.activity == .running }.map { seconds($0.range) }
    let longest = try #require(running.max { $0.upperBound - $0.lowerBound < $1.upperBound - $1.lowerBound })
    let middle = (longest.lowerBound + longest.upperBound) / 2
    switch (logger, clock) {
    case (.sensorLogger, _), (.phyphox, .hourAhead), (.phyphox, .daysBack), (.phyphox, .sinceBoot):
      logged.holes = [middle - 30..<middle + 30]
    case (.phyphox, .same):
      let stops = truth.stops.map(seconds).filter { $0.upperBound - $0.lowerBound > 20 }
      let stop = try #require(stops.first)
      logged.pauses = [middle - 15..<middle + 15, stop.lowerBound + 5..<stop.upperBound - 5]
      logged.pauses.sort { $0.lowerBound < $1.lowerBound }
      logged.accelerationDelay = 0.006
    }
    switch clock {
    case .same: break
    case .hourAhead: logged.locationOffset = 3600
    case .daysBack: logged.locationOffset = -3 * 86_400
    case .sinceBoot: logged.locationUptime = 54_321
    }
    return logged
  }
}
