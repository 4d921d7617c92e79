import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

/// Small inputs in the forms of files that people published, each with its right value.
@Suite(.requiresRealData) struct StrangersTests {
  private func read(_ name: String, _ options: ReadingOptions = ReadingOptions()) throws -> AnnotatedRecording {
    try AnnotatedRecording(contentsOf: RealData.strangers.appending(path: name), options)
  }

  private func problem(_ name: String, _ options: ReadingOptions = ReadingOptions()) -> String {
    do {
      _ = try read(name, options)
      return ""
    } catch {
      return "\(error)"
    }
  }

  private func track(_ name: String) throws -> RunTimeline { try ActivityModel.running.track(read(name).recording) }

  @Test func `A device that rests at 1.08 g pauses`() throws {
    let run = try track("rest_at_1.08g.csv")
    #expect((run.movingSeconds - 60).magnitude < 2)
    #expect((run.elapsedSeconds - run.movingSeconds - 30).magnitude < 2)
  }

  @Test func `Several sensors in a table are refused, and one of them is read`() throws {
    var options = ReadingOptions(columnNames: ["timestamp (ns)", "sensor", "x (m/s2)", "y (m/s2)", "z (m/s2)"])
    #expect(problem("sensor_ids.dat", options).contains("column sensor (1, 2, 3)"))
    options.sensor = "1"
    let walk = try read("sensor_ids.dat", options)
    #expect(walk.recording.count == 400)
    #expect(walk.timing.sampleRate == .hertz(25))
    #expect(walk.recording.duration == 16)
    #expect(((walk.recording.stepFrequency() ?? 0) * 60 - 108).magnitude < 2)
  }

  @Test func `An uncalibrated accelerometer of an iPhone is in g`() throws {
    let walk = try read("sl_AccelerometerUncalibrated_ios.csv").recording
    #expect(walk.gravityIsEstimated)
    #expect(walk.repairs.contains(.assumedUnit(.gravity)))
  }

  @Test func `The exact column of times decides before the local date`() throws {
    let walk = try read("local_text_beside_epoch.csv", ReadingOptions(units: RecordingUnits(acceleration: .gravity)))
    #expect((walk.recording.start.seconds - 1_540_931_938.839).magnitude < 0.001)
  }

  @Test func `Bursts are spread over the time between them`() throws {
    let walk = try read("bursts.csv", ReadingOptions(units: RecordingUnits(acceleration: .gravity)))
    #expect(walk.recording.count == 699)
    #expect((walk.timing.sampleRate.hertz - 227.5).magnitude < 1)
    #expect((walk.recording.duration - 3.068).magnitude < 0.01)
  }

  @Test func `A second table is named with its line`() {
    let units = RecordingUnits(acceleration: .gravity, time: .seconds)
    #expect(
      problem("two_tables.csv", ReadingOptions(units: units)).contains("402: the line is a second header (Time, roll"))
  }

  @Test func `Counts are read by their scale and refused without`() throws {
    let counts = ReadingOptions(columnNames: ["x (1/64 g)", "y (1/64 g)", "z (1/64 g)"])
    for options in [ReadingOptions(), counts] {
      let walk = try read("empatica_ACC.csv", options)
      #expect(walk.recording.count == 1600)
      #expect(walk.timing.sampleRate == .hertz(32))
    }
    let wrong = ReadingOptions(
      sampleRate: .hertz(32), units: RecordingUnits(acceleration: .gravity), columnNames: ["x", "y", "z"])
    #expect(problem("empatica_ACC.csv", wrong).contains("63.7"))
    let stamps = ReadingOptions(sampleRate: .hertz(50), columnNames: ["x (g)", "y (g)", "z (g)"])
    #expect(problem("timestamps_as_x.csv", stamps).contains("neither rest nor movement"))
  }

  @Test func `Exports of phyphox and Sensor Logger in other forms are read`() throws {
    let units = RecordingUnits(acceleration: .metersPerSecondSquared, angle: .radians, time: .seconds)
    #expect(try read("phyphox_custom.zip", ReadingOptions(units: units)).recording.count == 600)
    #expect(try read("phyphox_custom.zip/Acceleration.csv", ReadingOptions(units: units)).recording.count == 600)
    #expect(try read("sensor_logger.json").format == .sensorLogger)
    #expect(try read("WristMotion.csv").recording[.gravityZ].first == -0.8396)
  }

  @Test func `Steps that the sampling cannot show are not counted`() throws {
    #expect(try read("slow_2hz.csv").recording.stepFrequency() == nil)
  }

  @Test func `Times of a century from each other are named as wrong`() {
    #expect(problem("unknown_sum.csv").contains("are 5600000000 s apart, more than a year"))
  }

  @Test func `A gentle walk without gravity has steps and is not paused`() throws {
    let run = try ActivityModel.runningLinear.track(read("gentle_walk_linear.csv").recording)
    #expect(run.movingSeconds > 0.95 * run.elapsedSeconds, "\(run.movingSeconds) \(run.steps)")
    #expect(run.steps > 12, "\(run.movingSeconds) \(run.steps)")
  }
}
