import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// Samples, times, texts and numbers at their limits.
@Suite struct SampleLimitTests {
  // MARK: - Checksums and bytes

  @Test func `Checksums are those of FNV-1a with sixteen digits`() {
    #expect(Checksum.text([]) == "fnv1a64:cbf29ce484222325")
    #expect(Checksum().text == Checksum.text([]))
    #expect(Checksum.text(Array("abc".utf8)) == "fnv1a64:e71fa2190541574b")
    #expect(Checksum.text(Array("98680".utf8)) == "fnv1a64:0002ce23b3a76f4e")
    var checksum = Checksum()
    checksum.append(Array("ab".utf8))
    checksum.append(Array("c".utf8))
    #expect(checksum.text == Checksum.text(Array("abc".utf8)))
    #expect(Array("abc".utf8).withUnsafeBytes { Checksum.number($0) } == 0xe71f_a219_0541_574b)
  }

  @Test func `Numbers are appended from the lowest byte, and small ones in few bytes`() {
    func variable(_ number: UInt64) -> [UInt8] {
      var bytes: [UInt8] = [9]
      bytes.append(variable: number)
      return Array(bytes.dropFirst())
    }
    #expect(variable(0) == [0])
    #expect(variable(127) == [127])
    #expect(variable(128) == [0x80, 1])
    #expect(variable(255) == [0xFF, 1])
    #expect(variable(16_383) == [0xFF, 0x7F])
    #expect(variable(16_384) == [0x80, 0x80, 1])
    #expect(variable(.max).count == 10)
    var bytes: [UInt8] = []
    bytes.append(little: UInt32(0x0102_0304))
    bytes.append(little: Int16(-2))
    #expect(bytes == [4, 3, 2, 1, 0xFE, 0xFF])
  }

  // MARK: - Numbers and ranges

  @Test func `Numbers beyond 64 bits become the nearest integer`() {
    #expect(Int64(saturating: 0x1p63) == .max)
    #expect(Int64(saturating: -0x1p63) == .min)
    #expect(Int64(saturating: (0x1p63).nextDown) == 9_223_372_036_854_774_784)
    #expect(Int64(saturating: Double.nan) == 0)
    #expect(Int64(saturating: -0.9) == 0)
    #expect(Int64(saturating: 1.9) == 1)
    #expect(UInt8(saturating: 300.0) == 255)
    #expect(UInt8(saturating: -1.0) == 0)
    #expect(Int(saturating: Float(-2.5)) == -2)
  }

  @Test func `Ranges that adjoin are joined, others are appended`() {
    var ranges: [Range<Int>] = []
    for range in [0..<2, 2..<3, 4..<5, 5..<5, 4..<6] { ranges.append(adjoining: range) }
    #expect(ranges == [0..<3, 4..<5, 4..<6])
  }

