import GaitTestSupport
import Testing

@testable import Gait

/// The parts of the resampler at their limits.
@Suite struct SampleHistoryTests {
  private static func sample(_ nanoseconds: Int64, _ row: SIMD16<Float> = .zero) -> MotionSample {
    MotionSample(time: SampleTime(nanoseconds: nanoseconds), row: row)
  }

  // MARK: - Rates

  private static func repeated(_ step: Int64, _ count: Int = 32) -> [Int64] { Array(repeating: step, count: count) }

  @Test func `A rate is measured from 32 uneven steps in a row`() {
    // In microseconds, with a nominal period of 1000.
    func found(_ steps: [Int64]) -> [Int] {
      var meter = RateMeter()
      return steps.indices.filter { meter.measure(steps[$0] * 1000, period: 1e6, longestStep: 5_000_000) != nil }
    }
    #expect(found(Self.repeated(500, 96)) == [31, 63, 95])
    #expect(found(Self.repeated(500, 31) + [1000] + Self.repeated(500, 32)) == [63])
    #expect(found(Self.repeated(500, 31) + [1050] + Self.repeated(500, 31)) == [])
    #expect(found(Self.repeated(500, 31) + [1051, 500]) == [31])
    #expect(found(Self.repeated(500, 31) + [950, 949]) == [])
    #expect(found(Self.repeated(500, 31) + [949]) == [31])
    #expect(found(Self.repeated(800)) == [])
    #expect(found(Self.repeated(799)) == [31])
    #expect(found(Self.repeated(2000, 32)) == [31])
    #expect(found(Self.repeated(1333)) == [])
    #expect(found(Self.repeated(1340)) == [31])
    // Longer steps than the longest, and negative ones, are skipped.
    #expect(found(Self.repeated(500, 31) + [5001, -1, 500]) == [33])
    #expect(found(Self.repeated(500, 31) + [5000]) == [31])
    #expect(found(Self.repeated(0)) == [])
  }

  @Test func `The mean and the median must agree, and steps around lost rows are left out`() {
    func rate(_ steps: [Int64]) -> Double? {
      var (meter, rate) = (RateMeter(), Double?.none)
      for step in steps { rate = meter.measure(step * 1000, period: 1e6, longestStep: 5_000_000)?.hertz }
      return rate
    }
    // The median is short, the mean is nominal, or long.
    #expect(rate(Self.repeated(500, 20) + Self.repeated(1900, 12)) == nil)
    #expect(rate(Self.repeated(500, 20) + Self.repeated(4000, 12)) == nil)
    // The steps' order does not matter; a step of 1.5 medians is left out.
    #expect(rate(Self.repeated(400, 31) + [600]) == 2500)
    #expect(rate([600] + Self.repeated(400, 31)) == 2500)
    #expect(rate([599] + Self.repeated(400, 31)).map { abs($0 - 1e6 * 32 / (599 + 31 * 400)) < 0.01 } == true)
    #expect(rate(Self.repeated(700, 16) + Self.repeated(300, 16)).map { abs($0 - 1e6 / 700) < 1e-6 } == true)
  }

  @Test func `Every step of one period restarts the meter`() {
    var meter = RateMeter()
    #expect(meter.isEmpty)
    _ = meter.measure(500, period: 1000, longestStep: 5000)
    #expect(!meter.isEmpty)
    _ = meter.measure(1000, period: 1000, longestStep: 5000)
    #expect(meter.isEmpty)
  }

  @Test func `The longest steps are 0.3 s or four periods, and one and a half periods`() {
    #expect(Resampler.longestStep(at: .hertz(50)) == 300_000_000)
    #expect(Resampler.longestStep(at: .hertz(10)) == 400_000_000)
    #expect(Resampler.longestStep(at: .hertz(3)) == 1_333_333_334)
    #expect(Resampler.longestOutputStep(at: .hertz(25)) == 60_000_000)
    #expect(Resampler.evenSteps(40_000_000) == 39_999_999...40_000_001)
    #expect(Resampler.evenSteps(33_333_333.4) == 33_333_333...33_333_334)
    #expect(Resampler.evenSteps(0.2) == 0...1)
  }

