import CoreMetrics
import Synchronization

/// Metrics in memory, and as text: a line with the sum and one with the count for each name. A server of your own takes
/// one of the backends of swift-metrics.
final class TextMetrics: MetricsFactory {
  private let metrics = Mutex<[String: Metric]>([:])

  /// The metrics by name.
  var text: String {
    metrics.withLock { $0 }.sorted { $0.key < $1.key }.map { name, metric in
      let (sum, count) = metric.value.withLock { $0 }
      return "\(name) \(sum)\n\(name)_count \(count)\n"
    }.joined()
  }

  private func metric(_ label: String) -> Metric {
    metrics.withLock { metrics in
      let metric = metrics[label] ?? Metric()
      metrics[label] = metric
      return metric
    }
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { metric(label) }
  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { metric(label) }
  /// A gauge keeps the latest value.
  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    metric(label)
  }
  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}

  private final class Metric: CounterHandler, TimerHandler, RecorderHandler {
    let value = Mutex((sum: 0.0, count: 0))

    func increment(by amount: Int64) { value.withLock { $0 = ($0.sum + Double(amount), $0.count + 1) } }
    func reset() { value.withLock { $0 = (0, 0) } }
    func recordNanoseconds(_ duration: Int64) {
      value.withLock { $0 = ($0.sum + Double(duration) / 1e9, $0.count + 1) }
    }
    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) { self.value.withLock { $0 = (value, $0.count + 1) } }
  }
}
