import Foundation
import Gait

/// Composes continuous runs with known stops from labelled recordings, each of which has one activity.
///
///     var composer = RunComposer()
///     composer.hours = 2
///     let runs = try composer.runs(from: dataset, seed: 1)
///
/// A run belongs to one group (a person). It alternates between running and stops, and starts and ends with running.
/// Every stretch is a random excerpt of one recording, at most as long as that recording. The same seed gives the same
/// runs.
public struct RunComposer: Hashable, Sendable {
  /// The minimum total length, hours; complete runs are composed until it is reached.
  public var hours = 2.0
  /// Whether to use every row of the recordings at least once, in order, instead of random excerpts. Each group then
  /// has one run, as long as its rows need. `hours` and `stopsPerRun` have no effect; the seed only decides where
  /// stretches are cut.
  public var usesEveryMinute = false
  /// The activities of the stops.
  public var stops: Set<Activity> = [.still]
  /// The activities between the stops.
  public var moving: Set<Activity> = [.running]
  /// The activities of labels whose names do not state them (`ActivityModel.meanings`).
  public var meanings: [String: Activity] = [:]
  /// The length of a running stretch, seconds.
  public var runningSeconds = 20.0...90.0
  /// The length of a stop, seconds.
  public var stopSeconds = 6.0...60.0
  /// The number of stops in a run.
  public var stopsPerRun = 12
  /// The length of the cross-fade between stretches, seconds; 0 for a hard cut.
  public var fadeSeconds = 0.0
  /// Whether running recordings are cleaned. If they are, stops labelled as walking are left out if they move like
  /// running.
  ///
  /// People slow down, stop and handle the phone in recordings labelled "running". The cleaning drops windows of 2.56
  /// s, 0.64 s apart, in which the RMS of the vertical acceleration is below half of the recording's median, or below
  /// 0.45 g. It keeps the remaining stretches of at least 4 s.
  public var cleansRunning = true

  /// The defaults: hard cuts between cleaned running and standing or sitting.
  public init() {}

  /// Composes runs from every group that has both running and stops, group by group in turn.
  ///
  /// Recordings of several rates are resampled to `SampleRate.canonical` first.
  ///
  /// - Throws: `ComposingError` if no group has both.
  public func runs(from dataset: LabeledDataset, seed: UInt64) throws(ComposingError) -> [ComposedRun] {
    let (pools, rate) = pools(of: dataset)
    guard !pools.isEmpty else { throw .noGroupRunsAndStops(stops: stops.map(\.rawValue).sorted()) }
    var runs: [ComposedRun] = []
    var seconds = 0.0
    while usesEveryMinute ? runs.count < pools.count : seconds < hours * 3600 {
      let pool = pools[runs.count % pools.count]
      var generator = SeededGenerator(seed: seed, keys: [UInt64(runs.count)])
      let pieces = usesEveryMinute ? allPieces(of: pool, at: rate, &generator) : pieces(of: pool, at: rate, &generator)
      let run = run(joining: pieces, from: pool, at: rate, number: runs.count + 1)
      seconds += run.recording.duration
      runs.append(run)
    }
    return runs
  }

  /// The groups that runs are composed from, and the seconds of their running and of their stops. Every second is
  /// counted once.
  public func material(of dataset: LabeledDataset) -> (groups: Int, runningSeconds: Double, stoppedSeconds: Double) {
    let (pools, rate) = pools(of: dataset)
    func seconds(_ rows: (Pool) -> [[SIMD16<Float>]]) -> Double {
      Double(pools.flatMap(rows).reduce(0) { $0 + $1.count }) / rate.hertz
    }
    return (pools.count, seconds(\.running), seconds(\.stops))
  }

  private func pools(of dataset: LabeledDataset) -> (pools: [Pool], rate: SampleRate) {
    let rates = Set(dataset.recordings.map(\.recording.sampleRate))
    let rate = rates.count == 1 ? rates.first ?? .canonical : .canonical
    return (dataset.groups.compactMap { pool(of: $0, in: dataset, at: rate) }, rate)
  }

  /// The stretches of one group's recordings of which runs are composed.
  private struct Pool {
    var group: String
    var running: [[SIMD16<Float>]]
    var stops: [[SIMD16<Float>]]
    var channels: Set<Channel>
  }

  private func activity(of label: String) -> Activity { meanings[label] ?? Activity(label: label) }

