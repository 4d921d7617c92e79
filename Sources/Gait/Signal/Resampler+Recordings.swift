extension Resampler {
  /// The approximate number of outputs in a block.
  private static let blockCount = 512

  /// Appends the samples of a recording, or of the next block of one, and calls `body` with blocks of outputs.
  ///
  /// The outputs are identical to those of samples appended one by one.
  package mutating func append(contentsOf recording: Recording, _ body: (Recording) -> Void) {
    guard recording.count > 0 else { return }
    var (rows, times): ([SIMD16<Float>], [SampleTime]) = ([], [])
    var index = 0
    func flush() {
      guard let start = times.first else { return }
      body(block(of: recording, start: start, rows: rows, times: times))
      rows.removeAll(keepingCapacity: true)
      times.removeAll(keepingCapacity: true)
    }
    while index < recording.count {
      if isPassThrough, recording.time(at: index).isValid, let block = passedBlock(in: recording, from: &index) {
        flush()
        body(block)
        // If all samples that the next output needs are evenly spaced, compute it directly from the recording.
      } else if let activeSensors, !hasAngles, !isPassThrough, order.longestDelay == 0, broken.isEmpty,
        uniformSteps >= weights.tapCount, samplesSinceBridged >= 2 * weights.tapCount,
        index >= 2 * weights.tapCount, let block = evenBlock(of: activeSensors, in: recording, from: &index)
      {
        flush()
        body(block)
      } else {
        append(recording[index]) {
          rows.append($0.row)
          times.append($0.time)
        }
        index += 1
        if rows.count >= Self.blockCount { flush() }
      }
    }
    flush()
  }

  /// The samples from `index` on that pass through unchanged, or `nil` if the first one does not. `index` advances past
  /// them.
  private mutating func passedBlock(in recording: Recording, from index: inout Int) -> Recording? {
    guard order.longestDelay == 0, broken.isEmpty, previousTime == latestTime else { return nil }
    let first = index
    if previousTime == nil {
      required = AccelerationLanes(presentIn: recording.rows[index])
      beginStream(at: recording[index])
    }
    guard let last = passedTime(in: recording, from: &index) else { return nil }
    rateMeter.reset()
    (previousTime, latestTime, completeTime) = (last, last, last)
    let (oldest, period) = (max(first, index - 2 * weights.tapCount), recording.wholePeriod)
    if oldest > first { history.removeAll() }
    recording.rows.withUnsafeBufferPointer { rows in
      if hasAngles { for place in first..<oldest { history.keepAngles(of: rows[place]) } }
      for place in oldest..<index {
        history.append(MotionSample(time: recording.time(at: place, period: period), row: rows[place]))
      }
    }
    expectEvenTime()
    return index - first == recording.count ? recording : recording[first..<index]
  }

  /// Advances `index` past the samples that pass through unchanged, and returns the time of the last one.
  private mutating func passedTime(in recording: Recording, from index: inout Int) -> Int64? {
    let first = index
    var previous = previousTime
    let time = recording.time(at: index).nanoseconds
    if let step = recording.wholePeriod, Double(step) == period, isNear(time),
      previous.map({ time - $0 == step }) ?? true
    {
      recording.rows.withUnsafeBufferPointer { rows in
        let step = AccelerationLanes.rowsAtOnce
        while index &+ step <= rows.count, required.arePresent(inRowsFrom: rows.baseAddress! + index) { index &+= step }
        while index < rows.count, required.arePresent(in: rows[index]) { index += 1 }
      }
      guard index > first else { return nil }
      uniformSteps += index - first - (previous == nil ? 1 : 0)
      previous = time + Int64(clamping: index - first - 1) * step
      follow(previous!)
      return previous
    }
    while index < recording.count {
      let time = recording.time(at: index).nanoseconds
      guard isNear(time), required.arePresent(in: recording.rows[index]) else { break }
      if let previous {
        guard time > previous, (Double(time - previous) - period).magnitude <= Self.tolerance * period else { break }
        uniformSteps = isEven(time - previous) ? uniformSteps + 1 : 0
      }
      follow(time)
      previous = time
      index += 1
    }
    return index > first ? previous : nil
  }

  /// The outputs of `sensors` for the evenly spaced samples from `index` on; `nil` if the sample at `index` does not
  /// follow the previous one by one period. `index` advances past the samples. It is faster than `append` for each
  /// sample.
  private mutating func evenBlock(
    of sensors: ActiveSensors, in recording: Recording, from index: inout Int
  ) -> Recording? {
    settleTimes()
    guard var previous = previousTime, previous == latestTime,
      isEven(recording.time(at: index).nanoseconds &- previous),
      required.arePresent(in: recording.rows[index])
    else { return nil }
    rateMeter.reset()
    let first = (sample: index, output: grid.index, offset: grid.offset)
    let step = recording.wholePeriod
    let capacity = Self.blockCount + 2 + Int(saturating: target.hertz / source.hertz)
    let rows = [SIMD16<Float>](unsafeUninitializedCapacity: capacity) { rows, count in
      let rowSize = MemoryLayout<SIMD16<Float>>.stride
      var place = UnsafeMutableRawPointer(rows.baseAddress!)
      let end = place + Self.blockCount * rowSize
      recording.rows.withUnsafeBufferPointer { samples in
        while index < samples.count, place < end {
          let time = step.map { previous &+ $0 } ?? recording.time(at: index).nanoseconds
          guard step != nil || isEven(time &- previous), required.arePresent(in: samples[index])
          else { break }
          previous = time
          index += 1
          let reach = reach(of: time)
          while Double(grid.offset) <= reach {
            let phase = time &- grid.origin &- grid.offset
            let lanes = weights.mean(
              of: sensors, at: phase, inRowsBefore: samples.baseAddress! + index, stride: rowSize, &kernel)
            sensors.write(lanes, to: place)
            place += rowSize
            grid.advance()
          }
        }
      }
      count = grid.index - first.output
    }
    (previousTime, latestTime, completeTime) = (previous, previous, previous)
    uniformSteps += index - first.sample
    history.removeAll()
    for sample in max(0, index - 2 * weights.tapCount)..<index { history.append(recording[sample]) }
    expectEvenTime()
    return block(
      of: recording, start: SampleTime(nanoseconds: grid.origin + first.offset), rows: rows,
      times: grid.unevenTimes(from: first.output))
  }

  private func block(
    of recording: Recording, start: SampleTime, rows: [SIMD16<Float>], times: [SampleTime]
  ) -> Recording {
    Recording(
      name: recording.name, sampleRate: target, start: start, channels: recording.channels, rows: rows, times: times)
  }
}

extension Recording {
  /// The recording at another rate. If that rate is lower, the recording is low-pass filtered with the filter of live
  /// streams.
  ///
  /// - Complexity: O(`count`).
  public func resampled(to rate: SampleRate) -> Recording {
    var resampler = Resampler(from: sampleRate, to: rate)
    var samples: [MotionSample] = []
    samples.reserveCapacity(count)
    for index in 0..<count { resampler.append(self[index]) { samples.append($0) } }
    return Recording(name: name, sampleRate: rate, samples: samples, gravityIsEstimated: gravityIsEstimated)
  }
}
