import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// Periodograms by the matrix, by the FFT along time and by the FFT side by side, against the discrete Fourier
/// transform in Double.
@Suite struct SpectrumFormulaTests {
  /// The weighted samples' one-sided powers of every bin.
  private static func powers(_ values: [Float]) -> [Double] {
    let (count, size) = (values.count, Periodogram.transformLength(for: values.count))
    let hann = (0..<count).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(count)) }
    let scale = 2 / (Double(size) * hann.reduce(0) { $0 + $1 * $1 })
    return (0...size / 2).map { bin in
      var (real, imaginary) = (0.0, 0.0)
      for (index, (value, weight)) in zip(values, hann).enumerated() {
        let angle = -2 * .pi * Double(bin * index % size) / Double(size)
        real += weight * Double(value) * cos(angle)
        imaginary += weight * Double(value) * sin(angle)
      }
      return scale * (real * real + imaginary * imaginary) * (bin == 0 || bin == size / 2 ? 0.5 : 1)
    }
  }

  private static func noise(_ count: Int, seed: Int) -> [Float] {
    var random = SplitMix64(seed: UInt64(seed))
    return (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
  }

  @Test func `The transform has 64 samples or the next power of two from twice the window on`() {
    let lengths = [1: 64, 31: 64, 32: 64, 33: 128, 64: 128, 65: 256, 128: 256, 129: 512, 4096: 8192]
    for (length, size) in lengths { #expect(Periodogram.transformLength(for: length) == size) }
  }

  @Test(arguments: [2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 18, 20, 31, 32, 33, 40, 63, 64, 65])
  func `Powers along time are those of the Fourier transform, by the matrix and by the FFT`(length: Int) {
    let values = Self.noise(length, seed: length)
    let expected = Self.powers(values)
    let largest = expected.max() ?? 0
    let series = values + Array(repeating: 0, count: 24)
    let last = expected.count - 1
    for bins in [0..<1, 1..<3, 2..<7, 3..<11, 5..<21, last - 2..<last + 1, 0..<last + 1, 4..<4 + 12, 0..<0] {
      let (matrix, fourier) = (SpectrumMatrix(length: length, bins: bins), PhaseFFT(length: length, bins: bins))
      let size = (bins.count + 3) / 4 * 4
      var (first, second) = ([Float](repeating: -1, count: size + 1), [Float](repeating: -1, count: size + 1))
      var floats = [Float](repeating: 0, count: matrix.scratchCount)
      matrix.powers(of: series, into: &first, scratch: &floats)
      var lanes = [Lanes](repeating: .zero, count: fourier.scratchCount)
      fourier.powers(of: series, into: &second, scratch: &lanes)
      for (index, bin) in bins.enumerated() {
        #expect((Double(first[index]) - expected[bin]).magnitude <= 1e-5 * largest, "\(length), bin \(bin) of \(bins)")
        #expect((Double(second[index]) - expected[bin]).magnitude <= 1e-5 * largest, "\(length), bin \(bin) of \(bins)")
      }
      for powers in [first, second] {
        #expect(powers[bins.count..<size].allSatisfy { $0 == 0 }, "\(length), \(bins)")
        #expect(powers[size] == -1, "\(length), \(bins)")
      }
    }
  }

  @Test(arguments: [1, 2, 5, 16, 31, 32, 33, 47, 48, 49, 64, 65, 100, 128, 129])
  func `Powers side by side are those of the Fourier transform`(length: Int) {
    let fourier = BatchedRealFFT(length: length)
    let lanes = (0..<Lanes.scalarCount).map { Self.noise(length, seed: 50 * length + $0) }
    #expect(fourier.binCount == fourier.transformLength / 2 + 1)
    #expect(fourier.scratchCount == fourier.transformLength * 3 / 2)
    // Another register between two rows.
    let width = 2 * Lanes.scalarCount
    var series = [Float](repeating: 9, count: length * width)
    for row in 0..<length { for lane in lanes.indices { series[row * width + lane] = lanes[lane][row] } }
    var (powers, scratch) = (
      [Lanes](repeating: .zero, count: fourier.binCount), [Lanes](repeating: .zero, count: fourier.scratchCount)
    )
    fourier.transform(series, stride: width, into: &powers, scratch: &scratch)
    for (lane, values) in lanes.enumerated() where length > 1 {
      let expected = Self.powers(values)
      let largest = expected.max() ?? 0
      for (bin, power) in expected.enumerated() {
        #expect((Double(powers[bin][lane]) - power).magnitude <= 1e-5 * largest, "\(length), bin \(bin)")
      }
    }
  }

  @Test func `The bins of a band begin at its lower bound and end before its upper one`() {
    func bins(_ band: ClosedRange<Double>, _ length: Int = 64, _ rate: Double = 128) -> Range<Int> {
      Periodogram(length: length, sampleRate: .hertz(rate), bands: []).bins(of: band)
    }
    #expect(bins(2...5) == 2..<5)
    #expect(bins(2.001...5.001) == 3..<6)
    #expect(bins(1.999...4.999) == 2..<5)
    #expect(bins(0...1) == 0..<1)
    #expect(bins(0.1...0.9) == 1..<1)
    #expect(bins(3...3.5) == 3..<4)
    #expect(bins(60...64) == 60..<64)
    #expect(bins(60...65) == 60..<65)
    #expect(bins(60...1e300) == 60..<65)
    #expect(bins(70...80) == 65..<65)
    let two = Periodogram(length: 64, sampleRate: .hertz(128), bands: [10...14, 2...5, 7...8])
    #expect(two.bins == 2..<14)
    #expect(two.powerCount == 12)
    #expect(two.resolution == 1)
    #expect(Periodogram(length: 64, sampleRate: .hertz(128), bands: [10...15]).powerCount == 8)
    let none = Periodogram(length: 64, sampleRate: .hertz(128), bands: [3.2...3.4])
    #expect(none.bins.isEmpty)
    #expect(none.powerCount == 0)
    #expect(none.scratchCount == 0)
  }

  @Test func `The method that costs less is chosen, and the matrix on a tie`() {
    #expect(SpectrumMatrix.cost(length: 56, binCount: 64) == 2688)
    #expect(SpectrumMatrix.cost(length: 57, binCount: 1) == 168)
    #expect(SpectrumMatrix.cost(length: 9, binCount: 5) == 48)
    guard Lanes.scalarCount == 4 else { return }
    #expect(PhaseFFT.cost(length: 56, binCount: 64) == 2688)
    #expect(PhaseFFT.cost(length: 20, binCount: 3) == 880)
    func scratch(_ binCount: Int) -> Int {
      Periodogram(length: 56, sampleRate: .hertz(128), bands: [0...Double(binCount)]).scratchCount
    }
    let matrix = 64 / Lanes.scalarCount
    #expect([60, 64].map(scratch) == [matrix, matrix])
    #expect(scratch(65) > 2 * matrix)
  }

  // MARK: - The shape of spectra

  /// Powers of the bins 0 to `lastBin`, a lane for each list.
  private static func packed(_ lanes: [[Float]]) -> [Lanes] {
    lanes[0].indices.map { bin in
      var row = Lanes.zero
      for lane in 0..<Lanes.scalarCount { row[lane] = lanes[lane % lanes.count][bin] }
      return row
    }
  }

  @Test func `The power of a band is the sum of its bins`() {
    let powers = Self.packed((0..<4).map { lane in (0...32).map { Float($0 * $0 % 11 + lane) } })
    let spectrum = LaneSpectrum(resolution: 0.5, lastBin: 32)
    for first in [0, 1, 6, 30, 33] {
      for end in first...33 {
        let power = spectrum.power(powers, in: first..<end)
        for lane in 0..<Lanes.scalarCount {
          #expect(power[lane] == (first..<end).reduce(0) { $0 + Float($1 * $1 % 11 + lane % 4) })
        }
      }
    }
  }

  @Test(arguments: [32, 64])
  func `Centroid, entropy, flatness and dominant frequency agree with their formulas`(lastBin: Int) {
    var lists: [[Float]] = []
    // One bin alone at every place, and two equal peaks, of which the first counts.
    for bin in 1...lastBin { lists.append((0...lastBin).map { $0 == bin ? 4 : 0 }) }
    for (first, second) in [(1, lastBin), (3, 4), (8, 9), (7, 16), (9, 17), (16, 24), (20, 21), (lastBin - 1, lastBin)]
    {
      lists.append((0...lastBin).map { $0 == first || $0 == second ? 9 : 1 })
      lists.append((0...lastBin).map { $0 == first || $0 == second ? 9 : Float(1 + $0 % 5) })
    }
    lists.append(Array(repeating: 2, count: lastBin + 1))
    lists.append(Array(repeating: 0, count: lastBin + 1))
    // Bin 0 does not count.
    lists.append([1000] + Array(repeating: 3, count: lastBin - 1) + [5])
    lists.append(
      (0...lastBin).map { (bin: Int) -> Float in
        let distance = Float(bin - 12)
        return 100 / (1 + distance * distance)
      })
    lists.append((0...lastBin).map { (bin: Int) -> Float in 1e-13 * Float(1 + bin % 7) })
    while lists.count % 4 != 0 { lists.append(Self.noise(lastBin + 1, seed: lists.count).map { $0 * $0 + 0.01 }) }
    let spectrum = LaneSpectrum(resolution: 0.25, lastBin: lastBin)
    for start in stride(from: 0, to: lists.count, by: 4) {
      let group = Array(lists[start..<start + 4])
      let shape = spectrum.shape(of: Self.packed(group))
      for (lane, list) in group.enumerated() {
        let bins = list[1...].map { Double($0) }
        let total = bins.reduce(0, +)
        guard total > 0 else {
          #expect(shape.dominantFrequency[lane] == 0)
          #expect(shape.centroid[lane] == 0)
          #expect(shape.entropy[lane] == 0)
          #expect(shape.flatness[lane] == 0)
          continue
        }
        let shares = bins.map { max($0 / total, 1e-12 / Double(lastBin)) }
        let centroid = zip(1..., bins).reduce(0) { $0 + Double($1.0) * $1.1 } / total
        let entropy = -shares.reduce(0) { $0 + $1 * log($1) } / log(Double(lastBin))
        let flatness = exp(shares.reduce(0) { $0 + log($1) } / Double(lastBin)) * Double(lastBin)
        var peak = Double(1 + bins.firstIndex(of: bins.max()!)!)
        let place = Int(peak)
        if place > 1, place < lastBin, list[place - 1] > 0, list[place + 1] > 0 {
          let (a, b, c) = (log(Double(list[place - 1])), log(Double(list[place])), log(Double(list[place + 1])))
          if a - 2 * b + c < -1e-4 { peak += 0.5 * (a - c) / (a - 2 * b + c) }
        }
        let name = "list \(start + lane) of \(lastBin)"
        #expect((Double(shape.centroid[lane]) - 0.25 * centroid).magnitude < 1e-4, "\(name)")
        #expect((Double(shape.entropy[lane]) - entropy).magnitude < 1e-4, "\(name)")
        #expect((Double(shape.flatness[lane]) - flatness).magnitude < 1e-4 * flatness, "\(name)")
        #expect((Double(shape.dominantFrequency[lane]) - 0.25 * peak).magnitude < 1e-4, "\(name)")
      }
    }
  }

  @Test func `A spectrum weaker than 1e8 of the smallest numbers has no shape`() {
    let least = Float.leastNormalMagnitude * 1e8
    let spectrum = LaneSpectrum(resolution: 1, lastBin: 32)
    for (power, hasShape) in [(least, false), (least * 1.001, true), (least / 2, false), (least * 1.3, true)] {
      let shape = spectrum.shape(of: Self.packed([(0...32).map { $0 == 5 ? power : 0 }]))
      #expect((shape.centroid[0] > 0) == hasShape)
      #expect((shape.dominantFrequency[0] > 0) == hasShape)
    }
  }
}
