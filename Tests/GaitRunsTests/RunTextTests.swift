import Foundation
import Gait
import GaitRuns
import Testing

@Suite struct RunTextTests {
  @Test(
    arguments: [
      (0, "0:00"), (59.4, "0:59"), (59.5, "1:00"), (3599.5, "1:00:00"), (4667, "1:17:47"), (360_000, "100:00:00"),
      (-65, "-1:05"), (-0.2, "0:00"), (-0.5, "-0:01"), (.nan, "–"), (.infinity, "–"), (1e18, "–"), (nil, "–"),
    ] as [(Double?, String)])
  func `Seconds are minutes and hours`(seconds: Double?, text: String) {
    #expect(RunText.clock(seconds) == text)
  }

  @Test(
    arguments: [
      (314, Split.kilometer, "5:14"), (314, Split.mile, "8:25"), (314, 400, "2:06"), (599.6, Split.kilometer, "10:00"),
      (4000, Split.kilometer, "66:40"), (360_000, Split.kilometer, "–"), (-1, Split.kilometer, "–"),
      (.nan, Split.kilometer, "–"), (nil, Split.kilometer, "–"), (300, .infinity, "–"),
    ] as [(Double?, Double, String)])
  func `A pace has minutes and seconds of any unit`(pace: Double?, unit: Double, text: String) {
    #expect(RunText.pace(pace, per: unit) == text)
  }

  @Test(
    arguments: [
      (5017, Split.kilometer, "5.02"), (42_195, Split.mile, "26.22"), (4, Split.kilometer, "0.00"),
      (-1200, Split.kilometer, "-1.20"), (1e300, Split.kilometer, "–"), (.nan, Split.kilometer, "–"),
      (nil, Split.kilometer, "–"), (1, 0, "–"),
    ] as [(Double?, Double, String)])
  func `A distance has two decimals`(meters: Double?, unit: Double, text: String) {
    #expect(RunText.distance(meters, in: unit) == text)
  }

  @Test(arguments: [("de_DE", "5,02", "1:17:47"), ("en_US", "5.02", "1:17:47"), ("ar_EG", "٥٫٠٢", "١:١٧:٤٧")])
  func `A locale has its own digits and decimal separator`(identifier: String, distance: String, clock: String) {
    let locale = Locale(identifier: identifier)
    #expect(RunText.distance(5017, locale: locale) == distance)
    #expect(RunText.clock(4667, locale: locale) == clock)
    #expect(RunText.pace(314, locale: locale) == RunText.clock(314, locale: locale))
    #expect(RunText.distance(nil as Double?, locale: locale) == "–")
  }
}
