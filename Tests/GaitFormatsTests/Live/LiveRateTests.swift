import Gait
import GaitFormats
import GaitTestSupport
import Testing

struct LiveRateTests {
  /// The estimated rate of samples at `times`, in seconds, and the number of samples it took.
  private func rate(of times: [Double]) throws(RecordingError) -> (rate: SampleRate, count: Int) {
    var live = LiveRate(name: "lines")
    for time in times {
      let sample = MotionSample(time: .seconds(time), gravity: [0, 0, -1], userAcceleration: .zero)
      if let rate = try live.append(sample) { return (rate, live.samples.count) }
    }
    return (try live.rate(), live.samples.count)
  }

  @Test(arguments: [4, 10, 25, 50, 62.5, 100, 200, 1000])
  func `The rate is known after 3 s and 16 samples, all of which are buffered`(hertz: Double) throws {
    let found = try rate(of: (0..<12_000).map { 7 + Double($0) / hertz })
    #expect(found.rate.hertz == hertz)
    #expect(abs(found.count - max(16, Int(3 * hertz) + 1)) <= 1)
  }

  @Test func `Uneven times give the nominal rate near their mean, and late samples do not count`() throws {
    var generator = SplitMix64(seed: 1)
    var times = (0..<200).map { Double($0) / 50 + Double.random(in: -0.004...0.004, using: &generator) }
    times.insert(times[50] - 0.5, at: 60)
    #expect(try rate(of: times).rate == .hertz(50))
    let gap = (Array(0..<60) + Array(1500..<1600)).map { Double($0) / 50 }
    #expect(try rate(of: gap).rate == .hertz(50))
  }

  @Test func `A stream that ends early has the rate of its samples`() throws {
    #expect(try rate(of: (0..<20).map { Double($0) / 50 }).rate == .hertz(50))
    #expect(throws: RecordingError.noRows(file: "lines")) { try rate(of: []) }
    #expect(throws: RecordingError.timing(.noSampleRate, file: "lines")) { try rate(of: [1]) }
  }

  @Test func `Times without a clear rate are rejected after a bounded number of samples`() throws {
    #expect(throws: RecordingError.timing(.coarseTimes(rows: 12_000, times: 1), file: "lines")) {
      try rate(of: Array(repeating: 5, count: 20_000))
    }
    #expect(throws: RecordingError.timing(.coarseTimes(rows: 751, times: 16), file: "lines")) {
      try rate(of: (0..<2000).map { Double($0 / 50) })
    }
    #expect(throws: RecordingError.timing(.impossibleRate(found: 0.05), file: "lines")) {
      try rate(of: (0..<100).map { Double($0) * 20 })
    }
    // Bursts of ten samples within 2 ms every 0.4 s.
    let bursts = (0..<200).map { (index: Int) -> Double in
      let (burst, place) = index.quotientAndRemainder(dividingBy: 10)
      return 0.4 * Double(burst) + 0.0002 * Double(place)
    }
    let error = #expect(throws: RecordingError.self) { try rate(of: bursts) }
    #expect(
      error?.description
        == "lines has timestamps that deviate 119 ms from even steps of 40 ms, too much to measure the sample rate; "
        + "state the sample rate.")
  }
}
