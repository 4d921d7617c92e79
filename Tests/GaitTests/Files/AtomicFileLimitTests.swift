import Foundation
import Gait
import GaitTestSupport
import Testing

/// Streams, pipes, permissions and long names of written files.
struct AtomicFileLimitTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func permissions(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: folder.file(name).path)[.posixPermissions] as? Int
  }

  @Test func `Open streams have their descriptors`() {
    for (path, descriptor) in [
      ("/dev/stdin", 0), ("/dev/stdout", 1), ("/dev/stderr", 2), ("/dev/fd/7", 7), ("/proc/self/fd/12", 12),
      ("/dev/fd/x", nil), ("/dev/fd", nil), ("/dev/null", nil), ("stdout", nil),
    ] as [(String, CInt?)] {
      #expect(AtomicFile.stream(at: path) == descriptor, "\(path)")
    }
  }

  @Test func `An open stream continues where it was, and stays open`() throws {
    let descriptor = open(folder.file("s").path, O_RDWR | O_CREAT, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    for text in ["one ", "two "] { try AtomicFile.write(text, to: URL(filePath: "/dev/fd/\(descriptor)")) }
    #expect(Array("three".utf8).withUnsafeBytes { AtomicFile.writeAll($0, to: descriptor) } == 0)
    #expect(try String(contentsOf: folder.file("s"), encoding: .utf8) == "one two three")
    #expect(try folder.contents == ["s"])
    #expect([1, 2].withUnsafeBytes { AtomicFile.writeAll($0, to: -1) } == EBADF)
    #expect([UInt8]().withUnsafeBytes { AtomicFile.writeAll($0, to: -1) } == 0)
    #expect(throws: FileWriteError.cannotWrite(file: "/dev/fd/987", reason: "bad file descriptor")) {
      try AtomicFile.write("x", to: URL(filePath: "/dev/fd/987"))
    }
  }

  @Test func `A new file has the usual permissions, and a replaced one keeps all nine`() throws {
    #expect(FileManager.default.createFile(atPath: folder.file("usual").path, contents: nil))
    try AtomicFile.write("new", to: folder.file("new"))
    #expect(try permissions("new") == permissions("usual"))
    for mode in [0o755, 0o604, 0o640, 0o777] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.file("new").path)
      try AtomicFile.write("other", to: folder.file("new"))
      #expect(try permissions("new") == mode)
    }
  }

  @Test func `Names of up to 255 bytes can be written`() throws {
    for count in [199, 200, 201, 255] {
      let name = String(repeating: "n", count: count)
      try AtomicFile.write("text", to: folder.file(name))
      #expect(try String(contentsOf: folder.file(name), encoding: .utf8) == "text")
    }
    #expect(try folder.contents.count == 4)
  }

  @Test func `Only files of this machine are written`() throws {
    let url = try #require(URL(string: "https://example.org/a.txt"))
    #expect(throws: FileWriteError.self) { try AtomicFile.write("x", to: url) }
  }

  @Test func `A pipe with a reader is written to, one without a reader is an error after two seconds`() throws {
    let path = folder.file("pipe").path
    try #require(mkfifo(path, 0o600) == 0)
    let start = ContinuousClock.now
    #expect(throws: FileWriteError.self) { try AtomicFile.write("x", to: folder.file("pipe")) }
    #expect(ContinuousClock.now - start > .seconds(1.9))
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    try #require(reader >= 0)
    defer { close(reader) }
    try AtomicFile.write("through", to: folder.file("pipe"))
    var bytes = [UInt8](repeating: 0, count: 20)
    #expect(read(reader, &bytes, 20) == 7)
    #expect(String(decoding: bytes[..<7], as: UTF8.self) == "through")
    #expect(try folder.contents == ["pipe"])
  }

  @Test func `A failing piece leaves the old file and no draft`() throws {
    try folder.write("old", to: "f")
    var count = 0
    #expect(throws: FileWriteError.isFolder(file: "mine")) {
      try AtomicFile.write(to: folder.file("f")) { () throws(FileWriteError) in
        count += 1
        if count == 3 { throw .isFolder(file: "mine") }
        return [65]
      }
    }
    #expect(try String(contentsOf: folder.file("f"), encoding: .utf8) == "old")
    #expect(try folder.contents == ["f"])
  }

  @Test func `A folder in the place of a draft is an error`() throws {
    try folder.write("x", to: ".gait-f.part/x")
    #expect(throws: FileWriteError.cannotWrite(file: folder.file("f").relativePath, reason: "it is a folder")) {
      try AtomicFile.write("x", to: folder.file("f"))
    }
    #expect(try folder.contents == [".gait-f.part", ".gait-f.part/x"])
  }

  @Test func `Folders with folders are filled, new ones and old ones, and have a result`() throws {
    try folder.write("old", to: "old/in/a")
    for name in ["new", "old"] {
      let result = try AtomicFile.fill(folder: folder.file(name)) { draft in
        try FileManager.default.createDirectory(
          at: draft.appending(path: "in/deep"), withIntermediateDirectories: true)
        try AtomicFile.write("b", to: draft.appending(path: "in/b"))
        try AtomicFile.write("c", to: draft.appending(path: "in/deep/c"))
        return 5
      }
      #expect(result == 5)
    }
    let all = try folder.contents
    #expect(
      all == [
        "new", "new/in", "new/in/b", "new/in/deep", "new/in/deep/c", "old", "old/in", "old/in/a", "old/in/b",
        "old/in/deep", "old/in/deep/c",
      ])
    #expect(throws: FileWriteError.self) { try AtomicFile.fill(folder: folder.file("no/such")) { _ in } }
    #expect(try folder.contents == all)
  }

  @Test func `Errors state the file, the reason and the cure`() {
    for (error, reason, description) in [
      (
        FileWriteError.noFolder(file: "a/b", folder: "a"), "folder a does not exist",
        "cannot write a/b: folder a does not exist; create it, or choose another path."
      ),
      (.isFolder(file: "a"), "it is a folder", "cannot write a: it is a folder; give the path of a file."),
      (
        .cannotWrite(file: "a", reason: "r"), "r",
        "cannot write a: r; make room or get permission, or choose another path."
      ),
    ] {
      #expect(error.reason == reason)
      #expect(error.description == description)
      #expect(error.errorDescription == description)
    }
    #expect(SystemReason.text(ENOENT) == "there is no such file")
    #expect(SystemReason.text(EISDIR) == "it is a folder")
    #expect(SystemReason.text(EACCES) == "permission was denied")
    #expect(SystemReason.text(EPERM) == "permission was denied")
    #expect(SystemReason.text(ENOSPC) == "the disk is full")
    #expect(SystemReason.text(EBADF) == "bad file descriptor")
  }
}
