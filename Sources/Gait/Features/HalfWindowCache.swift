/// What is known of the halves of windows that overlap by half, so that each row is summed once and not once a window.
struct HalfWindowCache: Sendable {
  private let layout: LaneBlock.Layout
  /// For each part of the lanes the last two halves.
  private var storage: [Lanes]
  private var count = 0

  /// The halves of windows that `plan` is for.
  init(_ plan: FeaturePlan, layout: LaneBlock.Layout) {
    self.layout = layout
    storage = Array(repeating: .zero, count: 2 * plan.parts.count * layout.count)
  }

  /// Takes the next half: its rows in each of `parts`, as `PartRows` serves them.
  mutating func append(_ rows: PartRows, _ plan: FeaturePlan, _ parts: [FeaturePlan.Part]) {
    let (layout, place) = (layout, count % 2)
    count += 1
    storage.withUnsafeMutableBufferPointer { storage in
      for part in parts where !part.needs.isEmpty {
        let base = storage.baseAddress! + 2 * part.register * layout.count
        let previous = layout.block(at: base + (1 - place) * layout.count)
        let (rows, stride) = rows.rows(of: part)
        layout.block(at: base + place * layout.count).fill(
          from: rows, stride: stride, count: layout.rows, plan, part, after: previous)
      }
    }
  }

  /// Calls `body` with the halves of the newest window in one part, which are only to be read.
  @inline(__always)
  func withWindow(register: Int, _ body: (_ earlier: LaneBlock, _ later: LaneBlock) -> Void) {
    let (layout, place) = (layout, (count + 1) % 2)
    storage.withUnsafeBufferPointer { storage in
      let base = UnsafeMutablePointer(mutating: storage.baseAddress! + 2 * register * layout.count)
      body(layout.block(at: base + (1 - place) * layout.count), layout.block(at: base + place * layout.count))
    }
  }
}