  // MARK: - Short gaps

  @Test func `The measured share leaves out the middle of a short gap`() {
    var gaps = ShortGaps()
    #expect(gaps.isEmpty)
    #expect(gaps.measuredShare(from: .origin, length: 1000, period: 10) == 1)
    gaps.append(from: 200, to: 300, period: 20)
    #expect(!gaps.isEmpty)
    // From 210 to 290.
    #expect(gaps.measuredShare(from: .origin, length: 1000, period: 10) == 0.92)
    #expect(gaps.measuredShare(from: SampleTime(nanoseconds: 250), length: 1000, period: 10) == 0.96)
    #expect(gaps.measuredShare(from: SampleTime(nanoseconds: 0), length: 250, period: 10) == Float(1 - 30.0 / 250))
    #expect(gaps.measuredShare(from: SampleTime(nanoseconds: 0), length: 220, period: 10) == 1)
    #expect(gaps.measuredShare(from: SampleTime(nanoseconds: 289), length: 100, period: 10) == 0.99)
    #expect(gaps.measuredShare(from: SampleTime(nanoseconds: 290), length: 100, period: 10) == 1)
    #expect(gaps.isEmpty)
    gaps.append(from: 400, to: 410, period: 20)
    #expect(gaps.measuredShare(from: .origin, length: 1000, period: 10) == 1)
    #expect(!gaps.isEmpty)
    gaps.append(from: 500, to: 600, period: 0)
    gaps.append(from: 700, to: 800, period: 0)
    #expect(gaps.measuredShare(from: .origin, length: 1000, period: 10) == 0.8)
  }

  @Test func `At most 8192 short gaps are kept, then the older half is removed`() {
    /// The share of a window that only the gap `index` is in.
    func share(after count: Int, of index: Int64) -> Float {
      var gaps = ShortGaps()
      for index in 0..<Int64(count) { gaps.append(from: 1000 * index, to: 1000 * index + 500, period: 0) }
      return gaps.measuredShare(from: SampleTime(nanoseconds: 1000 * index), length: 1000, period: 0)
    }
    #expect(share(after: 8192, of: 0) == 0.5)
    #expect(share(after: 8193, of: 0) == 1)
    #expect(share(after: 8193, of: 4095) == 1)
    #expect(share(after: 8193, of: 4096) == 0.5)
  }

  // MARK: - Order

  @Test func `A sample is released when no earlier one can arrive, in order of time and of arrival`() {
    var order = SampleOrder(longestDelay: 1)
    func insert(_ seconds: Double, _ mark: Float) {
      order.insert(MotionSample(time: .seconds(seconds), row: SIMD16(repeating: mark)))
    }
    func all() -> [Float] {
      var marks: [Float] = []
      while let next = order.next() { marks.append(next.row[0]) }
      return marks
    }
    #expect(all().isEmpty)
    insert(10, 1)
    #expect(all().isEmpty)
    insert(9.5, 2)
    insert(10, 3)
    insert(9.5, 4)
    #expect(all().isEmpty)
    insert(10.5, 5)
    #expect(all() == [2, 4])
    insert(10.999_999_999, 6)
    #expect(all().isEmpty)
    insert(11, 7)
    #expect(all() == [1, 3])
  }

  // MARK: - Lanes

