extension SeededGenerator {
  /// A uniformly distributed integer below `count`, with a bias of at most `count` ÷ 2⁶⁴.
  mutating func index(below count: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(count)).high)
  }

  /// A random permutation of 0 ..< `count` (Fisher and Yates).
  mutating func shuffled(_ count: Int) -> [Int] {
    var numbers = Array(0..<count)
    for position in numbers.indices { numbers.swapAt(position, position + index(below: count - position)) }
    return numbers
  }
}
