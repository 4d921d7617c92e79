/// The times of several runs of the same work: the only timer of Gait's benchmarks.
package struct Timing: Hashable, Sendable {
  /// The seconds of each run, ascending.
  private let seconds: [Double]
  /// The sum of the work's results, so that the compiler cannot remove the work.
  private let checksum: Float

  /// Times `work`, which returns a number that depends on all of it.
  ///
  /// - Parameters:
  ///   - repetitions: the number of runs, at least one.
  ///   - warmsUp: whether to run the work once before, without timing it.
  @inline(never)
  package init<Failure>(
    repetitions: Int, warmsUp: Bool = false, _ work: () throws(Failure) -> Float
  ) throws(Failure) {
    precondition(repetitions >= 1, "a benchmark needs at least one repetition")
    var (seconds, checksum) = ([Double](), warmsUp ? try work() : 0)
    for _ in 0..<repetitions {
      seconds.append(try Self.seconds { () throws(Failure) in checksum += try work() })
    }
    self.init(seconds: seconds, checksum: checksum)
  }

  /// The times of runs that were timed one by one.
  init(seconds: [Double], checksum: Float = 0) {
    self.seconds = seconds.sorted()
    self.checksum = checksum
  }

  /// The seconds that `work` takes.
  static func seconds<Failure>(of work: () throws(Failure) -> Void) throws(Failure) -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try work()
    return (clock.now - start) / .seconds(1)
  }

  /// The seconds of the fastest run.
  package var least: Double { seconds[0] }

  /// The median of the seconds.
  package var median: Double { quantile(thousandths: 500) }

  /// The slowest run minus the fastest, as a fraction of the median.
  package var spread: Double { median > 0 ? (seconds[seconds.count - 1] - least) / median : 0 }

  /// The seconds below which this many of a thousand runs are.
  package func quantile(thousandths: Int) -> Double {
    seconds[min(seconds.count - 1, seconds.count * thousandths / 1000)]
  }
}
