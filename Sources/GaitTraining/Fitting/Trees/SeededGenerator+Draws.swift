extension SeededGenerator {
  /// A whole number below `count`, each as likely as any other to within `count` ÷ 2⁶⁴.
  mutating func index(below count: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(count)).high)
  }

  /// The numbers 0 ..< `count` in a drawn order (Fisher and Yates).
  mutating func shuffled(_ count: Int) -> [Int] {
    var numbers = Array(0..<count)
    for position in numbers.indices { numbers.swapAt(position, position + index(below: count - position)) }
    return numbers
  }
}
