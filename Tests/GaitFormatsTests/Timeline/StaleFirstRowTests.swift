import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

struct StaleFirstRowTests {
  /// A phone that swings about its x axis: angle(t) = `swing` · sin(2π · `hertz` · t), at `rate` samples per second.
  private func swinging(
    _ swing: Double, hertz: Double, rate: Double, count: Int, sensors: Set<Sensor> = Set(Sensor.allCases)
  ) -> [SIMD16<Float>] {
    (0..<count).map { index in
      let phase = 2 * Double.pi * hertz * Double(index) / rate
      let angle = swing * sin(phase) + 0.3
      let sample = MotionSample(
        time: .seconds(0),
        attitude: sensors.contains(.attitude)
          ? SIMD3(0, Float(angle), .pi - 0.01) : SIMD3(repeating: .nan),
        gravity: SIMD3(0, Float(-sin(angle)), Float(-cos(angle))),
        rotationRate: sensors.contains(.rotationRate)
          ? SIMD3(Float(swing * 2 * .pi * hertz * cos(phase)), 0, 0) : SIMD3(repeating: .nan),
        userAcceleration: SIMD3(0, 0, Float(cos(phase))))
      return sample.row
    }
  }

  private func turned(_ row: SIMD16<Float>, by angle: Float) -> SIMD16<Float> {
    var sample = MotionSample(time: .seconds(0), row: row)
    let pitch = asin(-sample.gravity.y) + angle
    sample[.gravityY] = -sin(pitch)
    sample[.gravityZ] = -cos(pitch)
    if sample.attitude.y.isFinite { sample[.attitudePitch] = pitch }
    return sample.row
  }

  private static let sensorSets: [Set<Sensor>] = [
    Set(Sensor.allCases), [.gravity, .rotationRate, .userAcceleration], [.attitude, .gravity, .userAcceleration],
    [.gravity, .userAcceleration],
  ]

  @Test(arguments: sensorSets, [10.0, 50, 100])
  func `Fast running is not stale and a leftover row is`(sensors: Set<Sensor>, rate: Double) {
    for hertz in [0.7, 1.4, 2.8] {
      var rows = swinging(0.3, hertz: hertz, rate: rate, count: 600, sensors: sensors)
      #expect(!StaleFirstRow.isStale(rows), "\(hertz) Hz")
      rows[0] = turned(rows[0], by: 2)
      #expect(StaleFirstRow.isStale(rows), "\(hertz) Hz")
    }
  }

  @Test(arguments: sensorSets)
  func `A phone at rest is not stale and a leftover row is`(sensors: Set<Sensor>) {
    var rows = swinging(0, hertz: 1, rate: 10, count: 20, sensors: sensors)
    #expect(!StaleFirstRow.isStale(rows))
    rows[0] = turned(rows[0], by: 0.09)
    #expect(!StaleFirstRow.isStale(rows))
    rows[0] = turned(rows[1], by: 0.2)
    #expect(StaleFirstRow.isStale(rows))
  }

  @Test func `A rotation that the gyroscope measured is not stale`() {
    var rows = swinging(0.05, hertz: 1, rate: 10, count: 200)
    rows[0] = turned(rows[1], by: -0.5)
    #expect(StaleFirstRow.isStale(rows))
    rows[0][Channel.rotationRateX.lane] = 8
    #expect(!StaleFirstRow.isStale(rows))
  }

  @Test func `A yaw that passes ±π is not a rotation`() {
    let rows = (0..<50).map { index in
      MotionSample(
        time: .seconds(0), attitude: SIMD3(0, 0, index == 0 ? .pi - 0.001 : -.pi + 0.001),
        gravity: SIMD3(0, 0, -1), rotationRate: .zero, userAcceleration: .zero
      ).row
    }
    #expect(!StaleFirstRow.isStale(rows))
  }

