import Foundation
import Gait
import GaitFormats
import GaitTraining

/// Measures what three hours of live tracking cost: samples as lines of text, through the reader of standard input.
package struct LiveJudge {
  private let model: ActivityModel

  /// - Parameter model: the model.
  package init(model: ActivityModel) { self.model = model }

  private static let hours = 3
  private static let rate = SampleRate.hertz(100)
  /// Ten minutes that end with a stop, seconds.
  private static let (cycle, stop) = (600, 30)

  /// What a run cost.
  private struct Cost {
    /// The thread that reads and tracks, seconds.
    var processorSeconds: Double
    var pauses: Int
    var peakMegabytes: Double
  }

  /// Tracks ten minutes, then three hours, and passes the figures to `print`.
  package func run(print: (String) -> Void) throws {
    let (header, rows) = try Self.lines()
    // The peak memory of a process never falls. The difference of both peaks is the additional memory of the longer
    // run.
    let short = try cost(of: header, rows, cycles: 1)
    let long = try cost(of: header, rows, cycles: Self.hours * 3600 / Self.cycle)
    let share = long.processorSeconds / Double(Self.hours * 3600)
    print(
      "\(Self.hours) h at \(plain(Self.rate.hertz)) Hz with \(long.pauses) pauses: \(long.processorSeconds.fixed(1)) s "
        + "of processor time including parsing, or \((100 * share).fixed(2)) % of one core; "
        + "\((long.peakMegabytes - short.peakMegabytes).fixed(1)) MB more memory than \(Self.cycle / 60) minutes")
  }

  /// The header and the rows of one cycle, as `gait-lab simulate` writes them.
  private static func lines() throws -> (header: Data, rows: Data) {
    let simulator = Simulator(seed: 1, sampleRate: rate)
    let file = FileManager.default.temporaryDirectory.appending(path: "gait-lab-\(UUID().uuidString).csv")
    defer { try? FileManager.default.removeItem(at: file) }
    func rows(_ activity: SimulatedActivity) throws -> [Substring] {
      try simulator.recording(of: 1, activity: activity, seconds: Double(cycle)).writeWithoutTimes(to: file)
      return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { $0 + "\n" }
    }
    let (running, still) = try (rows(.running), rows(.still))
    let moving = running.dropFirst().prefix((cycle - stop) * Int(saturating: rate.hertz))
    let stopped = still.dropFirst().prefix(stop * Int(saturating: rate.hertz))
    return (Data(running[0].utf8), Data((moving + stopped).joined().utf8))
  }

  private func cost(of header: Data, _ rows: Data, cycles: Int) throws -> Cost {
    let pipe = Pipe()
    let input = pipe.fileHandleForWriting
    Thread.detachNewThread {
      try? input.write(contentsOf: header)
      for _ in 0..<cycles { try? input.write(contentsOf: rows) }
      try? input.close()
    }
    let begin = Self.threadSeconds
    var lines = try LiveRecording(
      descriptor: pipe.fileHandleForReading.fileDescriptor, name: "simulated run",
      options: ReadingOptions(sampleRate: Self.rate))
    let pauses = try lines.tracked(by: model, options: RunOptions(keepsEvidence: false))?.pauses.count ?? 0
    return Cost(processorSeconds: Self.threadSeconds - begin, pauses: pauses, peakMegabytes: Self.peakMegabytes)
  }

  /// The processor time of this thread, seconds.
  private static var threadSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The largest memory of the process so far, megabytes.
  private static var peakMegabytes: Double {
    #if os(Linux)
      // getrusage would include the peak of the parent.
      let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = status.split(whereSeparator: \.isNewline).first { $0.hasPrefix("VmHWM") } ?? ""
      return (Double(line.filter(\.isNumber)) ?? 0) / 1024
    #else
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return Double(usage.ru_maxrss) / 1_048_576
    #endif
  }
}
