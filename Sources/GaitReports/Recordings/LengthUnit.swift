import Foundation
import Gait
import GaitFormats
import GaitTraining

/// Kilometres or miles, in which a page has lengths and paces.
enum LengthUnit {
  case kilometer, mile

  /// Miles for splits of a mile; otherwise kilometres.
  init(ofSplit meters: Double) { self = meters == Split.mile ? .mile : .kilometer }

  var meters: Double { self == .mile ? Split.mile : Split.kilometer }
  var name: String { self == .mile ? "mi" : "km" }

  /// Metres as `5.02`.
  func number(_ meters: Double) -> String { (meters / self.meters).fixed(2) }

  /// Metres as `5.02 km`.
  func text(_ meters: Double) -> String { "\(number(meters)) \(name)" }

  /// Seconds per kilometre as `5:14 /km`.
  func pace(_ seconds: Double) -> String { "\((seconds * meters / 1000).pace) /\(name)" }
}
