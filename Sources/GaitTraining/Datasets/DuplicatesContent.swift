import Gait

extension Duplicates {
  /// What a recording is compared by.
  struct Content: Sendable {
    let path: String
    let labels: Set<String>
    let sampleRate: SampleRate
    let rows: [SIMD16<Float>]
    /// The hashes of all rows, and of all but the first.
    let hashes: [UInt64]
    /// Places that tell the recording from others, ascending.
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

    /// How long the recording lasts.
    var seconds: Double { Double(rows.count) / sampleRate.hertz }

    /// Whether the rows are those of `other`, up to the first row of each.
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

  /// A 64-bit hash of the row's bits, which is the same in every process.
  ///
  /// Eight multiplications side by side with an odd constant for each word, stirred into one: a row differs from the next
  /// in the low bits of a few words, and those reach every bit of the hash.
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
  /// The bits mixed so that each depends on all: the finalizer of MurmurHash3 by Appleby, in the public domain.
  static func stirred(_ bits: UInt64) -> UInt64 {
    var bits = bits
    bits = (bits ^ (bits >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    bits = (bits ^ (bits >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return bits ^ (bits >> 33)
  }
}

extension Collection<UInt64> {
  /// One hash of several, in their order.
  var combinedHash: UInt64 {
    reduce(UInt64(count)) { UInt64.stirred($0 &* 0x9E37_79B9_7F4A_7C15 ^ $1) }
  }
}

extension ArraySlice<SIMD16<Float>> {
  /// Whether both hold the same bits.
  fileprivate func sameBits(as other: Self) -> Bool {
    elementsEqual(other) { $0.bits == $1.bits }
  }
}
