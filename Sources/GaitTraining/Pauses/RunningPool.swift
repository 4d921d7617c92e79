import Gait

/// The running stretches that runs are composed from.
///
/// People slow down, stop and handle the phone in recordings labelled "running". The cleaning rule:
///
/// 1. Compute the RMS of the vertical acceleration over windows of 2.56 s, 0.64 s apart.
/// 2. A window is not running if its RMS is below half of the recording's median, or below 0.45 g.
/// 3. Drop the samples of these windows, and keep remaining stretches of at least 4 s.
///
/// Recordings of other activities are kept whole.
public enum RunningPool {
  /// The windows of the rule.
  static let window = WindowShape(seconds: 2.56, hopSeconds: 0.64)
  /// The minimum RMS of running, as a share of the recording's median.
  static let smallestShare: Float = 0.5
  /// The minimum RMS of running, g.
  static let smallestRMS: Float = 0.45
  /// The minimum length of a kept stretch, seconds.
  static let shortestStretch = 4.0

  /// The rows of a recording labelled "running" that the rule keeps, in order.
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
