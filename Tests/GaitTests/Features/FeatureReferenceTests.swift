import Foundation
import Gait
import Testing

/// Windows and their features, computed by `Tests/References/features_reference.py` in NumPy and SciPy.
private struct ReferenceCase: Decodable, Sendable, CustomTestStringConvertible {
  var name: String
  var sampleRate: Double
  var samples: [[Double]]
  var features: [String: Double]

  var testDescription: String { name }

  static let all: [ReferenceCase] = {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../References/features_reference.json").standardizedFileURL
    guard let data = try? Data(contentsOf: url),
      let cases = try? JSONDecoder().decode([ReferenceCase].self, from: data)
    else { preconditionFailure("cannot read \(url.path)") }
    return cases
  }()

  var recording: Recording {
    let columns = zip(Channel.allCases, samples).map { ($0, $1.map { Float($0) }) }
    return Recording(
      name: name, sampleRate: .hertz(sampleRate), columns: Dictionary(uniqueKeysWithValues: columns))
  }

  /// The scale of the relative tolerance: the RMS of the feature's lane over the window.
  func scale(of feature: Feature) -> Double {
    feature.lane == .gravityDirection ? 1 : features["\(feature.lane).rms"]!
  }
}

@Suite struct FeatureReferenceTests {
  @Test(arguments: ReferenceCase.all)
  fileprivate func `Every feature agrees with NumPy and SciPy within 1e-4`(reference: ReferenceCase) throws {
    let features = try reference.features.keys.sorted().map { try Feature($0) }
    let values = try #require(computed(features, of: reference.recording).first)
    for (feature, value) in zip(features, values) {
      let expected = reference.features["\(feature)"]!
      let tolerance = 1e-4 * max(expected.magnitude, reference.scale(of: feature)) + 1e-12
      #expect(
        (Double(value) - expected).magnitude <= tolerance,
        "\(feature) of \(reference.name) is \(value), not \(expected)")
    }
  }

  @Test func `The standard deviation of a lane near 1e6 has a relative error below 1e-4`() throws {
    let reference = try #require(ReferenceCase.all.first { $0.name == "rotation of a million" })
    let feature = Feature(.channel(.rotationRateX), .standardDeviation)
    let value = try #require(computed([feature], of: reference.recording).first?.first)
    let expected = try #require(reference.features["\(feature)"])
    #expect((Double(value) / expected - 1).magnitude < 1e-4)
  }

  @Test func `The full set has the seven default features, 29 statistics of 18 lanes and 12 correlations, each once`() {
    #expect(Array(Feature.full.prefix(7)) == Feature.orientationFree)
    #expect(Feature.full.count == 5 + 29 * 18 + 12)
    #expect(Set(Feature.full).count == Feature.full.count)
    #expect(Set(ReferenceCase.all[0].features.keys).isSubset(of: Feature.full.map(\.description)))
  }
}

/// The features of every whole window of a recording, at its own rate.
func computed(_ features: [Feature], of recording: Recording, shape: WindowShape? = nil) throws -> [[Float]] {
  let seconds = Double(recording.count) / recording.sampleRate.hertz
  var stream = try FeatureStream(
    features: features, shape: shape ?? WindowShape(seconds: seconds, hopSeconds: seconds),
    sampleRate: recording.sampleRate)
  var windows: [[Float]] = []
  for index in 0..<recording.count {
    stream.append(recording[index]) { _, features in windows.append(Array(features)) }
  }
  return windows
}
