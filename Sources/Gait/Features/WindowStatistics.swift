/// The work on one window several lanes at a time, part after part: from its packed samples to the table.
struct WindowStatistics {
  let plan: FeaturePlan
  let layout: ScratchLayout
  let windowSeconds: Float
  /// The packed samples, oldest first.
  let window: LaneWindow
  /// Whether an angle that some feature uses passes ±π in the window.
  let anglesJump: Bool
  /// Whether windows in which angles jump are put together from halves like others.
  let joinsTurns: Bool

  /// Fills the places of `parts` in the table; shares halves and sorted blocks with other windows where there are any.
  func run(
    _ parts: [FeaturePlan.Part], sharing halves: HalfWindowCache?, _ sorted: SortedBlocks?,
    scratch: UnsafeMutablePointer<LaneGroup>, table: UnsafeMutablePointer<LaneGroup>
  ) {
    let rows = anglesJump && !joinsTurns ? unwrapped(into: scratch + layout.window) : window.rows
    for part in parts where !part.needs.isEmpty {
      let hasJumps = anglesJump && part.hasAngles
      let isUnwrapped = hasJumps && !joinsTurns
      let work = LaneStatistics(
        plan: plan, part: part, layout: layout.part, windowSeconds: windowSeconds, joinsTurns: hasJumps,
        rows: rows.lanes + part.register, stride: plan.parts.count, scratch: (scratch + layout.parts).lanes,
        table: table.lanes + part.register)
      work.run(sharing: isUnwrapped ? nil : halves, isUnwrapped ? nil : sorted)
    }
  }

  /// Copies the window with its angles made continuous, beginning within −π…π; returns the copy.
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
  /// The same memory as single lanes.
  var floats: UnsafeMutablePointer<Float> { UnsafeMutableRawPointer(self).assumingMemoryBound(to: Float.self) }
  /// The same memory as registers.
  var lanes: UnsafeMutablePointer<Lanes> { UnsafeMutableRawPointer(self).assumingMemoryBound(to: Lanes.self) }
}

extension UnsafePointer<LaneGroup> {
  /// The same memory as registers.
  var lanes: UnsafePointer<Lanes> { UnsafeRawPointer(self).assumingMemoryBound(to: Lanes.self) }
}
