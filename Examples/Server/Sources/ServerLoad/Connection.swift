import Foundation

/// A connection that stays open for requests of HTTP 1.1, one after the other.
final class Connection {
  struct Answer {
    var status: Int
    var body: [UInt8]
    /// What `Retry-After` says, seconds.
    var retryAfter: Int?
  }
  struct Closed: Error {}

  private let descriptor: CInt
  private var received: [UInt8] = []

  /// Connects to a server that may be starting.
  init(port: UInt16) throws {
    var address = Self.loopback(port: port)
    for _ in 0..<2000 {
      let descriptor = socket(AF_INET, Self.stream, 0)
      guard descriptor >= 0 else { throw CocoaError(.fileReadTooLarge) }
      let code = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      if code == 0 {
        var on: CInt = 1
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<CInt>.size))
        self.descriptor = descriptor
        return
      }
      close(descriptor)
      usleep(10_000)
    }
    throw Closed()
  }

  deinit { close(descriptor) }

  /// A port that no program uses.
  static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, stream, 0)
    defer { close(descriptor) }
    var address = loopback(port: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 ? getsockname(descriptor, $0, &size) : -1
      }
    }
    guard code == 0 else { throw Closed() }
    return UInt16(bigEndian: address.sin_port)
  }

  #if os(Linux)
    private static let stream = CInt(SOCK_STREAM.rawValue)
  #else
    private static let stream = SOCK_STREAM
  #endif

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  /// Sends a request; `receive` reads its answer.
  func send(_ method: String, _ path: String, _ body: [UInt8] = []) throws {
    let head = "\(method) \(path) HTTP/1.1\r\nhost: gait\r\ncontent-length: \(body.count)\r\n\r\n"
    let bytes = Array(head.utf8) + body
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        #if os(Linux)
          Glibc.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, CInt(MSG_NOSIGNAL))
        #else
          Darwin.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, 0)
        #endif
      }
      guard count > 0 else { throw Closed() }
      sent += count
    }
  }

  func receive() throws -> Answer {
    while true {
      if let end = received.firstRange(of: Array("\r\n\r\n".utf8)) {
        let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        func header(_ name: String) -> Int? {
          let line = lines.first { $0.lowercased().hasPrefix(name + ":") }
          return line.flatMap { Int($0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)) }
        }
        let length = header("content-length") ?? 0
        if received.count >= end.upperBound + length {
          let status = lines.first.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
          let body = Array(received[end.upperBound..<end.upperBound + length])
          let retryAfter = header("retry-after")
          received.removeFirst(end.upperBound + length)
          return Answer(status: status, body: body, retryAfter: retryAfter)
        }
      }
      var bytes = [UInt8](repeating: 0, count: 1 << 14)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      guard count > 0 else { throw Closed() }
      received += bytes[..<count]
    }
  }
}
