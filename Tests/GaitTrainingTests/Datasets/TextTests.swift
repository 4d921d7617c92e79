import GaitTestSupport
import Testing

@testable import GaitTraining

struct TextTests {
  @Test("paths are in natural order")
  func naturalOrder() {
    let sorted = ["a/sub_1.csv", "a/sub_2.csv", "a/sub_10.csv", "a b", "a-b/c", "a1", "a02", "a2", "a10b", "b"]
    #expect(sorted.reversed().sorted { $0.naturallyPrecedes($1) } == sorted)
  }

  @Test("natural order is a strict total order")
  func totalOrder() {
    var generator = SplitMix64(seed: 3)
    let texts = (0..<60).map { _ in
      String((0..<Int.random(in: 0...4, using: &generator)).map { _ in "a012/-é".randomElement(using: &generator)! })
    }
    for a in texts {
      for b in texts {
        #expect([a.naturallyPrecedes(b), b.naturallyPrecedes(a), a == b].filter(\.self).count == 1, "\(a) \(b)")
        for c in texts where a.naturallyPrecedes(b) && b.naturallyPrecedes(c) && !a.naturallyPrecedes(c) {
          Issue.record("\(a) < \(b) < \(c), and yet not \(a) < \(c)")
        }
      }
    }
  }

  @Test("long lists are cut and end in the number of the others")
  func listing() {
    #expect(["a", "b"].listed() == "a, b")
    #expect((1...5).map(String.init).listed(limit: 3) == "1, 2, 3 and 2 more")
  }

  @Test("a concurrent map keeps the order and reports the first failure in order")
  func concurrentMap() throws {
    struct Failure: Error, Equatable { let index: Int }
    let numbers = Array(0..<500)
    #expect(numbers.mappedConcurrently { $0 * 2 } == numbers.map { $0 * 2 })
    for _ in 0..<20 {
      #expect(throws: Failure(index: 137)) {
        try numbers.mappedConcurrently { (index) throws(Failure) -> Int in
          if index >= 137, index % 2 == 1 { throw Failure(index: index) }
          return index
        }
      }
    }
    #expect([Int]().mappedConcurrently { $0 } == [])
  }
}