  @Test func `The partition is where the condition ends, in every collection and slice`() {
    for count in 0...9 {
      let values = Array(0..<count)
      for end in 0...count { #expect(values.partitionIndex { $0 < end } == end) }
      #expect(values[...].dropFirst().partitionIndex { $0 < 0 } == min(1, count))
    }
  }

  @Test func `Suggestions are within one edit for each three characters, and two at most`() {
    func suggestion(_ name: String, _ candidates: String...) -> String? {
      EditDistance.suggestion(for: name, among: candidates)
    }
    #expect(suggestion("abc", "abd") == "abd")
    #expect(suggestion("ab", "abd") == nil)
    #expect(suggestion("abc", "ade") == nil)
    #expect(suggestion("abcdef", "abcdxy") == "abcdxy")
    #expect(suggestion("abcde", "abcxy") == nil)
    #expect(suggestion("abcdefghi", "abcdefxyz") == nil)
    #expect(suggestion("abcdefghi", "abcdefgxy") == "abcdefgxy")
    #expect(suggestion("abc", "abcd") == "abcd")
    #expect(suggestion("abcdef", "abcd") == "abcd")
    #expect(suggestion("123", "124") == nil)
    #expect(suggestion("12a", "12b") == "12b")
    #expect(suggestion("abcdef", "abcdxx", "abcdex", "abcdey") == "abcdex")
    #expect(EditDistance.between("abcd", "acbd") == 1)
    #expect(EditDistance.between("ca", "abc") == 3)
    #expect(EditDistance.between("abab", "baba") == 2)
    #expect(EditDistance.between("a", "") == 1)
  }

  // MARK: - Times and rates

  @Test func `Times are rounded to the nearest nanosecond`() {
    #expect(SampleTime(seconds: 1.5e-9).nanoseconds == 2)
    #expect(SampleTime.seconds(-0.4e-9).nanoseconds == 0)
    #expect(SampleTime(nanoseconds: 10).advanced(bySeconds: 0.6e-9).nanoseconds == 11)
    #expect(SampleTime(nanoseconds: 10).seconds(since: SampleTime(nanoseconds: 30)) == -2e-8)
    #expect(SampleTime.range.upperBound.advanced(bySeconds: 1) == SampleTime.range.upperBound)
    #expect(SampleTime.range.lowerBound.advanced(bySeconds: -1) == SampleTime.range.lowerBound)
    #expect(SampleTime.farthest == 4_000_000_000_000_000_000)
    #expect(SampleTime.origin.nanoseconds == 0)
    #expect(SampleTime.range.upperBound.isValid)
    #expect(!SampleTime(nanoseconds: SampleTime.farthest + 1).isValid)
    #expect(SampleTime.range.lowerBound.isValid)
    #expect(!SampleTime(nanoseconds: -SampleTime.farthest - 1).isValid)
    #expect(!(SampleTime.origin < .origin))
    #expect(SampleTime.origin < SampleTime(nanoseconds: 1))
  }

  @Test func `The times of a rate are rounded, before the first sample, too`() {
    #expect(
      (-4...4).map(SampleRate.hertz(30).nanoseconds(ofSample:)) == [
        -133_333_333, -100_000_000, -66_666_667, -33_333_333, 0, 33_333_333, 66_666_667, 100_000_000, 133_333_333,
      ])
    // Half a nanosecond is rounded away from zero.
    let half = SampleRate.hertz(1e9 / 20_000.5)
    #expect(half.nanoseconds(ofSample: 1) == 20_001 || half.periodNanoseconds != 20_000.5)
    #expect(half.nanoseconds(ofSample: -1) == -20_001 || half.periodNanoseconds != 20_000.5)
    #expect(SampleRate.hertz(64).wholePeriod == 15_625_000)
    #expect(SampleRate.hertz(1024).wholePeriod == nil)
    #expect(SampleRate.hertz(30).wholePeriod == nil)
    #expect(SampleRate.canonical.hertz == 25)
    #expect(SampleRate(exactly: 0.1) != nil)
    #expect(SampleRate(exactly: 0.099) == nil)
    #expect(SampleRate(exactly: 100_000) != nil)
    #expect(SampleRate(exactly: 100_000.1) == nil)
    #expect(SampleRate(exactly: .nan) == nil)
    #expect(!(SampleRate.hertz(5) < .hertz(5)))
    #expect(SampleRate.hertz(5) < .hertz(6))
  }

  // MARK: - Motion

  @Test func `Channels have their lanes, sensors and units`() {
    #expect(Channel.allCases.map(\.position) == Array(0..<12))
    #expect(Channel.allCases.map(\.lane) == [0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14])
    #expect(
      Channel.allCases.map(\.unit) == ["rad", "rad", "rad", "g", "g", "g", "rad/s", "rad/s", "rad/s", "g", "g", "g"])
    for sensor in Sensor.allCases {
      #expect(sensor.channels.count == 3)
      #expect(sensor.channels.allSatisfy { $0.sensor == sensor })
    }
    var sample = MotionSample(time: .origin, row: MotionSample.emptyRow)
    for lane in 0..<16 { #expect(sample.row[lane].isNaN == (lane % 4 != 3)) }
    for (index, channel) in Channel.allCases.enumerated() { sample[channel] = Float(index) }
    #expect(sample.attitude == SIMD3(0, 1, 2))
    #expect(sample.gravity == SIMD3(3, 4, 5))
    #expect(sample.rotationRate == SIMD3(6, 7, 8))
    #expect(sample.userAcceleration == SIMD3(9, 10, 11))
    let same = MotionSample(
      time: .origin, attitude: sample.attitude, gravity: sample.gravity, rotationRate: sample.rotationRate,
      userAcceleration: sample.userAcceleration)
    #expect(same == sample)
    #expect((3...15).filter { $0 % 4 == 3 }.allSatisfy { same.row[$0] == 0 })
  }

