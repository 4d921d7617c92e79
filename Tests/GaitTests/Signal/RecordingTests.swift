import Testing

@testable import Gait

@Suite struct RecordingTests {
  private static func recording(_ hertz: Double, count: Int = 12) -> Recording {
    Recording(
      name: "even", sampleRate: .hertz(hertz), start: .seconds(5), channels: [],
      rows: (0..<count).map { SIMD16(repeating: Float($0)) })
  }

  @Test("Every slice keeps the times and rows of its samples", arguments: [30, 50, 64.1])
  func slices(hertz: Double) {
    let whole = Self.recording(hertz)
    for first in 0..<whole.count {
      for end in first...whole.count {
        let slice = whole[first..<end]
        #expect(slice.count == end - first)
        for index in 0..<slice.count {
          #expect(slice.time(at: index) == whole.time(at: first + index), "\(first)..<\(end) at \(index)")
          #expect(slice[index].row == whole[first + index].row)
        }
      }
    }
  }

  @Test func `A slice from the first sample stays evenly spaced, and one of a whole period anywhere`() {
    #expect(Self.recording(50)[3..<7].wholePeriod == 20_000_000)
    #expect(Self.recording(30)[0..<7].wholePeriod == nil)
    #expect(Self.recording(50)[3..<3].start == .seconds(5))
  }

  @Test func `The samples are a collection`() {
    let recording = Self.recording(50)
    #expect(recording.samples.count == recording.count)
    #expect(recording.samples.map(\.time.seconds) == (0..<12).map { 5 + Double($0) / 50 })
    #expect(recording.samples.last == recording[11])
    #expect(Self.recording(50, count: 0).samples.isEmpty)
  }

  @Test func `Recordings are equal if their samples are, with missing values where the other has them`() {
    func recording(_ change: (inout [Channel: [Float]]) -> Void = { _ in }) -> Recording {
      var columns: [Channel: [Float]] = [.gravityX: [1, .nan, 3], .userAccelerationX: [0, 0, 0]]
      change(&columns)
      return Recording(name: "walk", sampleRate: .hertz(50), columns: columns)
    }
    #expect(recording() == recording())
    #expect(recording() != recording { $0[.gravityX] = [1, 2, 3] })
    #expect(recording() != recording { $0[.gravityX] = [1, .nan, .nan] })
    #expect(recording() != recording { $0[.userAccelerationX] = nil })
    let timed = Recording(name: "walk", sampleRate: .hertz(50), samples: Array(recording().samples))
    #expect(timed == recording())
    #expect(recording()[1..<3] != recording()[0..<2])
    var other = recording()
    other.name = "run"
    #expect(other != recording())
  }
}
