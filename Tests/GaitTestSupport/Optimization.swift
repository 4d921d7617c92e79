import Testing

/// Whether the tests are compiled with optimisation, as by `make test-release`.
public enum Optimization {
  /// Whether it is on.
  public static var isOn: Bool {
    #if DEBUG
      false
    #else
      true
    #endif
  }
}

extension Array {
  /// All elements in a release build; in a debug build, where each of them takes long, every `stride`-th.
  public func thinnedInDebug(by stride: Int) -> [Element] {
    Optimization.isOn ? self : enumerated().filter { $0.offset.isMultiple(of: stride) }.map(\.element)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test, visibly, in debug builds: an exhaustive property or a whole simulation, which takes minutes there
  /// and seconds in `make test-release`.
  public static var requiresOptimization: Self {
    .enabled(if: Optimization.isOn, "too slow for a debug build; make test-release runs it")
  }
}