  @Test func `A sample's JSON has its version, and null for missing values`() throws {
    var sample = MotionSample(
      time: SampleTime(nanoseconds: 7), gravity: SIMD3(1, .nan, .infinity), userAcceleration: SIMD3(1, 2, 3))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(sample), as: UTF8.self)
    #expect(text == #"{"gravity":[1,null,null],"time":7,"userAcceleration":[1,2,3],"version":1}"#)
    let read = try JSONDecoder().decode(MotionSample.self, from: Data(text.utf8))
    sample.row[6] = .nan
    for lane in 0..<16 {
      #expect(read.row[lane] == sample.row[lane] || read.row[lane].isNaN && sample.row[lane].isNaN, "\(lane)")
    }
    #expect(try JSONDecoder().decode(MotionSample.self, from: Data(#"{"time":7}"#.utf8)).time.nanoseconds == 7)
    for (entry, says) in [
      (#""version":2"#, "is 2, but this Gait reads 1; update the app"), (#""version":0"#, "is 0, but"),
      (#""gravity":[1,2]"#, "has 2 values instead of three"), (#""gravity":[1,2,3,4]"#, "has 4 values instead"),
    ] {
      let fault = #expect(throws: JSONFault.self) {
        try JSONFault.decode(MotionSample.self, from: Data("{\"time\":7,\(entry)}".utf8))
      }
      #expect(fault?.description.contains(says) == true, "\(String(describing: fault))")
    }
  }

  @Test func `Angles are wrapped and continued by whole turns, in every lane`() {
    let turn = 2 * Float.pi
    #expect(Angle.turn == turn)
    for lane in 0..<3 {
      var angles = SIMD4<Float>(0.5, 0.5, 0.5, 9)
      angles[lane] = 4
      let wrapped = Angle.wrapped(angles)
      #expect(abs(wrapped[lane] - (4 - turn)) < 1e-6, "\(lane)")
      #expect(wrapped[(lane + 1) % 3] == 0.5, "\(lane)")
      let continued = Angle.continued(angles, after: SIMD4(0, 0, 0, 9))
      #expect(abs(continued[lane] - (4 - turn)) < 1e-6, "\(lane)")
      #expect(continued[(lane + 1) % 3] == 0.5, "\(lane)")
    }
    #expect(Angle.wrapped(SIMD4<Float>(3, -3, 0, 0)) == SIMD4(3, -3, 0, 0))
    #expect(Angle.continued(SIMD4<Float>(3, -3, 0, 0), after: .zero) == SIMD4(3, -3, 0, 0))
    #expect(Angle.continued(Float.pi, after: 0) == .pi)
    #expect(Angle.continued(-Float.pi, after: 0) == -.pi)
    #expect(abs(Angle.continued(10, after: 0.1) - (10 - 2 * turn)) < 1e-5)
    #expect(Angle.continued(Float.nan, after: 0).isNaN)
    #expect(Angle.continued(Float.infinity, after: 0) == .infinity)
    #expect(!Angle.isBeyondHalfTurn(SIMD4(.pi, -.pi, 0, 0)))
    #expect(Angle.isBeyondHalfTurn(SIMD4(0, 0, 0, 3.2)))
  }

  // MARK: - Locations

  private static func point(_ latitude: Double, _ longitude: Double) -> LocationSample {
    LocationSample(time: .origin, latitude: latitude, longitude: longitude)
  }

  @Test func `Coordinates are valid up to a pole and a turn`() {
    for (latitude, longitude, isValid) in [
      (90, 360, true), (-90, -360, true), (90.001, 0, false), (-90.001, 0, false), (0, 360.001, false),
      (0, -360.001, false), (.nan, 0, false), (0, .nan, false),
    ] as [(Double, Double, Bool)] {
      #expect(Self.point(latitude, longitude).hasValidCoordinates == isValid, "\(latitude), \(longitude)")
    }
  }

