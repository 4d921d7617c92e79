import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// Features of short windows with ties, constants, zeros and angles, the plans behind them, and every text of the
/// catalogue, compared with what was recorded.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem && Lanes.scalarCount == 4)) struct FeatureAnswersTests {
  private enum Signal: String, CaseIterable {
    case coarse, square, noise, still
  }

  private static func samples(_ signal: Signal, count: Int, rate: Double = 25) -> [MotionSample] {
    var random = SplitMix64(seed: UInt64(signal.rawValue.count + count))
    return (0..<count).map { index in
      func draw(_ steps: Int, _ size: Float) -> Float { size * Float(Int.random(in: -steps...steps, using: &random)) }
      let square: Float = index % 9 < 4 ? 0.5 : -0.5
      var (attitude, gravity) = (SIMD3<Float>(0.25, -0.5, 1), SIMD3<Float>(0, 0, -1))
      var (turn, u) = (SIMD3<Float>.zero, SIMD3<Float>.zero)
      switch signal {
      case .coarse:
        attitude = SIMD3(draw(2, 0.5), draw(3, 1), Angle.wrapped(0.7 * Float(index)))
        gravity = SIMD3(draw(1, 0.25), draw(1, 0.25), -1)
        (turn, u) = (SIMD3(draw(3, 1), draw(1, 2), 1), SIMD3(draw(2, 0.25), draw(1, 0.5), draw(3, 0.125)))
      case .square:
        (turn, u) = (SIMD3(square, -square, 2 * square), SIMD3(0, square, -square))
      case .noise:
        attitude = SIMD3(draw(3000, 1e-3), draw(1000, 1e-3), draw(100, 0.01))
        gravity = SIMD3(draw(300, 1e-3), draw(300, 1e-3), -1)
        (turn, u) = (
          SIMD3(draw(999, 1e-3), draw(999, 2e-3), draw(99, 0.1)),
          SIMD3(draw(999, 1e-3), draw(99, 0.01), draw(999, 1e-3))
        )
      case .still: break
      }
      return MotionSample(
        time: .seconds(Double(index) / rate), attitude: attitude, gravity: gravity, rotationRate: turn,
        userAcceleration: u)
    }
  }

  private static func windows(
    _ features: [Feature], length: Int, hop: Int, rate: Double = 25, _ samples: [MotionSample]
  ) throws -> [[Float]] {
    let shape = WindowShape(seconds: Double(length) / rate, hopSeconds: Double(hop) / rate)
    var stream = try FeatureStream(features: features, shape: shape, sampleRate: .hertz(rate))
    var windows: [[Float]] = []
    for sample in samples { stream.append(sample) { windows.append(Array($1)) } }
    return windows
  }

  /// A number that changes with every value and with their order.
  private static func sum(_ values: some Sequence<Float>) -> Double {
    values.enumerated().reduce(0) { $0 + Double($1.element) * (1 + Double($1.offset % 89) / 50) }
  }

  /// Lists for each layout: the sets, one lane, two lanes, three lanes in a group, and means alone.
  private static let lists: [(name: String, features: [Feature])] = {
    let quick = Statistic.catalogue.filter { !$0.needsWholeSpectrum }
    let some: [Statistic] = [
      .percentile(0), .percentile(33), .percentile(100), .interquartileRange, .minimum, .range, .skewness,
      .meanAbsoluteDeviation, .meanCrossingRate, .meanAbsoluteDifference,
    ]
    return [
      ("orientationFree", Feature.orientationFree), ("running", Feature.running), ("linear", Feature.linear),
      ("vertical", quick.map { Feature(.vertical, $0) }),
      ("yaw", quick.map { Feature(.channel(.attitudeYaw), $0) }),
      ("yaw and jerk", some.flatMap { [Feature(.channel(.attitudeYaw), $0), Feature(.jerk, $0)] }),
      (
        "three lanes",
        some.flatMap { [Feature(.channel(.attitudeYaw), $0), Feature(.jerk, $0), Feature(.total, $0)] }
          + [Feature(.total, .autocorrelationPeak(0.1...0.4)), Feature(.jerk, .bandRMS(1...5))]
      ),
      ("spectra", Statistic.catalogue.suffix(9).map { Feature(.horizontal, $0) }),
      (
        "transforms",
        [
          Feature(.channel(.rotationRateX), .minimum, .signedLog(scale: 0.5)),
          Feature(.channel(.rotationRateX), .maximum, .signedLog(scale: 0.5)),
          Feature(.channel(.rotationRateX), .mean, .signedLog(scale: 2)),
          Feature(.channel(.rotationRateX), .interquartileRange, .log(offset: 0.25)),
          Feature(.rotationRateMagnitude, .energy, .log(offset: 3)),
          Feature(.gravityDirection, .sphericalVariance), Feature(.channel(.gravityZ), .mean),
        ]
      ),
    ]
  }()

  @Test func `Windows of every small size have the recorded features`() throws {
    var cases: [(name: String, figures: RecordedAnswers.Figures)] = []
    for length in Array(2...20) + [31, 32, 33, 48, 63, 64, 65] {
      var figures = RecordedAnswers.Figures()
      for signal in Signal.allCases {
        let samples = Self.samples(signal, count: length + 12)
        for (name, features) in Self.lists where signal != .still || length % 8 == 0 {
          let windows = try Self.windows(features, length: length, hop: 5, samples)
          figures.add("\(signal.rawValue) \(name)", windows.map { "\(Self.sum($0))" }.joined(separator: " "))
        }
      }
      cases.append(("window of \(length)", figures))
    }
    try RecordedAnswers("feature_answers.tsv", tolerance: 2e-6).expect(cases)
  }

  @Test func `The full set of some windows has the recorded features, statistic by statistic`() throws {
    var cases: [(name: String, figures: RecordedAnswers.Figures)] = []
    for (length, hop) in [(2, 1), (3, 3), (8, 8), (17, 9), (32, 8), (33, 11)] {
      for signal in Signal.allCases where signal != .still || length == 8 {
        var figures = RecordedAnswers.Figures()
        let windows = try Self.windows(
          Feature.full, length: length, hop: hop, Self.samples(signal, count: length + 2 * hop))
        var values: [String: [Float]] = [:]
        for window in windows {
          for (feature, value) in zip(Feature.full, window) {
            values[feature.statistic.text, default: []].append(value)
          }
        }
        for (statistic, values) in values.sorted(by: { $0.key < $1.key }) { figures.add(statistic, Self.sum(values)) }
        cases.append(("\(signal.rawValue) \(length) every \(hop)", figures))
      }
    }
    try RecordedAnswers("full_feature_answers.tsv", tolerance: 2e-6).expect(cases)
  }

  @Test func `Plans, layouts and scratch have the recorded sizes and places`() throws {
    var cases: [(name: String, figures: RecordedAnswers.Figures)] = []
    let lists =
      Self.lists + [
        ("full", Feature.full), ("means", Channel.allCases.prefix(8).map { Feature(.channel($0), .mean) }),
        ("nine means", Channel.allCases.prefix(9).map { Feature(.channel($0), .mean) }),
        (
          "correlations",
          [
            Feature(.channel(.gravityX), .correlation(.gravityZ)),
            Feature(.channel(.gravityX), .correlation(.gravityY)),
            Feature(.channel(.rotationRateZ), .correlation(.rotationRateY)),
          ]
        ),
      ]
    for (name, features) in lists {
      for length in [2, 7, 9, 64, 65] {
        var figures = RecordedAnswers.Figures()
        let plan = FeaturePlan(features: features, length: length, sampleRate: .hertz(25))
        let layout = ScratchLayout(plan)
        let packing = plan.packing
        figures.add("packing", "\(packing.isColumnar) \(packing.groupCount) \(packing.angleSlots)")
        figures.add("sources", packing.sources.map { $0.map { "\($0)" } ?? "-" }.joined(separator: " "))
        figures.add("table", "\(plan.rowCount) \(plan.rowWidth) \(plan.means.map { "\($0.slot):\($0.entry)" })")
        figures.add("layout", "\(layout.unwrapped) \(layout.deviations) \(layout.sorted) \(layout.powers)")
        figures.add(
          "more layout",
          "\(layout.fourier) \(layout.lags) \(layout.seriesOrder) \(layout.seriesLane) \(layout.series) "
            + "\(layout.seriesSpectrum) \(layout.seriesPowers) \(layout.seriesLags) \(layout.table) \(layout.count)")
        let parts = (plan.parts + plan.series).map {
          "\($0.slot) \($0.needs.rawValue) \($0.outputs) \($0.lags) \($0.summedLags) \($0.hasAngles)"
        }
        figures.add("parts", bytes: parts.joined(separator: "\n").utf8)
        let outputs = plan.outputs.map { "\($0.kind) \($0.row) \($0.bins) \($0.rank.below) \($0.rank.fraction)" }
        figures.add("outputs", bytes: outputs.joined(separator: "\n").utf8)
        let lags = plan.lags.map { "\($0.lagRow) \($0.heightRow) \($0.search.summedLags)" }
        figures.add("lags", lags.isEmpty ? nil : lags.joined(separator: ", "))
        figures.add("places", bytes: "\(plan.places)".utf8)
        figures.add("reads", bytes: "\(plan.otherReads)".utf8)
        figures.add("bins", "\(plan.periodogram.bins) \(plan.periodogram.scratchCount) \(plan.order.scratchCount)")
        figures.add(
          "spectrum", "\(plan.spectrum.lastBin) \(plan.spectrum.resolution) \(plan.fourier?.scratchCount ?? 0)")
        cases.append(("\(name), \(length)", figures))
      }
    }
    try RecordedAnswers("feature_plan_answers.tsv").expect(cases)
  }

  // MARK: - Texts

  private static let texts = [
    "", "vertical", "vertical.", "vertical..rms", ".rms", "gravity.", "gravity.x", "gravity.x.", "gravity.mean",
    "gravity.sphericalVariance", "gravity.x.sphericalVariance", "gravity.sphericalVariance.log[0.01]",
    "vertical.percentile[0]", "vertical.percentile[100]", "vertical.percentile[-0.1]", "vertical.percentile[100.1]",
    "vertical.percentile[ 10]", "vertical.percentile[1e1]", "vertical.percentile[inf]", "vertical.percentile[nan]",
    "vertical.percentile[10", "vertical.percentile10]", "vertical.percentile[10]]", "vertical.percentile[10].",
    "vertical.percentile[10].log", "vertical.percentile[10].log[1]", "total.percentile[10].log[1]",
    "total.bandRMS[0...0]", "total.bandRMS[1...1]", "total.bandRMS[0...1]", "total.bandRMS[-0.5...1]",
    "total.bandRMS[2...1]", "total.bandRMS[1]", "total.bandRMS[1..2]", "total.bandRMS[1....2]", "total.bandRMS[1...]",
    "total.bandRMS[...2]", "total.bandRMS", "total.bandRMS[1...2]x", "total.bandRMS[1...2].sqrt[1]",
    "total.bandPower[1...2.5]", "total.bandPower[1...1]", "total.bandPower[1...2].log[0.5]",
    "jerk.autocorrelationLag[0...1]", "jerk.autocorrelationLag[0.1...0.1]", "jerk.autocorrelationLag[0.1...1]",
    "jerk.autocorrelationPeak[0...1]", "jerk.autocorrelationPeak[0.1...2]", "jerk.autocorrelationPeak[0.1...2].log[1]",
    "jerk.autocorrelationLag[0.1...2].log[1]", "jerk.autocorrelationPeak[2...1]",
    "total.bandLogRatio[1...2/2...3+0.01]", "total.bandLogRatio[1...2/2...3+0]", "total.bandLogRatio[1...2/2...3+-1]",
    "total.bandLogRatio[1...1/2...3+1]", "total.bandLogRatio[1...2/3...3+1]", "total.bandLogRatio[1...2/2...3]",
    "total.bandLogRatio[1...2+2...3/1]", "total.bandLogRatio[1...2/2...3e+1+1e+2]", "total.bandLogRatio[+/]",
    "total.bandLogRatio[/+1]", "total.bandLogRatio[1...2/2...3+1E+2]", "total.bandLogRatio[1...2/2...3+1].log[1]",
    "total.bandLogRatio[1...2/+2...3+1]", "total.bandLogRatio[]",
    "gravity.x.correlation[gravity.y]", "gravity.x.correlation[gravity.x]", "gravity.x.correlation[gravity]",
    "gravity.x.correlation[rotationRate.x]", "total.correlation[gravity.x]", "gravity.x.correlation",
    "gravity.x.correlation[gravity.y].log[1]", "gravity.x.correlation[gravity.y].signedLog[1]",
    "vertical.rms.log[0]", "vertical.rms.log[-1]", "vertical.rms.log[1e-300]", "vertical.rms.log[x]",
    "vertical.rms.signedLog[0]", "vertical.rms.signedLog[-1]", "vertical.rms.signedLog[2]", "vertical.rms.log[1]x",
    "vertical.rms.log[1].log[1]", "vertical.rmsx", "vertical.RMS", "verticle.rms", "totl.mean", "rms", "x.y.z",
    "userAcceleration.magnitude.rms", "userAcceleration.x.rms", "userAcceleration.rms", "rotationRate.magnitude.energy",
    "attitude.yaw.range", "attitude.yw.range", "completely different from any feature",
  ]

  @Test func `Texts are the recorded features or have the recorded errors`() throws {
    var figures = RecordedAnswers.Figures()
    for (index, text) in Self.texts.enumerated() {
      do throws(ModelError) {
        let feature = try Feature(text)
        figures.add("text \(index)", "\(feature) in \(feature.unit)")
      } catch {
        figures.add("text \(index)", error.description)
      }
    }
    try RecordedAnswers("feature_text_answers.tsv").expect([("texts", figures)])
  }

  @Test func `Units, bounds and applicability of every statistic of every lane are recorded`() throws {
    var figures = RecordedAnswers.Figures()
    let statistics = Statistic.examples.map(\.statistic)
    for lane in Lane.all {
      figures.add("\(lane) unit", lane.unit)
      figures.add("\(lane) channels", lane.neededChannels.map(\.rawValue).joined(separator: " "))
      let applying = statistics.filter { $0.applies(to: lane) }
      figures.add("\(lane) statistics", applying.map(\.name).joined(separator: " "))
      figures.add(
        "\(lane) not negative", statistics.filter { $0.isNeverNegative(of: lane) }.map(\.name).joined(separator: " "))
      let units = applying.map { "\(Feature(lane, $0).unit) \(Feature(lane, $0, .signedLog(scale: 2)).unit)" }
      figures.add("\(lane) units", units.joined(separator: " "))
    }
    for statistic in statistics + [.bandLogRatio(1...2, 3...9, offset: 1), .bandLogRatio(3...9, 1...2, offset: 1)] {
      figures.add("\(statistic.text) bands", "\(statistic.bands) \(statistic.highestFrequency ?? -1)")
      figures.add(
        "\(statistic.text) needs", "\(statistic.needsTime) \(statistic.needsOrder) \(statistic.needsWholeSpectrum)")
    }
    for entry in Statistic.entries + Lane.entries + Transform.entries {
      figures.add("entry \(entry.form)", "\(entry.example)|\(entry.formula)|\(entry.unit)|\(entry.edgeCases)|")
    }
    for set in FeatureSet.allCases {
      figures.add("set \(set)", set.summary)
      figures.add("features of \(set)", bytes: set.features.map(\.description).joined(separator: " ").utf8)
      figures.add("rate of \(set)", set.features.slowestSource?.hertz)
    }
    figures.add("rate without bands", [Feature(.total, .mean)].slowestSource?.hertz)
    try RecordedAnswers("catalogue_answers.tsv").expect([("catalogue", figures)])
  }
}
