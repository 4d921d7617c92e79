import Foundation
import GaitTestSupport
import Testing

/// `gait-lab simulate`.
@Suite struct SimulateTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static func people(
    _ name: String, seed: Int, seconds: Int = 6, in folder: TemporaryDirectory
  ) throws -> GaitProcess {
    try GaitProcess(
      ["simulate", name, "--seed", "\(seed)", "--subjects", "2", "--seconds", "\(seconds)"], in: folder.url,
      command: "gait-lab")
  }

  private static func files(_ name: String, in folder: TemporaryDirectory) throws -> [String: Data] {
    try folder.contents.filter { $0.hasPrefix(name + "/") && $0.hasSuffix(".csv") }.reduce(into: [:]) {
      $0[String($1.dropFirst(name.count))] = try Data(contentsOf: folder.file($1))
    }
  }

  @Test func `The same seed gives the same bytes, another seed different ones`() throws {
    for (name, seed) in [("a", 5), ("b", 5), ("c", 6)] {
      #expect(try Self.people(name, seed: seed, in: folder).status == 0)
    }
    let (a, b, c) = (
      try Self.files("a", in: folder), try Self.files("b", in: folder), try Self.files("c", in: folder)
    )
    #expect(
      a.keys.sorted() == ["running", "still", "walking"].flatMap { ["/\($0)/sub_1.csv", "/\($0)/sub_2.csv"] })
    #expect(a == b)
    #expect(a.keys.allSatisfy { a[$0] != c[$0] })
  }

  @Test func `Simulated recordings can be inspected`() throws {
    #expect(try Self.people("people", seed: 7, seconds: 10, in: folder).status == 0)
    let run = try GaitProcess(
      ["inspect", "people/running/sub_1.csv", "--rate", "50", "--json"], in: folder.url)
    let report = try run.json()
    #expect(report["rows"] as? Int == 500)
    #expect((report["channels"] as? [String])?.count == 12)
    #expect((2.3...3.3).contains(report["stepFrequency"] as? Double ?? 0))
  }

  @Test func `Nothing is overwritten`() throws {
    #expect(try Self.people("people", seed: 1, in: folder).status == 0)
    let before = try Self.files("people", in: folder)
    let again = try Self.people("people", seed: 2, in: folder)
    #expect(again.status == 64)
    #expect(again.output == "")
    #expect(try Self.files("people", in: folder) == before)
  }

  @Test func `An empty folder is filled, even the working folder`() throws {
    let run = try Self.people(".", seed: 1, in: folder)
    #expect(run.status == 0, "\(run.complaints)")
    #expect(try folder.contents.filter { !$0.contains("/") } == ["running", "still", "walking"])
    try FileManager.default.createDirectory(at: folder.file("new"), withIntermediateDirectories: true)
    #expect(try Self.people("new/", seed: 1, in: folder).status == 0)
    #expect(try Self.files("new", in: folder).count == 6)
  }

  @Test func `A run passes through its activities, and auto-pause finds the stop`() throws {
    let simulate = ["simulate", "runs", "--seed", "3", "--subjects", "1", "--rate", "25"]
    let made = try GaitProcess(
      simulate + ["--run", "running=25,still=20,running=20"], in: folder.url, command: "gait-lab")
    #expect(made.status == 0, "\(made.complaints)")
    #expect(made.output.contains("1 simulated recording of 1 person to runs"))
    let run = try GaitProcess(["track", "running", "runs/run_1.csv", "--json"], in: folder.url).json()
    let pauses = try #require(run["pauses"] as? [[String: Any]])
    #expect(pauses.count == 1)
    #expect(abs((pauses.first?["onset"] as? Double ?? 0) - 25) < 1.5)
    #expect(abs((pauses.first?["end"] as? Double ?? 0) - 45) < 1.5)
  }

  @Test(
    arguments: ["running", "running=25,,still=20", "flying=20", "running=2", "running=x", ""].thinnedInDebug(by: 3))
  func `A run that is not stated as activities with lengths is refused`(text: String) throws {
    let run = try GaitProcess(["simulate", "runs", "--seed", "1", "--run", text], in: folder.url, command: "gait-lab")
    #expect(run.status == 64, "\(run.complaints)")
    #expect(run.complaints.contains("such as still=30"), "\(run.complaints)")
    #expect(try folder.contents.isEmpty)
  }

  @Test(arguments: [
    (["--seed", "1", "--run", "running=25", "--seconds", "9"], "give one of them"),
    (["--seed", "1", "--seconds", "86400"], "--seconds must be within 1…3600"),
    (["--seed", "1", "--seconds", "nan"], "--seconds must be within 1…3600"),
    (["--seed", "1", "--rate", "1"], "--rate must be within 4…1000 Hz"),
    (["--seed", "1", "--gps"], "--gps needs --run"),
    ([], "--seed"), (["--seed", "-1"], "'-1'"),
  ])
  func `Wrong options are refused`(options: [String], text: String) throws {
    let run = try GaitProcess(["simulate", "new"] + options, in: folder.url, command: "gait-lab")
    #expect(run.status == 64, "\(run.complaints)")
    #expect(run.complaints.contains(text), "\(run.complaints)")
    #expect(try folder.contents.isEmpty)
  }

  @Test(arguments: [
    (["judge", "dance"], "there is no judge \"dance\"; choose two-speeds, distance"),
    (["judge", "damage"], "damage takes DATA."), (["judge", "live", "a", "b"], "live takes [MODEL]."),
    (["judge", "places", "data", "--proxies", "--json"], "--proxies and --candidates stand alone."),
  ])
  func `A judge takes its own arguments`(arguments: [String], text: String) throws {
    let run = try GaitProcess(arguments, command: "gait-lab")
    #expect(run.status == 64, "\(run.complaints)")
    #expect(run.complaints.contains(text), "\(run.complaints)")
  }
}
