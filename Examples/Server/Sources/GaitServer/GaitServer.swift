import Foundation
import Gait
import GaitRuns
import Hummingbird
import Logging
import Metrics
import ServiceLifecycle

/// A server that tracks the runs of many people. Phones send motion and GPS as numbered batches.
///
///     POST /runs/ID/batches   the bytes of a RunInputBatch; the answer is the number of the next one, with 409 if earlier ones are missing
///     GET  /runs/ID           the run until now, or the stored run, as JSON
///     POST /runs/ID/end       stores the run
///     GET  /metrics           counts and times, as text
///
/// ID is a UUID that the phone chose for its run. An answer of 503 means: send the same again after `Retry-After`
/// seconds.
@main struct GaitServer {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let port = Int(arguments[2]), let capacity = Int(arguments[3]) else {
      FileHandle.standardError.write(Data("usage: GaitServer FOLDER PORT MOST-RUNS\n".utf8))
      exit(64)
    }
    let metrics = TextMetrics()
    MetricsSystem.bootstrap(metrics)
    var logger = Logger(label: "gait.server")
    logger.logLevel = .notice
    let runs = try Runs(folder: URL(filePath: arguments[1]), capacity: capacity)
    let application = Application(
      router: router(runs, metrics),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
      logger: logger)
    // SIGTERM ends the acceptance of connections and waits for the answers that are due. The journals need no last
    // word.
    let group = ServiceGroup(
      services: [application, runs], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    try await group.run()
  }

  private static func router(_ runs: Runs, _ metrics: TextMetrics) -> Router<BasicRequestContext> {
    let router = Router()
    let largestBatch = RunInputBatch.largestByteCount(ofInputs: Runs.largestBatch)
    router.post("runs/:id/batches") { request, context in
      let id = try context.parameters.require("id", as: UUID.self)
      let (status, next) = try await runs.receive(of: id) { try await request.body.collect(upTo: largestBatch) }
      return Response(status: status, body: ResponseBody(byteBuffer: ByteBuffer(string: "\(next)\n")))
    }
    router.get("runs/:id") { _, context in
      let id = try context.parameters.require("id", as: UUID.self)
      return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: try await runs.json(of: id))))
    }
    router.post("runs/:id/end") { _, context in
      try await runs.end(context.parameters.require("id", as: UUID.self))
      return HTTPResponse.Status.noContent
    }
    router.get("metrics") { _, _ in metrics.text }
    return router
  }
}
