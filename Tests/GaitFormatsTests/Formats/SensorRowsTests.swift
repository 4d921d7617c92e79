import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

/// Tables with rows of several sensors or devices.
struct SensorRowsTests {
  private let fixture: FormatFixture

  init() throws { fixture = try FormatFixture() }

  /// A column that tells the sensors apart, and how their rows follow each other.
  struct Form: Sendable, CustomTestStringConvertible {
    var name: String
    var sensors: [String]
    /// The place of the column among the others.
    var place: Int
    var hertz: Double
    /// Whether the sensors' rows of one moment share their time.
    var sharesTimes: Bool
    /// The number of rows of one sensor in a row.
    var run = 1

    var testDescription: String { "\(name) \(sensors) \(place) \(hertz) \(sharesTimes) \(run)" }
  }

  static let forms = [
    Form(name: "sensor", sensors: ["1", "2", "3"], place: 1, hertz: 25, sharesTimes: true),
    Form(name: "which", sensors: ["1", "2", "3"], place: 4, hertz: 25, sharesTimes: true),
    Form(name: "which", sensors: ["7", "4"], place: 0, hertz: 100, sharesTimes: false),
    Form(name: "attribute", sensors: ["acc", "gyro"], place: 3, hertz: 50, sharesTimes: false),
    Form(name: "s", sensors: ["ACCELEROMETER", "GYROSCOPE", "MAGNETOMETER"], place: 2, hertz: 20, sharesTimes: true),
    Form(name: "body_part", sensors: ["wrist", "hip", "ankle"], place: 4, hertz: 50, sharesTimes: true),
    Form(name: "Device ID", sensors: ["a1:b2", "c3:d4"], place: 0, hertz: 64, sharesTimes: true),
    Form(name: "position", sensors: ["left", "right"], place: 1, hertz: 12.5, sharesTimes: false, run: 3),
  ]

  /// The text of a table of a form. The sensors differ in their directions, and only the first has the walk.
  private func text(_ form: Form) -> String {
    let walk = LoggerTable()
    var lines = [["time_s", "acc_x_g", "acc_y_g", "acc_z_g"]]
    var names = [form.name]
    for start in stride(from: 0, to: Int(20 * form.hertz), by: form.run) {
      for (index, sensor) in form.sensors.enumerated() {
        for row in start..<start + form.run {
          let seconds = Double(row) / form.hertz
          let own = index == 0 ? walk.acceleration(seconds) : SIMD3(0.02 * sin(seconds), Double(index), 0.1)
          let shift = form.sharesTimes ? 0 : Double(index) / form.hertz / Double(form.sensors.count)
          let late = form.run > 1 ? Double(index * form.run) / form.hertz : shift
          let time =
            form.run > 1 ? Double(start * form.sensors.count + row - start) / form.hertz + late : seconds + shift
          lines.append([time, own.x, own.y, own.z].map { "\(($0 * 1e6).rounded() / 1e6)" })
          names.append(sensor)
        }
      }
    }
    return zip(lines, names).map { line, name in
      var cells = line
      cells.insert(name, at: form.place)
      return cells.joined(separator: ",") + "\n"
    }.joined()
  }

  @Test(arguments: forms) func `Rows of several sensors are refused with their names`(form: Form) throws {
    let error = try fixture.refusal(text(form))
    #expect(error == .severalSensors(column: form.name, file: "walk.csv", line: 1, found: form.sensors))
  }

  @Test(arguments: forms) func `The rows of one sensor are read alone`(form: Form) throws {
    var options = ReadingOptions()
    options.sensor = form.sensors[0]
    let walk = try fixture.annotated(text(form), options).recording
    #expect((walk.count - Int(20 * form.hertz)).magnitude < form.run)
    #expect(walk.repairs.allSatisfy { $0 == .assumedSigns || $0 == .estimatedGravity } || form.run > 1)
    if form.run == 1 {
      #expect((walk.sampleRate.hertz / form.hertz - 1).magnitude < 0.01)
      #expect((walk.stepFrequency() ?? 0) > 1.7)
    }
    options.sensor = "none"
    #expect(try fixture.refusal(text(form), options) != nil)
  }

  @Test func `Columns of labels, people, counters and steps tell no sensors apart`() throws {
    let rows = LoggerTable().rows
    for (name, cell) in [
      ("activity", { $0 / 250 % 2 == 0 ? "walk" : "run" }), ("user", { "\($0 / 400)" }), ("frame", { "\($0 % 10)" }),
      ("n", { "\($0 % 10)" }), ("peak", { sin(Double($0)) > 0.8 ? "1" : "0" }),
      ("heart_rate", { "\(80 + $0 / 40 % 9)" }),
    ] as [(String, (Int) -> String)] {
      let text =
        "time_s,acc_x_g,acc_y_g,acc_z_g,\(name)\n"
        + rows.enumerated().map { ($1 + [cell($0)]).joined(separator: ",") + "\n" }.joined()
      #expect(try fixture.refusal(text) == nil, "\(name)")
    }
  }

  @Test func `Devices below each other whose times overlap are refused`() throws {
    let rows = LoggerTable().rows
    let text =
      "time_s,source,acc_x_g,acc_y_g,acc_z_g\n"
      + ["left", "right"].flatMap { device in rows.map { "\($0[0]),\(device),\($0[1]),\($0[2]),\($0[3])\n" } }.joined()
    #expect(
      try fixture.refusal(text)
        == .severalSensors(column: "source", file: "walk.csv", line: 1, found: ["left", "right"]))
    var options = ReadingOptions()
    options.sensor = "right"
    #expect(try fixture.annotated(text, options).recording.count == rows.count)
  }
}
