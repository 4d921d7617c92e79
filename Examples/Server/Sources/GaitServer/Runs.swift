import Foundation
import Gait
import GaitRuns
import Hummingbird
import Metrics
import ServiceLifecycle
import Synchronization

/// One run: a tracker and its journal. As an actor, it takes the batches of its phone one after the other, and many
/// runs take theirs at once.
private actor Run {
  private var tracker: RunTracker
  private var journal: RunJournal
  private(set) var latestContact = ContinuousClock.now
  private var hasEnded = false

  /// A new run, or the one in the journal.
  init(journalAt url: URL) throws {
    var tracker = try RunTracker(sampleRate: .hertz(50), options: RunOptions(keepsEvidence: false))
    // After an update of the server, runs go on with its model and options.
    journal = try RunJournal(at: url, for: tracker, allowsOtherSettings: true) { tracker.append($0) }
    self.tracker = tracker
  }

  /// Takes a batch, unless it is not the next one. It is in the journal before it is answered.
  func receive(_ batch: RunInputBatch) throws -> (isNext: Bool, nextNumber: Int) {
    latestContact = .now
    guard !hasEnded else { throw HTTPError(.gone, message: "the run has ended.") }
    let isNext = try journal.append(batch)
    if isNext { for input in batch.inputs { tracker.append(input) } }
    return (isNext, journal.nextBatchNumber)
  }

  var timeline: RunTimeline { tracker.finish() }

  /// Stores the run, and removes the journal only after that.
  func end(as id: UUID, in store: RunStore) throws {
    guard !hasEnded else { return }
    try store.save(StoredRun(tracker.finish(), startedAt: journal.startedAt, id: id))
    hasEnded = true
    try journal.remove()
  }
}

