/// The one or two sensors whose lanes are used; a single sensor is stored twice.
struct ActiveSensors: Sendable {
  /// The indices of the sensors' quarters of a row.
  private let quarters: (Int, Int)

  /// `nil` if `sensors` is empty or has more than two.
  init?(_ sensors: Set<Sensor>) {
    let quarters = Sensor.allCases.indices.filter { sensors.contains(Sensor.allCases[$0]) }
    guard 1...2 ~= quarters.count else { return nil }
    self.quarters = (quarters[0], quarters[quarters.count - 1])
  }

  /// The lanes of both sensors in a row.
  @inline(__always)
  func lanes(of row: UnsafeRawPointer) -> (SIMD4<Float>, SIMD4<Float>) {
    (
      row.load(fromByteOffset: 16 &* quarters.0, as: SIMD4<Float>.self),
      row.load(fromByteOffset: 16 &* quarters.1, as: SIMD4<Float>.self)
    )
  }

  /// Writes a row with these lanes and NaN in all others.
  @inline(__always)
  func write(_ lanes: (SIMD4<Float>, SIMD4<Float>), to row: UnsafeMutableRawPointer) {
    for quarter in 0..<4 {
      row.storeBytes(of: SIMD4(repeating: .nan), toByteOffset: 16 &* quarter, as: SIMD4<Float>.self)
    }
    row.storeBytes(of: lanes.0, toByteOffset: 16 &* quarters.0, as: SIMD4<Float>.self)
    row.storeBytes(of: lanes.1, toByteOffset: 16 &* quarters.1, as: SIMD4<Float>.self)
  }

  /// A row with these lanes and NaN in all others.
  @inline(__always)
  func row(_ lanes: (SIMD4<Float>, SIMD4<Float>)) -> SIMD16<Float> {
    withUnsafeTemporaryAllocation(of: SIMD16<Float>.self, capacity: 1) { row in
      write(lanes, to: row.baseAddress!)
      return row[0]
    }
  }
}
