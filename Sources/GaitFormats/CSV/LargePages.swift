#if canImport(Glibc)
  import Glibc
#endif

extension Array {
  /// Makes room for `count` elements, and asks the system to back it by large pages, where it has such and the array is long.
  ///
  /// Otherwise the first touch of every 4 kB is a fault of its own: a quarter of the time that reading a long file takes.
  mutating func reserveLongCapacity(_ count: Int) {
    reserveCapacity(count)
    #if canImport(Glibc)
      let byteCount = capacity * MemoryLayout<Element>.stride
      guard byteCount >= 16 << 20 else { return }
      withUnsafeMutableBytes { elements in
        guard let base = elements.baseAddress else { return }
        let pageBytes = 4096
        let toPage = -Int(bitPattern: base) & (pageBytes - 1)
        // The system may decline; nothing is lost then.
        _ = madvise(base + toPage, (byteCount - toPage) & -pageBytes, MADV_HUGEPAGE)
      }
    #endif
  }
}
