import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

/// The folders that `LoggedRun` writes for other tests are what loggers write.
struct LoggedRunTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test(arguments: LoggedRun.Logger.allCases)
  func `A folder gives the motion and the locations back`(logger: LoggedRun.Logger) throws {
    let run = LoggedRun.straight(seconds: 30)
    let folder = try run.write(logger, to: "run", in: directory)
    let recording = try Recording(contentsOf: folder)
    #expect(recording.count == 1500)
    #expect(abs(recording.duration - 30) < 1e-6)
    for index in [0, 700, 1499] {
      let (found, written) = (recording[index], run.motion[index])
      #expect(abs(found.userAcceleration.z - written.userAcceleration.z) < 1e-5)
      #expect(abs(found.gravity.z - written.gravity.z) < 1e-5)
      #expect(abs(found.rotationRate.x - written.rotationRate.x) < 1e-5)
    }
    let locations = try LocationFile(contentsOf: folder).samples
    #expect(locations.count == 32)
    for (found, written) in zip(locations, run.locations) {
      #expect(abs(found.latitude - written.latitude) < 1e-7)
      #expect(abs(found.longitude - written.longitude) < 1e-7)
      #expect(found.speed == 3)
      let seconds = found.time.seconds(since: recording.start)
      #expect(abs(seconds - written.time.seconds(since: run.motion[0].time)) < 1e-6)
    }
  }

  @Test func `Clocks apart, holes and pauses are written`() throws {
    var run = LoggedRun.straight(seconds: 30)
    run.locationOffset = 3600
    run.holes = [10..<20]
    let folder = try run.write(.sensorLogger, to: "hour", in: directory)
    let recording = try Recording(contentsOf: folder)
    #expect(recording.count == 1000)
    #expect(abs(recording.duration - 30) < 1e-6)
    let hour = try LocationFile(contentsOf: folder).samples
    #expect(abs(hour[2].time.seconds(since: recording.start) - 3600.5) < 1e-6)
    run.locationUptime = 5000
    let booted = try LocationFile(contentsOf: run.write(.sensorLogger, to: "booted", in: directory)).samples
    #expect(abs(booted[2].time.seconds - 8600.5) < 1e-6)
  }

  @Test func `The pauses of a phyphox experiment are gaps`() throws {
    var run = LoggedRun.straight(seconds: 30)
    run.pauses = [10..<15]
    let folder = try run.write(.phyphox, to: "paused", in: directory)
    let recording = try Recording(contentsOf: folder)
    #expect(abs(recording.duration - 30) < 0.1, "\(recording.duration) s")
    #expect(recording.gaps.count == 1, "\(recording.duration) s")
    let clock = try #require(run.files(.phyphox).first { $0.name == "meta/time.csv" }).text
    #expect(
      clock == """
        "event","experiment time","system time","system time text"
        "START",0.000000000E0,1714557600.123,"2024-05-01 10:00:00.123 UTC+00:00"
        "PAUSE",1.000000000E1,1714557610.123,"2024-05-01 10:00:10.123 UTC+00:00"
        "START",1.000000000E1,1714557615.123,"2024-05-01 10:00:15.123 UTC+00:00"
        "PAUSE",2.498000000E1,1714557630.103,"2024-05-01 10:00:30.103 UTC+00:00"

        """)
  }
}
