import Foundation
import GaitTestSupport
import Testing

/// Folders of phyphox with linear acceleration and GPS points, as people have them.
@Suite struct LinearRecordingTests {
  private static let data = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "datasets/simulated")

  /// How a file is written.
  private struct Style {
    var name = "Linear Accelerometer.csv"
    var header = ["Time (s)", "X (m/s^2)", "Y (m/s^2)", "Z (m/s^2)"]
    var separator = ","
    var hasDecimalComma = false
    var isTotal = false

    func number(_ value: Double) -> String {
      let text = String(format: "%.9E", value)
      return hasDecimalComma ? text.replacing(".", with: ",") : text
    }

    func lines(_ rows: [[String]]) -> String {
      let header = rows[0].map { "\"\($0)\"" }
      return ([header] + rows.dropFirst()).map { $0.joined(separator: separator) + "\n" }.joined()
    }
  }

  /// The simulated run of one person, of which the phone recorded acceleration and positions.
  private static func write(_ style: Style, to folder: TemporaryDirectory, hasLocation: Bool = true) throws {
    let text = try String(contentsOf: data.appending(path: "running/sub_7.csv"), encoding: .utf8)
    var rows = [style.header]
    for (index, line) in text.split(separator: "\n").dropFirst().enumerated() {
      let cells: [Double] = line.split(separator: ",").map { Double($0) ?? .nan }
      var values: [Double] = [0.0123 + Double(index) / 50]
      for axis in 0..<3 {
        let total: Double = cells[10 + axis] + (style.isTotal ? cells[4 + axis] : 0)
        values.append(-9.80665 * total)
      }
      rows.append(values.map(style.number))
    }
    try folder.write(style.lines(rows), to: "run/\(style.name)")
    guard hasLocation else { return }
    // The first seconds have no speed, and cached positions far away.
    var points = [
      [
        "Time (s)", "Latitude (°)", "Longitude (°)", "Height (m)", "Velocity (m/s)", "Direction (°)",
        "Horizontal Accuracy (m)", "Vertical Accuracy (m)",
      ]
    ]
    for second in 0..<28 {
      let seconds = Double(second)
      let latitude: Double = 48 + 3 * seconds / 111_195 + (second < 2 ? 0.002 : 0)
      let speed: Double = second < 4 ? .nan : 3
      let accuracy: Double = second < 2 ? 350 : second < 4 ? 30 : 5
      let values: [Double] = [0.1 + seconds, latitude, 11, 400, speed, second < 4 ? .nan : 0, accuracy, 4]
      points.append(values.map { $0.isNaN ? "NaN" : style.number($0) })
    }
    try folder.write(style.lines(points), to: "run/Location.csv")
  }

  private static func track(_ arguments: [String], in folder: TemporaryDirectory) throws -> (GaitProcess, [String: Any])
  {
    let run = try GaitProcess(["track"] + arguments + ["--json"], in: folder.url)
    #expect(run.status == 0, "\(run.complaints)")
    return (run, run.status == 0 ? try run.json() : [:])
  }

  private static let styles = [
    Style(), Style(name: "Accelerometer.csv"), Style(name: "kiihtyvyys.csv"), Style(name: "Acceleration2.csv"),
    Style(name: "LAcceleration.csv", separator: ";", hasDecimalComma: true),
    Style(name: "Linear Acceleration.csv", separator: "\t"),
    Style(
      name: "Acceleration.csv", header: ["Time (s)"] + ["x", "y", "z"].map { "Linear Acceleration \($0) (m/s^2)" }),
  ]

  @Test(arguments: styles.indices)
  func `A folder is tracked without an option, whatever its file is called`(style: Int) throws {
    let folder = try TemporaryDirectory()
    try Self.write(Self.styles[style], to: folder)
    let (run, json) = try Self.track(["run"], in: folder)
    #expect(run.complaints.contains("used the built-in model running-linear"))
    #expect(run.complaints.contains("used the GPS points in its Location.csv"))
    let steps = json["steps"] as? Double ?? 0
    let meters = (json["distance"] as? [String: Any])?["meters"] as? Double ?? 0
    #expect((50...90).contains(steps), "\(json["steps"] ?? "")")
    #expect((55...90).contains(meters), "\(meters)")
    #expect((json["pauses"] as? [Any])?.isEmpty ?? false)
    // The folder `meta` is not needed, and does not disturb.
    try folder.write(
      "\"event\",\"experiment time\",\"system time\",\"system time text\"\nSTART,0E0,1.7E9,x\nPAUSE,3E1,1.70000003E9,x\n",
      to: "run/meta/time.csv")
    let again = try Self.track(["run"], in: folder).1
    #expect(again["steps"] as? Double == steps)
  }

  @Test func `The numbers tell total from linear acceleration, and the option decides otherwise`() throws {
    let folder = try TemporaryDirectory()
    try Self.write(Style(isTotal: true), to: folder, hasLocation: false)
    let total = try GaitProcess(["track", "run"], in: folder.url)
    #expect(total.status == 0)
    #expect(total.complaints.contains("--acceleration linear decides otherwise"))
    #expect(total.complaints.contains("used the built-in model running;"))
    let stated = try GaitProcess(["track", "run", "--acceleration", "linear"], in: folder.url)
    #expect(stated.status == 0)
    #expect(stated.complaints.contains("running-linear"))
    try Self.write(Style(name: "Linear Accelerometer.csv"), to: folder, hasLocation: false)
    let linear = try GaitProcess(["track", "run/Linear Accelerometer.csv"], in: folder.url)
    #expect(linear.status == 0)
    #expect(linear.complaints.contains("running-linear"))
    let forced = try GaitProcess(["track", "run", "--acceleration", "total"], in: folder.url)
    #expect(forced.status == 0)
    #expect(forced.complaints.contains("estimated gravity"))
  }

  @Test func `classify, features, inspect, plot and a live stream take linear acceleration`() throws {
    let folder = try TemporaryDirectory()
    try Self.write(Style(name: "kiihtyvyys.csv"), to: folder)
    let classified = try GaitProcess(["classify", "running", "run"], in: folder.url)
    #expect(classified.status == 0, "\(classified.complaints)")
    #expect(classified.output.contains("running"), "\(classified.complaints)")
    #expect(classified.complaints.contains("used the built-in model running-linear, as the recording has no gravity"))
    for arguments in [
      ["inspect", "run"], ["plot", "run", "--model", "running", "--output", "p.html"],
      ["features", "run", "--feature", "userAcceleration.magnitude.rms", "--feature", "jerk.rms"],
      ["convert", "run", "run.csv"],
    ] {
      let result = try GaitProcess(arguments, in: folder.url)
      #expect(result.status == 0, "\(arguments): \(result.complaints)")
    }
    let lines = try String(contentsOf: folder.file("run.csv"), encoding: .utf8)
      .split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n")
    let live = try GaitProcess(["track", "-"], in: folder.url, input: lines)
    #expect(live.status == 0, "\(live.complaints)")
    #expect(live.complaints.contains("running-linear"), "\(live.complaints)")
    let walking = try GaitProcess(["track", "run", "--policy", "notRunning"], in: folder.url)
    #expect(walking.complaints.contains("pauses for walking may be false; use --policy still"), "\(walking.complaints)")
    let pocket = try GaitProcess(["track", "running-pocket", "-"], in: folder.url, input: lines)
    #expect(pocket.status == 65, "\(pocket.complaints)")
    #expect(pocket.complaints.contains("gravity.x"), "\(pocket.complaints)")
  }

  @Test func `A folder of positions alone, and a model without a recording, are refused`() throws {
    let folder = try TemporaryDirectory()
    try Self.write(Style(), to: folder)
    try FileManager.default.removeItem(at: folder.file("run/Linear Accelerometer.csv"))
    let run = try GaitProcess(["track", "run"], in: folder.url)
    #expect(run.status == 65, "\(run.complaints)")
    #expect(run.complaints.contains("Location.csv"), "\(run.complaints)")
    let alone = try GaitProcess(["track", "running"], in: folder.url)
    #expect(alone.status == 64)
    #expect(alone.complaints.contains("name a recording"))
  }

  @Test(.requiresRealData, .requiresOptimization)
  func `All walks and runs of people with their own phones are tracked`() throws {
    let outdoors = try #require(RealData.directory).appending(path: "outdoors")
    for number in 1...20 {
      let path = outdoors.appending(path: number < 10 ? "phone_0\(number)" : "phone_\(number)").path
      let run = try GaitProcess(["track", path, "--json"])
      #expect(run.status == 0, "\(path): \(run.complaints)")
      let json = try run.json()
      #expect((json["cadencePoints"] as? [Any])?.count ?? 0 > 50, "\(path)")
    }
  }
}
