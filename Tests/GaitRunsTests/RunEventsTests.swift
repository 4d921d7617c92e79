import Gait
import GaitRuns
import GaitTestSupport
import Testing

@Suite struct RunEventsTests {
  @Test("a sequence of inputs gives the tracker's events, and the finished run last, once")
  func sequence() async throws {
    let inputs = SimulatedInputs.of(seed: 5, seconds: 40)
    var tracker = try SimulatedInputs.tracker()
    var expected: [RunEvent] = []
    for input in inputs { expected += tracker.append(input) }
    let stream = AsyncStream<RunInput> { continuation in
      for input in inputs { continuation.yield(input) }
      continuation.finish()
    }
    var events: [RunEvent] = []
    var iterator = stream.runEvents(using: try SimulatedInputs.tracker()).makeAsyncIterator()
    while let event = await iterator.next() { events.append(event) }
    #expect(!expected.isEmpty && events == expected + [.finished(tracker.finish())])
    let more = await iterator.next()
    #expect(more == nil)
  }

  private struct Lost: Error {}

  @Test("an error of the inputs ends the events, and the tracker still has the run", .requiresOptimization)
  func failure() async throws {
    let inputs = SimulatedInputs.of(seed: 5, seconds: 5)
    let stream = AsyncThrowingStream<RunInput, any Error> { continuation in
      for input in inputs { continuation.yield(input) }
      continuation.finish(throwing: Lost())
    }
    var iterator = stream.runEvents(using: try SimulatedInputs.tracker()).makeAsyncIterator()
    do {
      while let event = try await iterator.next() {
        if case .finished = event { Issue.record("a run whose inputs failed is not finished") }
      }
      Issue.record("the error was lost")
    } catch is Lost {}
    #expect(iterator.tracker.finish().elapsedSeconds > 4)
  }
}
