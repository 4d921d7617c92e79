import Foundation
import GaitTestSupport
import Testing

@testable import GaitFormats

struct CalendarTimeTests {
  @Test func `Every day of two centuries agrees with Foundation's calendar`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    for day in stride(from: -28_000, to: 46_000, by: 1) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400)
      let parts = calendar.dateComponents([.year, .month, .day], from: date)
      let text = String(format: "%04d-%02d-%02dT06:07:08", parts.year!, parts.month!, parts.day!)
      #expect(CalendarTime.nanoseconds(text) == (Int64(day) * 86_400 + 22_028) * 1_000_000_000)
    }
  }

  @Test(
    arguments: [
      ("2024-05-01T12:00:00.123+02:00", 1_714_557_600_123_000_000),
      ("2024-05-01 12:00:00.123 +0200", 1_714_557_600_123_000_000),
      ("2024-05-01 05:30:00,123456789-04:30", 1_714_557_600_123_456_789),
      ("2024-05-01T10:00:00Z", 1_714_557_600_000_000_000),
      ("2024/05/01 10:00:00", 1_714_557_600_000_000_000),
      ("2024.05.01 10:00:00.5", 1_714_557_600_500_000_000),
      ("2024-05-01 10:00:00.1234567899", 1_714_557_600_123_456_789),
      ("2024-05-01T12:00:00.5+02", 1_714_557_600_500_000_000),
      ("2024-05-01 12:00:00.123+0200 [Europe/Berlin]", 1_714_557_600_123_000_000),
      ("2024-05-01 12:00:00.5+02[Europe/Berlin]", 1_714_557_600_500_000_000),
      ("2024-05-01 10:00:00:123", 1_714_557_600_123_000_000),
      ("13:51:15:047", 49_875_047_000_000), ("00:00:00.25", 250_000_000), ("23:59:59", 86_399_000_000_000),
      ("1969-12-31T23:59:59.75Z", -250_000_000), ("2016-12-31T23:59:60Z", 1_483_228_800_000_000_000),
    ] as [(String, Int64)])
  func `Dates are exact to the nanosecond`(text: String, expected: Int64) {
    #expect(CalendarTime.nanoseconds(text) == expected)
  }

  @Test(arguments: [
    "", "2024", "2024-05-01", "2024-05-01T", "2024-05-01T12:00", "2024-13-01T12:00:00", "2024-00-01T12:00:00",
    "2023-02-29T12:00:00", "1900-02-29T12:00:00", "2024-04-31T12:00:00", "2024-05-01T24:00:00", "2024-05-01T12:60:00",
    "2024-05-01T12:00:61", "2024-05-01T12:00:00.", "2024-05-01T12:00:00+25:00", "2024-05-01T12:00:00+2",
    "2024-05-01T12:00:00x", "24-05-01T12:00:00", "2024/05-01 12:00:00", "2024-05-01T12:00:00 CEST",
    "01/05/2024 12:00:00", "2024-05-01T12:00:00+02:00 [Europe", "2024-05-01 12:00:00:", "13:51:15:47",
    "13:51:17:46169984",
    "13:51:15:847724020", "24:00:00", "1:00:00", "12:00",
    "9999-12-31T23:59:59Z", "2097-01-01T00:00:00Z", "1843-01-01T00:00:00Z",
    "٢٠٢٤-05-01T12:00:00",
  ])
  func `Invalid dates, and dates too far from 1970, give nil`(text: String) {
    #expect(CalendarTime.nanoseconds(text) == nil)
  }

  @Test(
    arguments: [
      ("2024-05-01 10:00:00", .yearFirst, false), ("2024-05-01 10:00:00 AM", .yearFirst, false),
      ("5/1/2024 10:00:00", .monthFirst, true), ("05/01/2024 10:00:00.000 AM", .monthFirst, true),
      ("1-5-2024 10:00:00", .dayFirst, true), ("01.05.2024 10:00:00", .dayFirst, false),
      ("01-May-2024 10:00:00.000", .dayFirst, false), ("1 may 2024 10:00:00", nil, false),
      ("5/1/24 10:00:00", nil, false), ("13/13/2024 10:00:00", nil, false), ("5/1/2024 10:00", nil, false),
      ("5/1/2024 13:00:00 PM", nil, false), ("01-Mai-2024 10:00:00", nil, false), ("/1/2024 10:00:00", nil, false),
    ] as [(String, DateOrder?, Bool)])
  func `The order of a date's parts is recognised`(text: String, order: DateOrder?, isAssumed: Bool) throws {
    let found = CalendarTime.order(of: text)
    #expect(found?.order == order, "\(text): \(String(describing: found))")
    #expect((found?.isAssumed ?? false) == isAssumed, "\(text): \(String(describing: found))")
    var bytes = text
    let reading = order.flatMap { order in bytes.withUTF8 { CalendarTime.reading($0, order) } }
    #expect(order == nil || reading == .nanoseconds(1_714_557_600_000_000_000))
  }

  @Test func `A day above 12 decides the order, and the clock of twelve hours is read`() {
    for (text, order, expected) in [
      ("5/13/2024 12:00:00 AM", DateOrder.monthFirst, "2024-05-13 00:00:00"),
      ("13/5/2024 12:30:00.5 pm", .dayFirst, "2024-05-13 12:30:00.5"),
      ("5/13/2024 11:59:59 PM", .monthFirst, "2024-05-13 23:59:59"),
    ] {
      var bytes = text
      #expect(CalendarTime.order(of: text)?.order == order)
      #expect(CalendarTime.order(of: text)?.isAssumed == false)
      let time = CalendarTime.nanoseconds(expected)
      #expect(bytes.withUTF8 { CalendarTime.reading($0, order) } == time.map { .nanoseconds($0) }, "\(text)")
    }
  }

  @Test func `Dates out of range are recognised as dates, and the ends of the range are valid`() {
    for text in ["9999-12-31T23:59:59Z", "2097-01-01T00:00:00Z", "1843-01-01T00:00:00Z"] {
      #expect(CalendarTime.isDate(text), "\(text)")
    }
    #expect(!CalendarTime.isDate("2024-13-01T00:00:00Z"))
    #expect(CalendarTime.nanoseconds("1843-03-31T16:53:20Z") == -4_000_000_000_000_000_000)
    #expect(CalendarTime.nanoseconds("2096-10-02T07:06:40Z") == 4_000_000_000_000_000_000)
  }

  @Test func `Damaged dates give nil or a time, never a trap`() {
    var random = SplitMix64(seed: 3)
    let pieces: [UInt8] = Array("0123456789-:T. Z+,".utf8)
    for _ in 0..<20_000 {
      var bytes = Array("2024-05-01T12:00:00.123+02:00".utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[.random(in: 0..<bytes.count, using: &random)] = pieces.randomElement(using: &random)!
      }
      let text = String(decoding: bytes, as: UTF8.self)
      if let time = CalendarTime.nanoseconds(text) { #expect(abs(Double(time)) < 9.3e18) }
    }
  }
}
