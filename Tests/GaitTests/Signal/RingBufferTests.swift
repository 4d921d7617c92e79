import Testing

@testable import Gait

@Suite struct RingBufferTests {
  @Test(arguments: 1...9) func `A buffer holds the last elements in order, before it is full and after`(capacity: Int) {
    var buffer = RingBuffer(repeating: -1, capacity: capacity)
    #expect(buffer.count == capacity && (0..<capacity).allSatisfy { buffer[$0] == -1 })
    var expected = Array(repeating: -1, count: capacity)
    for element in 0..<100 {
      if element % 23 == 11 {
        buffer.removeAll()
        expected = []
      }
      buffer.append(element)
      expected = Array((expected + [element]).suffix(capacity))
      #expect((0..<buffer.count).map { buffer[$0] } == expected)
    }
  }
}
