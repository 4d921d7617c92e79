import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

/// Times far from 0 are refused on input; times in range are subtracted without overflow.
struct TimeRangeTests {
  private let fixture: FormatFixture
  private let header = "time (s),acc_x (g),acc_y (g),acc_z (g)\n"

  init() throws { fixture = try FormatFixture() }

  @Test func `The difference of any two times in range, plus some periods, does not overflow`() {
    let farthest = SampleTime.farthest
    #expect(!farthest.subtractingReportingOverflow(-farthest).overflow)
    #expect(Int64.max - 2 * farthest > 1_000_000_000_000_000_000)
  }

  @Test(arguments: ["-4611686018.4", "4000000000.1", "-3999999999999e-2", "1e30"])
  func `The error of a time out of range names the cell`(time: String) throws {
    let error = RecordingError.timeOutOfRange(
      file: "walk.csv", line: 3, column: 1, name: "time (s)", found: time)
    #expect(try fixture.error(header + "-3689348814.7,0,0,-1\n\(time),0,0,-1\n") == error)
    #expect(error.description.contains("more than 126 years"))
  }

  @Test(arguments: ["9999-01-01T00:00:00Z", "1830-01-01T00:00:00Z", "2115-01-01T00:00:00Z"])
  func `The error of a date out of range names the cell`(date: String) throws {
    let dated = "time,acc_x (g),acc_y (g),acc_z (g)\n"
    for (line, first) in [(2, ""), (3, "2024-01-01T00:00:00Z,0,0,-1\n")] {
      #expect(
        try fixture.error(dated + first + "\(date),0,0,-1\n")
          == .timeOutOfRange(file: "walk.csv", line: line, column: 1, name: "time", found: date))
    }
  }

  @Test func `The error of a live line's time out of range names the cell`() throws {
    let header = "time,gravity.x,gravity.y,gravity.z,userAcceleration.x,userAcceleration.y,userAcceleration.z\n"
    func live(_ rows: String) throws -> LiveRecording {
      try LiveRecording(
        MemoryBytes(Array((header + rows).utf8)[...]), name: "live", options: ReadingOptions(sampleRate: .hertz(50)))
    }
    #expect(
      throws: RecordingError.timeOutOfRange(file: "live", line: 2, column: 1, name: "time", found: "4611686018.4")
    ) {
      var lines = try live("4611686018.4,0,0,-1,0,0,0\n")
      _ = try lines.next()
    }
    var lines = try live("nan,0,0,-1,0,0,0\n-4000000000,0,0,-1,0,0,0\n")
    #expect(try lines.next()?.start.nanoseconds == -SampleTime.farthest)
    #expect(lines.lateRowCount == 1)
  }

  @Test func `Rows from both ends of the range are of a wrong clock`() throws {
    let (first, last) = (
      TimedRows.even(200, from: -SampleTime.farthest), TimedRows.even(200, from: 3_999_999_990_000_000_000)
    )
    for times in [first + last, last + first] {
      guard case .farApart(let seconds)? = TimedRows.problem(times) else {
        Issue.record("\(String(describing: TimedRows.problem(times)))")
        return
      }
      #expect((seconds - 7_999_999_986).magnitude < 1)
    }
  }

  @Test func `A clock that was set back is repaired within the range of times, and refused beyond it`() throws {
    let century: Int64 = 3_155_760_000_000_000_000
    let late = TimedRows.even(300, from: SampleTime.farthest - 10_000_000_000)
    #expect(TimedRows.problem(late + late.map { $0 + 5_000_000 } + [SampleTime.farthest]) == .tooLong)
    let near = TimedRows.even(300, from: -century) + TimedRows.even(300, from: -century + 5_000_000)
    let recording = try TimedRows.read(near).recording
    #expect(recording.count == 600)
    #expect(recording.gaps.count == 1)
  }

  @Test func `Damaged times give a recording or an error, never a trap`() {
    var random = SplitMix64(seed: 14)
    let far = SampleTime.farthest
    for _ in 0..<300 {
      var times = TimedRows.even(
        200, from: [0, far - 4_000_000_000, -far, 1_700_000_000_000_000_000].randomElement(using: &random)!)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let rows = Int.random(in: 0..<200, using: &random)..<200
        let offset = Int64.random(in: -far...far, using: &random)
        for row in rows {
          let (sum, overflows) = times[row].addingReportingOverflow(offset)
          times[row] = overflows ? offset : min(max(sum, -far), far)
        }
      }
      _ = try? TimedRows.read(times)
    }
  }

  @Test func `Sensors and locations a century apart are joined or refused without overflow`() throws {
    let ends = [-SampleTime.farthest, SampleTime.farthest]
    let rows = [DelimitedRows.emptyRow, DelimitedRows.emptyRow]
    let leading = SensorStream(file: "a", sensors: [.userAcceleration], rows: rows, times: ends)
    let other = SensorStream(file: "b", sensors: [.gravity], rows: rows, times: ends)
    #expect(try SensorJoin(leading: leading, others: [other], file: "ab").times == ends)
    try fixture.folder.write("time,latitude,longitude\n-3999999999,1,2\n3999999999,1,2\n", to: "route.csv")
    let route = try LocationFile(contentsOf: fixture.url("route.csv"))
    let recording = Recording(
      name: "r", sampleRate: .hertz(50), start: SampleTime(nanoseconds: SampleTime.farthest - 1_000_000_000),
      columns: [.gravityX: [0, 0]])
    #expect(throws: LocationFileError.self) { try route.aligned(to: recording) }
    // The second location would lie beyond the range.
    for offset in [4e9, -4e9, 1] {
      let aligned = try route.aligned(to: recording, offset: offset)
      #expect(aligned.allSatisfy { $0.time.nanoseconds.magnitude <= SampleTime.farthest.magnitude })
    }
    #expect(throws: LocationFileError.self) { try route.aligned(to: recording, offset: .nan) }
  }
}
