import Foundation
import Gait
import GaitFormats
import GaitTraining

/// Judges the distance of recordings of strangers' phones against their way: the length of the path through their
/// positions, from `reference.csv`.
///
/// Gravity has a constant stand-in, and no pause is decided, so that only distance is judged. A recording counts if its
/// way is uncertain by at most 3.5 % and if it has speeds. In the first half minute, positions converge while people
/// still stand: the way without that time (settled) is judged too.
package struct DistanceJudge {
  /// A folder for each recording, and `reference.csv` with the ways.
  private let folder: URL

  /// The largest uncertainty of a way that counts, and the error within which distances are counted, per cent.
  private static let (mostUncertain, limit) = (3.5, 6.0)

  package init(folder: URL) { self.folder = folder }

  /// The reference values of one recording.
  private struct Reference {
    let recording: String
    let meters: Double
    /// A lower bound of the true way, meters; the way is hardly ever shorter.
    let least: Double
    let integralOfSpeed: Double
    let uncertainty: Double
    /// The way without the beginning, meters, and its time; `nil` if it is not known to 3.5 %.
    let settled: (from: SampleTime, to: SampleTime, meters: Double)?

    init(_ row: [String: String]) throws {
      recording = row["recording"] ?? ""
      meters = try row.number("way (m)")
      least = min(meters, try row.number("at least about (m)"))
      integralOfSpeed = try row.number("integral of the reported speed (m)")
      uncertainty = try row.number("way is uncertain by (%)")
      guard row["settled way is uncertain by (%)"].flatMap(Double.init).map({ $0 <= mostUncertain }) ?? false else {
        settled = nil
        return
      }
      settled = (
        .seconds(try row.number("settled from (s)")), .seconds(try row.number("settled to (s)")),
        try row.number("settled way (m)")
      )
    }

    var isCounted: Bool { uncertainty <= mostUncertain && integralOfSpeed > 0 }
    /// The error of the integral of the reported speed, per cent.
    var speedError: Double { 100 * (integralOfSpeed / meters - 1) }
  }

  /// Gait's distance of one recording, beside its reference; in per cent.
  private struct Measured {
    let error: Double
    /// Half of the 95 % interval of the distance.
    let halfInterval: Double
    let isInInterval: Bool
    /// How far the distance is below the lower bound of the way; below 0 if it is above.
    let shortage: Double
    /// The error without the beginning; `nil` if the way without it is not known.
    let settledError: Double?
    /// How far the latest live distance is from the finished one.
    let liveError: Double
    /// Half of the 95 % interval of the latest live distance.
    let halfLiveInterval: Double
    let isInLiveInterval: Bool

    init(_ run: RunTimeline, _ distance: DistanceEstimate, live: DistanceEstimate, _ reference: Reference) {
      settledError = reference.settled.map { settled in
        let meters = run.distances(at: [settled.from, settled.to])
        return 100 * ((meters[1] - meters[0]) / settled.meters - 1)
      }
      liveError = 100 * (live.meters / max(1, distance.meters) - 1)
      halfLiveInterval = Self.half(of: live)
      isInLiveInterval = live.interval ~= reference.meters
      error = 100 * (distance.meters / reference.meters - 1)
      halfInterval = Self.half(of: distance)
      isInInterval = distance.interval ~= reference.meters
      shortage = 100 * (1 - distance.meters / reference.least)
    }

    private static func half(of distance: DistanceEstimate) -> Double {
      50 * (distance.interval.upperBound - distance.interval.lowerBound) / max(1, distance.meters)
    }

    var text: String {
      let settled = settledError.map { "(\($0.signed()))" } ?? ""
      return "\(error.signed(6)) % ± \(halfInterval.fixed(1).padded(to: -4))\(isInInterval ? " " : "*") "
        + settled.padded(to: 7)
    }
  }

  /// Judges the recordings; passes each line to `print`.
  package func run(print: (String) -> Void) throws {
    print(
      "\n=== distance of strangers' phones: way, integral of the reported speed; with speed, and by positions alone, "
        + "each with half of its\n    95 % interval (* if the reference is not in it) and the error without the "
        + "beginning")
    let references = try ReferenceTable.rows(of: folder.appending(path: "reference.csv")).map(Reference.init)
    let measured = try references.mappedConcurrently { reference in
      let phone = try PhoneRecording(folder: folder.appending(path: reference.recording))
      return try [true, false].map { try Self.measured(phone, withSpeed: $0, reference) }
    }
    for (reference, distances) in zip(references, measured) { print(Self.line(reference, distances)) }
    let counted = zip(references, measured).filter { $0.0.isCounted }
    print(Self.start("reported speed", ErrorSizes(counted.map { $0.0.speedError })))
    for (index, name) in ["with speed", "positions alone"].enumerated() {
      let distances = counted.compactMap { $0.1[index] }
      if let missing = counted.first(where: { $0.1[index] == nil })?.0 {
        throw JudgeError("\(missing.recording): the run has no distance; check its Location.csv.")
      }
      print(Self.summary(name, distances))
    }
  }

  private static func measured(_ phone: PhoneRecording, withSpeed: Bool, _ reference: Reference) throws -> Measured? {
    let locations = phone.locations.map {
      LocationSample(
        time: $0.time, latitude: $0.latitude, longitude: $0.longitude, speed: withSpeed ? $0.speed : nil,
        horizontalAccuracy: $0.horizontalAccuracy)
    }
    let recording = phone.withConstantGravity
    var tracker = try RunTracker(
      model: .running, sampleRate: recording.sampleRate, options: RunOptions(policy: .never))
    tracker.begin(withLeadOf: locations, to: recording.start)
    tracker.append(contentsOf: recording, locations: locations)
    let run = tracker.finish()
    guard let distance = run.distanceEstimate, let live = tracker.timeline?.distanceEstimate else { return nil }
    return Measured(run, distance, live: live, reference)
  }

  private static func line(_ reference: Reference, _ distances: [Measured?]) -> String {
    let texts = distances.map { $0?.text ?? "unknown".padded(to: -17) }
    let name = reference.recording + (reference.isCounted ? "  " : " (not counted)").padded(to: 14)
    return
      "  \(name) \(reference.meters.fixed(0).padded(to: -5)) m ± \(reference.uncertainty.fixed(1).padded(to: -3)) %  "
      + "\(reference.speedError.signed(6)) %  \(texts.joined(separator: "  "))"
  }

  private static func summary(_ name: String, _ distances: [Measured]) -> String {
    let shortage = distances.map(\.shortage).max() ?? 0
    let settled = distances.compactMap(\.settledError)
    let settledText = settled.isEmpty ? "" : "; settled: \(sizes(settled))"
    return start(name, ErrorSizes(distances.map(\.error)))
      + ", at most \(shortage.fixed(1)) % below what the way is at least; "
      + covered(distances.count(where: \.isInInterval), distances.map(\.halfInterval)) + settledText
      + "; live and finished differ by: \(sizes(distances.map(\.liveError))); live: "
      + covered(distances.count(where: \.isInLiveInterval), distances.map(\.halfLiveInterval))
  }

  private static func covered(_ count: Int, _ halves: [Double]) -> String {
    "\(count) in the 95 % interval, ± \(ErrorSizes(halves).median.fixed(1)) % in the median"
  }

  private static func sizes(_ errors: [Double]) -> String {
    let (sizes, mean) = (ErrorSizes(errors), errors.reduce(0, +) / Double(errors.count))
    return "median \(sizes.median.fixed(1)) %, 90 % \(sizes.percentile(0.9).fixed(1)) %, "
      + "worst \(sizes.largest.fixed(1)) %, mean \(mean.signed()) %"
  }

  private static func start(_ name: String, _ errors: ErrorSizes) -> String {
    "  \(name.padded(to: 16)) \(errors.count) recordings: median \(errors.median.fixed(1)) %, "
      + "90 % \(errors.percentile(0.9).fixed(1)) %, "
      + "\(errors.count(within: limit)) within \(limit.fixed(0)) %, worst \(errors.largest.fixed(1)) %"
  }
}
