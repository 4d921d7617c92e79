import Foundation
import Gait

/// The pieces of a drawing of a run, all on one axis of time.
struct TrackChart {
  let width: Double
  let seconds: Double
  private static let height = 370.0

  private func x(_ time: Double) -> Double { time / seconds * width }

  private func text(_ value: Double) -> String { String(format: "%.1f", value) }

  /// A tick a minute, or every ten seconds in short runs.
  var axis: String {
    let step = seconds > 600 ? 60.0 : 10
    return stride(from: 0, through: seconds, by: step).map { time in
      "<text x=\"\(text(x(time)))\" y=\"390\" font-size=\"11\">\(Int(time))</text>"
    }.joined()
  }

  /// The slices as bands behind everything: paused grey, walking green.
  func bands(_ run: RunTimeline) -> String {
    run.slices.filter { $0.state != .running }.map { slice in
      let (from, to) = (x(offset(slice.start, run)), x(offset(slice.end, run)))
      let color = slice.state == .paused ? "#ddd" : "#dfd"
      return
        "<rect x=\"\(text(from))\" y=\"0\" width=\"\(text(to - from))\" height=\"\(Self.height)\" fill=\"\(color)\"/>"
    }.joined()
  }

  /// Values of 0…1 along the time.
  func curve(_ points: [(seconds: Double, value: Double)], top: Double, height: Double, color: String) -> String {
    let path = points.map { "\(text(x($0.seconds))),\(text(top + height * (1 - $0.value)))" }.joined(separator: " ")
    return "<polyline fill=\"none\" stroke=\"\(color)\" points=\"\(path)\"/>"
  }

  /// A level with its name.
  func level(_ value: Double, top: Double, height: Double, _ name: String) -> String {
    let y = text(top + height * (1 - value))
    return "<line x1=\"0\" x2=\"\(text(width))\" y1=\"\(y)\" y2=\"\(y)\" stroke=\"#c80\" stroke-dasharray=\"2 4\"/>"
      + "<text x=\"4\" y=\"\(y)\" font-size=\"11\" fill=\"#c80\">\(name)</text>"
  }

  /// Every decision where it fell, and its onset.
  func decisions(_ run: RunTimeline) -> String {
    run.pauses.decisions.map { decision in
      let (event, color) =
        switch decision {
        case .paused(let event): (event, "#c00")
        case .resumed(let event): (event, "#080")
        }
      return line(offset(event.detected, run), color, "")
        + line(offset(event.onset, run), color, " stroke-dasharray=\"4\"")
    }.joined()
  }

  private func line(_ time: Double, _ color: String, _ style: String) -> String {
    let place = text(x(time))
    return "<line x1=\"\(place)\" x2=\"\(place)\" y1=\"0\" y2=\"\(Self.height)\" stroke=\"\(color)\"\(style)/>"
  }

  private func offset(_ time: SampleTime, _ run: RunTimeline) -> Double {
    Double(time.nanoseconds - run.start.nanoseconds) / 1e9
  }
}
