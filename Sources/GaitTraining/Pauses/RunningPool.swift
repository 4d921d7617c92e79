import Gait

/// Stretches of recordings that runs are composed from.
///
/// People slow down, stop and fiddle inside recordings labelled "running". The rule that cleans them:
///
/// 1. Over windows of 2.56 s, 0.64 s apart, take the RMS of the vertical acceleration.
/// 2. A window is not running where that is below half of the recording's median, or below 0.45 g.
/// 3. Samples of any such window are left out; what remains in stretches of 4 s or more is kept.
///
/// Recordings of anything but running are kept whole.
public enum RunningPool {
  /// The windows that are looked at.
  static let window = WindowShape(seconds: 2.56, hopSeconds: 0.64)
  /// The least RMS of running, as a share of the recording's median.
  static let smallestShare: Float = 0.5
  /// The least RMS of running, g.
  static let smallestRMS: Float = 0.45
  /// The shortest stretch that is kept, seconds.
  static let shortestStretch = 4.0

  /// The rows of a recording labelled "running" that are running by the rule above, in order.
  public static func stretches(of recording: Recording) -> [Range<Int>] {
    let strengths = windowStrengths(of: recording)
    guard !strengths.isEmpty else { return [] }
    let median = strengths.map(\.rms).sorted()[strengths.count / 2]
    var isRunning = [Bool](repeating: true, count: recording.count)
    for (rows, rms) in strengths where rms < max(smallestShare * median, smallestRMS) {
      for row in rows { isRunning[row] = false }
    }
    let shortest = Int(shortestStretch * recording.sampleRate.hertz)
    return stretches(where: isRunning).filter { $0.count >= shortest }
  }

  private static func windowStrengths(of recording: Recording) -> [(rows: Range<Int>, rms: Float)] {
    let length = window.sampleCount(at: recording.sampleRate)
    let squares = recording.rows.map { row in
      let gravity = row.lowHalf.highHalf
      let along = (row.highHalf.highHalf * gravity).sum()
      return along * along / (gravity * gravity).sum()
    }
    return stride(from: 0, through: recording.count - length, by: window.hopCount(at: recording.sampleRate)).map {
      let rows = $0..<$0 + length
      return (rows, (squares[rows].reduce(0, +) / Float(length)).squareRoot())
    }
  }

  private static func stretches(where isKept: [Bool]) -> [Range<Int>] {
    var stretches: [Range<Int>] = []
    var start: Int?
    for (row, keep) in isKept.enumerated() {
      switch (keep, start) {
      case (true, nil): start = row
      case (false, let begin?):
        stretches.append(begin..<row)
        start = nil
      default: break
      }
    }
    if let start { stretches.append(start..<isKept.count) }
    return stretches
  }
}
