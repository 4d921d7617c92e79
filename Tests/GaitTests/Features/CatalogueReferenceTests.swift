import Foundation
import Testing

@testable import Gait

/// The whole catalogue on windows of 8 to 512 samples, computed by `Tests/References/catalogue_reference.py` in NumPy
/// and SciPy, with the tolerance of each value.
private struct CatalogueReference: Decodable {
  var names: [String]
  var cases: [Case]

  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var sampleRate: Double
    var samples: [[Double]]
    /// `nil` if the result depends on rounding: a sample at the mean, two equal peaks.
    var values: [Double?]
    var allowed: [Double?]

    var testDescription: String { name }

    /// The features that apply at the case's rate; a band beyond half the rate is an error.
    func features() throws -> [Feature] {
      try CatalogueReference.shared.names.map { try Feature($0) }
        .filter { ($0.statistic.highestFrequency ?? 0) <= sampleRate / 2 }
    }

    /// Compares a value with the reference; returns `false` if the result depends on rounding.
    @discardableResult
    func compare(_ value: Float, _ feature: Feature) -> Bool {
      let index = CatalogueReference.shared.names.firstIndex(of: "\(feature)")!
      guard let expected = values[index], let allowed = allowed[index] else { return false }
      #expect(
        (Double(value) - expected).magnitude <= allowed,
        "\(feature) of \(name) is \(value), not \(expected) ± \(allowed)")
      return true
    }

    var recording: Recording {
      let columns = zip(Channel.allCases, samples).map { ($0, $1.map { Float($0) }) }
      return Recording(
        name: name, sampleRate: .hertz(sampleRate), columns: Dictionary(uniqueKeysWithValues: columns))
    }
  }

  static let shared: CatalogueReference = {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../References/catalogue_reference.json").standardizedFileURL
    guard let data = try? Data(contentsOf: url),
      let reference = try? JSONDecoder().decode(CatalogueReference.self, from: data)
    else { preconditionFailure("cannot read \(url.path)") }
    return reference
  }()
}

@Suite struct CatalogueReferenceTests {
  @Test(arguments: CatalogueReference.shared.cases)
  fileprivate func `The whole catalogue agrees with NumPy and SciPy`(reference: CatalogueReference.Case) throws {
    let features = try reference.features()
    let values = try #require(computed(features, of: reference.recording).first)
    var compared = 0
    for (value, feature) in zip(values, features) {
      compared += reference.compare(value, feature) ? 1 : 0
    }
    #expect(compared > 300)
  }

  /// A single feature may be computed along time, and many features eight lanes at a time.
  @Test(arguments: CatalogueReference.shared.cases)
  fileprivate func `A single feature agrees with NumPy and SciPy`(reference: CatalogueReference.Case) throws {
    let features = try reference.features()
    for feature in stride(from: features.count % 7, to: features.count, by: 5).map({ features[$0] }) {
      reference.compare(try #require(computed([feature], of: reference.recording).first?.first), feature)
    }
  }

  @Test func `The reference includes every feature of the full set`() {
    #expect(Set(Feature.full.map(\.description)).isSubset(of: CatalogueReference.shared.names))
  }
}
