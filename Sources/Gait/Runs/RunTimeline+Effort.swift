/// Pace on hills. A metre uphill costs more energy than one on level ground, a gentle descent less.
extension RunTimeline {
  /// The pace on level ground that costs as much energy as the run's pace on its hills, seconds per kilometre; `nil` if
  /// the pace or the grade is not known.
  public var gradeAdjustedPace: Double? {
    guard let distance, let pace = averagePace else { return nil }
    return GradeProfile(self)?.costRatio(from: 0, to: distance).map { pace / $0 }
  }

  /// For each split, the pace on level ground that costs as much energy as the split's pace on its hills, seconds per
  /// kilometre; `nil` if the split's pace or grade is not known.
  ///
  ///     let splits = run.splits(everyMeters: Split.kilometer)
  ///     for (split, pace) in zip(splits, run.gradeAdjustedPaces(of: splits)) { print(split.number, pace ?? 0) }
  ///
  /// Formula: pace ÷ (mean of C(i) ÷ C(0)), with C(i) = 155.4 i⁵ − 30.4 i⁴ − 43.3 i³ + 46.3 i² + 19.5 i + 3.6 J per kg
  /// and metre at the grade i, the climb ÷ the distance, limited to the measured −0.45…0.45.
  ///
  /// The grade is that of the barometer over 50 m, or of GPS altitudes over 200 m if their error is at most 5 m
  /// (`LocationSample.verticalAccuracy`, and what short-term changes show). The grade is not known otherwise, or where
  /// altitudes cover less than nine tenths of the distance.
  ///
  /// Source: A. E. Minetti, C. Moia, G. S. Roi, D. Susta, G. Ferretti, *Energy cost of walking and running at extreme
  /// uphill and downhill slopes*, Journal of Applied Physiology 93 (2002), 1039–1046: running on a treadmill. Wind,
  /// ground and steps are not considered.
  ///
  /// - Parameter splits: splits or laps of this run.
  /// - Complexity: O(altitudes + points of the route) for all splits.
  public func gradeAdjustedPaces(of splits: [Split]) -> [Double?] {
    guard !splits.isEmpty, let profile = GradeProfile(self) else { return splits.map { _ in nil } }
    let starts = distances(at: splits.map(\.start)), ends = distances(at: splits.map(\.end))
    return splits.indices.map { index in
      guard let pace = splits[index].pace else { return nil }
      return profile.costRatio(from: starts[index], to: ends[index]).map { pace / $0 }
    }
  }

  /// The energy of the run, kilocalories, with that of rest; `nil` without distance.
  ///
  /// Formula: VO₂ = 3.5 + 0.2 v + 0.9 v i running, 3.5 + 0.1 v + 1.8 v i walking, 3.5 at rest, in ml per kg and minute
  /// with v in m/min and the grade i (`gradeAdjustedPaces(of:)`), 0 where it is not known; 5 kcal a litre of oxygen.
  /// Movement other than running counts as walking. A descent costs at least half of level ground: the equations hold
  /// uphill, and half is the least that Minetti and others (2002) measured. Source: American College of Sports
  /// Medicine, *Guidelines for Exercise Testing and Prescription*, metabolic equations. The equations hold for steady
  /// effort: the energy is an estimate, whose error for one person may be some tens of percent even if the distance is
  /// measured. An estimated distance (`estimatedDistance`) adds its own error.
  ///
  /// - Parameter kilograms: the wearer's mass.
  /// - Throws: `RunValueError.bodyMass` if the mass is not positive and finite.
  public func energy(bodyMass kilograms: Double) throws(RunValueError) -> Double? {
    try RunValueError.check(bodyMass: kilograms)
    return activeOxygen.map {
      Self.energy(ofOxygen: $0 + Self.restingOxygen * elapsedSeconds / 60, bodyMass: kilograms)
    }
  }

  /// The energy of movement, kilocalories: that of `energy(bodyMass:)` without 3.5 ml per kg and minute at rest; `nil`
  /// without distance.
  ///
  /// - Parameter kilograms: the wearer's mass.
  /// - Throws: `RunValueError.bodyMass` if the mass is not positive and finite.
  public func activeEnergy(bodyMass kilograms: Double) throws(RunValueError) -> Double? {
    try RunValueError.check(bodyMass: kilograms)
    return activeOxygen.map { Self.energy(ofOxygen: $0, bodyMass: kilograms) }
  }

  /// Millilitres of oxygen per kilogram and minute at rest.
  static let restingOxygen = 3.5
  /// The smallest cost of a descent, as a share of that on level ground.
  private static let leastDescent = 0.5

  /// Millilitres of oxygen per kilogram for the metres of a state.
  static func oxygen(forMeters meters: Double, in state: State, grade: Double = 0) -> Double {
    let (level, climb) = state == .running ? (0.2, 0.9) : (0.1, 1.8)
    return meters * max(leastDescent * level, level + climb * grade)
  }

