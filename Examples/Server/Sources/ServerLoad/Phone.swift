import Foundation
import Gait
import GaitRuns

/// The phone of a runner: sends a second of motion and a GPS point as a batch, and checks every answer.
final class Phone {
  let id: UUID
  private let index: Int
  private let port: UInt16
  private var connection: Connection
  /// The batches that the server has acknowledged.
  private(set) var acknowledged = 0
  private(set) var faults: [String] = []
  /// The pauses of the run that `isRunEqual` compared.
  private(set) var pauseCount = 0

  init(index: Int, port: UInt16) throws {
    (self.index, self.port) = (index, port)
    id = UUID()
    connection = try Connection(port: port)
  }

  /// Sends the next batch without waiting for the answer. An error is found when the answer is read.
  func send() { try? connection.send("POST", path, batch(acknowledged).bytes) }

  /// Reads the answer, and sends the batch again until it is acknowledged, however often the server ends.
  func receive() throws {
    var answer = try? connection.receive()
    while answer?.status != 200 {
      if let answer, answer.status == 503 {
        if answer.retryAfter == nil { faults.append("503 without Retry-After") }
        usleep(2000)
      } else if let answer {
        faults.append(
          "batch \(acknowledged) was answered with \(answer.status) \(text(answer)): an acknowledged one is lost")
        return
      } else {
        connection = try Connection(port: port)
      }
      send()
      answer = try? connection.receive()
    }
    acknowledged += 1
    if let answer { expect(answer, 200, next: acknowledged) }
  }

  /// Sends a batch that is not the next one: an earlier one again, or a later one too early.
  func sendOther(number: Int) throws {
    let answer = try answer("POST", path, batch(number).bytes)
    expect(answer, number < acknowledged ? 200 : 409, next: acknowledged)
  }

  /// Sends the latest batch again to a new server; returns the seconds until the answer.
  func timeOfFirstAnswer() throws -> Double {
    connection = try Connection(port: port)
    let start = ContinuousClock.now
    try sendOther(number: acknowledged - 1)
    return (ContinuousClock.now - start) / .seconds(1)
  }

  /// Whether the server's run is that of a tracker that took every batch once.
  func isRunEqual() throws -> Bool {
    var tracker = try RunTracker(sampleRate: .hertz(50), options: RunOptions(keepsEvidence: false))
    for number in 0..<acknowledged { for input in batch(number).inputs { tracker.append(input) } }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let expected = try encoder.encode(tracker.finish())
    pauseCount = tracker.finish().pauses.count
    return try answer("GET", "/runs/\(id)").body == Array(expected)
  }

  /// The answer to any request, on another connection if the server has ended since the last one.
  func answer(_ method: String, _ path: String, _ body: [UInt8] = []) throws -> Connection.Answer {
    do {
      try connection.send(method, path, body)
      return try connection.receive()
    } catch {
      connection = try Connection(port: port)
      try connection.send(method, path, body)
      return try connection.receive()
    }
  }

  var path: String { "/runs/\(id)/batches" }

  /// The second `number` of the run: steps, and in each minute 15 s of rest at a time of the runner's own. Triangles
  /// need no functions whose last bits depend on the machine.
  func batch(_ number: Int) -> RunInputBatch {
    let isMoving = (number + 7 * index) % 60 < 45 || number < 5
    var inputs: [RunInput] = []
    inputs.reserveCapacity(51)
    for sample in 50 * number..<50 * (number + 1) {
      let step = Float(9 - abs(sample % 18 - 9)) / 9 - 0.5
      let stride = Float(18 - abs(sample % 36 - 18)) / 18 - 0.5
      let noise = Float(((sample + index) * 97) % 251 - 125) / 60_000
      inputs.append(
        .motion(
          MotionSample(
            time: SampleTime(nanoseconds: Int64(sample) * 20_000_000), attitude: [noise, 0.5, 1],
            gravity: [0.1, -0.8, -0.6],
            rotationRate: isMoving ? [4 * stride, stride, noise] : [noise, noise, 0],
            userAcceleration: isMoving ? [stride / 2, 2 * step, step + noise] : [noise, 0, -noise])))
    }
    let point = LocationSample(
      time: .seconds(Double(number) + 0.99), latitude: 50 + 3 * Double(meters(number)) / 111_195,
      longitude: 8 + Double(index) / 100, altitude: 100, speed: isMoving ? 3 : 0, horizontalAccuracy: 4,
      verticalAccuracy: 6, speedAccuracy: 0.5)
    return RunInputBatch(inputs + [.location(point)], number: number)
  }

  /// The seconds of movement before a second.
  private func meters(_ number: Int) -> Int {
    let phase = (number + 7 * index) / 60 * 45 + min(45, (number + 7 * index) % 60)
    return phase - (7 * index / 60 * 45 + min(45, 7 * index % 60))
  }

  private func expect(_ answer: Connection.Answer, _ status: Int, next: Int) {
    guard answer.status != status || text(answer) != "\(next)" else { return }
    faults.append("answer \(answer.status) \(text(answer)) instead of \(status) \(next)")
  }

  private func text(_ answer: Connection.Answer) -> String {
    String(decoding: answer.body, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
