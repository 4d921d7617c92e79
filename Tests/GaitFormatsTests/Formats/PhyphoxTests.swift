import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

/// The files of a custom phyphox experiment, whose sensor only the file name states.
struct PhyphoxTests {
  private let fixture: FormatFixture
  private let motion = SyntheticMotion(count: 40)

  init() throws { fixture = try FormatFixture() }

  /// The file of a sensor with `X (m/s^2)` for `Linear Acceleration x (m/s^2)`.
  private func file(_ name: String, of sensor: String) -> (name: String, text: String) {
    let text = RecorderFile.phyphox(motion, sensors: [sensor])
    let bare = ["x", "y", "z"].reduce(text) { $0.replacing("\(sensor) \($1) (", with: "\($1.uppercased()) (") }
    return ("\(name).csv", bare.replacing(",\"Absolute acceleration (m/s^2)\"", with: ",other"))
  }

  @Test func `Sensors are detected from the names of their files, and joined`() throws {
    let files = [
      file("Accelerometer", of: "Acceleration"), file("Linear Accelerometer", of: "Linear Acceleration"),
      file("Gyroscope", of: "Gyroscope"),
    ]
    let channels = Set((Sensor.gravity.channels + Sensor.userAcceleration.channels + Sensor.rotationRate.channels))
    let table = try fixture.table(archive: "own.zip", files)
    #expect(table.format == .phyphox)
    fixture.expect(table, is: motion, channels: channels)
  }

  @Test func `A single file of linear acceleration is read without gravity, and one of gravity is refused`() throws {
    let linear = file("Linear Accelerometer", of: "Linear Acceleration")
    let single = try fixture.table(linear.text, name: linear.name)
    #expect(single.channels == Set(Sensor.userAcceleration.channels))
    #expect(!single.accelerationIncludesGravity)
    let gravity = file("Gravity", of: "Gravity")
    #expect(
      try fixture.error(gravity.text, name: gravity.name) == .partOfRecording(file: gravity.name, format: .phyphox))
    let names = ["time (s)"] + ["x", "y", "z"].map { "linear_acceleration_\($0) (m/s2)" }
    let table = try fixture.table(linear.text, name: linear.name, columnNames: names)
    #expect(table.channels == Set(Sensor.userAcceleration.channels))
    #expect(!table.accelerationIncludesGravity)
  }

  @Test func `Accelerations with and without gravity are read with Android's signs`() throws {
    let linear = try fixture.table(folder: "linear", [file("Linear Accelerometer", of: "Linear Acceleration")])
    #expect(linear.format == .phyphox)
    #expect(!linear.accelerationIncludesGravity)
    fixture.expect(linear, is: motion, channels: Set(Sensor.userAcceleration.channels))
    let total = try fixture.table(folder: "total", [file("Accelerometer", of: "Acceleration")])
    #expect(total.format == .phyphox)
    #expect(total.accelerationIncludesGravity)
    let sum = motion.value(.gravityZ, 0) + motion.value(.userAccelerationZ, 0)
    #expect(abs(Double(total[.userAccelerationZ][0]) - sum) < 1e-5)
  }
}
