/// A vector, such as gravity, of each of eight samples.
struct LaneVector {
  var x: LaneGroup
  var y: LaneGroup
  var z: LaneGroup

  @inline(__always)
  init(x: LaneGroup, y: LaneGroup, z: LaneGroup) {
    (self.x, self.y, self.z) = (x, y, z)
  }

  /// The vector that begins at `lane` (0, 4, 8 or 12) of eight rows that are laid out as `MotionSample.row`.
  @inline(__always)
  init(lane: Int, of rows: UnsafePointer<SIMD16<Float>>) {
    let rows = UnsafeRawPointer(rows)
    @inline(__always)
    func four(from row: Int) -> SIMD4<Float>.Columns {
      @inline(__always)
      func vector(_ index: Int) -> SIMD4<Float> {
        rows.load(fromByteOffset: (row + index) * 64 + lane * 4, as: SIMD4<Float>.self)
      }
      return SIMD4.transposed(vector(0), vector(1), vector(2), vector(3))
    }
    let (first, second) = (four(from: 0), four(from: 4))
    x = LaneGroup(lowHalf: first.0, highHalf: second.0)
    y = LaneGroup(lowHalf: first.1, highHalf: second.1)
    z = LaneGroup(lowHalf: first.2, highHalf: second.2)
  }

  @inline(__always)
  static func + (a: LaneVector, b: LaneVector) -> LaneVector { LaneVector(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z) }

  @inline(__always)
  static func - (a: LaneVector, b: LaneVector) -> LaneVector { LaneVector(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z) }

  @inline(__always)
  static func * (scale: LaneGroup, a: LaneVector) -> LaneVector {
    LaneVector(x: scale * a.x, y: scale * a.y, z: scale * a.z)
  }

  /// The scalar product of each pair.
  @inline(__always)
  func dot(_ other: LaneVector) -> LaneGroup { x * other.x + y * other.y + z * other.z }

  /// The length of each.
  @inline(__always)
  var length: LaneGroup { dot(self).squareRoot() }

  /// Writes the components one after another.
  @inline(__always)
  func store(to columns: UnsafeMutablePointer<LaneGroup>) { (columns[0], columns[1], columns[2]) = (x, y, z) }
}

extension SIMD4<Float> {
  typealias Columns = (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

  /// The columns of a matrix of four rows.
  @inline(__always)
  static func transposed(_ a: SIMD4, _ b: SIMD4, _ c: SIMD4, _ d: SIMD4) -> Columns {
    let (abLow, cdLow) = (SIMD4(a.x, b.x, a.y, b.y), SIMD4(c.x, d.x, c.y, d.y))
    let (abHigh, cdHigh) = (SIMD4(a.z, b.z, a.w, b.w), SIMD4(c.z, d.z, c.w, d.w))
    return (
      SIMD4(lowHalf: abLow.lowHalf, highHalf: cdLow.lowHalf), SIMD4(lowHalf: abLow.highHalf, highHalf: cdLow.highHalf),
      SIMD4(lowHalf: abHigh.lowHalf, highHalf: cdHigh.lowHalf),
      SIMD4(lowHalf: abHigh.highHalf, highHalf: cdHigh.highHalf)
    )
  }

  /// The sums of four vectors' lanes.
  @inline(__always)
  static func totals(_ a: SIMD4, _ b: SIMD4, _ c: SIMD4, _ d: SIMD4) -> SIMD4 {
    let ab = SIMD4(a.x, b.x, a.y, b.y) + SIMD4(a.z, b.z, a.w, b.w)
    let cd = SIMD4(c.x, d.x, c.y, d.y) + SIMD4(c.z, d.z, c.w, d.w)
    return SIMD4(lowHalf: ab.lowHalf, highHalf: cd.lowHalf) + SIMD4(lowHalf: ab.highHalf, highHalf: cd.highHalf)
  }
}
