import Gait
import GaitTraining

/// What a plot consists of.
extension Plot {
  /// A plot area with its vertical axis.
  struct Panel {
    /// What the panel shows, with its unit.
    var title: String
    var axis: Axis
    /// The height of the plot area, pixels.
    var height: Double
    var marks: [Mark]
    /// Whether the vertical axis has ticks.
    var hasTicks = true
    /// The decimals of the numbers under the pointer.
    var digits = 2

    /// Whether lines need dashes to be told apart without colour.
    var hasSeveralLines: Bool {
      marks.count {
        switch $0 {
        case .line, .curve: true
        default: false
        }
      } > 1
    }
  }

  struct Point: Hashable, Sendable {
    var x: Double
    var y: Double
  }

  /// A line, area, text or sign drawn in a panel.
  enum Mark {
    /// A line, interrupted where a number is not finite.
    case line([Point], series: Int)
    /// A line whose numbers the page carries at full resolution, with the area below it if `isFilled`.
    case curve(Curve, series: Int, isFilled: Bool = false)
    /// The area between the smallest and the largest number of a lane of the envelope, in each part of the horizontal
    /// axis.
    case envelope(SignalEnvelope, lane: Int, series: Int)
    case markers([Point], series: Int)
    /// A stretch of the horizontal axis, as high as a share of the panel, with its name under the pointer.
    case band(ClosedRange<Double>, style: String, height: Double = 1, name: String? = nil)
    /// A text at a place of the horizontal axis, at the panel's top.
    case label(String, x: Double, y: Double = 14, style: String = "strong")
    /// A vertical line.
    case instant(Double, style: String)
    /// A dashed horizontal line with its name at the right end.
    case level(Double, name: String)
    /// A thin dashed line between two points.
    case reference(Point, Point)
  }

  /// A line of the legend.
  struct Key {
    var name: String
    var swatch: Swatch

    enum Swatch {
      case series(Int, hasMarker: Bool = false)
      case band(String)
      case instant(String)
      case shape(Markup)
    }
  }

  /// The sizes of texts and distances, pixels.
  struct Metrics {
    /// The line height of titles and ticks.
    var line: Double
    /// The room below the last panel.
    var bottom: Double

    static let page = Metrics(line: 17, bottom: 40)
    /// For a drawing whose text is larger on a phone.
    static let picture = Metrics(line: 30, bottom: 62)
  }
}
