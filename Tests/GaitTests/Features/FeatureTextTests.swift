import Testing

@testable import Gait

@Suite struct FeatureTextTests {
  @Test func `Every feature's text parses back to the same feature`() throws {
    let others: [Feature] = [
      Feature(.total, .bandRMS(1.2...2.2)),
      Feature(.jerk, .percentile(99.5), .signedLog(scale: 2)),
      Feature(.channel(.gravityX), .meanCrossingRate),
      Feature(.total, .bandLogRatio(1...2, 3...4, offset: 9.2e20)),
      Feature(.total, .bandLogRatio(1...2, 1e-7...4e20, offset: 1e-7)),
      Feature(.channel(.attitudeYaw), .autocorrelationLag(1e-5...2), .log(offset: 0.5)),
    ]
    for feature in Feature.full + others {
      #expect(try Feature("\(feature)") == feature)
    }
  }

  @Test func `Textual forms are those of model files`() {
    #expect(
      Feature.orientationFree.map(\.description) == [
        "vertical.rms.log[0.01]",
        "total.bandLogRatio[2.2...3.5/1.2...2.2+0.01]",
        "userAcceleration.magnitude.percentile[10].log[0.01]",
        "vertical.maximum.signedLog[0.05]",
        "total.autocorrelationLag[0.2...1.1]",
        "vertical.meanCrossingRate",
        "gravity.sphericalVariance.log[0.01]",
      ])
  }

  @Test(arguments: [
    "", "vertical", "vertical.", "up.mean", "vertical.median", "vertical.mean.", "vertical.mean.sqrt[1]",
    "vertical.mean]", "vertical.percentile", "vertical.percentile[]", "vertical.percentile[101]",
    "vertical.percentile[ten]", "total.bandRMS[2.2...1.2]", "total.bandRMS[-1...2]", "total.bandRMS[1..2]",
    "total.bandRMS[1...nan]", "total.bandLogRatio[1...2/3...4]", "total.bandLogRatio[1...2/3...4+0]",
    "total.autocorrelationLag[0...1]", "gravity.mean", "gravity.x.sphericalVariance", "vertical.rms.log[-1]",
    "vertical.rms.log[0]",
    "vertical.minimum.log[0.01]", "gravity.x.mean.log[1]", "gravity.x.correlation[gravity.x]",
    "gravity.x.correlation[userAcceleration.y]", "total.correlation[gravity.x]",
    "vertical.rms.signedLog[0]", "vertical.rms.log[0.01] ", "vertical.rms.log[0.01].log[0.01]",
  ])
  func `An invalid text throws an error with a reason`(text: String) throws {
    let error = try #require(throws: ModelError.self) { try Feature(text) }
    #expect(error.description.hasPrefix("\"\(text)\" is not a feature: "))
  }

  @Test(arguments: [
    ("vertcal.rms", "vertical.rms"), ("vertical.rsm", "vertical.rms"), ("total.meann", "total.mean"),
    ("gravity.x.standarddeviation", "gravity.x.standardDeviation"),
  ])
  func `The error of a misspelt feature names the nearest one`(text: String, near: String) throws {
    let error = try #require(throws: ModelError.self) { try Feature(text) }
    #expect(error.description.hasSuffix("; did you mean \(near)?"), "\(error)")
  }

  @Test func `A band beyond half the sample rate throws an error`() throws {
    let feature = Feature(.total, .bandRMS(5...13))
    let sentence =
      "total.bandRMS[5...13] uses frequencies above 12.5 Hz, half the model's sample rate of 25 Hz; narrow the band or "
      + "raise the model's sample rate."
    #expect(throws: ModelError.invalid(sentence)) {
      try FeatureExtractor(features: [feature], length: 64, hop: 16, sampleRate: .hertz(25))
    }
  }

  @Test func `Units depend on lane, statistic and transform`() {
    #expect(
      Feature.orientationFree.map(\.unit) == ["ln(g)", "1", "ln(g)", "ln(g)", "s", "1/s", "1"])
    #expect(Feature(.channel(.rotationRateX), .rms).unit == "rad/s")
  }
}
