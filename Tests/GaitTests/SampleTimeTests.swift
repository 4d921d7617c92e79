import Foundation
import Gait
import Testing

@Suite struct SampleTimeTests {
  private static let ends = [SampleTime.range.lowerBound, SampleTime.range.upperBound]
  private static let beyond = [Int64.min, -(1 << 62), 1 << 62, .max].map(SampleTime.init(nanoseconds:))

  @Test func `Times within 126 years of the origin are valid, and their differences fit 64 bits`() {
    for time in Self.ends + [SampleTime(nanoseconds: 0)] { #expect(time.isValid) }
    for time in Self.beyond {
      #expect(!time.isValid)
      #expect(!SampleTime.range.contains(time))
    }
    #expect(!Self.ends[1].nanoseconds.subtractingReportingOverflow(Self.ends[0].nanoseconds).overflow)
    #expect(abs(Self.ends[1].seconds / (365.25 * 86_400) - 126.75) < 0.1)
  }

  @Test func `Any two times have a difference, and sums are clamped to the range`() {
    for (first, second) in [(Int64.min, Int64.max), (.max, .min), (.min, 1), (0, .min)] {
      let seconds = SampleTime(nanoseconds: first).seconds(since: SampleTime(nanoseconds: second))
      #expect(abs(seconds / ((Double(first) - Double(second)) / 1e9) - 1) < 1e-12)
    }
    for time in Self.ends + Self.beyond {
      for seconds in [1e10, 1e300, .infinity] {
        #expect(time.advanced(bySeconds: seconds) == Self.ends[1] || seconds == 1e10)
        #expect(time.advanced(bySeconds: -seconds) == Self.ends[0] || seconds == 1e10)
        #expect(time.advanced(bySeconds: seconds).isValid)
        #expect(time.advanced(bySeconds: -seconds).isValid)
      }
    }
    #expect(SampleTime(nanoseconds: 5).advanced(bySeconds: -1.5e-9) == SampleTime(nanoseconds: 3))
  }

  @Test func `A time outside the range is not decoded`() throws {
    for time in Self.ends {
      #expect(try JSONDecoder().decode([SampleTime].self, from: JSONEncoder().encode([time])) == [time])
    }
    for time in Self.beyond {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([SampleTime].self, from: Data("[\(time.nanoseconds)]".utf8))
      }
    }
  }
}
