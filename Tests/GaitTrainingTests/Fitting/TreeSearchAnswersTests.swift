import Gait
import GaitTestSupport
import Testing

@testable import GaitTraining

/// Bins, searches of splits and grown trees on inputs with ties, few rows and values at the limits, compared with what
/// was recorded.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct TreeSearchAnswersTests {
  private typealias Case = (name: String, figures: RecordedAnswers.Figures)

  @Test func `Bins, splits and trees are as recorded`() throws {
    let cases =
      Self.edgeCases() + Self.matrixCases() + Self.scanCases() + Self.purityCases() + Self.drawnCases() + [
        Self.wideCase()
      ]
      + Self.lossCases() + (try Self.boostedCases())
    try RecordedAnswers("tree_search_answers.tsv", tolerance: 1e-5).expect(cases)
  }

  // MARK: Bins

  /// The number of equal values in each run of the sorted values.
  private static let runs: [(name: String, counts: [Int])] = {
    let ones = [Int](repeating: 1, count: 1023)
    var random = SplitMix64(seed: 1)
    func mixed(_ count: Int, _ most: Int) -> [Int] {
      (0..<count).map { _ in Int.random(in: 1...most, using: &random) }
    }
    return [
      ("one value", [3]), ("two values", [1, 5]), ("255 values", mixed(255, 9)),
      ("256 values, a heavy last one", [Int](repeating: 1, count: 255) + [10_000]),
      ("256 values, a heavy first one", [10_000] + [Int](repeating: 1, count: 255)),
      ("257 values, a heavy last one", [Int](repeating: 1, count: 256) + [10_000]),
      ("257 values", [Int](repeating: 2, count: 257)), ("258 values", mixed(258, 4)),
      ("512 values", [Int](repeating: 1, count: 512)), ("513 values", [Int](repeating: 1, count: 513)),
      ("the second value fills one bin", [1, 4] + [Int](repeating: 1, count: 1019)),
      ("the second value nearly fills one bin", [1, 3] + [Int](repeating: 1, count: 1020)),
      ("a heavy middle", Array(ones[..<300]) + [2048] + Array(ones[..<300])), ("1023 values", ones),
      ("600 values", mixed(600, 9)), ("400 values", mixed(400, 30)), ("two heavy ones", [500] + ones + [500]),
    ]
  }()

  private static func edgeCases() -> [Case] {
    runs.map { name, counts in
      let sorted = counts.enumerated().flatMap { [Float](repeating: Float($0) - 100, count: $1) }
      let edges = BinEdges(sorted: sorted)
      let finite = edges.table.prefix { $0.isFinite }
      var figures = RecordedAnswers.Figures()
      figures.add("bins", "\(edges.binCount) \(edges.table.count) \(finite.count)")
      figures.add("edges", finite.spaced)
      let steps = stride(from: 0, to: edges.binCount - 1, by: 17)
      figures.add(
        "thresholds",
        steps.flatMap { bin in
          [bin + 1, min(bin + 3, edges.binCount - 1)].map { edges.threshold(after: bin, before: $0) }
        }.spaced)
      return ("edges of \(name)", figures)
    }
  }

  @Test func `A value at an edge is in the bin below it, and the next number in the bin above`() {
    let edges = BinEdges(sorted: (0..<256).map { Float($0) })
    #expect(edges.binCount == 256)
    #expect(edges.table[255] == .infinity)
    for bin in 0..<255 {
      let edge = Float(bin) + 0.5
      #expect(edges.table[bin] == edge)
      #expect(BinEdges.bin(of: edge, edges.table) == bin)
      #expect(BinEdges.bin(of: edge.nextUp, edges.table) == bin + 1)
    }
    #expect(BinEdges.bin(of: -1, edges.table) == 0)
    #expect(BinEdges.bin(of: 300, edges.table) == 255)
  }

  @Test func `The middle is at least the lower number and less than the upper one`() {
    #expect(BinEdges.middle(of: 1, and: 2) == 1.5)
    #expect(BinEdges.middle(of: -3, and: -1) == -2)
    for number: Float in [1, -1, 0, 3, .leastNonzeroMagnitude, 16_777_216] {
      #expect(BinEdges.middle(of: number, and: number.nextUp) == number)
    }
    let greatest = Float.greatestFiniteMagnitude
    #expect(BinEdges.middle(of: -greatest, and: greatest) == 0)
    #expect(BinEdges.middle(of: greatest.nextDown, and: greatest) == greatest.nextDown)
  }

  @Test func `Ordered bits are in the order of the numbers, and both zeros have the same`() {
    let numbers: [Float] = [
      -.greatestFiniteMagnitude, -2, -1, -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, 1, 2,
    ]
    let bits = numbers.map(\.orderedBits)
    #expect(zip(bits, bits.dropFirst()).allSatisfy { $0 < $1 })
    #expect(bits.map { Float(orderedBits: $0) } == numbers)
    #expect(Float(-0.0).orderedBits == Float(0).orderedBits)
  }

  /// Matrices of more than 16 features and of more windows than the edges are computed from.
  private static func matrixCases() -> [Case] {
    [(1, 1), (2, 15), (30, 16), (30, 17), (30, 33), (16_384, 1), (16_385, 1), (17_000, 1)].map { rows, columns in
      let values = AnswerInputs.ties(rows * columns, limit: rows < 100 ? 9 : 4000, unit: 0.25, seed: UInt64(rows))
      let matrix = FeatureMatrix(columnCount: columns, values: values)
      var figures = RecordedAnswers.Figures()
      for (column, edges) in BinEdges.edges(of: matrix).enumerated() {
        figures.add("edges \(column)", edges.table.prefix { $0.isFinite }.spaced)
      }
      if rows < 100 {
        let bins = BinnedColumns(matrix)
        let numbers = (0..<columns).flatMap { column in (0..<rows).map { UInt8(bins.bin(row: $0, column: column)) } }
        figures.add("bins", bytes: numbers)
      }
      return ("\(rows) windows of \(columns) features", figures)
    }
  }

  // MARK: Gains

  /// Direct scans of histograms with small whole numbers, so that gains and weights are often equal.
  private static func scanCases() -> [Case] {
    let prefix = UnsafeMutableRawPointer.allocate(byteCount: 2048, alignment: 64)
    defer { prefix.deallocate() }
    let scratch = prefix.bindMemory(to: UInt64.self, capacity: 256)
    scratch.initialize(repeating: 0, count: 256)
    var random = SplitMix64(seed: 4)
    return [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 255, 256].map { binCount in
      var figures = RecordedAnswers.Figures()
      for round in 0..<12 {
        let least = Float(1 + round % 3)
        let scan = GainScan(
          gradientUnit: round % 2 == 0 ? 1 : 0.5, curvatureUnit: round < 6 ? 1 : 0.5, ridge: Float(round % 4),
          minimumLeafWeight: least)
        var histogram = [UInt64](repeating: 0, count: 256)
        for bin in 0..<binCount {
          let curvature = Int.random(in: 0...2, using: &random)
          let gradient = curvature == 0 ? 0 : Int.random(in: -2...2, using: &random)
          histogram[bin] = UInt64(bitPattern: Int64(gradient)) << 32 &+ UInt64(curvature)
        }
        if round == 11 { for bin in 0..<binCount { histogram[bin] = 1 } }
        var best: BinSplit?
        scan.scan(histogram, binCount: binCount, column: 7, scratch, &best)
        let first = best
        // The same gain in another feature is not better.
        scan.scan(histogram, binCount: binCount, column: 8, scratch, &best)
        figures.add("round \(round)", [first, best].map(text).joined(separator: " "))
      }
      return ("gains in \(binCount) bins", figures)
    }
  }

  private static func text(_ split: BinSplit?) -> String {
    split.map { "\($0.column) \($0.bin) \($0.nextBin) \($0.value)" } ?? "none"
  }

  @Test func `Of equal splits the first is better, and any split is better than none`() {
    func split(_ column: Int, _ value: Double) -> BinSplit {
      BinSplit(column: column, bin: 0, nextBin: 1, value: value)
    }
    #expect(BinSplit.better(split(1, 2), split(2, 2))?.column == 1)
    #expect(BinSplit.better(split(1, 2), split(2, 2.5))?.column == 2)
    #expect(BinSplit.better(split(1, 2), split(2, 1.5))?.column == 1)
    #expect(BinSplit.better(nil, split(2, 2))?.column == 2)
    #expect(BinSplit.better(split(1, 2), nil)?.column == 1)
    #expect(BinSplit.better(nil, nil) == nil)
  }

  @Test func `Occupied bins come in ascending order, each once`() {
    for bins in [[], [0], [255], [63, 64], [0, 1, 7, 8, 62, 63, 64, 127, 128, 191, 192, 255], Array(0...255)] {
      var occupied = OccupiedBins()
      for bin in bins.reversed() + bins { occupied.insert(bin) }
      #expect(Array(occupied) == bins)
    }
  }

  @Test func `Sums of packed derivatives are those of their parts`() {
    let gradients: [Float] = [0.5, -1, 0, 0.25, -0.125]
    let curvatures: [Float] = [0.25, 0, 1, 0.5, 0.125]
    let packed = PackedGradients(gradients: gradients, curvatures: curvatures)
    let unit = 1 / Float(Int32.max / 5)
    #expect(abs(packed.gradientUnit / unit - 1) < 1e-6)
    #expect(abs(packed.curvatureUnit / unit - 1) < 1e-6)
    for (row, word) in packed.words.enumerated() {
      let curvature = Int32(truncatingIfNeeded: word)
      let gradient = Int32(truncatingIfNeeded: (word &- UInt64(UInt32(bitPattern: curvature))) >> 32)
      #expect(abs(Float(gradient) * packed.gradientUnit - gradients[row]) < 1e-7)
      #expect(abs(Float(curvature) * packed.curvatureUnit - curvatures[row]) < 1e-7)
    }
    let zero = PackedGradients(gradients: [0, 0], curvatures: [0, 0])
    #expect(zero.words == [0, 0])
    #expect(zero.gradientUnit.isFinite)
    #expect(zero.curvatureUnit.isFinite)
    var histogram = [UInt64](repeating: 0, count: 256)
    (histogram[0], histogram[255]) = (packed.words[0], packed.words[1])
    let sums = packed.sums(histogram)
    #expect(abs(Float(sums.gradient) * packed.gradientUnit + 0.5) < 1e-6)
    #expect(abs(Float(sums.curvature) * packed.curvatureUnit - 0.25) < 1e-6)
  }

  // MARK: Classification trees

  private static func text(_ tree: GrownTree) -> String {
    let arrays = tree.arrays
    return [
      arrays.features.spaced, arrays.thresholds.spaced, arrays.leftChildren.spaced, arrays.rightChildren.spaced,
      tree.ranges.map { "\($0.lowerBound)–\($0.upperBound)" }.spaced,
    ].joined(separator: " | ")
  }

  private static let purityData: [(name: String, data: FittingSamples.Data)] = [
    ("two windows", FittingSamples.noise(rows: 2, features: 1, labels: 2, values: 9, seed: 1)),
    ("three windows", FittingSamples.noise(rows: 3, features: 2, labels: 2, values: 3, seed: 2)),
    ("equal windows", FittingSamples.noise(rows: 9, features: 2, labels: 2, values: 1, seed: 3)),
    ("twelve windows", FittingSamples.noise(rows: 12, features: 2, labels: 3, values: 4, seed: 4)),
    ("40 windows", FittingSamples.noise(rows: 40, features: 3, labels: 2, values: 5, seed: 5)),
    ("255 windows", FittingSamples.noise(rows: 255, features: 2, labels: 4, values: 12, seed: 6)),
    ("256 windows", FittingSamples.noise(rows: 256, features: 2, labels: 4, values: 12, seed: 7)),
    ("257 windows", FittingSamples.noise(rows: 257, features: 2, labels: 3, values: 300, seed: 8)),
    ("classes", FittingSamples.classes(rows: 150, features: 4, labels: 3, seed: 9)),
  ]

  private static func purityCases() -> [Case] {
    let settings: [(depth: Int, leaf: Int, split: Int, leaves: Int, weights: [Double]?)] = [
      (3, 1, 0, .max, nil), (2, 2, 6, .max, nil), (3, 5, 12, .max, nil), (9, 1, 0, 2, nil), (9, 1, 0, 3, nil),
      (9, 2, 0, 5, nil), (0, 1, 0, .max, nil), (9, 1, 0, 1, nil), (1, 1, 0, .max, [1, 3, 1, 0.5]),
      (3, 3, 0, .max, [0.25, 1, 0, 2]),
    ]
    return purityData.map { name, data in
      var figures = RecordedAnswers.Figures()
      for (index, setting) in settings.enumerated() {
        var limits = TreeTrainer()
        (limits.maximumDepth, limits.minimumLeafSize) = (setting.depth, setting.leaf)
        limits.minimumSplitSize = setting.split
        if let weights = setting.weights { limits.labelWeights = .indexed(Array(weights.prefix(data.labelCount))) }
        var search = PuritySearch(data.matrix, labels: data.labels, labelCount: data.labelCount, limits: limits)
        let tree = search.grow((0..<data.matrix.rowCount).map { Int32($0) }, maximumLeafCount: setting.leaves)
        figures.add("tree \(index)", text(tree))
        let smoothing = [0, 1, 0.5][index % 3]
        figures.add("leaves \(index)", search.leafProbabilities(tree, smoothing: smoothing).spaced)
      }
      return ("purity of \(name)", figures)
    }
  }

  /// Many features of many windows are searched on all cores; equal ones are found in their order.
  private static func wideCase() -> Case {
    let data = FittingSamples.noise(rows: 1010, features: 101, labels: 2, values: 3, seed: 14)
    var limits = TreeTrainer()
    (limits.maximumDepth, limits.minimumLeafSize, limits.minimumSplitSize) = (1, 5, 0)
    var figures = RecordedAnswers.Figures()
    for copied in [nil, 100] as [Int?] {
      var values = data.matrix.values
      // The last feature tells the label; then two features before it do so too.
      for row in 0..<1010 {
        values[row * 101 + 100] = Float(data.labels[row])
        if copied != nil { for column in [41, 96] { values[row * 101 + column] = Float(data.labels[row]) } }
      }
      let matrix = FeatureMatrix(columnCount: 101, values: values)
      var search = PuritySearch(matrix, labels: data.labels, labelCount: 2, limits: limits)
      let tree = search.grow((0..<1010).map { Int32($0) })
      figures.add("copied \(copied ?? -1)", "\(tree.arrays.features.spaced) \(tree.arrays.thresholds.spaced)")
    }
    return ("wide purity", figures)
  }

  /// Trees of random features of windows that repeat, as in a forest.
  private static func drawnCases() -> [Case] {
    [(1, 1), (1, 6), (2, 6), (6, 6)].map { drawn, features in
      let data = FittingSamples.noise(rows: 90, features: features, labels: 3, values: 6, seed: UInt64(10 + drawn))
      var limits = TreeTrainer()
      (limits.maximumDepth, limits.minimumLeafSize, limits.minimumSplitSize) = (5, 4, 0)
      let search = PuritySearch(data.matrix, labels: data.labels, labelCount: 3, limits: limits)
      var figures = RecordedAnswers.Figures()
      for seed in 1...3 as ClosedRange<UInt64> {
        var drawing = search.drawing(drawn, SeededGenerator(seed: seed))
        let rows = AnswerInputs.integers(90, below: 90, seed: seed).sorted().map { Int32($0) }
        figures.add("seed \(seed)", text(drawing.grow(rows)))
      }
      return ("\(drawn) of \(features) features", figures)
    }
  }

  @Test func `A node with the least sizes is split, and one with a window fewer is not`() throws {
    let matrix = FeatureMatrix(columnCount: 1, values: (0..<12).map { Float($0) })
    for (leaf, split, isSplit) in [(1, 12, true), (1, 13, false), (6, 0, true), (7, 0, false), (6, 12, true)] {
      var trainer = TreeTrainer()
      (trainer.minimumLeafSize, trainer.minimumSplitSize) = (leaf, split)
      let tree = try trainer.fit(matrix, labels: (0..<12).map { $0 / 6 }, labelCount: 2)
      #expect((tree.nodes.leafCount == 2) == isSplit, "leaves of \(leaf), nodes of \(split)")
      if isSplit { #expect(tree.nodes.thresholds[0] == 5.5) }
    }
  }

  @Test func `A node considers at least one feature, and no more than there are`() {
    let counts = [1, 2, 3, 6, 7, 12, 13, 100].map { ForestTrainer.FeatureShare.squareRoot.count(of: $0) }
    #expect(counts == [1, 1, 2, 2, 3, 3, 4, 10])
    let shares = [0, 0.04, 0.05, 0.15, 0.5, 1, 2].map { ForestTrainer.FeatureShare.fraction($0).count(of: 10) }
    #expect(shares == [1, 1, 1, 2, 5, 10, 10])
  }

  // MARK: Boosted trees

  private static func lossCases() -> [Case] {
    let cases: [(labels: [Int], count: Int, weights: [Double])] = [
      ([0, 1, 1, 1], 2, [1, 1]), ([0, 0, 1, 0, 1], 2, [0.5, 1.75]), ([0, 1, 2, 2, 2, 0], 3, [1, 1, 1]),
      ([0, 1, 1, 0], 4, [1.5, 0.5, 3, 1]), ([1, 1, 0], 2, [0, 1.5]),
    ]
    return cases.enumerated().map { index, entry in
      var loss = BoostingLoss(labels: entry.labels, labelCount: entry.count, weights: entry.weights)
      var figures = RecordedAnswers.Figures()
      figures.add("base", loss.baseScores.spaced)
      let rows = NodeRows(entry.labels.indices.map { Int32($0) })
      let tree = GrownTree(arrays: NodeArrays(), rows: rows, ranges: [0..<1, 1..<entry.labels.count])
      var trainer = BoostedTreesTrainer()
      for (ridge, shrinkage) in [(1.0, 0.1), (0.0, 0.5), (0.0, 9.0), (0.0, 400.0), (0.0, 3.0)] {
        (trainer.ridge, trainer.shrinkage) = (ridge, shrinkage)
        loss.differentiate()
        figures.add("gradients at \(ridge) \(shrinkage)", loss.gradients.flatMap(\.self).spaced)
        figures.add("curvatures at \(ridge) \(shrinkage)", loss.curvatures.flatMap(\.self).spaced)
        let values = (0..<loss.outputCount).flatMap { loss.add(tree, to: $0, limits: trainer) }
        figures.add("values at \(ridge) \(shrinkage)", values.spaced)
      }
      return ("loss \(index)", figures)
    }
  }

  private static func boostedCases() throws -> [Case] {
    let data: [(name: String, data: FittingSamples.Data)] = [
      ("noise", FittingSamples.noise(rows: 60, features: 3, labels: 2, values: 4, seed: 21)),
      ("eight features", FittingSamples.noise(rows: 70, features: 8, labels: 3, values: 5, seed: 22)),
      ("nine features", FittingSamples.noise(rows: 50, features: 9, labels: 2, values: 40, seed: 23)),
      ("classes", FittingSamples.classes(rows: 80, features: 2, labels: 3, seed: 24)),
      ("33 features", FittingSamples.classes(rows: 40, features: 33, labels: 2, seed: 25)),
      ("70 features", FittingSamples.noise(rows: 30, features: 70, labels: 2, values: 6, seed: 26)),
    ]
    let settings: [(depth: Int, leaves: Int, weight: Double, ridge: Double, labels: FitWeights)] = [
      (4, 6, 1, 1, .equal), (2, 31, 0.25, 0, .balanced), (6, 4, 2, 0.5, .equal), (1, 2, 0, 1, .equal),
      (0, 4, 1, 1, .equal), (3, 1, 1, 1, .equal), (8, 9, 0.001, 0, .equal),
    ]
    return try data.map { name, data in
      var figures = RecordedAnswers.Figures()
      for (index, setting) in settings.enumerated() where data.matrix.columnCount < 30 || index < 2 {
        var trainer = BoostedTreesTrainer()
        (trainer.roundCount, trainer.shrinkage, trainer.maximumDepth) = (3, 0.4, setting.depth)
        (trainer.maximumLeafCount, trainer.minimumLeafWeight) = (setting.leaves, setting.weight)
        (trainer.ridge, trainer.labelWeights, trainer.featureShare) = (setting.ridge, setting.labels, 0.3)
        trainer.seed = UInt64(index)
        let model = try trainer.fit(data.matrix, labels: data.labels, labelCount: data.labelCount)
        let nodes = model.nodes
        figures.add("roots \(index)", nodes.roots.spaced)
        figures.add("features \(index)", nodes.features.spaced)
        figures.add("thresholds \(index)", nodes.thresholds.spaced)
        figures.add("left \(index)", nodes.leftChildren.spaced)
        figures.add("values \(index)", model.leafValues.spaced)
      }
      return ("boosted \(name)", figures)
    }
  }
}
