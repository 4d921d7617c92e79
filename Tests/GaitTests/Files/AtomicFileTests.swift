import Foundation
import Gait
import GaitTestSupport
import Testing

struct AtomicFileTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func url(_ path: String) -> URL { URL(filePath: path, relativeTo: folder.url) }

  private func check(
    writing path: String, throws expected: FileWriteError, description: String,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let before = try folder.contents
    #expect(throws: expected, sourceLocation: location) { try AtomicFile.write("new", to: url(path)) }
    #expect(expected.description == description, sourceLocation: location)
    #expect(try folder.contents == before, sourceLocation: location)
  }

  @Test func `Pieces are written in order`() throws {
    try AtomicFile.write(pieces: [Array("one,".utf8), [], Array("two\n".utf8)], to: folder.file("f"))
    #expect(try String(contentsOf: folder.file("f"), encoding: .utf8) == "one,two\n")
  }

  @Test func `A replaced file keeps its permissions`() throws {
    try AtomicFile.write("old", to: url("f"))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url("f").path)
    try AtomicFile.write("new", to: url("f"))
    #expect(try FileManager.default.attributesOfItem(atPath: url("f").path)[.posixPermissions] as? Int == 0o600)
  }

  @Test func `A file is written and overwritten`() throws {
    try AtomicFile.write("old", to: url("a.txt"))
    try AtomicFile.write(Array("new ✓".utf8), to: url("a.txt"))
    #expect(try String(contentsOf: url("a.txt"), encoding: .utf8) == "new ✓")
    try AtomicFile.write([], to: url("empty"))
    #expect(try folder.contents == ["a.txt", "empty"])
  }

  @Test func `What a killed process left is taken over`() throws {
    try folder.write("a draft that is longer than the file", to: ".gait-a.txt.part")
    try AtomicFile.write("new", to: url("a.txt"))
    #expect(try String(contentsOf: url("a.txt"), encoding: .utf8) == "new")
    try folder.write("mine", to: "old/mine.txt")
    try folder.write("stale", to: ".gait-new.part/stale.txt")
    try folder.write("stale", to: "old/.gait-old.part/stale.txt")
    for name in ["new", "old"] {
      try AtomicFile.fill(folder: url(name)) { try AtomicFile.write("b", to: $0.appending(path: "b.txt")) }
    }
    #expect(try folder.contents.filter { $0.hasSuffix("t") } == ["a.txt", "new/b.txt", "old/b.txt", "old/mine.txt"])
  }

  @Test func `Writers of one file wait for each other, and the last one's file stays whole`() async throws {
    let (file, texts) = (url("a.txt"), (0..<24).map { String(repeating: "\($0) ", count: 2000 + 100 * $0) })
    await withTaskGroup(of: Void.self) { group in
      for text in texts {
        group.addTask { #expect(throws: Never.self) { try AtomicFile.write(text, to: file) } }
      }
    }
    #expect(try texts.contains(String(contentsOf: file, encoding: .utf8)))
    #expect(try folder.contents == ["a.txt"])
  }

  @Test func `A folder that another writer fills is an error, and a failure leaves nothing`() throws {
    let taken = FileWriteError.cannotWrite(file: "new", reason: "another process writes there")
    func fillTwice() throws {
      try AtomicFile.fill(folder: url("new")) { draft in
        #expect(throws: taken) { try AtomicFile.fill(folder: url("new")) { _ in } }
        try AtomicFile.write("b", to: draft.appending(path: "b.txt"))
        throw FileWriteError.isFolder(file: "mine")
      }
    }
    #expect(throws: FileWriteError.isFolder(file: "mine")) { try fillTwice() }
    #expect(try folder.contents.isEmpty)
  }

  @Test func `A missing folder is reported and not created`() throws {
    try check(
      writing: "none/a.txt", throws: .noFolder(file: "none/a.txt", folder: "none"),
      description: "cannot write none/a.txt: folder none does not exist; create it, or choose another path.")
  }

  @Test func `A file in place of the folder is reported`() throws {
    try folder.write("x", to: "file")
    try check(
      writing: "file/a.txt", throws: .noFolder(file: "file/a.txt", folder: "file"),
      description: "cannot write file/a.txt: folder file does not exist; create it, or choose another path.")
  }

  @Test func `A folder is not overwritten`() throws {
    try folder.write("x", to: "models/m.json")
    try check(
      writing: "models", throws: .isFolder(file: "models"),
      description: "cannot write models: it is a folder; give the path of a file.")
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser can write everywhere"))
  func `Without permission for the folder the old file stays`() throws {
    try folder.write("old", to: "locked/a.txt")
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: url("locked").path)
    try check(
      writing: "locked/a.txt", throws: .cannotWrite(file: "locked/a.txt", reason: "permission was denied"),
      description:
        "cannot write locked/a.txt: permission was denied; make room or get permission, or choose another path.")
    #expect(try String(contentsOf: url("locked/a.txt"), encoding: .utf8) == "old")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: url("locked").path)
  }

  @Test func `A symbolic link is followed`() throws {
    try folder.write("old", to: "real.txt")
    try FileManager.default.createSymbolicLink(atPath: url("link.txt").path, withDestinationPath: url("real.txt").path)
    try AtomicFile.write("new", to: url("link.txt"))
    #expect(try String(contentsOf: url("real.txt"), encoding: .utf8) == "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: url("link.txt").path) == url("real.txt").path)
  }

  @Test func `A device is written to and not replaced`() throws {
    try AtomicFile.write("gone", to: URL(filePath: "/dev/null"))
    var status = stat()
    #expect(stat("/dev/null", &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFCHR)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "this system has no /dev/full"))
  func `A full disk is reported`() throws {
    let full = URL(filePath: "/dev/full")
    #expect(throws: FileWriteError.cannotWrite(file: "/dev/full", reason: "the disk is full")) {
      try AtomicFile.write("text", to: full)
    }
  }
}