  /// Kilocalories of millilitres of oxygen per kilogram.
  static func energy(ofOxygen oxygen: Double, bodyMass kilograms: Double) -> Double { oxygen * kilograms / 1000 * 5 }

  private var activeOxygen: Double? {
    guard distance != nil else { return nil }
    let slices = slices
    let meters = distances(at: slices.map(\.start) + [end])
    let grades = GradeProfile(self)
    return slices.indices.reduce(0) { sum, index in
      let (from, to, state) = (meters[index], meters[index + 1], slices[index].state)
      let known = grades?.sum(from: from, to: to) { Self.oxygen(forMeters: 1, in: state, grade: $0) }
      let (graded, oxygen) = known ?? (0, 0)
      return sum + oxygen + Self.oxygen(forMeters: to - from - graded, in: state)
    }
  }
}

/// The grade along a run, from its smoothed altitudes.
struct GradeProfile {
  /// A part of the distance with one grade.
  private struct Part {
    /// The distance at its beginning and end, metres.
    var start: Double
    var end: Double
    /// Climb ÷ distance.
    var grade: Double
  }

  private var parts: [Part] = []

  /// The length of a part, metres: by a barometer, whose readings are averaged over 9 s, and by GPS altitudes over 120
  /// s.
  private static let (barometerMeters, locationMeters) = (50.0, 200.0)
  /// The largest error of GPS altitudes that show a grade, metres.
  private static let largestError = 5.0
  /// The steepest grade that was measured.
  private static let steepest = 0.45
  /// The smallest share of a distance that must have altitudes for its grade to be known.
  private static let leastCovered = 0.9

  /// The grades of a run; `nil` if it has fewer than ten altitudes, if their error is above `largestError`, or if it is
  /// shorter than one part.
  init?(_ run: RunTimeline) {
    let (altitudes, noise) = run.altitudeProfile
    guard altitudes.count >= 10, noise <= Self.largestError else { return nil }
    let heights = run.relativeAltitudes(altitudes, areDrifting: noise == 0).map(\.meters)
    let distances = run.distances(at: altitudes.map(\.time))
    let length = noise == 0 ? Self.barometerMeters : Self.locationMeters
    var first = 0
    for last in distances.indices where distances[last] - distances[first] >= length {
      add(Part(start: distances[first], end: distances[last], grade: heights[last] - heights[first]))
      first = last
    }
    // The rest is shorter than `length`: add it to the last part.
    if let end = distances.last, !parts.isEmpty { parts[parts.count - 1].end = end }
    guard !parts.isEmpty else { return nil }
  }

  /// Adds a part whose `grade` is its climb.
  private mutating func add(_ part: Part) {
    var part = part
    part.grade = max(-Self.steepest, min(Self.steepest, part.grade / (part.end - part.start)))
    parts.append(part)
  }

  /// The sum of a cost of each metre over the parts between two distances, and the metres of these parts.
  func sum(from: Double, to: Double, of cost: (_ grade: Double) -> Double) -> (meters: Double, cost: Double) {
    var sum = (meters: 0.0, cost: 0.0)
    for part in parts[parts.partitionIndex(where: { $0.end <= from })...] {
      guard part.start < to else { break }
      let meters = min(part.end, to) - max(part.start, from)
      guard meters > 0 else { continue }
      sum.meters += meters
      sum.cost += meters * cost(part.grade)
    }
    return sum
  }

  /// The energy between two distances relative to that on level ground; `nil` if the grade is not known there.
  func costRatio(from: Double, to: Double) -> Double? {
    let (meters, cost) = sum(from: from, to: to, of: Self.runningCost)
    guard meters > 0, meters >= Self.leastCovered * (to - from) else { return nil }
    return cost / meters / Self.runningCost(grade: 0)
  }

  /// The energy of running a metre, J per kg: Minetti and others (2002), equation 4.
  private static func runningCost(grade: Double) -> Double {
    [155.4, -30.4, -43.3, 46.3, 19.5, 3.6].reduce(0) { $0 * grade + $1 }
  }
}

/// A value entered by a runner that is impossible, or that cannot be used with the run.
public enum RunValueError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The mass, kilograms, is not positive and finite.
  case bodyMass(Double)
  /// The distance, metres, is not positive and finite.
  case distance(Double)
  /// The run has neither a distance nor steps, so there is nothing to calibrate.
  case noSteps

  /// What is wrong, and the cure, in one sentence.
  public var description: String {
    switch self {
    case .bodyMass(let kilograms): "a body mass cannot be \(kilograms) kg; enter a positive number of kilograms."
    case .distance(let meters): "a distance cannot be \(meters) m; enter a positive number of metres."
    case .noSteps:
      "the run has neither steps nor a route, so it has no distance to correct; record it with motion or GPS."
    }
  }

  static func check(bodyMass kilograms: Double) throws(RunValueError) {
    guard kilograms > 0, kilograms.isFinite else { throw .bodyMass(kilograms) }
  }
}
