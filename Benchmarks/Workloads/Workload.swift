/// One piece of work that is timed and whose instructions are counted: made ready once, then done as often as wanted.
public struct Workload: Sendable {
  /// What is done and how much of it, such as `features/full/128`; unique.
  public let name: String

  /// Whether the work is on the road from samples to events, where a change of cost must not go unnoticed.
  public let isOnTheRoad: Bool

  /// Makes everything ready that is not to be measured, and returns the work. A call does it once and returns a number
  /// that depends on all of it, so that no compiler may leave any out.
  public let prepare: @Sendable () throws -> () throws -> Float

  init(
    _ name: String, isOnTheRoad: Bool = false, prepare: @escaping @Sendable () throws -> () throws -> Float
  ) {
    self.name = name
    self.isOnTheRoad = isOnTheRoad
    self.prepare = prepare
  }

  /// All workloads, in the order of the road.
  public static let all = reading + planning + resampling + features + scoring + training + pipeline
}
