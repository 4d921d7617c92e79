/// The rows of a block for each part, with angles unwrapped.
struct PartRows {
  private let rows: UnsafePointer<Lanes>
  private let stride: Int
  private let count: Int
  private let plan: FeaturePlan
  private let copy: UnsafeMutablePointer<Lanes>?

  /// - Parameters:
  ///   - rows: packed rows, shape `[count × parts]`.
  ///   - copy: room for `count` registers, for parts whose angles jump in the block; `nil` if none jumps.
  init(_ rows: UnsafePointer<Lanes>, _ plan: FeaturePlan, count: Int, unwrapping copy: UnsafeMutablePointer<Lanes>?) {
    self.rows = rows
    self.plan = plan
    self.count = count
    self.copy = copy
    stride = plan.parts.count
  }

  /// The rows of a part and their stride in registers; valid until the next call.
  func rows(of part: FeaturePlan.Part) -> (rows: UnsafePointer<Lanes>, stride: Int) {
    guard let copy, part.hasAngles else { return (rows + part.register, stride) }
    Angle.unwrap(rows + part.register, stride: stride, count: count, limits: part.angleLimits, into: copy)
    return (UnsafePointer(copy), 1)
  }
}