  /// The stretches of a group; `nil` if the group has no running or no stops.
  private func pool(of group: String, in dataset: LabeledDataset, at rate: SampleRate) -> Pool? {
    let recordings = dataset.recordings.filter { $0.group == group && $0.recording.count > 0 }.map { labeled in
      var labeled = labeled
      if labeled.recording.sampleRate != rate { labeled.recording = labeled.recording.resampled(to: rate) }
      return labeled
    }
    let running = recordings.filter { moving.contains(activity(of: $0.label)) }.flatMap { labeled in
      let recording = labeled.recording
      let isCleaned = cleansRunning && activity(of: labeled.label) == .running
      let stretches = isCleaned ? RunningPool.stretches(of: recording) : [0..<recording.count]
      return stretches.map { Array(recording.rows[$0]) }
    }
    let stopped = recordings.filter { labeled in
      let activity = activity(of: labeled.label)
      let isSuspect = cleansRunning && activity == .walking && Movement(of: labeled.recording).kind == .running
      return stops.contains(activity) && !isSuspect
    }.map(\.recording.rows)
    guard !running.isEmpty, !stopped.isEmpty else { return nil }
    let channels = recordings.map(\.recording.channels).reduce(Set(Channel.allCases)) { $0.intersection($1) }
    return Pool(group: group, running: running, stops: stopped, channels: channels)
  }

  /// Running and stops in turn.
  private typealias Pieces = [ArraySlice<SIMD16<Float>>]

  private func pieces(of pool: Pool, at rate: SampleRate, _ generator: inout SeededGenerator) -> Pieces {
    (0...2 * stopsPerRun).map { index in
      let isStopped = !index.isMultiple(of: 2)
      let seconds = generator.uniform(in: isStopped ? stopSeconds : runningSeconds)
      return piece(of: isStopped ? pool.stops : pool.running, count: Int(saturating: seconds * rate.hertz), &generator)
    }
  }

  /// Every row of a group's recordings at least once. If there is less of one kind, running or stops, that kind is
  /// repeated.
  private func allPieces(of pool: Pool, at rate: SampleRate, _ generator: inout SeededGenerator) -> Pieces {
    let running = Self.cut(pool.running, into: runningSeconds, at: rate, &generator)
    let stops = Self.cut(pool.stops, into: stopSeconds, at: rate, &generator)
    return (0...2 * max(stops.count, running.count - 1)).map { index in
      index.isMultiple(of: 2) ? running[index / 2 % running.count] : stops[index / 2 % stops.count]
    }
  }

  /// Cuts recordings into consecutive pieces of random lengths within `seconds`. A rest that would be shorter than the
  /// lower bound stays with the piece before it. A recording shorter than the lower bound is one piece.
  private static func cut(
    _ recordings: [[SIMD16<Float>]], into seconds: ClosedRange<Double>, at rate: SampleRate,
    _ generator: inout SeededGenerator
  ) -> Pieces {
    var pieces: Pieces = []
    for recording in recordings {
      var rest = recording[...]
      while !rest.isEmpty {
        let count = Int(saturating: generator.uniform(in: seconds) * rate.hertz)
        let isLast = rest.count - count < Int(saturating: seconds.lowerBound * rate.hertz)
        pieces.append(isLast ? rest : rest.prefix(count))
        rest = rest.dropFirst(isLast ? rest.count : count)
      }
    }
    return pieces
  }

  private func run(joining pieces: Pieces, from pool: Pool, at rate: SampleRate, number: Int) -> ComposedRun {
    let fade = Int(saturating: (fadeSeconds * rate.hertz).rounded())
    var rows: [SIMD16<Float>] = []
    var truth: [(row: Int, isStopped: Bool)] = []
    for (index, piece) in pieces.enumerated() {
      let isStopped = !index.isMultiple(of: 2)
      let overlap = min(fade, rows.count, piece.count)
      truth.append((rows.count - overlap / 2, isStopped))
      Self.append(piece, to: &rows, overlap: overlap)
    }
    let name = "composed run \(number) of \(pool.group)"
    let recording = Recording(name: name, sampleRate: rate, channels: pool.channels, rows: rows)
    let starts = truth.map { recording.time(at: min($0.row, rows.count - 1)) }
    let ends = starts.dropFirst() + [recording.start.advanced(bySeconds: recording.duration)]
    return ComposedRun(
      recording: recording, group: pool.group,
      truth: zip(truth, zip(starts, ends)).map {
        ComposedRun.Stretch(start: $1.0, end: $1.1, isStopped: $0.isStopped)
      })
  }

  /// A random stretch of at most `count` rows from one of the pieces, drawn in proportion to their lengths.
  private func piece(
    of pool: [[SIMD16<Float>]], count: Int, _ generator: inout SeededGenerator
  ) -> ArraySlice<SIMD16<Float>> {
    var place = Int(saturating: generator.uniform(in: 0...1) * Double(pool.reduce(0) { $0 + $1.count }))
    let piece =
      pool.first { piece in
        if place < piece.count { return true }
        place -= piece.count
        return false
      } ?? pool[pool.count - 1]
    let length = min(count, piece.count)
    let start = Int(saturating: generator.uniform(in: 0...1) * Double(piece.count - length))
    return piece[start..<start + length]
  }

