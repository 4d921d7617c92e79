extension RunTimeline {
  /// The energy of the run, kilocalories, with that of rest; `nil` without distance.
  ///
  /// Formula:  VO₂ = 3.5 + 0.2 v running, 3.5 + 0.1 v walking, 3.5 at rest, in ml per kg and minute with v in m/min on
  /// level ground; 5 kcal a litre of oxygen. Movement other than running counts as walking.
  /// Source: American College of Sports Medicine, *Guidelines for Exercise Testing and Prescription*, metabolic
  /// equations. The equations hold for steady effort; for one person the error may be some tens of percent.
  ///
  /// - Parameter kilograms: the wearer's mass.
  public func energy(bodyMass kilograms: Double) -> Double? {
    activeOxygen.map {
      Self.energy(ofOxygen: $0 + Self.restingOxygen * elapsedSeconds / 60, bodyMass: kilograms)
    }
  }

  /// The energy of movement, kilocalories: that of `energy(bodyMass:)` without 3.5 ml per kg and minute at rest; `nil`
  /// without distance.
  ///
  /// - Parameter kilograms: the wearer's mass.
  public func activeEnergy(bodyMass kilograms: Double) -> Double? {
    activeOxygen.map { Self.energy(ofOxygen: $0, bodyMass: kilograms) }
  }

  /// Millilitres of oxygen per kilogram and minute at rest.
  static let restingOxygen = 3.5

  /// Millilitres of oxygen per kilogram for the metres of a state.
  static func oxygen(forMeters meters: Double, in state: State) -> Double { meters * (state == .running ? 0.2 : 0.1) }

  /// Kilocalories of millilitres of oxygen per kilogram.
  static func energy(ofOxygen oxygen: Double, bodyMass kilograms: Double) -> Double { oxygen * kilograms / 1000 * 5 }

  private var activeOxygen: Double? {
    guard distance != nil else { return nil }
    let slices = slices
    let meters = distances(at: slices.map(\.start) + [end])
    return slices.indices.reduce(0) { $0 + Self.oxygen(forMeters: meters[$1 + 1] - meters[$1], in: slices[$1].state) }
  }
}
