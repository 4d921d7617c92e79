import Foundation
import Gait
import Testing

@testable import GaitFormats

struct GPXReaderTests {
  private func samples(_ text: String, bufferBytes: Int = 1 << 18) throws -> [LocationSample] {
    let source = MemoryBytes(Array(text.utf8)[...])
    return try GPXReader(source, file: "run.gpx", bufferBytes: bufferBytes).samples.samples
  }

  private func point(_ inner: String, lat: String = "1", lon: String = "2") -> String {
    "<trkpt lat=\"\(lat)\" lon=\"\(lon)\">\(inner)</trkpt>\n"
  }

  private let time = "<time>1970-01-01T00:00:01Z</time>"

  @Test(arguments: [16, 17, 31, 64, 1000])
  func `The points do not depend on the buffer size`(bufferBytes: Int) throws {
    let text = """
      \u{FEFF}<?xml version="1.0"?>
      <!-- a > comment <trkpt> -- -->
      <!DOCTYPE gpx>
      <gpx:gpx creator='a > b "c"'><metadata><time>2000-01-01T00:00:00Z</time></metadata>
      <gpx:trkpt lon = '-2.5' a="lat='9'" lat="1.25"><ele> 3.5 </ele><ele>4</ele>
      <time><!-- no -->1970-01-01T<![CDATA[00:00:01Z]]></time>
      <extensions><x:y><time>no</time><ns3:speed>2.5</ns3:speed></x:y><empty/><speed>7</speed></extensions></gpx:trkpt>
      <trkpt lat="-90" lon="180"><time>1970-01-01T00:00:02Z</time></trkpt>
      </gpx:gpx>
      """
    #expect(
      try samples(text, bufferBytes: bufferBytes) == [
        LocationSample(time: .seconds(1), latitude: 1.25, longitude: -2.5, altitude: 3.5, speed: 2.5),
        LocationSample(time: .seconds(2), latitude: -90, longitude: 180),
      ])
  }

  @Test(arguments: [16, 1000])
  func `Points of TCX are read, and those without a position skipped`(bufferBytes: Int) throws {
    let text = """
      <TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>2024-05-01T10:00:00Z</Id>
      <Lap StartTime="2024-05-01T10:00:00Z"><Track>
      <Trackpoint><Time>1970-01-01T00:00:01.500Z</Time><Position><LatitudeDegrees> 1.25</LatitudeDegrees>
      <LongitudeDegrees>-2.5</LongitudeDegrees></Position><AltitudeMeters>3.5</AltitudeMeters>
      <HeartRateBpm><Value>150</Value></HeartRateBpm>
      <Extensions><ns3:TPX><ns3:Speed>2.5</ns3:Speed></ns3:TPX></Extensions></Trackpoint>
      <Trackpoint><Time>1970-01-01T00:00:02Z</Time><HeartRateBpm><Value>151</Value></HeartRateBpm></Trackpoint>
      </Track></Lap><Lap><Track><tcx:Trackpoint><Time>1970-01-01T00:00:03Z</Time><Position>
      <LatitudeDegrees>91</LatitudeDegrees><LongitudeDegrees>4</LongitudeDegrees></Position></tcx:Trackpoint>
      <Trackpoint><Time>1970-01-01T00:00:04Z</Time><Position><LatitudeDegrees>-1</LatitudeDegrees>
      <LongitudeDegrees>4</LongitudeDegrees></Position></Trackpoint></Track></Lap></Activity></Activities>
      </TrainingCenterDatabase>
      """
    let track = try GPXReader(MemoryBytes(Array(text.utf8)[...]), file: "run.tcx", bufferBytes: bufferBytes)
    #expect(track.invalidCount == 1)
    #expect(
      track.samples.samples == [
        LocationSample(time: .seconds(1.5), latitude: 1.25, longitude: -2.5, altitude: 3.5, speed: 2.5),
        LocationSample(time: .seconds(4), latitude: -1, longitude: 4),
      ])
    #expect(throws: LocationFileError.malformed("Trackpoint is not closed", file: "run.gpx", line: 1)) {
      try samples("<Trackpoint><Time>1970-01-01T00:00:01Z</Time>")
    }
  }

  @Test func `Apple Health's accuracies are read`() throws {
    let inner =
      time + "<extensions><speed>1.5</speed><course>139</course><hAcc>2.25</hAcc><vAcc>1.5</vAcc></extensions>"
    #expect(
      try samples("<gpx>" + point(inner) + "</gpx>") == [
        LocationSample(
          time: .seconds(1), latitude: 1, longitude: 2, speed: 1.5, horizontalAccuracy: 2.25, verticalAccuracy: 1.5)
      ])
  }

  @Test func `A point without valid coordinates is skipped and counted`() throws {
    let bad = [("91", "2"), ("-90.1", "2"), ("1", "180.5"), ("nan", "2"), ("1", "inf"), ("north", "2"), ("", "2")]
    let text = point(time) + bad.map { point(time, lat: $0.0, lon: $0.1) }.joined() + "<trkpt lon=\"2\"/>"
    let track = try GPXReader(MemoryBytes(Array("<gpx>\(text)</gpx>".utf8)[...]), file: "run.gpx")
    #expect(track.samples.samples == [LocationSample(time: .seconds(1), latitude: 1, longitude: 2)])
    #expect(track.invalidCount == bad.count + 1)
  }

  @Test func `A file whose only points are invalid is an error with a line`() throws {
    func check(_ text: String, is found: String, line: Int) {
      #expect(throws: LocationFileError.malformed(found, file: "run.gpx", line: line)) { try samples(text) }
    }
    check("<gpx>\n" + point(time, lat: "91"), is: "trkpt lat=\"91\" lon=\"2\"", line: 2)
    check("<gpx>\n" + point(time, lat: "nan"), is: "trkpt lat=\"nan\" lon=\"2\"", line: 2)
    check("<gpx>\n\n<trkpt lat=\"1\">\(time)</trkpt>", is: "trkpt lat=\"1\"", line: 3)
    check("<gpx>\n" + point("\n<time>\nyesterday\n</time>"), is: "yesterday", line: 2)
    check("<gpx>" + point("<ele>1</ele>"), is: "no time", line: 1)
    check("<gpx><trkpt lat=\"1\" lon=\"2\"/>", is: "no time", line: 1)
    check("<gpx>\n<trkpt lat=\"1\" lon=\"2\">\(time)", is: "trkpt is not closed", line: 2)
    check("<gpx>\n<trkpt lat=\"1\" lon=\"2\">\(time)" + point(time), is: "trkpt is not closed", line: 2)
  }

  @Test func `Text without points gives none, and stray end tags are ignored`() throws {
    #expect(try samples("<html><body>a < b</body>") == [])
    #expect(try samples("<") == [])
    #expect(try samples("<gpx></trkpt></gpx>") == [])
    #expect(try samples("<gpx>" + point(time) + "</trkpt>" + point("</ele>" + time)).count == 1)
  }

  @Test func `A document that declares entities is rejected`() throws {
    let expected = LocationFileError.declaresEntities(file: "run.gpx", line: 2)
    #expect(throws: expected) {
      try samples("<?xml version=\"1.0\"?>\n<!DOCTYPE gpx [<!ENTITY a \"b\"><!ENTITY c \"&a;&a;\">]>\n<gpx>&c;</gpx>")
    }
    #expect(
      expected.description
        == "run.gpx:2: the document declares XML entities, which GPX and TCX do not use; remove the declaration.")
  }

  @Test func `A tag that is not closed is rejected at the length limit`() throws {
    #expect(
      throws: LocationFileError.table(
        .longLine(file: "run.gpx", line: 1, longestMebibytes: XMLText.longestTagMebibytes))
    ) {
      try samples("<gpx a=\"" + String(repeating: "x", count: 3 << 20))
    }
  }
}
