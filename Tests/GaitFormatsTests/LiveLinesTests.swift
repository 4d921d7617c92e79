import Testing

@testable import GaitFormats

struct LiveLinesTests {
  /// A source that gives `step` bytes at a time, like a pipe.
  private final class Pipe: ByteSource {
    private var rest: ArraySlice<UInt8>
    private let step: Int
    private(set) var fillCount = 0

    init(_ text: String, step: Int) {
      rest = Array(text.utf8)[...]
      self.step = step
    }

    var expectedByteCount: Int { 0 }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
      fillCount += 1
      let next = rest.prefix(min(step, buffer.count))
      buffer.copyBytes(from: next)
      rest = rest.dropFirst(next.count)
      return next.count
    }
  }

  private func lines(_ source: any ByteSource) throws -> [String] {
    var lines = LiveLines(source, file: "standard input")
    var found: [String] = []
    while let line = try lines.next() { found.append(line) }
    return found
  }

  @Test(arguments: [1, 2, 3, 7, 100, 70_000])
  func `Lines do not depend on the read size`(step: Int) throws {
    let long = String(repeating: "x", count: 200_000)
    let text = "a,b\r\n\n1,2\n\(long)\n3,ü\nlast"
    #expect(try lines(Pipe(text, step: step)) == ["a,b", "", "1,2", long, "3,ü", "last"])
    #expect(try lines(Pipe("", step: step)) == [])
    #expect(try lines(Pipe("\n", step: step)) == [""])
  }

  @Test func `A line is returned before later bytes are read`() throws {
    let pipe = Pipe("1,2\n3,4\n", step: 4)
    var lines = LiveLines(pipe, file: "standard input")
    #expect(try lines.next() == "1,2" && pipe.fillCount == 1)
    #expect(try lines.next() == "3,4" && pipe.fillCount == 2)
  }

  @Test func `A line that is too long is an error with its number`() throws {
    let expected = RecordingError.longLine(file: "standard input", line: 2, longestMebibytes: 1)
    #expect(throws: expected) {
      try lines(Pipe("a\n" + String(repeating: "x", count: 2 << 20), step: 100_000))
    }
    #expect(
      expected.description
        == "standard input:2: the line is longer than 1 MiB; write each row on a line of its own.")
  }
}
