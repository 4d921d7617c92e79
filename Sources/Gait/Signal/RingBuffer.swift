/// The last elements of a stream, in a ring of fixed capacity. Nothing is allocated after `init`.
struct RingBuffer<Element: Sendable>: Sendable {
  private var elements: [Element]
  private var next = 0
  /// The number of elements.
  private(set) var count: Int

  /// The greatest number of elements.
  var capacity: Int { elements.count }

  /// A buffer of `capacity` equal elements.
  init(repeating element: Element, capacity: Int) {
    elements = Array(repeating: element, count: capacity)
    count = capacity
  }

  /// Appends an element, in place of the oldest one if the buffer is full.
  @inline(__always)
  mutating func append(_ element: Element) {
    elements[next] = element
    next = next + 1 == elements.count ? 0 : next + 1
    if count < elements.count { count += 1 }
  }

  /// Removes all elements.
  mutating func removeAll() { count = 0 }

  /// Element `index` of `count`, the oldest first.
  @inline(__always)
  subscript(index: Int) -> Element {
    let place = next - count + index
    return elements[place < 0 ? place + elements.count : place]
  }
}
