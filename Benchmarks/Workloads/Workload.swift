/// A unit of work for timing and instruction counts: prepared once, then repeated as often as needed.
public struct Workload: Sendable {
  /// The unique name, with the size, such as `features/full/128`.
  public let name: String

  /// Whether the workload is part of the pipeline from samples to events, whose costs are checked.
  public let isInPipeline: Bool

  /// Does everything that is not measured, and returns the work. A call of the work runs it once and returns a number
  /// that depends on all of it, so that the compiler cannot remove any part.
  public let prepare: @Sendable () throws -> () throws -> Float

  init(
    _ name: String, isInPipeline: Bool = false, prepare: @escaping @Sendable () throws -> () throws -> Float
  ) {
    self.name = name
    self.isInPipeline = isInPipeline
    self.prepare = prepare
  }

  /// All workloads, in the order of the pipeline.
  public static let all = reading + planning + resampling + features + scoring + training + pipeline
}
