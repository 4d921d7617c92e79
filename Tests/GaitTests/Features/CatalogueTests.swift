import Foundation
import Testing

@testable import Gait

/// The catalogue that the command prints and the documentation shows is complete and the same in both.
@Suite struct CatalogueTests {
  private static let entries = Lane.entries + Statistic.entries + Transform.entries

  private static let article: String = {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/Gait/Gait.docc/TheFeatures.md").standardizedFileURL
    guard let text = try? String(contentsOf: url, encoding: .utf8) else {
      preconditionFailure("cannot read \(url.path)")
    }
    return text
  }()

  /// The form of a statistic's entry. The switch is exhaustive, so that a new case must be added here.
  private static func form(_ statistic: Statistic) -> String {
    switch statistic {
    case .percentile: "percentile[p]"
    case .bandPower: "bandPower[a...b]"
    case .bandRMS: "bandRMS[a...b]"
    case .bandLogRatio: "bandLogRatio[a...b/c...d+e]"
    case .autocorrelationLag: "autocorrelationLag[a...b]"
    case .autocorrelationPeak: "autocorrelationPeak[a...b]"
    case .correlation: "correlation[channel]"
    case .mean, .standardDeviation, .minimum, .maximum, .range, .rms, .meanAbsoluteDeviation, .meanAbsoluteDifference,
      .skewness, .kurtosis, .interquartileRange, .energy, .meanCrossingRate, .dominantFrequency, .spectralCentroid,
      .spectralEntropy, .spectralFlatness, .sphericalVariance:
      statistic.text
    }
  }

  @Test func `Every statistic, lane and transform has one entry`() {
    let withArguments: [Statistic] = [
      .percentile(5), .bandPower(1...2), .bandRMS(1...2), .bandLogRatio(1...2, 2...3, offset: 1),
      .autocorrelationLag(1...2), .autocorrelationPeak(1...2), .correlation(.gravityX),
    ]
    let statistics = Statistic.withoutArguments.map { $0.statistic } + withArguments
    #expect(Set(Statistic.entries.map(\.form)) == Set(statistics.map(Self.form)))
    #expect(Statistic.entries.count == statistics.count)
    for statistic in statistics + Feature.full.map(\.statistic) {
      #expect(Statistic.entries.contains(statistic.entry))
      #expect(statistic.entry.form == Self.form(statistic))
    }
    #expect(Lane.entries.map(\.form) == Lane.all.map(\.description))
    #expect(Transform.entries.map(\.form) == ["log[c]", "signedLog[s]"])
    #expect(Transform.identity.entry == nil)
  }

  @Test func `Every example is a feature that uses the entry`() throws {
    for entry in Statistic.entries { #expect(try Feature(entry.example).statistic.entry == entry) }
    for entry in Lane.entries { #expect(try Feature(entry.example).lane.entry == entry) }
    for entry in Transform.entries { #expect(try Feature(entry.example).transform.entry == entry) }
  }

  @Test func `The article The features shows every entry`() {
    for entry in Self.entries {
      let cells = [entry.formula, entry.unit, entry.edgeCases]
      let rest = cells.map { " " + $0.replacingOccurrences(of: "|", with: "\\|") + " |" }.joined()
        .replacingOccurrences(of: "|  |", with: "| |")
      let row = Self.article.split(separator: "\n").first {
        $0.hasPrefix("| `") && $0.contains("` |" + rest + " `") && $0.contains("`\(entry.form)`")
      }
      #expect(row != nil, "TheFeatures.md has no row | `\(entry.form)` |\(rest)")
    }
    for feature in Feature.orientationFree { #expect(Self.article.contains("| `\(feature)` |")) }
  }

  @Test func `Feature sets have their names and features`() {
    #expect(FeatureSet.allCases.map(\.rawValue) == ["orientationFree", "running", "linear", "full"])
    #expect(FeatureSet.orientationFree.features == Feature.orientationFree)
    #expect(FeatureSet.full.features == Feature.full)
    #expect(Self.article.contains("has \(Feature.full.count) features"))
  }
}
