import Foundation
import Gait

/// The figures of a run as text, as runners read them, without units. They have the digits and the decimal separator of
/// a locale, or the same ones everywhere.
///
///     print("\(RunText.distance(run.distance)) km in \(RunText.clock(run.movingSeconds))")
///     print("\(RunText.pace(run.averagePace, per: Split.mile)) /mile")
///     label.text = RunText.distance(run.distance, locale: .current)                       // 5,02 in Germany
public enum RunText {
  /// The text for a figure that is not known.
  private static let unknown = "–"

  /// Seconds as `8:05` or `1:08:05`, rounded to whole seconds. It is `–` if they are unknown, not finite, or at least
  /// 3.6 × 10⁹ (114 years).
  ///
  /// - Parameters:
  ///   - seconds: the time.
  ///   - locale: whose digits are used; `nil` for 0 to 9.
  public static func clock(_ seconds: Double?, locale: Locale? = nil) -> String {
    guard let seconds, seconds.magnitude < 3.6e9 else { return unknown }
    let whole = Int(saturating: seconds.rounded()).magnitude
    let text = whole < 3600 ? "\(whole / 60)" : "\(whole / 3600):\(padded(whole / 60 % 60))"
    return localized((seconds <= -0.5 ? "-" : "") + text + ":" + padded(whole % 60), locale)
  }

  /// A pace as minutes and seconds, such as `5:14`. It is `–` if the pace is unknown, negative, or at least 100 hours
  /// per kilometre, as with a receiver at rest.
  ///
  /// - Parameters:
  ///   - secondsPerKilometer: the pace, as in `RunSnapshot.currentPace`, `Split.pace` and `RunTimeline.averagePace`.
  ///   - meters: the length of the unit of the text: `Split.kilometer`, `Split.mile`, or a lap of a track.
  ///   - locale: whose digits are used; `nil` for 0 to 9.
  public static func pace(
    _ secondsPerKilometer: Double?, per meters: Double = Split.kilometer, locale: Locale? = nil
  ) -> String {
    guard let secondsPerKilometer, (0..<360_000).contains(secondsPerKilometer) else { return unknown }
    let seconds = secondsPerKilometer * meters / Split.kilometer
    guard seconds < 3.6e9 else { return unknown }
    let whole = Int(saturating: seconds.rounded())
    return localized("\(whole / 60):\(padded(UInt(whole % 60)))", locale)
  }

  /// A distance with two decimals, such as `5.02`; `–` if it is unknown, not finite, or at least 10¹² units.
  ///
  /// - Parameters:
  ///   - meters: the distance.
  ///   - unit: the length of the unit of the text, m: `Split.kilometer` or `Split.mile`.
  ///   - locale: whose digits and decimal separator are used; `nil` for 0 to 9 and a point.
  public static func distance(_ meters: Double?, in unit: Double = Split.kilometer, locale: Locale? = nil) -> String {
    guard let meters, (meters / unit).magnitude < 1e12 else { return unknown }
    let hundredths = Int(saturating: (meters / unit * 100).rounded())
    let text = (hundredths < 0 ? "-" : "") + "\(hundredths.magnitude / 100).\(padded(hundredths.magnitude % 100))"
    return localized(text, locale)
  }

  /// A distance with two decimals; `–` if it is unknown. If it was not measured, the English word "estimated" follows,
  /// as in `5.02 estimated`.
  ///
  /// - Parameters:
  ///   - distance: the distance, as in `RunTimeline.distanceEstimate`.
  ///   - unit: the length of the unit of the text, m: `Split.kilometer` or `Split.mile`.
  ///   - locale: whose digits and decimal separator are used; `nil` for 0 to 9 and a point.
  public static func distance(
    _ distance: DistanceEstimate?, in unit: Double = Split.kilometer, locale: Locale? = nil
  ) -> String {
    self.distance(distance?.meters, in: unit, locale: locale) + (distance?.isEstimated ?? false ? " estimated" : "")
  }

  /// The text with a locale's digits and decimal separator.
  private static func localized(_ text: String, _ locale: Locale?) -> String {
    guard let locale else { return text }
    let digits = (0...9).map { $0.formatted(.number.locale(locale)) }
    return text.map { character in
      character == "."
        ? locale.decimalSeparator ?? "." : character.wholeNumberValue.map { digits[$0] } ?? String(character)
    }.joined()
  }

  private static func padded(_ number: UInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
