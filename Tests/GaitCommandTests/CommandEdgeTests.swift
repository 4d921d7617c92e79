import Foundation
import GaitTestSupport
import Testing

/// Exit codes and sentences at the edges: pipes, full disks, collections, extreme values, many labels.
@Suite struct CommandEdgeTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test func `A huge acceleration is described without inf`() throws {
    var lines = SampleFiles.csv(300, strength: 0.5, seed: 1).split(separator: "\n").map(String.init)
    lines[150] = Array(repeating: "3e38", count: lines[0].split(separator: ",").count).joined(separator: ",")
    try folder.write(lines.joined(separator: "\n") + "\n", to: "huge.csv")
    for options in [[], ["--json"]] {
      let run = try GaitProcess(["inspect", "huge.csv", "--rate", "50"] + options, in: folder.url)
      #expect(run.status == 0, "\(run.output)\(run.complaints)")
      #expect(!run.output.contains("inf g"), "\(run.output)\(run.complaints)")
    }
  }

  @Test func `A named pipe is refused, as an input and as an output without a reader`() throws {
    try #require(mkfifo(folder.file("pipe").path, 0o600) == 0)
    for (arguments, status) in [
      (["inspect", "pipe"], Int32(66)), (["export", "running", "--format", "swift", "--output", "pipe"], 73),
    ] {
      let run = try GaitProcess(arguments, in: folder.url)
      #expect(run.status == status, "\(run.status): \(run.complaints)")
    }
  }

  @Test func `A live run skips the comments of a recording and quotes little of a long line`() throws {
    let text = SampleFiles.csv(200, strength: 0.5, seed: 1)
    let run = try GaitProcess(
      ["track", "running", "-", "--rate", "50"], input: "# gait recording\n# source: x\n" + text)
    #expect(run.status == 0, "\(run.complaints)")
    let long = try GaitProcess(
      ["track", "running", "-", "--rate", "50"], input: "time,\(String(repeating: "x", count: 60_000))\n1,2\n")
    #expect(long.status == 65, "\(long.complaints.count)")
    #expect(long.complaints.count < 1000, "\(long.complaints.count)")
  }

  @Test func `A replaced report keeps its permissions`() throws {
    try folder.write(SampleFiles.csv(300, strength: 0.5, seed: 1), to: "a.csv")
    let arguments = ["inspect", "a.csv", "--rate", "50", "--report", "a.html"]
    #expect(try GaitProcess(arguments, in: folder.url).status == 0)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.file("a.html").path)
    #expect(try GaitProcess(arguments, in: folder.url).status == 0)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("a.html").path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `A table of features holds no formula`() throws {
    try folder.write(SampleFiles.csv(300, strength: 0.5, seed: 1), to: "data/=1+1/-2.csv")
    let run = try GaitProcess(
      ["features", "data", "--layout", "{label}/{subject}.csv", "--rate", "50"], in: folder.url)
    let row = run.output.split(separator: "\n").dropFirst().first
    #expect(row?.hasPrefix("'=1+1,-2,data/=1+1/-2.csv,") == true, "\(row ?? "")\(run.complaints)")
  }

  @Test func `Warnings that differ in files and numbers only are few`() throws {
    for number in 0..<40 {
      let label = number % 2 == 0 ? "still" : "run"
      try folder.write(
        SampleFiles.csv(200, strength: 0.5, seed: UInt64(number)) + "\n\n,,,,,,\n", to: "data/\(label)/\(number).csv")
    }
    let run = try GaitProcess(
      ["features", "data", "--layout", "{label}/{recording}.csv", "--rate", "50"], in: folder.url)
    #expect(run.complaintLines.count < 12, "\(run.complaintLines.count): \(run.complaints.prefix(2000))")
  }

  #if os(Linux)
    @Test(arguments: [["help"], ["--help"], ["--version"], ["inspect", "running"]])
    func `A full disk at standard output is an error`(arguments: [String]) throws {
      let process = Process()
      process.executableURL = try GaitProcess.executable()
      process.arguments = arguments
      process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 73)
    }

    @Test func `A limit on file sizes is an error and leaves nothing`() throws {
      let folder = try TemporaryDirectory()
      try folder.write(SampleFiles.csv(3000, strength: 0.5, seed: 1), to: "data/a.csv")
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = [
        "-c", "ulimit -f 1; exec \"$0\" \"$@\"", try GaitProcess.executable().path, "convert", "data", "out", "--rate",
        "50",
      ]
      process.currentDirectoryURL = folder.url
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationReason == .exit)
      #expect(process.terminationStatus == 73)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["data"])
    }
  #endif
}
