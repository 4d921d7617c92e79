/// A value on the heap. A copy shares the value; it is copied when one of the copies changes it.
struct CopyOnWrite<Value: Sendable>: Sendable {
  /// An array of one element, as Swift's arrays already copy on write.
  private var values: [Value]

  init(_ value: Value) { values = [value] }

  /// The value, read and changed in place.
  var value: Value {
    @inline(__always) _read { yield values[0] }
    @inline(__always) _modify { yield &values[0] }
  }
}