  @Test func `Missing values are found in every lane of gravity and acceleration, and in no other one`() {
    let lanes = AccelerationLanes(presentIn: .zero)
    for lane in 0..<16 {
      var row = SIMD16<Float>.zero
      row[lane] = .nan
      let counts = 4..<8 ~= lane || 12..<16 ~= lane
      #expect(lanes.arePresent(in: row) == !counts, "\(lane)")
      #expect(lanes.areMissing(in: row) == counts, "\(lane)")
      let part = AccelerationLanes(presentIn: row)
      #expect(part.arePresent(in: row))
      #expect(!part.areMissing(in: row))
      #expect(!part.areMissing(in: .zero))
      #expect(part.arePresent(in: .zero) == !counts)
      for place in 0...8 {
        var rows = [SIMD16<Float>](repeating: .zero, count: 9)
        rows[place] = row
        let arePresent = rows.withUnsafeBufferPointer { lanes.arePresent(inRowsFrom: $0.baseAddress!) }
        #expect(arePresent == (!counts || place == 8), "\(lane), row \(place)")
      }
    }
    #expect(AccelerationLanes.rowsAtOnce == 8)
    #expect(!AccelerationLanes().areMissing(in: SIMD16(repeating: .nan)))
  }

  // MARK: - History

  @Test func `Old samples are removed when there are four filter lengths of them`() {
    var history = SampleHistory(hasAngles: false)
    history.resize(tapCount: 3, span: 50)
    let counts = (0..<30).map { index in
      history.append(Self.sample(10 * Int64(index)))
      return history.samples.count
    }
    // Before the 13th sample, at 120 ns, those from 70 ns on are kept.
    #expect(Array(counts[..<14]) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 6, 7])
    #expect(counts[18] == 12)
    #expect(counts[19] == 6)
    history.removeAll()
    #expect(history.samples.isEmpty)
  }

  @Test func `Angles continue into the next sample by whole turns`() {
    var history = SampleHistory(hasAngles: true)
    history.resize(tapCount: 10, span: 1e9)
    func row(_ roll: Float, _ yaw: Float = 0) -> SIMD16<Float> {
      var row = SIMD16<Float>.zero
      (row[0], row[2], row[3]) = (roll, yaw, 9)
      return row
    }
    history.begin(at: row(3, .nan))
    for (index, roll) in [Float(3), -3, .nan, -2.9, 3.1].enumerated() {
      history.append(Self.sample(Int64(index), row(roll, index == 4 ? 20 : 0)))
    }
    let turn = 2 * Float.pi
    let rolls = history.samples.map { $0.row[0] }
    #expect(zip(rolls, [3, -3 + turn, .nan, -2.9 + turn, 3.1]).allSatisfy { abs($0 - $1) < 1e-5 || $1.isNaN })
    #expect(rolls[2].isNaN)
    let yaws = history.samples.map { $0.row[2] }
    #expect(zip(yaws, [3 * turn, 3 * turn, 3 * turn, 3 * turn, 20]).allSatisfy { abs($0 - $1) < 1e-4 })
    history.keepAngles(of: row(9, .nan))
    history.append(Self.sample(5, row(9, 20)))
    #expect(abs(history.samples[0].row[0] - 3) < 1e-5)
    #expect(history.samples[4].row[2] == 20)
    history.begin(at: row(.nan, 1))
    history.append(Self.sample(6, row(1, 5)))
    #expect(history.samples.count == 1)
  }

  // MARK: - Grid

  @Test func `Outputs lie on whole nanoseconds nearest to the rate`() {
    for (hertz, offsets) in [
      (25, [0, 40_000_000, 80_000_000]), (30, [0, 33_333_333, 66_666_667]), (7, [0, 142_857_143]),
    ]
      as [(Double, [Int64])]
    {
      var grid = OutputGrid(rate: .hertz(hertz))
      grid.begin(at: 500)
      for (index, offset) in offsets.enumerated() {
        #expect(grid.index == index, "\(hertz)")
        #expect(grid.offset == offset, "\(hertz)")
        #expect(grid.origin == 500, "\(hertz)")
        grid.advance()
      }
      let times = grid.unevenTimes(from: 1).map(\.nanoseconds)
      #expect(times == (hertz == 25 ? [] : offsets.dropFirst().map { 500 + $0 }), "\(hertz)")
      grid.begin(at: 7)
      #expect(grid.index == 0)
      #expect(grid.offset == 0)
      #expect(grid.origin == 7)
    }
  }
}
