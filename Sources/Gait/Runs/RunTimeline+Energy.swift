extension RunTimeline {
  /// The energy of the run, kilocalories, with that of rest; `nil` without distance.
  ///
  /// Formula:  VO₂ = 3.5 + 0.2 v + 0.9 v i running, 3.5 + 0.1 v + 1.8 v i walking, 3.5 at rest, in ml per kg and minute with v in
  /// m/min and the grade i (`gradeAdjustedPaces(of:)`), 0 where it is not known; 5 kcal a litre of oxygen. Movement other than
  /// running counts as walking. A descent costs at least half of level ground: the equations hold uphill, and half is the least
  /// that Minetti and others (2002) measured.
  /// Source: American College of Sports Medicine, *Guidelines for Exercise Testing and Prescription*, metabolic
  /// equations. The equations hold for steady effort: the energy is an estimate, whose error for one person may be some tens of
  /// percent, also where the distance is measured. Where that is estimated (`estimatedDistance`), both errors add up.
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

/// A value that a runner entered and that cannot be, or that cannot be used with the run.
public enum RunValueError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The mass, kilograms, is not positive and finite.
  case bodyMass(Double)
  /// The distance, metres, is not positive and finite.
  case distance(Double)
  /// The run has neither a way nor steps that a distance could belong to.
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
