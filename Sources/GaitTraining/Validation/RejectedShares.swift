import Gait

/// What a model rejects of the windows that it should label, and of those that it should reject.
package struct RejectedShares: Hashable, Sendable, Encodable {
  /// The windows of the model's labels, of which few should be rejected.
  package let known: Share
  /// The windows of recordings labelled `other`, all of which should be rejected; `nil` without any.
  package let other: Share?

  /// The rejected windows among others.
  package struct Share: Hashable, Sendable, Encodable {
    /// The number of windows.
    package let windows: Int
    /// The share of them that is rejected, 0…1.
    package let rejected: Double
  }

  /// The rejected windows; `nil` for a model that rejects none.
  package init?(_ windows: ScoredWindows) {
    guard let rejections = windows.rejections else { return nil }
    func share(_ isOther: Bool) -> Share {
      let rows = (0..<windows.count).filter { (windows.truths[$0] == windows.otherIndex) == isOther }
      return Share(
        windows: rows.count, rejected: Double(rows.count { rejections[$0] }) / Double(max(1, rows.count)))
    }
    known = share(false)
    let other = share(true)
    self.other = other.windows > 0 ? other : nil
  }

  /// The shares as lines for a terminal.
  package var lines: [String] {
    let parts = [(known, "known labels")] + (other.map { [($0, Rejection.label)] } ?? [])
    return parts.filter { $0.0.windows > 0 }.map { share, name in
      "rejected           \(share.rejected.alignedPercent) of \(share.windows.grouped) windows of \(name)"
    }
  }
}
