extension Result {
  /// The value of an operation that cannot fail.
  ///
  /// - Parameter reason: why it cannot fail, for the trap.
  package func get(orTrap reason: String) -> Success {
    switch self {
    case .success(let value): return value
    case .failure(let error): preconditionFailure("\(reason): \(error)")
    }
  }
}
