import Foundation
import GaitFormats
import GaitTestSupport
import Testing

@testable import GaitTraining

@Suite struct FolderWalkTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.file(name).path, withDestinationPath: folder.file(target).path)
  }

  @Test(.timeLimit(.minutes(5))) func `Folders that are linked to each other are visited once each`() throws {
    let names = (0..<10).map { "f\($0)" }
    for name in names { try folder.write("x", to: "\(name)/a.csv") }
    for name in names {
      for other in names where other != name { try link("\(name)/to-\(other)", to: other) }
    }
    let walk = try FolderWalk(root: folder.url)
    #expect(walk.paths == names.map { "\($0)/a.csv" })
    #expect(walk.warnings.count == 1)
    #expect(walk.warnings[0].hasPrefix("skipped 90 entries of folder"))
    #expect(walk.warnings[0].contains("links to folders already read: f0/to-f1, "))
  }

  @Test func `A folder outside is read through the first of two links to it`() throws {
    let other = try TemporaryDirectory()
    try other.write("x", to: "a.csv")
    for name in ["n10", "n9"] {
      try FileManager.default.createSymbolicLink(atPath: folder.file(name).path, withDestinationPath: other.url.path)
    }
    let walk = try FolderWalk(root: folder.url)
    #expect(walk.paths == ["n9/a.csv"])
    #expect(walk.warnings.first?.hasSuffix("already read: n10") == true)
  }

  @Test(.timeLimit(.minutes(5))) func `A pipe in a folder is skipped with a warning`() throws {
    try folder.write("x", to: "a.csv")
    #expect(mkfifo(folder.file("b.csv").path, 0o600) == 0)
    let walk = try FolderWalk(root: folder.url)
    #expect(walk.paths == ["a.csv"])
    #expect(walk.warnings.first?.hasSuffix("that are pipes, sockets or devices: b.csv") == true)
  }

  @Test(.timeLimit(.minutes(5))) func `A named pipe is not a recording`() throws {
    #expect(mkfifo(folder.file("b.csv").path, 0o600) == 0)
    #expect(
      throws: RecordingError.cannotRead(
        file: folder.file("b.csv").relativePath, reason: "it is a named pipe, not a file")
    ) { try RecordingTable(contentsOf: folder.file("b.csv"), ReadingOptions()) }
  }

  #if os(Linux)
    @Test func `A name that is not UTF-8 is skipped and shown escaped`() throws {
      try folder.write("x", to: "a.csv")
      let bytes = Array(folder.file("caf").path.utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0x2E, 0x63, 0]
      let file = try #require(fopen(bytes, "w"))
      fclose(file)
      let walk = try FolderWalk(root: folder.url)
      #expect(walk.paths == ["a.csv"])
      #expect(walk.warnings.first?.hasSuffix("names that are not UTF-8: caf\\xE9.c") == true)
    }
  #endif

  @Test func `A dataset has the warnings of its folder`() throws {
    for (seed, label) in ["a", "b"].enumerated() {
      try folder.write(SampleRecordings.csv(SampleRecordings.rows(20, seed: UInt64(seed))), to: "\(label)/1.csv")
    }
    try link("c", to: "a")
    let dataset = try LabeledDataset(directory: folder.url, layout: "{label}/{trial}.csv", sampleRate: .hertz(50))
    #expect(dataset.recordings.count == 2)
    try #require(dataset.warnings.count == 1)
    #expect(dataset.warnings[0].hasSuffix("already read: c"))
  }
}
