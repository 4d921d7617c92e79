/// A value on the heap: a copy copies a pointer, and only a change of a shared value copies the value.
struct CopyOnWrite<Value: Sendable>: Sendable {
  /// An array has the storage and its rules already.
  private var values: [Value]

  init(_ value: Value) { values = [value] }

  /// The value, read and changed in place.
  var value: Value {
    @inline(__always) _read { yield values[0] }
    @inline(__always) _modify { yield &values[0] }
  }
}