  @Test func `Few rows or missing values give no detection`() {
    var rows = swinging(0.3, hertz: 1, rate: 50, count: 600)
    rows[0] = turned(rows[0], by: 2)
    for count in 0..<10 { #expect(!StaleFirstRow.isStale(Array(rows.prefix(count)))) }
    #expect(StaleFirstRow.isStale(Array(rows.prefix(10))))
    rows[0][Channel.attitudeRoll.lane] = .nan
    #expect(!StaleFirstRow.isStale(rows))
    rows[0] = SIMD16(repeating: .nan)
    #expect(!StaleFirstRow.isStale(rows))
    let missing = rows.map { _ in SIMD16<Float>(repeating: .nan) }
    #expect(!StaleFirstRow.isStale(missing))
  }

  /// Rows of a phone that rotates at random; the first may have another orientation.
  private func turning(count: Int, sensors: Set<Sensor>, _ random: inout SplitMix64) -> [SIMD16<Float>] {
    var row = DelimitedRows.emptyRow
    let speed = Float.random(in: 0...0.3, using: &random)
    let present = sensors.union([.userAcceleration]).flatMap(\.channels)
    for channel in present { row[channel.lane] = .random(in: -1.5...1.5, using: &random) }
    var rows: [SIMD16<Float>] = []
    for index in 0..<count {
      let isFar = index == 1 && Bool.random(using: &random)
      for channel in present {
        row[channel.lane] += .random(in: -1...1, using: &random) * (isFar ? 1 : speed)
      }
      rows.append(row)
      if Int.random(in: 0..<40, using: &random) == 0 {
        rows[index][present.randomElement(using: &random)!.lane] = [.nan, 40, 1e6].randomElement(using: &random)!
      }
    }
    return rows
  }

  @Test(.requiresOptimization, arguments: sensorSets)
  func `Detection agrees with the naive twin on random rows`(sensors: Set<Sensor>) {
    var random = SplitMix64(seed: 9)
    var staleCount = 0
    for round in 0..<1000 {
      let count = round % 50 == 0 ? 1100 : Int.random(in: 0...60, using: &random)
      let rows = turning(count: count, sensors: sensors, &random)
      let isStale = StaleFirstRow.isStale(rows)
      #expect(isStale == NaiveStaleFirstRow.isStale(rows))
      if isStale { staleCount += 1 }
    }
    #expect((50...950).contains(staleCount), "\(staleCount)")
  }

  @Test(.requiresRealData, .requiresOptimization, arguments: ["boostrunclub", "motionsense"])
  func `Detection agrees with the naive twin on real recordings from any row`(folder: String) throws {
    for file in try RealData.recordings(in: #require(RealData.directory).appending(path: folder)) {
      let rows = try RecordingTable(contentsOf: file).rows
      for start in [0, 1, 50, 200] where start < rows.count {
        for lane in [0..<0, 0..<3, 8..<11] {
          var begun = Array(rows[start..<min(rows.count, start + 300)])
          for row in begun.indices { for missing in lane { begun[row][missing] = .nan } }
          #expect(StaleFirstRow.isStale(begun) == NaiveStaleFirstRow.isStale(begun), "\(file.path), row \(start)")
        }
      }
    }
  }

  @Test func `A stale first row is dropped with its label and reported`() throws {
    let csv = try MotionCSV()
    var rows = swinging(0.3, hertz: 1, rate: 10, count: 30)
    rows[0] = turned(rows[0], by: 2)
    rows[0][Channel.userAccelerationX.lane] = .nan
    rows[5][Channel.rotationRateX.lane] = .nan
    let recording = Recording(
      name: "r", sampleRate: .hertz(10), channels: Set(Channel.allCases), rows: rows)
    let text = RecordingText(recording, leading: .rowIndex).joined()
    let lines = String(decoding: Array(text), as: UTF8.self).split(separator: "\n")
    let labelled = lines.enumerated().map { index, line in
      "\(line),\(index == 0 ? "label" : index == 1 ? "old" : "new")"
    }
    let table = try csv.table(labelled.joined(separator: "\n"), labelColumn: "label")
    #expect(table.count == 30)
    #expect(table.repairs == [])
    let annotated = try AnnotatedRecording(table, sampleRate: .hertz(10))
    #expect(annotated.recording.repairs == [.droppedStaleFirstRow])
    #expect(annotated.recording.count == 29)
    #expect(annotated.missingRows == [4..<5])
    #expect(annotated.labels?.map(\.label) == ["new"])
    #expect(annotated.labels?.map(\.rows) == [0..<29])
    #expect(annotated.recording[.gravityY] == rows.dropFirst().map { $0[Channel.gravityY.lane] })
  }
}
