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
}
