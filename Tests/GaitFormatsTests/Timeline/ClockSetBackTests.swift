import Gait
import GaitFormats
import GaitTestSupport
import Testing

@Suite struct ClockSetBackTests {
  private let even = TimedRows.even(3000)

  private func repairs(_ times: [Int64]) throws -> [Repair] { try TimedRows.read(times).recording.repairs }

  @Test(arguments: [0.3, 1, 20, 3600])
  func `Rows after a clock that was set back are moved behind the rest, after a gap`(seconds: Double) throws {
    let back = Int64(seconds * 1e9)
    let times = even.enumerated().map { $1 - ($0 < 2000 ? 0 : back) }
    let recording = try TimedRows.read(times).recording
    if seconds < 40 {
      #expect(
        recording.repairs == [
          .movedRowsAfterClockSetBack(count: 1, seconds: Double(back - 20_000_000) / 1e9),
          .brokeAtGaps(count: 1, longestSeconds: 0.4),
        ])
      #expect(recording.numbers == Array(0..<3000))
      #expect(recording.nanoseconds[..<2000] == even[..<2000])
    } else {
      // The rows fit before all others.
      #expect(recording.numbers == Array(2000..<3000) + Array(0..<2000))
    }
  }

  @Test(arguments: [65_536_000_000, (1 << 32) * 1_000_000, (1 << 32) * 1000, 1 << 32, 86_400_000_000_000] as [Int64])
  func `Times of a counter that wrapped around are continued`(range: Int64) throws {
    // The first row is 10.01 s before the counter's end.
    let times = TimedRows.even(3000, from: range - 10_010_000_000 % range)
    let wrapped = times.map { $0 % range }
    let recording = try TimedRows.read(wrapped).recording
    let count = Int(times[2999] / range - times[0] / range)
    #expect(recording.repairs == [.continuedCounter(count: count)])
    #expect(recording.nanoseconds == wrapped.indices.map { wrapped[0] + times[$0] - times[0] })
    #expect(recording.numbers == Array(0..<3000))
  }

  @Test func `Two recordings of one clock follow each other`() throws {
    let recording = try TimedRows.read(even + even + even).recording
    #expect(recording.numbers == Array(0..<9000))
    #expect(recording.gaps.count == 2)
  }

  @Test func `Rows out of order are sorted, not moved behind the rest`() throws {
    for (block, target) in [(100..<101, 103), (100..<110, 300), (500..<1500, 3000), (2000..<2001, 0)] {
      var order = Array(0..<3000).filter { !block.contains($0) }
      order.insert(contentsOf: block, at: min(target, order.count))
      let recording = try TimedRows.read(order.map { even[$0] }).recording
      #expect(recording.nanoseconds == even)
      #expect(recording.repairs.count == 1, "\(block) at \(target): \(recording.repairs)")
    }
  }

  @Test func `Repeated rows are dropped, not moved`() throws {
    let times = Array(even[..<1000]) + even[900...]
    let table = TimedRows.table(times) { TimedRows.row($0 < 1000 ? $0 : $0 - 100) }
    let recording = try table.recording()
    #expect(recording.repairs == [.droppedRepeatedTimes(count: 100, differing: 0)])
    #expect(recording.nanoseconds == even)
  }
}
