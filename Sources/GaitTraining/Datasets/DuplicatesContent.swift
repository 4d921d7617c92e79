import Gait

extension Duplicates {
  /// The data by which a recording is compared.
  struct Content: Sendable {
    let path: String
    let labels: Set<String>
    let sampleRate: SampleRate
    let rows: [SIMD16<Float>]
    /// The hashes of all rows, and of all but the first.
    let hashes: [UInt64]
    /// The recording's landmarks, by ascending row.
    let landmarks: [Landmark]

    init(path: String, labels: Set<String>, sampleRate: SampleRate, rows: [SIMD16<Float>]) {
      self.path = path
      self.labels = labels
      self.sampleRate = sampleRate
      self.rows = rows
      let rowHashes = rows.map(\.contentHash)
      hashes = rows.count > 1 ? [rowHashes[...].combinedHash, rowHashes[1...].combinedHash] : []
      landmarks = Landmark.landmarks(of: rows, sampleRate: sampleRate)
    }

    /// The recording's duration.
    var seconds: Double { Double(rows.count) / sampleRate.hertz }

    /// Whether the rows equal those of `other`; the first row of each may differ or be missing.
    func isCopy(of other: Self) -> Bool {
      let (left, right) = (rows, other.rows)
      switch left.count - right.count {
      case 0: return left[1...].sameBits(as: right[1...])
      case 1: return left[1...].sameBits(as: right[...])
      case -1: return left[...].sameBits(as: right[1...])
      default: return false
      }
    }
  }
}

extension SIMD16<Float> {
  /// The row's bits, so that NaN equals NaN.
  var bits: SIMD8<UInt64> { unsafeBitCast(self, to: SIMD8<UInt64>.self) }

  /// A 64-bit hash of the row's bits, identical in every process.
  ///
  /// Multiplies eight words in parallel by an odd constant each, and mixes them into one. Successive rows differ in the
  /// low bits of a few words, and these bits affect every bit of the hash.
  var contentHash: UInt64 {
    let constants = SIMD8<UInt64>(
      0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0xFF51_AFD7_ED55_8CCD,
      0xC4CE_B9FE_1A85_EC53, 0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB, 0xD6E8_FEB8_6659_FD93)
    var words = (bits ^ (bits &>> 29)) &* constants
    words ^= words &>> 32
    return UInt64.stirred(words.wrappedSum())
  }
}

extension UInt64 {
  /// Mixes the bits so that each depends on all: the finalizer of MurmurHash3 by Appleby, in the public domain.
  static func stirred(_ bits: UInt64) -> UInt64 {
    var bits = bits
    bits = (bits ^ (bits >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    bits = (bits ^ (bits >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return bits ^ (bits >> 33)
  }
}

extension Collection<UInt64> {
  /// A hash of all hashes, which depends on their order.
  var combinedHash: UInt64 {
    reduce(UInt64(count)) { UInt64.stirred($0 &* 0x9E37_79B9_7F4A_7C15 ^ $1) }
  }
}

extension ArraySlice<SIMD16<Float>> {
  /// Whether both have the same bits.
  fileprivate func sameBits(as other: Self) -> Bool {
    elementsEqual(other) { $0.bits == $1.bits }
  }
}