  /// Appends a piece to the rows with a linear cross-fade over `overlap` rows.
  private static func append(_ piece: ArraySlice<SIMD16<Float>>, to rows: inout [SIMD16<Float>], overlap: Int) {
    let first = rows.count - overlap
    for index in 0..<overlap {
      let share = (Float(index) + 0.5) / Float(overlap)
      rows[first + index] = rows[first + index] * (1 - share) + piece[piece.startIndex + index] * share
    }
    rows += piece.dropFirst(overlap)
  }
}

/// The reason runs cannot be composed.
public enum ComposingError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// No group has recordings of both running and stops.
  case noGroupRunsAndStops(stops: [String])

  /// The sentence of `description`.
  public var errorDescription: String? { description }

  /// What is wrong and how to cure it, in one sentence.
  public var description: String {
    switch self {
    case .noGroupRunsAndStops(let stops):
      "no group has recordings of both running and \(stops.joined(separator: " or ")); map the labels to these "
        + "activities, and group the recordings by subject"
    }
  }
}

extension Recording {
  /// The recording at another rate. Its time begins with its first resampled row, and its gaps are closed.
  fileprivate func resampled(to rate: SampleRate) -> Recording {
    var resampler = Resampler(from: sampleRate, to: rate)
    var rows: [SIMD16<Float>] = []
    for index in 0..<count { resampler.append(self[index]) { rows.append($0.row) } }
    return Recording(name: name, sampleRate: rate, channels: channels, rows: rows)
  }
}

/// A continuous recording with known stops: ground truth for auto-pause.
public struct ComposedRun: Sendable {
  /// The samples.
  public let recording: Recording
  /// The group that the samples belong to.
  public let group: String
  /// Contiguous stretches of alternating state that cover the whole recording.
  public let truth: [Stretch]

  /// A stretch in which the run should be paused throughout, or active throughout.
  public struct Stretch: Hashable, Sendable {
    /// The start: the time of its first sample, or the middle of a cross-fade.
    public var start: SampleTime
    /// The end.
    public var end: SampleTime
    /// Whether the run should be paused.
    public var isStopped: Bool

    /// Creates a stretch.
    public init(start: SampleTime, end: SampleTime, isStopped: Bool) {
      self.start = start
      self.end = end
      self.isStopped = isStopped
    }

    /// The length, seconds.
    public var seconds: Double { end.seconds(since: start) }
  }

  /// Creates a run from a recording and its ground truth.
  public init(recording: Recording, group: String, truth: [Stretch]) {
    self.recording = recording
    self.group = group
    self.truth = truth
  }

  /// Creates a run from a recording with row labels. The run should be paused during labels for whose activity `policy`
  /// pauses. Rows without a label keep the state of the row before.
  ///
  /// - Parameters:
  ///   - recording: the recording.
  ///   - group: the person, or the recording's name.
  ///   - labels: the stretches of rows with one label, in order; `nil` for rows without a label.
  ///   - policy: the activities that pause a run.
  ///   - meanings: the activities of labels whose names do not state them (`ActivityModel.meanings`).
  public init(
    recording: Recording, group: String, labels: [(label: String?, rows: Range<Int>)], policy: PausePolicy,
    meanings: [String: Activity] = [:]
  ) {
    var truth: [Stretch] = []
    for run in labels {
      let end = recording.time(at: run.rows.upperBound - 1).advanced(bySeconds: 1 / recording.sampleRate.hertz)
      let before = truth.last?.isStopped ?? false
      let isStopped = run.label.map { policy.activities.contains(meanings[$0] ?? Activity(label: $0)) } ?? before
      if let last = truth.indices.last, truth[last].isStopped == isStopped {
        truth[last].end = end
      } else {
        truth.append(
          Stretch(start: truth.last?.end ?? recording.time(at: run.rows.lowerBound), end: end, isStopped: isStopped))
      }
    }
    self.init(recording: recording, group: group, truth: truth)
  }
}

/// The running stretches that runs are composed from.
///
/// The rule is that of `RunComposer.cleansRunning`. Recordings of other activities are kept whole.
package enum RunningPool {
  /// The windows of the rule.
  static let window = WindowShape(seconds: 2.56, hopSeconds: 0.64)
  /// The minimum RMS of running, as a share of the recording's median.
  static let smallestShare: Float = 0.5
  /// The minimum RMS of running, g.
  static let smallestRMS: Float = 0.45
  /// The minimum length of a kept stretch, seconds.
  static let shortestStretch = 4.0

  /// The rows of a recording labelled "running" that the rule keeps, in order.
  package static func stretches(of recording: Recording) -> [Range<Int>] {
    let strengths = windowStrengths(of: recording)
    guard !strengths.isEmpty else { return [] }
    let median = strengths.map(\.rms).sorted()[strengths.count / 2]
    var isRunning = [Bool](repeating: true, count: recording.count)
    for (rows, rms) in strengths where rms < max(smallestShare * median, smallestRMS) {
      for row in rows { isRunning[row] = false }
    }
    let shortest = Int(saturating: shortestStretch * recording.sampleRate.hertz)
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
