import Foundation
import Gait
import GaitBenchmarks
import GaitFormats
import GaitTestSupport
import GaitTraining
import Testing

struct ReadingBenchmarkTests {
  @Test func `A benchmark counts, times and fingerprints the rows`() throws {
    let folder = try TemporaryDirectory()
    let names = Sensor.gravity.channels + Sensor.userAcceleration.channels
    let header = names.map(\.rawValue).joined(separator: ",")
    let file = try folder.write(header + "\n0.5,1,2,3,4,5\n-0.25,1,2,3,4,5\n", to: "walk.csv")
    let benchmark = try ReadingBenchmark(contentsOf: file, repetitions: 3)
    #expect(benchmark.rows == 2)
    #expect(benchmark.bytes == header.utf8.count + 1 + 14 + 16)
    #expect(benchmark.speeds.map(\.name) == ["rows", "lanes", "line feeds", "bytes", "memory", "copy"])
    #expect(benchmark.speeds.allSatisfy { $0.megabytesPerSecond > 0 && $0.spread >= 0 })
    #expect(benchmark.fingerprints.count == 6)
    let (first, second) = (UInt64(Float(0.5).bitPattern), UInt64(Float(-0.25).bitPattern))
    #expect(benchmark.fingerprints["gravity.x"] == first + 2 * second)
  }

  @Test func `A file that cannot be read is an error`() throws {
    let file = try TemporaryDirectory().file("none.csv")
    #expect(throws: RecordingError.self) { try ReadingBenchmark(contentsOf: file, repetitions: 1) }
  }
}