/// The runs in memory. A run is opened on the first contact, also after the end of the process, however it ended.
actor Runs: Service {
  /// The most inputs of a batch: a minute of motion.
  static let largestBatch = 3300
  /// How many journals are replayed at once. More would make all of them, and the other runs, wait.
  private static let mostReplays = 8
  /// How many batches are taken at once: what a processor does in a second.
  private static let mostWaiting = 4000
  /// How long a run without contact stays in memory; its journal stays.
  private static let longestSilence = Duration.seconds(900)

  private let folder: URL
  private let store: RunStore
  private let capacity: Int
  private var runs: [UUID: Run] = [:]
  private var opening: [UUID: Task<Run, any Error>] = [:]
  private let (taken, repeated, early, refused) = (
    Counter(label: "gait_batches_taken"), Counter(label: "gait_batches_repeated"), Counter(label: "gait_batches_early"),
    Counter(label: "gait_requests_refused")
  )
  private let waiting = Atomic(0)
  private let inputs = Counter(label: "gait_inputs")
  private let (receiving, replaying) = (
    Metrics.Timer(label: "gait_batch_seconds"), Metrics.Timer(label: "gait_replay_seconds")
  )
  private let inMemory = Gauge(label: "gait_runs_in_memory")

  init(folder: URL, capacity: Int) throws {
    (self.folder, self.capacity) = (folder, capacity)
    store = RunStore(directory: folder.appending(path: "stored"))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// The answer to a batch, and the number of the next one.
  nonisolated func receive(
    of id: UUID, _ body: () async throws -> ByteBuffer
  ) async throws -> (HTTPResponse.Status, nextNumber: Int) {
    let start = ContinuousClock.now
    defer { waiting.subtract(1, ordering: .relaxed) }
    guard waiting.add(1, ordering: .relaxed).newValue <= Self.mostWaiting else {
      throw unavailable("too many batches; send it again.")
    }
    let bytes = try await body()
    let batch: RunInputBatch
    do {
      batch = try bytes.withUnsafeReadableBytes { try RunInputBatch(bytes: $0, largestCount: Self.largestBatch) }
    } catch { throw HTTPError(.badRequest, message: error.localizedDescription) }
    guard let number = batch.number else { throw HTTPError(.badRequest, message: "number the batches from 0.") }
    var (isNext, nextNumber) = (false, 0)
    do {
      // A run that is not known begins with its first batch.
      if let run = try await opened(id, orNew: number == 0) { (isNext, nextNumber) = try await run.receive(batch) }
    } catch { throw answer(to: error) }
    (isNext ? taken : number < nextNumber ? repeated : early).increment()
    if isNext { inputs.increment(by: batch.inputs.count) }
    receiving.record(duration: ContinuousClock.now - start)
    return (number < nextNumber ? .ok : .conflict, nextNumber)
  }

  /// The run until now, or the stored run.
  nonisolated func json(of id: UUID) async throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    do {
      if store.contains(id) { return try encoder.encode(store.run(id).timeline) }
      guard let run = try await opened(id) else { throw HTTPError(.notFound) }
      return try await encoder.encode(run.timeline)
    } catch { throw answer(to: error) }
  }

  /// Stores a run. It takes no more batches.
  func end(_ id: UUID) async throws {
    // The process may have ended between storing the run and removing its journal.
    guard !store.contains(id) else {
      try? FileManager.default.removeItem(at: journal(of: id))
      return
    }
    do {
      guard let run = try await opened(id) else { throw HTTPError(.notFound) }
      try await run.end(as: id, in: store)
    } catch { throw answer(to: error) }
    runs[id] = nil
    inMemory.record(runs.count)
  }

  private nonisolated func journal(of id: UUID) -> URL { folder.appending(path: "\(id).journal") }

  /// The answer to an error: if a file cannot be opened or written, the phone should try again; if one is damaged, that
  /// does not help.
  private nonisolated func answer(to error: any Error) -> any Error {
    switch error {
    case RunJournalError.cannotOpen, RunJournalError.cannotWrite, RunJournalError.inUse, RunStoreError.cannotWrite:
      unavailable(error.localizedDescription)
    case is RunJournalError, is RunStoreError: HTTPError(.internalServerError, message: error.localizedDescription)
    default: error
    }
  }

  /// The answer to a phone that should keep its batch and send it again: the server has too much to do, or a journal
  /// cannot be opened or written, as on a full disk.
  private nonisolated func unavailable(_ reason: String) -> HTTPError {
    refused.increment()
    return HTTPError(.serviceUnavailable, headers: [.retryAfter: "1"], message: reason)
  }

  /// A run in memory, or from its journal; `nil` if it has none and may not begin.
  private func opened(_ id: UUID, orNew isNewAllowed: Bool = false) async throws -> Run? {
    if let run = runs[id] { return run }
    if let task = opening[id] { return try await task.value }
    guard !store.contains(id) else { throw HTTPError(.gone, message: "the run has ended.") }
    let (url, replaying) = (journal(of: id), replaying)
    let isNew = !FileManager.default.fileExists(atPath: url.path)
    guard !isNew || isNewAllowed else { return nil }
    guard runs.count + opening.count < capacity, isNew || opening.count < Self.mostReplays else {
      throw unavailable("too many runs; send it again.")
    }
    let task = Task.detached {
      let start = ContinuousClock.now
      let run = try Run(journalAt: url)
      replaying.record(duration: ContinuousClock.now - start)
      return run
    }
    opening[id] = task
    defer { opening[id] = nil }
    let run = try await task.value
    runs[id] = run
    inMemory.record(runs.count)
    return run
  }

  /// Lets go of silent runs until the server ends.
  func run() async {
    await cancelWhenGracefulShutdown {
      while (try? await Task.sleep(for: .seconds(60))) != nil { await self.removeSilentRuns() }
    }
  }

  private func removeSilentRuns() async {
    for (id, run) in runs where await run.latestContact + Self.longestSilence < .now { runs[id] = nil }
    inMemory.record(runs.count)
  }
}
