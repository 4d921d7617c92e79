import Gait
import GaitBenchmarks
import GaitTraining
import Testing

struct KernelBenchmarkTests {
  @Test func `BLAS and plain Swift agree at every size`() throws {
    let benchmark = try KernelBenchmark(features: [1, 2, 7, 9, 33], scored: [1, 3], repetitions: 2)
    #expect(benchmark.rows.count == 5 * 5)
    #expect(Set(benchmark.rows.map(\.work)) == ["score", "gradient", "hessian", "solve"])
    for row in benchmark.rows {
      #expect(row.difference < (row.work == "score" ? 1e-5 : 1e-10), "\(row.work), \(row.features) features")
      #expect(row.blas > 0)
      #expect(row.swift > 0)
      #expect(row.ratios == row.ratios.sorted())
      #expect(row.ratios.count == 3)
    }
  }

  @Test func `Sums of products in plain Swift are those of the definition`() {
    var generator = SeededGenerator(seed: 2)
    for (rows, columns) in [(1, 1), (3, 2), (4, 5), (9, 7), (6, 19)] {
      let a = (0..<rows * columns).map { _ in Double.random(in: -1...1, using: &generator) }
      let weights = (0..<columns).map { _ in Double.random(in: -1...1, using: &generator) }
      let gram = PlainAlgebra.gram(of: a, rows: rows, columns: columns)
      let gradient = PlainAlgebra.gradient(of: a, weights: weights, rows: rows)
      for i in 0..<columns {
        var sum = 0.0
        for j in 0..<columns {
          let product = (0..<rows).reduce(0) { $0 + a[$1 * columns + i] * a[$1 * columns + j] }
          #expect(abs(gram[i * columns + j] - (j < i ? 0 : product)) < 1e-12)
          sum += product * weights[j]
        }
        #expect(abs(gradient[i] - sum) < 1e-12)
      }
    }
  }

  @Test func `A solution in plain Swift satisfies its equations`() {
    for order in 1...12 {
      var generator = SeededGenerator(seed: UInt64(order))
      let a = (0..<2 * order * order).map { _ in Double.random(in: -1...1, using: &generator) }
      var matrix = PlainAlgebra.gram(of: a, rows: 2 * order, columns: order)
      for index in 0..<order { matrix[index * (order + 1)] += 1 }
      let rightSide = (0..<order).map { Double($0) - 2 }
      let solution = PlainAlgebra.solve(matrix, rightSide)
      for i in 0..<order {
        let sum = (0..<order).reduce(0) { $0 + matrix[min(i, $1) * order + max(i, $1)] * solution[$1] }
        #expect(abs(sum - rightSide[i]) < 1e-10, "order \(order)")
      }
    }
  }
}
