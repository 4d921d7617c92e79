import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

/// Offsets between clocks, tracks and tables of GPS points, compared with what was recorded.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct LocationAnswersTests {
  private typealias Case = (name: String, figures: RecordedAnswers.Figures)

  private static func samples(_ seconds: [Double]) -> [LocationSample] {
    seconds.map {
      LocationSample(time: .seconds($0), latitude: 48 + $0.truncatingRemainder(dividingBy: 1000) / 1e5, longitude: 11)
    }
  }

  private static func text(_ shift: LocationFile.ClockShift?) -> String {
    shift.map { "\(Double($0.nanoseconds) / 1e9)\($0.reason.map { ":\($0.prefix(28))" } ?? "")" } ?? "none"
  }

  @Test
  func `The offsets between clocks are as recorded`() throws {
    var cases: [Case] = []
    let motions: [(name: String, start: Double)] = [
      ("boot", 54_321), ("zero", 0), ("half a second", 0.5), ("a second", 1), ("dated", 1.7e9),
    ]
    for motion in motions {
      var figures = RecordedAnswers.Figures()
      let (from, length) = (SampleTime.seconds(motion.start).nanoseconds, 1800.0)
      for base in [0.0, 3600, -900, 450, 449, -451, 1e6, -motion.start, 1.7e9] {
        for difference in [-1800.0, -900, -899, -61, -60, -59, -6, -5, -4, 0, 4, 5, 6, 100] {
          let shifts = [
            -900.0, -61, -60, -31, -30, -29, -10, 0, 4, 5, 6, 9, 10, 11, 60, 61, 65, 66, 839, 840, 841, 899, 900, 901,
          ].map { late in
            let start = motion.start + base + late
            let points = Self.samples([start, start + max(0.001, length + difference)])
            return [false, true].map { isSameFolder in
              let clock = LocationClock(
                motion: from...from + Int64(length * 1e9), samples: points, isSameFolder: isSameFolder)
              return Self.text(clock.shift(shared: nil))
            }.joined(separator: " ")
          }
          let parts = stride(from: 0, to: shifts.count, by: 8).map { shifts[$0..<$0 + 8] }
          for (part, texts) in parts.enumerated() {
            figures.add("\(base) \(difference) part \(part)", Checksum.text(Array(texts.joined(separator: " ").utf8)))
          }
        }
      }
      cases.append((motion.name, figures))
    }
    var figures = RecordedAnswers.Figures()
    for shared in [
      0, 1, 999_999_999, 1_000_000_000, -1_000_000_000, -999_999_999, 3_600_000_000_000, -3_600_000_000_000, .max,
    ] as [Int64] {
      for late in [0.0, 3600, -3600, 900, 9000] {
        let points = Self.samples([1.7e9 + late, 1.7e9 + late + 1700])
        let motion = SampleTime.seconds(1.7e9).nanoseconds...SampleTime.seconds(1.7e9 + 1800).nanoseconds
        for stops in [nil, 0, 7, -12] as [Int?] {
          let shift = LocationClock(motion: motion, samples: points).shift(shared: (shared, "a column")) { stops }
          let other = LocationClock(motion: motion, samples: points).shift(shared: nil) { stops }
          figures.add(
            "shared \(shared), late \(late), stops \(stops ?? 0) \(stops == nil)",
            "\(Self.text(shift)) \(Self.text(other))")
        }
      }
    }
    for count in [2, 9, 10, 11, 12, 20, 21, 22, 40] {
      for gaps in [[0], [5], [8], [9], [10], [11], [2, 7], [9, 10], [3, 12]] {
        for step in [9.999, 10, 10.001, 3600] {
          var time = 0.0
          let times = (0..<count).map { index in
            time += index > 0 && gaps.contains(index - 1) ? step : 1
            return time
          }
          let clock = LocationClock(motion: 0...1, samples: Self.samples(times))
          figures.add(
            "\(count) points, gaps \(gaps) of \(step)",
            AnswerText.exact([clock.route.lowerBound, clock.route.upperBound]))
        }
      }
    }
    cases.append(("others", figures))
    try RecordedAnswers("clock_answers.tsv", tolerance: 0).expect(cases)
  }

  /// Motion of 10 Hz and points of a second that stand still in some seconds.
  private static func offset(
    seconds: Int, strength: Float = 0.5, speed: Double = 2, slow: Double = 0, late: Int, stops: [Range<Int>],
    every: Int = 1
  ) -> String {
    let motion = (0..<10 * seconds).map { index in
      let strength: Float = stops.contains { $0.contains(index / 10) } ? 0.02 : strength
      return MotionSample(
        time: .seconds(Double(index) / 10), gravity: [0, 0, -1],
        userAcceleration: [0, 0, index % 2 == 0 ? strength : -strength])
    }
    var meters = 0.0
    let points = stride(from: 0, to: seconds, by: every).map { second in
      meters += Double(every) * (stops.contains { $0.contains(second) } ? slow : speed)
      return LocationSample(time: .seconds(Double(second + late)), latitude: 48 + meters / 111_195, longitude: 11)
    }
    let recording = Recording(name: "run", sampleRate: .hertz(10), samples: motion)
    return "\(StopAlignment(recording, points).offset.map { "\($0)" } ?? "none")"
  }

  @Test
  func `The offsets by stops are as recorded`() throws {
    var figures = RecordedAnswers.Figures()
    let stops = [20..<38, 70..<77, 100..<125]
    for late in [-6, -5, -4, 0, 4, 5, 6, 30, -60] {
      figures.add("late \(late)", Self.offset(seconds: 150, late: late, stops: stops))
    }
    for length in [6, 7, 8, 9, 14, 15, 16, 20] {
      figures.add("one stop of \(length)", Self.offset(seconds: 120, late: 9, stops: [40..<40 + length]))
    }
    for strength: Float in [0.09, 0.1, 0.11, 0.12] {
      figures.add("strength \(strength)", Self.offset(seconds: 120, strength: strength, late: 9, stops: stops))
    }
    for (speed, slow) in [(0.79, 0.0), (0.81, 0), (2, 0.39), (2, 0.41), (1.01, 0.5)] {
      figures.add(
        "speeds \(speed) and \(slow)", Self.offset(seconds: 120, speed: speed, slow: slow, late: 9, stops: stops))
    }
    figures.add(
      "regular stops",
      Self.offset(seconds: 200, late: 12, stops: stride(from: 10, to: 190, by: 40).map { $0..<$0 + 16 }))
    figures.add("rare points", Self.offset(seconds: 150, late: 9, stops: stops, every: 2))
    figures.add(
      "very late",
      Self.offset(seconds: 120, late: 599, stops: stops) + " " + Self.offset(seconds: 120, late: 601, stops: stops))
    try RecordedAnswers("stop_answers.tsv", tolerance: 0).expect([("stops", figures)])
  }

  private static let gpx = """
    <?xml version="1.0"?><!-- a > comment -->
    <gpx creator="x"><wpt lat="1" lon="2"/><trk><name>a</name><trkseg>
    <trkpt lat="48.5" lon="-11.25"><ele>512.5</ele><time>2024-05-01T10:00:00Z</time>
    <extensions><speed>2.5</speed><hAcc>4</hAcc><vAcc>6</vAcc></extensions></trkpt>
    <trkpt lon='11.5' lat='-48'><time>2024-05-01T10:00:05.5Z</time><ele>1e2</ele></trkpt>
    </trkseg><trkseg/><trkseg><trkpt lat="48" lon="11"><time>2024-05-01T12:00:09+02:00</time></trkpt>
    <trkpt lat="90.5" lon="11"><time>2024-05-01T12:00:10+02:00</time></trkpt></trkseg></trk></gpx>
    """

  private static func tcx(_ seconds: String, _ times: [Double], empty: Bool = false) -> String {
    let points = times.map { second in
      let time = Date(timeIntervalSince1970: 1.7e9 + second).formatted(
        Date.ISO8601FormatStyle(includingFractionalSeconds: true))
      return "<Trackpoint><Time>\(time)</Time><Position><LatitudeDegrees>48</LatitudeDegrees><LongitudeDegrees>11"
        + "</LongitudeDegrees></Position><AltitudeMeters>5</AltitudeMeters></Trackpoint>\n"
    }
    let (first, second) = (points.prefix(points.count / 2).joined(), points.dropFirst(points.count / 2).joined())
    return
      "<Lap><TotalTimeSeconds>\(seconds)</TotalTimeSeconds><Track>\(first)\(empty ? "</Track><Track>" : "")\(second)</Track></Lap>"
  }

  private static func read(_ text: String, bufferBytes: Int = 1 << 18) -> String {
    AnswerText.outcome {
      let track = try GPXReader(MemoryBytes(Array(text.utf8)[...]), file: "run.gpx", bufferBytes: bufferBytes)
      let points = track.samples.samples.map { point -> String in
        let numbers: [Double?] = [
          point.latitude, point.longitude, point.altitude, point.speed, point.horizontalAccuracy,
          point.verticalAccuracy, point.speedAccuracy,
        ]
        return "t\(point.time.nanoseconds):" + numbers.map { $0.map { "\($0)" } ?? "-" }.joined(separator: ":")
      }
      return
        "\(track.invalidCount) starts \(AnswerText.exact(track.samples.segmentStarts.map(\.nanoseconds).sorted())) "
        + points.joined(separator: " ")
    }
  }

  @Test
  func `Tracks, also damaged ones, are read as recorded`() throws {
    var figures = RecordedAnswers.Figures()
    for bytes in [16, 17, 40, 1 << 18] { figures.add("whole \(bytes)", Self.read(Self.gpx, bufferBytes: bytes)) }
    let pieces = Array("<>/\"'=! \n9.-:".utf8)
    for seed: UInt64 in 0..<160 {
      var (random, bytes) = (SplitMix64(seed: seed), Array(Self.gpx.utf8))
      let place = Int.random(in: 20..<bytes.count - 1, using: &random)
      switch seed % 4 {
      case 0: bytes[place] = pieces.randomElement(using: &random)!
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(pieces.randomElement(using: &random)!, at: place)
      default: bytes.removeSubrange(place..<min(bytes.count, place + 40))
      }
      figures.add(
        "damaged \(seed)", Self.read(String(decoding: bytes, as: UTF8.self), bufferBytes: seed % 8 < 4 ? 16 : 1 << 18))
    }
    for lap in ["30", "27.1", "27", "26.9", "24", "22", "21.9", "20", "18", "15", "0", "-5", "x", " 20 ", ""] {
      for (name, times) in [
        ("one stop", [0, 1, 2, 12, 13, 14, 30]), ("stops", [0, 3, 6, 10, 14, 20, 26, 30]),
        ("equal steps", [0, 10, 20, 30]),
        ("one point", [0]), ("longest last", [0, 5, 10, 15, 30]),
      ] as [(String, [Double])] {
        for empty in [false, true] {
          figures.add(
            "lap \(lap) \(name) \(empty)", Self.read(Self.tcx(lap, times, empty: empty) + Self.tcx("5", [40, 41, 50])))
        }
      }
    }
    let long = String(repeating: "0", count: 120)
    for (index, inner) in [
      "<ele>\(long)12345.5</ele>", "<ele>1</ele><ele>2</ele>", "<a><ele>1</ele></a>", "<a><speed>1</speed></a>",
      "<ele/>", "<ele>nan</ele><ele>5</ele>",
      "<extensions><time>x</time></extensions>", "<LatitudeDegrees>3</LatitudeDegrees>", "<a><b><c></b></a></x>",
      "<![CDATA[<ele>]]>", "<ele><![CDATA[ 7 ]]></ele>",
      "<!DOCTYPE a [<!ENTITY b \"c\">]>", "<!DOCTYPE a>", "<trkpt lat=\"1\" lon=\"1\">",
      "</trkpt><trkpt lat=\"1\" lon=\"2\">",
    ].enumerated() {
      figures.add(
        "inner \(index)", Self.read("\n<trkpt lat=\"1\" lon=\"2\">\n\(inner)<time>2024-05-01T10:00:00Z</time></trkpt>"))
    }
    for (index, point) in [
      "lat=\"90\" lon=\"180\"", "lat=\"90.01\" lon=\"0\"", "lat=\"0\" lon=\"-180.01\"", "lat=\"-90\" lon=\"-180\"",
      "lat=1 lon=2", "lat=\"1\"", "lat=\"1\" lon=\"2\" lat=\"3\"",
      "a:lat=\"1\" lon=\"2\"", " lat = \" 1 \" lon= '2'", "lat=\"1\"lon=\"2\"", "lat=\"1 lon=\"2\"",
      "lat=\"\" lon=\"2\"",
    ].enumerated() {
      figures.add("point \(index)", Self.read("<trkpt \(point)><time>2024-05-01T10:00:00Z</time></trkpt>"))
      figures.add("empty point \(index)", Self.read("<trkpt \(point)/>"))
    }
    try RecordedAnswers("track_answers.tsv", tolerance: 1e-12).expect([("tracks", figures)])
  }

  @Test
  func `Tables of GPS points are read as recorded`() throws {
    var figures = RecordedAnswers.Figures()
    func add(_ name: String, _ text: String) {
      figures.add(
        name,
        AnswerText.outcome {
          let table = try LocationTable(MemoryBytes(Array(text.utf8)[...]), file: "places.csv")
          let points = table.samples.inOrder.map {
            "t\($0.time.nanoseconds):\($0.latitude):\($0.longitude):\($0.altitude ?? -1):\($0.speed ?? -1):\($0.horizontalAccuracy ?? -1):\($0.verticalAccuracy ?? -1):\($0.speedAccuracy ?? -1)"
          }
          return
            "\(table.invalidCount) \(table.otherTime.map { "\($0.column) s\($0.shift)" } ?? "none") \(points.joined(separator: " "))"
        })
    }
    let rows = [
      "1,48,11", "2,48.5,", "3,,11", "4,91,11", "5,-90,-180", "6,90,180", "7,1,180.5", ",48,11", "5,48,11", "3.5,x,11",
      "8,,",
    ]
    for count in 1...rows.count {
      add("rows \(count)", "time,latitude,longitude\n" + rows.prefix(count).joined(separator: "\n"))
    }
    for (index, row) in rows.enumerated() { add("row \(index)", "# c\ntime,lat,lon\n\n\(row)\n") }
    for header in [
      "time,latitude", "time,longitude,altitude", "latitude,longitude", "seconds_elapsed,lat,lng",
      "timestamp (ms),lat,long", "time_ms,latitude,longitude",
      "time,seconds_elapsed,latitude,longitude",
      "locationTimestamp_since1970(s),motionTimestamp_sinceReboot(s),locationLatitude(WGS84),locationLongitude(WGS84)",
      "time,lat,lon,ele,speed,hacc,vacc,speed accuracy", "time,lat,lon,speed,speedaccuracy",
    ] {
      let cells = header.split(separator: ",").count
      for (index, row) in [
        "1,2,3,4,5,6,7,8", "1,2,3,-1,-1,-1,-1,-1", "2,1,3,0,0,0,0,0", "5,6,7,8,,,,",
        "3999999999,4000000000,7,8,1,1,1,1",
      ].enumerated() {
        let row = row.split(separator: ",", omittingEmptySubsequences: false).prefix(cells).joined(separator: ",")
        add("\(header), row \(index)", header + "\n" + row + "\n" + row.replacing("1", with: "9"))
      }
    }
    add("dates", "time,lat,lon\n5/1/2024 10:00:00,48,11\n5/1/2024 10:00:01,48,11")
    let folder = try TemporaryDirectory()
    for (index, text) in [
      "", " \n", "\u{FEFF}  <gpx/>", "12345678.FIT", "1234567.FIT", "time,lat,lon\n", Self.gpx,
      "time,lat,lon\n5,1,2\n4,1,2\n4,3,4\n9,5,6",
    ].enumerated() {
      let url = try folder.write(text, to: "places \(index).csv")
      figures.add(
        "file \(index)",
        AnswerText.outcome {
          let file = try LocationFile(contentsOf: URL(filePath: url.lastPathComponent, relativeTo: folder.url))
          return
            "\(AnswerText.exact(file.samples.map(\.time.nanoseconds))) \(file.segments.map(\.count)) "
            + "\(file.invalidPointCount) \(file.startDate.map { AnswerText.exact($0.timeIntervalSince1970) } ?? "none")"
        })
    }
    for seconds in [999_999_999.0, 1e9, 1_000_000_001, 1_000_000_000.6, 12.34, 12.35] {
      let span = SampleTime.seconds(5)...(.seconds(seconds))
      let error = LocationFileError.otherClock(file: "a", span: span, recording: "b", recordingSpan: span)
      figures.add("span to \(seconds)", AnswerText.plain(error))
    }
    try RecordedAnswers("location_table_answers.tsv", tolerance: 1e-12).expect([("tables", figures)])
  }
}