  @Test func `Distances are those of the haversine formula`() {
    for (a, b, c, d, meters) in [
      (48, 11, 48.1, 11.2, 18_564.812761), (-30, 170, 40, -100, 12_092_157.771304), (0, 0, 0, 180, 20_015_114.442036),
      (60, 0, 60, 1, 55_597.010865), (5, 5, 5, 5, 0),
    ] as [(Double, Double, Double, Double, Double)] {
      #expect(abs(Self.point(a, b).distance(to: Self.point(c, d)) - meters) < 1e-3, "\(meters)")
    }
  }

  @Test func `Values that are no measurements are removed, those at the limits stay`() {
    func altitude(_ altitude: Double?, _ accuracy: Double?) -> Bool {
      var sample = Self.point(0, 0)
      (sample.altitude, sample.verticalAccuracy, sample.speed) = (altitude, accuracy, 2)
      let cleaned = sample.cleaned
      #expect(cleaned.speed == 2)
      #expect(cleaned.altitude != nil || cleaned.verticalAccuracy == nil)
      return cleaned.altitude != nil
    }
    #expect(altitude(1e6, 1))
    #expect(altitude(-1e6, nil))
    #expect(!altitude(1.0001e6, 1))
    #expect(!altitude(-1.0001e6, 1))
    #expect(!altitude(5, 0))
    #expect(!altitude(5, -1))
    #expect(!altitude(5, .infinity))
    #expect(altitude(5, 1e-9))
    #expect(!altitude(.nan, 1))
    func speed(_ speed: Double?, _ accuracy: Double?) -> Bool {
      var sample = Self.point(0, 0)
      (sample.speed, sample.speedAccuracy, sample.altitude) = (speed, accuracy, 2)
      let cleaned = sample.cleaned
      #expect(cleaned.altitude == 2)
      #expect(cleaned.speed != nil || cleaned.speedAccuracy == nil)
      return cleaned.speed != nil
    }
    #expect(speed(0, 0))
    #expect(speed(1e6, nil))
    #expect(!speed(1.0001e6, 1))
    #expect(!speed(-0.001, 1))
    #expect(!speed(.nan, 1))
    #expect(!speed(1, -0.001))
    #expect(!speed(1, .infinity))
    #expect(!speed(1, .nan))
    #expect(speed(1, 50))
  }

  @Test func `A relative altitude is usable up to 100 km at a valid time`() {
    for (altitude, isUsable) in [(100_000, true), (-100_000, true), (100_001, false), (-100_001, false), (.nan, false)]
      as [(Double, Bool)]
    {
      #expect(AltitudeSample(time: .origin, relativeAltitude: altitude).isUsable == isUsable, "\(altitude)")
    }
    #expect(!AltitudeSample(time: SampleTime(nanoseconds: .max), relativeAltitude: 0).isUsable)
  }

  // MARK: - Texts

  @Test func `Control and format characters are escaped, others are kept`() {
    #expect("a b~é\u{200C}\u{200D}✓".visible() == "a b~é\u{200C}\u{200D}✓")
    let unsafe = "\u{7F}\u{1F}\u{85}\u{200B}\u{200E}\u{2028}\u{2029}"
    #expect(unsafe.visible() == #"\u{7F}\u{1F}\u{85}\u{200B}\u{200E}\u{2028}\u{2029}"#)
    #expect("a\nb\t".visible() == #"a\u{A}b\u{9}"#)
    #expect("a\nb\t".visible(keepsLines: true) == "a\nb\\u{9}")
    #expect("[\n\"\u{7F}\u{E0001}\"]".escapedJSON == "[\n\"\\u007f\\udb40\\udc01\"]")
    let (long, longer) = (String(repeating: "x", count: 300), String(repeating: "x", count: 301))
    #expect(long.shortened == long)
    #expect(longer.shortened == long + "…")
    #expect("a\u{7}".shortened == #"a\u{7}"#)
  }
}
