import Gait

/// Finds the offset between two clocks by the stops of a run: GPS points stand still while the motion is quiet.
struct StopAlignment {
  /// Whether the wearer moved in each second of the motion and of the route; `nil` where it is not clear.
  private let motion: [Bool?]
  private let route: [Bool?]
  /// How much later the route begins, whole seconds.
  private let delay: Int

  /// The acceleration above which the wearer moves, g, and the speeds below which they stand and above which they move, m/s.
  private static let (movingAcceleration, standingSpeed, movingSpeed) = (0.1, 0.4, 0.8)
  /// Half of the time over which the speed of a place is taken, seconds.
  private static let halfSpan = 3
  /// The largest and the smallest offset that is looked for, seconds. Smaller ones are within what stops show.
  private static let (largest, smallest) = (600, 5)
  /// The correlation that an offset must have, by how much more than others, and by how much more than none.
  private static let (needed, lead, gain) = (0.7, 0.1, 0.2)
  /// The fewest seconds of stops and of movement, and the offsets around the best one that are the same.
  private static let (fewest, neighbours) = (15, 20)

  init(_ recording: Recording, _ samples: [LocationSample]) {
    motion = Self.movement(of: recording)
    route = Self.movement(of: samples)
    let first = samples.first?.time ?? recording.start
    delay = Int(first.seconds(since: recording.start).rounded().clamped(to: -1e9...1e9))
  }

  /// The seconds to add to the times of the GPS points; `nil` if the stops do not show a clear offset.
  var offset: Int? {
    let scores = (-Self.largest...Self.largest).map { ($0, correlation(after: $0)) }
    guard let best = scores.max(by: { $0.1 < $1.1 }), best.1 >= Self.needed, abs(best.0) >= Self.smallest,
      best.1 - correlation(after: 0) >= Self.gain,
      scores.allSatisfy({ abs($0.0 - best.0) <= Self.neighbours || $0.1 <= best.1 - Self.lead })
    else { return nil }
    return best.0
  }

  /// The correlation of both movements (the phi coefficient) if `offset` seconds are added to the route's times; 0 if they
  /// share less than half of the shorter one, or too few stops.
  private func correlation(after offset: Int) -> Double {
    let first = delay + offset
    let shared = max(0, first)..<max(max(0, first), min(motion.count, first + route.count))
    guard shared.count >= min(motion.count, route.count) / 2 else { return 0 }
    var (both, neither, onlyMotion, onlyRoute) = (0, 0, 0, 0)
    for second in shared {
      switch (motion[second], route[second - first]) {
      case (true, true): both += 1
      case (false, false): neither += 1
      case (true, false): onlyMotion += 1
      case (false, true): onlyRoute += 1
      default: break
      }
    }
    let sums = [both + onlyMotion, neither + onlyRoute, both + onlyRoute, neither + onlyMotion]
    guard sums.allSatisfy({ $0 >= Self.fewest }) else { return 0 }
    let product = Double(both) * Double(neither) - Double(onlyMotion) * Double(onlyRoute)
    return product / sums.reduce(1) { $0 * Double($1) }.squareRoot()
  }

  private static func movement(of recording: Recording) -> [Bool?] {
    var squares: [(sum: Double, count: Double)] = []
    for index in 0..<recording.count {
      let sample = recording[index]
      let acceleration = sample.userAcceleration
      let square = Double((acceleration * acceleration).sum())
      let second = Int(sample.time.seconds(since: recording.start))
      while squares.count <= second { squares.append((0, 0)) }
      guard square.isFinite else { continue }
      squares[second].sum += square
      squares[second].count += 1
    }
    return squares.map { $0.count > 0 ? ($0.sum / $0.count).squareRoot() > movingAcceleration : nil }
  }

  private static func movement(of samples: [LocationSample]) -> [Bool?] {
    guard let first = samples.first?.time, let last = samples.last?.time else { return [] }
    let seconds = last.seconds(since: first)
    guard 0...1e6 ~= seconds else { return [] }
    var latest: [LocationSample?] = Array(repeating: nil, count: Int(seconds) + 1)
    for sample in samples {
      let second = Int(sample.time.seconds(since: first).clamped(to: 0...seconds))
      latest[second] = sample
    }
    return latest.indices.map { second in
      guard second >= halfSpan, second + halfSpan < latest.count, let from = latest[second - halfSpan],
        let to = latest[second + halfSpan]
      else { return nil }
      let speed = from.distance(to: to) / max(1, to.time.seconds(since: from.time))
      return speed > movingSpeed ? true : speed < standingSpeed ? false : nil
    }
  }
}

extension Double {
  fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
    isNaN ? range.lowerBound : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
