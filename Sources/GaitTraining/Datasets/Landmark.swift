import Gait

/// The eight series by which recordings are compared: the axes and the magnitude of total acceleration, the axes of
/// user acceleration, and the magnitude of the rotation rate.
///
/// One matching series is enough. So a copy is detected without its attitude, rotation rate or gravity, with one
/// channel zeroed, and rotated or mirrored. Total acceleration is the same whether gravity was measured or estimated.
enum ComparedSeries {
  /// The number of series.
  static let count = 8

  /// The values of a row; NaN if a channel is missing.
  static func values(of row: SIMD16<Float>) -> SIMD8<Float> {
    let acceleration = row.highHalf.highHalf
    let total = acceleration + row.lowHalf.highHalf
    let rotation = row.highHalf.lowHalf
    return SIMD8(
      lowHalf: SIMD4(total[0], total[1], total[2], length(total)),
      highHalf: SIMD4(acceleration[0], acceleration[1], acceleration[2], length(rotation)))
  }

  /// The magnitude of the first three numbers, summed in a fixed order so that it is identical on every machine.
  private static func length(_ vector: SIMD4<Float>) -> Float {
    (vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]).squareRoot()
  }
}

/// A hash of a few successive values of a series, quantised to the cells of a grid.
///
/// A landmark depends only on its `length` rows, so the others survive if rows are dropped or cut off. Noise matters
/// only if it moves a value across the edge of a cell. About one landmark a second is kept of each series, chosen by
/// its hash, so that copies keep the same ones. Values that hardly change make no landmark.
///
/// Source: sampling by hash value is the "0 mod p" choice of Manber, "Finding similar files in a large file system",
/// USENIX 1994; hashes of quantised neighbours as in Wang, "An industrial-strength audio search algorithm", ISMIR 2003.
struct Landmark: Sendable {
  /// The hash of the cells, the grid and the series.
  let hash: UInt64
  /// The position of the first of the rows.
  let row: Int32
  /// The series.
  let series: UInt8

  /// The number of rows in a hash.
  static let length = 4

  /// Cells per unit of the fine grid (0.24 mg, 1 mrad/s), which detects copies of recordings at rest, and of the coarse
  /// grid (8 mg, 31 mrad/s), which detects noisy copies.
  static let grids: (fine: SIMD8<Float>, coarse: SIMD8<Float>) = (
    SIMD8(lowHalf: SIMD4(repeating: 4096), highHalf: SIMD4(4096, 4096, 4096, 1024)),
    SIMD8(lowHalf: SIMD4(repeating: 128), highHalf: SIMD4(128, 128, 128, 32))
  )

  /// The landmarks of a recording on both grids.
  ///
  /// - Complexity: O(rows).
  static func landmarks(of rows: [SIMD16<Float>], sampleRate: SampleRate) -> [Landmark] {
    var landmarks: [Landmark] = []
    guard rows.count >= length else { return landmarks }
    let limit = UInt32(saturating: Double(UInt32.max) / max(2, sampleRate.hertz))
    var (fine, coarse) = (CellWindow(), CellWindow())
    for (index, row) in rows.enumerated() {
      let values = ComparedSeries.values(of: row)
      fine.append(values, grids.fine)
      coarse.append(values, grids.coarse)
      guard index >= length - 1 else { continue }
      fine.appendLandmarks(to: &landmarks, row: index - length + 1, grid: 0, limit: limit)
      coarse.appendLandmarks(to: &landmarks, row: index - length + 1, grid: 1, limit: limit)
    }
    return landmarks
  }
}

/// The cells of the last four rows of every series.
struct CellWindow {
  private var cells = (SIMD8<UInt32>(), SIMD8<UInt32>(), SIMD8<UInt32>(), SIMD8<UInt32>())
  /// The start of the cells, as a share of a cell. Neither decimal nor binary fractions lie there, so that a little
  /// noise does not move a rounded value to another cell.
  private static let offset: Float = 0.3
  /// Added to a number, it leaves the nearest whole number in the low bits.
  private static let roundingBias: Float = 12_582_912

  mutating func append(_ values: SIMD8<Float>, _ grid: SIMD8<Float>) {
    cells = (
      cells.1, cells.2, cells.3,
      SIMD8(
        lowHalf: Self.cells(of: values.lowHalf, grid.lowHalf), highHalf: Self.cells(of: values.highHalf, grid.highHalf))
    )
  }

  /// The cells of values.
  static func cells(of values: SIMD4<Float>, _ grid: SIMD4<Float>) -> SIMD4<UInt32> {
    unsafeBitCast(values * grid + offset + roundingBias, to: SIMD4<UInt32>.self)
  }

  /// Appends the landmarks of the series whose hash is below `limit`.
  func appendLandmarks(to landmarks: inout [Landmark], row: Int, grid: Int, limit: UInt32) {
    let chosen = hashes .< limit
    guard chosen != SIMDMask(repeating: false) else { return }
    for series in 0..<ComparedSeries.count where chosen[series] {
      guard let hash = hash(of: series, grid: grid) else { continue }
      landmarks.append(Landmark(hash: hash, row: Int32(row), series: UInt8(series)))
    }
  }

  /// A hash of each series' cells, by which landmarks are chosen.
  private var hashes: SIMD8<UInt32> {
    var hash = cells.0 &* 0x9E37_79B1 &+ cells.1 &* 0x85EB_CA77 &+ cells.2 &* 0xC2B2_AE3D &+ cells.3 &* 0x27D4_EB2F
    hash ^= hash &>> 15
    hash = hash &* 0x2C1B_3C6D
    return hash ^ (hash &>> 13)
  }

  /// The hash of a series' cells; `nil` if fewer than three of them differ or one is missing.
  private func hash(of series: Int, grid: Int) -> UInt64? {
    let (a, b, c, d) = (cells.0[series], cells.1[series], cells.2[series], cells.3[series])
    let equals = (a == b ? 1 : 0) + (a == c || b == c ? 1 : 0) + (a == d || b == d || c == d ? 1 : 0)
    guard equals < 2, Self.isNumber(a), Self.isNumber(b), Self.isNumber(c), Self.isNumber(d) else { return nil }
    let place = UInt64(grid * ComparedSeries.count + series)
    let first = UInt64.stirred((UInt64(a) << 32 | UInt64(b)) &+ place &* 0x9E37_79B9_7F4A_7C15)
    return UInt64.stirred(first ^ (UInt64(c) << 32 | UInt64(d)) &* 0xC2B2_AE3D_27D4_EB4F)
  }

  private static func isNumber(_ cell: UInt32) -> Bool { Float(bitPattern: cell).isFinite }
}
