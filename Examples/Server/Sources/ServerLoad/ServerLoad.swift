import Foundation
import Gait
import GaitRuns

/// Loads the server with phones that send faster than in real time, kills it, and checks what it answers.
///
/// A phone's second is a batch of 50 samples with twelve channels and a GPS point.
@main struct ServerLoad {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 6, let count = Int(arguments[3]), let seconds = Int(arguments[4]),
      let kills = Int(arguments[5]), count > 0, seconds > 1
    else {
      FileHandle.standardError.write(Data("usage: ServerLoad SERVER FOLDER PHONES SECONDS KILLS\n".utf8))
      exit(64)
    }
    let server = try Server(program: URL(filePath: arguments[1]), folder: URL(filePath: arguments[2]), capacity: count)
    var load = ServerLoad(server: server, phones: try (0..<count).map { try Phone(index: $0, port: server.port) })
    try load.send(seconds: seconds, kills: kills)
    try load.checkCounts()
    try load.checkCapacity()
    try load.checkRuns()
    try load.timeFirstAnswers()
    try load.checkEnd()
    load.check(server.shutDown(), "the server did not end by itself after SIGTERM")
    for fault in load.faults.prefix(20) { print("FAULT: \(fault)") }
    exit(load.faults.isEmpty ? 0 : 1)
  }

  private let server: Server
  private let phones: [Phone]
  private var ownFaults: [String] = []
  private var faults: [String] { ownFaults + phones.flatMap(\.faults) }

  init(server: Server, phones: [Phone]) { (self.server, self.phones) = (server, phones) }

  private mutating func check(_ isTrue: Bool, _ fault: String) {
    if !isTrue { ownFaults.append(fault) }
  }

  /// Sends the seconds of all phones, some batches also again or too early, and kills the server in between.
  private mutating func send(seconds: Int, kills: Int) throws {
    let killed = Set((1...max(1, kills)).prefix(kills).map { $0 * seconds / (kills + 1) })
    let (empty, start) = (server.residentMegabytes, ContinuousClock.now)
    var (others, halfway, killSeconds) = (0, 0.0, 0.0)
    for second in 0..<seconds {
      for (index, phone) in phones.enumerated() {
        if (index * 31 + second) % 40 == 0, second > 0 {
          try phone.sendOther(number: index % 2 == 0 ? (index * 17 + second) % second : second + 1 + index % 3)
          others += 1
        }
      }
      let isKilled = killed.contains(second)
      for (index, phone) in phones.enumerated() {
        phone.send()
        // Some of the batches are in the journals then, some were not read yet, and none of the answers was.
        if isKilled, index == phones.count / 2 {
          let before = server.processorSeconds
          try server.killAndRestart()
          killSeconds -= before
        }
      }
      for phone in phones { try phone.receive() }
      if isKilled { killSeconds += server.processorSeconds }
      if second == seconds / 2 - 1 { halfway = server.residentMegabytes }
    }
    let (spent, full) = (server.processorSeconds - killSeconds, server.residentMegabytes)
    let phoneSeconds = Double(phones.count * (seconds - kills))
    let perHour = (full - halfway) / Double(phones.count) / Double(seconds - seconds / 2) * 3600
    print("\(phones.count) phones, \(seconds) s each, \(kills) kills, \(others) batches again or too early")
    print("\(figure(1000 * spent / (phoneSeconds))) ms of the server's processor time for a phone and second")
    print("\(figure(killSeconds)) s of it more in the \(kills) seconds with a kill, mostly to replay journals")
    print(
      "\(figure((full - empty) / Double(phones.count))) MB a runner after \(seconds) s, \(figure(perHour)) MB more an hour"
    )
    print("\(figure((ContinuousClock.now - start) / .seconds(1))) s in all")
    // Shorter runs cost more, for their beginning; longer ones have more memory.
    check(seconds < 60 || 1000 * spent / phoneSeconds <= 0.25, "more than 0.25 ms for a phone and second")
    check(seconds > 300 || (full - empty) / Double(phones.count) <= 0.6, "more than 0.6 MB a runner")
  }

  /// The server's own counts of what it took and refused.
  private mutating func checkCounts() throws {
    func counts() throws -> [String: Double] {
      let lines = String(decoding: try phones[0].answer("GET", "/metrics").body, as: UTF8.self).split(separator: "\n")
      return Dictionary(
        lines.map { $0.split(separator: " ") }.map { (String($0[0]), Double($0[1]) ?? .nan) }, uniquingKeysWith: { $1 })
    }
    let before = try counts()
    for phone in phones.prefix(10) {
      try phone.sendOther(number: 0)
      try phone.sendOther(number: phone.acknowledged + 1)
      phone.send()
      try phone.receive()
    }
    let after = try counts()
    let sent = Double(min(10, phones.count))
    for (name, expected) in [("taken", sent), ("repeated", sent), ("early", sent)] {
      let counted = (after["gait_batches_\(name)"] ?? .nan) - (before["gait_batches_\(name)"] ?? 0)
      check(counted == expected, "\(counted) batches counted as \(name) instead of \(expected)")
    }
    check(after["gait_runs_in_memory"] == Double(phones.count), "\(after["gait_runs_in_memory"] ?? 0) runs in memory")
  }

  /// One run more than fit, a damaged batch and a batch that is too large.
  private mutating func checkCapacity() throws {
    let bytes = phones[0].batch(0).bytes
    let answer = try phones[0].answer("POST", "/runs/\(UUID())/batches", bytes)
    check(answer.status == 503 && answer.retryAfter != nil, "a run more than fit was answered with \(answer.status)")
    let unknown = try phones[0].answer("GET", "/runs/\(UUID())")
    check([404, 503].contains(unknown.status), "an unknown run was answered with \(unknown.status)")
    let damaged = try phones[0].answer("POST", phones[0].path, bytes.dropLast())
    check(damaged.status == 400, "a damaged batch was answered with \(damaged.status)")
    let large = RunInputBatch(Array(repeating: .lap(at: .seconds(0)), count: 5000), number: phones[0].acknowledged)
    let refused = try phones[0].answer("POST", phones[0].path, large.bytes)
    check(refused.status == 400, "a batch that is too large was answered with \(refused.status)")
  }

  private mutating func checkRuns() throws {
    for (index, phone) in phones.enumerated() {
      check(try phone.isRunEqual(), "run \(index) is not that of a tracker that took every batch once")
    }
    let pauses = phones.reduce(0) { $0 + $1.pauseCount }
    check(pauses > 0 || phones[0].acknowledged < 60, "no run has a pause")
    print("\(phones.count) runs, with \(pauses) pauses, compared with those of trackers that took every batch once")
  }

  /// Kills the server once more, and asks for every run.
  private mutating func timeFirstAnswers() throws {
    try server.killAndRestart()
    let times = try phones.map { try $0.timeOfFirstAnswer() }.sorted()
    print(
      "first answers after a kill: median \(figure(times[times.count / 2])) s, longest \(figure(times.last ?? 0)) s")
    check(times.last ?? 0 <= 1, "a run answered \(figure(times.last ?? 0)) s after a kill")
  }

  /// Ends a run, twice.
  private mutating func checkEnd() throws {
    let phone = phones[0]
    let run = "/runs/\(phone.id)"
    for _ in 0..<2 {
      check(try phone.answer("POST", run + "/end").status == 204, "a run does not end")
      check(try phone.isRunEqual(), "the stored run is not the one before its end")
    }
    let late = try phone.answer("POST", phone.path, phone.batch(phone.acknowledged).bytes)
    check(late.status == 410, "a batch after the end was answered with \(late.status)")
  }

  private func figure(_ value: Double) -> String { String(format: "%.3f", value) }
}
