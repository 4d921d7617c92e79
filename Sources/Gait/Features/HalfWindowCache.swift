/// The blocks of the last two half windows, for windows that overlap by half: each row is summed once instead of twice.
struct HalfWindowCache: Sendable {
  private let layout: LaneBlock.Layout
  /// The last two halves of each part.
  private var storage: [Lanes]
  private var count = 0

  /// An empty cache for `plan`.
  init(_ plan: FeaturePlan, layout: LaneBlock.Layout) {
    self.layout = layout
    storage = Array(repeating: .zero, count: 2 * plan.parts.count * layout.count)
  }

  /// Adds the next half for each part.
  mutating func append(_ rows: PartRows, _ plan: FeaturePlan) {
    let (layout, place) = (layout, count % 2)
    count += 1
    storage.withUnsafeMutableBufferPointer { storage in
      for part in plan.parts where !part.needs.isEmpty {
        let base = storage.baseAddress! + 2 * part.register * layout.count
        let previous = layout.block(at: base + (1 - place) * layout.count)
        let (rows, stride) = rows.rows(of: part)
        layout.block(at: base + place * layout.count).fill(
          from: rows, stride: stride, count: layout.rows, plan, part, after: previous)
      }
    }
  }

  /// Calls `body` with the read-only halves of the newest window in one part.
  @inline(__always)
  func withWindow(register: Int, _ body: (_ earlier: LaneBlock, _ later: LaneBlock) -> Void) {
    let (layout, place) = (layout, (count + 1) % 2)
    storage.withUnsafeBufferPointer { storage in
      let base = UnsafeMutablePointer(mutating: storage.baseAddress! + 2 * register * layout.count)
      body(layout.block(at: base + (1 - place) * layout.count), layout.block(at: base + place * layout.count))
    }
  }
}
