/// Two sensors whose lanes are all that is wanted of samples; perhaps the same twice.
struct ActiveSensors: Sendable {
  private let quarters: (Int, Int)

  /// The pair that covers `sensors`, or `nil` where there are more, or none.
  init?(_ sensors: Set<Sensor>) {
    let quarters = Sensor.allCases.indices.filter { sensors.contains(Sensor.allCases[$0]) }
    guard 1...2 ~= quarters.count else { return nil }
    self.quarters = (quarters[0], quarters[quarters.count - 1])
  }

  /// The lanes of both in a row.
  @inline(__always)
  func lanes(of row: UnsafeRawPointer) -> (SIMD4<Float>, SIMD4<Float>) {
    (
      row.load(fromByteOffset: 16 &* quarters.0, as: SIMD4<Float>.self),
      row.load(fromByteOffset: 16 &* quarters.1, as: SIMD4<Float>.self)
    )
  }

  /// Writes the row that has these lanes, and no others.
  @inline(__always)
  func write(_ lanes: (SIMD4<Float>, SIMD4<Float>), to row: UnsafeMutableRawPointer) {
    for quarter in 0..<4 {
      row.storeBytes(of: SIMD4(repeating: .nan), toByteOffset: 16 &* quarter, as: SIMD4<Float>.self)
    }
    row.storeBytes(of: lanes.0, toByteOffset: 16 &* quarters.0, as: SIMD4<Float>.self)
    row.storeBytes(of: lanes.1, toByteOffset: 16 &* quarters.1, as: SIMD4<Float>.self)
  }

  /// The row that has these lanes, and no others.
  @inline(__always)
  func row(_ lanes: (SIMD4<Float>, SIMD4<Float>)) -> SIMD16<Float> {
    withUnsafeTemporaryAllocation(of: SIMD16<Float>.self, capacity: 1) { row in
      write(lanes, to: row.baseAddress!)
      return row[0]
    }
  }
}
