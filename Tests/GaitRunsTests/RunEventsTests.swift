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
    while let event = try await iterator.next() { events.append(event) }
    #expect(!expected.isEmpty)
    #expect(events == expected + [.finished(tracker.finish())])
    let more = try await iterator.next()
    #expect(more == nil)
  }

  private struct Lost: Error {}

  @Test("an error of the inputs finishes the run before it ends the events, once")
  func failure() async throws {
    let inputs = SimulatedInputs.of(seed: 5, seconds: 5)
    let stream = AsyncThrowingStream<RunInput, any Error> { continuation in
      for input in inputs { continuation.yield(input) }
      continuation.finish(throwing: Lost())
    }
    var iterator = stream.runEvents(using: try SimulatedInputs.tracker()).makeAsyncIterator()
    var last: RunEvent?
    do {
      while let event = try await iterator.next() { last = event }
      Issue.record("the error was lost")
    } catch is Lost {}
    guard case .finished(let run) = last else { throw try #require(nil as Lost?) }
    #expect(run == iterator.tracker.finish())
    #expect(run.elapsedSeconds > 4)
    let more = try await iterator.next()
    #expect(more == nil)
  }
}
