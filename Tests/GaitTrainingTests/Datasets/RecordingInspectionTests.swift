import Foundation
import GaitFormats
import GaitTestSupport
import GaitTraining
import Testing

@Suite struct RecordingInspectionTests {
  /// A recording with a row of total acceleration at each time.
  private static func inspection(of times: [Double]) throws -> RecordingInspection {
    let folder = try TemporaryDirectory()
    let rows = times.enumerated().map { index, time in
      "\(1000 + time),0,\(0.1 * sin(Double(index))),\(1 + 0.1 * sin(2 * Double(index)))"
    }
    let file = try folder.write((["time (s),accX(g),accY(g),accZ(g)"] + rows).joined(separator: "\n"), to: "a.csv")
    return try RecordingInspection(contentsOf: file)
  }

  @Test func `Parts of different sample rates are told, with the slowest as the rate of the whole`() throws {
    let times = (0..<2000).map { Double($0) / 100 } + (0..<1000).map { 20 + Double($0) / 50 }
    let inspection = try Self.inspection(of: times)
    let rates = try #require(inspection.rates)
    #expect(rates.map { $0.hertz.rounded() } == [100, 50])
    #expect(rates[0].start == 0)
    #expect(abs(rates[1].start - 20) < 0.1)
    #expect(try #require(inspection.sampleRate).rounded() == 50)
    #expect(inspection.start == 1000)
    #expect(abs(try #require(inspection.duration) - 40) < 0.1)
  }

  @Test func `One sample rate is no list of parts`() throws {
    let inspection = try Self.inspection(of: (0..<2000).map { Double($0) / 100 })
    #expect(inspection.rates == nil)
    #expect(try #require(inspection.measuredRate).rounded() == 100)
    #expect(inspection.rateSource == "times")
    #expect(inspection.gaps.isEmpty)
  }

  @Test func `A gap is told in seconds from the start`() throws {
    let inspection = try Self.inspection(of: (0..<1000).map { Double($0) / 50 + ($0 < 400 ? 0 : 30) })
    #expect(inspection.gaps.count == 1)
    let gap = try #require(inspection.gaps.first)
    #expect(abs(gap.start - 7.98) < 0.01)
    #expect(abs(gap.end - 38) < 0.01)
  }
}
