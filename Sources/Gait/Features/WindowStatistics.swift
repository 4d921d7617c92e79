/// Computes the statistics of a window part by part, several lanes at a time: from the packed samples to the table.
struct WindowStatistics {
  let plan: FeaturePlan
  let layout: ScratchLayout
  let windowSeconds: Float
  /// The packed samples, oldest first.
  let window: LaneWindow
  /// Whether an angle that a feature uses crosses ±π in the window.
  let anglesJump: Bool
  /// Whether a window in which angles jump is also combined from halves.
  let unwrapsAcrossHalves: Bool

  /// Fills the table entries of `parts`, from cached halves and sorted blocks if given.
  func run(
    _ parts: [FeaturePlan.Part], sharing halves: HalfWindowCache?, _ sorted: SortedBlocks?,
    scratch: UnsafeMutablePointer<LaneGroup>, table: UnsafeMutablePointer<LaneGroup>
  ) {
    let rows = anglesJump && !unwrapsAcrossHalves ? unwrapped(into: scratch + layout.window) : window.rows
    for part in parts where !part.needs.isEmpty {
      let hasJumps = anglesJump && part.hasAngles
      let isUnwrapped = hasJumps && !unwrapsAcrossHalves
      let statistics = LaneStatistics(
        plan: plan, part: part, layout: layout.part, windowSeconds: windowSeconds, unwrapsAcrossHalves: hasJumps,
        rows: rows.lanes + part.register, stride: plan.parts.count, scratch: (scratch + layout.parts).lanes,
        table: table.lanes + part.register)
      statistics.run(sharing: isUnwrapped ? nil : halves, isUnwrapped ? nil : sorted)
    }
  }

  /// Copies the window and unwraps its angles from a first one in −π…π; returns the copy.
  private func unwrapped(into copy: UnsafeMutablePointer<LaneGroup>) -> UnsafePointer<LaneGroup> {
    let stride = plan.packing.groupCount
    copy.update(from: window.rows, count: plan.length * stride)
    let values = copy.floats
    for slot in plan.packing.angleSlots {
      values[slot] = Angle.wrapped(values[slot])
      for row in 1..<plan.length {
        let here = row * stride * 8 + slot
        values[here] = Angle.continued(values[here], after: values[here - stride * 8])
      }
    }
    return UnsafePointer(copy)
  }
}

extension UnsafeMutablePointer<LaneGroup> {
  /// The same memory as Floats.
  var floats: UnsafeMutablePointer<Float> { UnsafeMutableRawPointer(self).assumingMemoryBound(to: Float.self) }
  /// The same memory as registers.
  var lanes: UnsafeMutablePointer<Lanes> { UnsafeMutableRawPointer(self).assumingMemoryBound(to: Lanes.self) }
}

extension UnsafePointer<LaneGroup> {
  /// The same memory as registers.
  var lanes: UnsafePointer<Lanes> { UnsafeRawPointer(self).assumingMemoryBound(to: Lanes.self) }
}
