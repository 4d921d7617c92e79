import Gait
import GaitTraining

/// The shares of windows with a wrong label: other movements and walking called running, and known labels called other.
public struct OtherShares: Hashable, Sendable, Encodable {
  /// The share of walking that is called running.
  public var walkingAsRunning = 0.0
  /// The share of walking at 135 to 142 steps a minute that is called running.
  public var quickWalkingAsRunning = 0.0
  /// The share of walking and standing still that is called other.
  public var quietAsOther = 0.0
  /// The share of running that is called other.
  public var runningAsOther = 0.0
  /// The share of each other movement that is called running, and the number of its windows.
  public var movements: [Movement] = []
  /// Among windows with a probability of running above 0.9, the share that is running. Known labels together weigh as
  /// much as other movements together; each label weighs the same, and so does each movement.
  public var confidentRight = 0.0
  /// The mean calibration error of the places.
  public var calibrationError = 0.0

  /// A movement, all places together.
  public struct Movement: Hashable, Sendable, Encodable {
    /// The movement's name.
    public let name: String
    /// The number of windows.
    public let windows: Int
    /// The share of the windows that is called running.
    public let asRunning: Double
    /// The share that has p > 0.9 of running.
    let confident: Double
  }

  init() {}

  /// - Parameters:
  ///   - known: the scored windows of known labels.
  ///   - isQuick: whether a window of them has 135 to 142 steps a minute.
  ///   - others: those of other movements.
  ///   - movement: the movement of a recording.
  ///   - calibrationError: the mean of the places.
  init(
    known: ScoredWindows, isQuick: [Bool], others: ScoredWindows, movement: (Int) -> String, calibrationError: Double
  ) {
    self.calibrationError = calibrationError
    func share(_ rows: [Int], of windows: ScoredWindows, _ isMeant: (Int) -> Bool) -> Double {
      Double(rows.count(where: isMeant)) / Double(max(1, rows.count))
    }
    func rows(_ label: String) -> [Int] { (0..<known.count).filter { known.labels[known.truths[$0]] == label } }
    func called(_ label: String, in windows: ScoredWindows) -> (Int) -> Bool {
      { windows.assignedLabels[windows.prediction(at: $0)] == label }
    }
    func isConfident(_ windows: ScoredWindows) -> (Int) -> Bool {
      let running = windows.labels.firstIndex(of: "running")!
      return { windows.probabilities[$0][windows.probabilities[$0].startIndex + running] > 0.9 }
    }
    let (running, walking, still) = (rows("running"), rows("walking"), rows("still"))
    walkingAsRunning = share(walking, of: known, called("running", in: known))
    quickWalkingAsRunning = share(walking.filter { isQuick[$0] }, of: known, called("running", in: known))
    quietAsOther = share(walking + still, of: known, called("other", in: known))
    runningAsOther = share(running, of: known, called("other", in: known))
    let names = Dictionary(grouping: 0..<others.count) { movement(others.sources[$0].recording) }
    movements = names.sorted { $0.key < $1.key }.map { name, rows in
      Movement(
        name: name, windows: rows.count, asRunning: share(rows, of: others, called("running", in: others)),
        confident: share(rows, of: others, isConfident(others)))
    }
    let parts = [running, walking, still].map { share($0, of: known, isConfident(known)) }
    let wrong = movements.reduce(0) { $0 + $1.confident } / Double(max(1, movements.count))
    let total = parts.reduce(0, +) / 3 + wrong
    confidentRight = total > 0 ? parts[0] / 3 / total : 1
  }

  /// The groups of movements that the rule counts, by the beginning of their names.
  private static let groups = ["jumping", "hopping", "exercise bike", "bicycle", "hands"]

  /// The mean share of each of the five groups that is called running.
  var five: [Double] {
    Self.groups.map { group in
      let shares = movements.filter { $0.name.hasPrefix(group) }.map(\.asRunning)
      return shares.reduce(0, +) / Double(max(1, shares.count))
    }
  }

  var meanOfFive: Double { five.reduce(0, +) / Double(five.count) }

  /// The lines of a table of two ways of testing.
  static func text(_ heldOut: OtherShares, _ leftOut: OtherShares) -> String {
    func row(_ name: String, _ value: (OtherShares) -> Double) -> [String] {
      [name, PlaceMatrix.percent(value(heldOut)), PlaceMatrix.percent(value(leftOut))]
    }
    let movements = zip(heldOut.movements, leftOut.movements).map { one, other in
      ["\(one.name) (\(one.windows))", PlaceMatrix.percent(one.asRunning), PlaceMatrix.percent(other.asRunning)]
    }
    let called = ReportTable(
      list: [["called running (windows)", "people held out", "sets left out"]] + movements + [
        row("mean of the five groups", \.meanOfFive), row("walking", \.walkingAsRunning),
        row("walking at 135…142 steps/min", \.quickWalkingAsRunning),
      ])
    let rest = ReportTable(
      list: [
        ["", "people held out", "sets left out"],
        row("walking or still called other", \.quietAsOther), row("running called other", \.runningAsOther),
        row("of windows with p > 0.9, running", \.confidentRight),
        row("mean calibration error of a set and place", \.calibrationError),
      ])
    return called.text + "\n\n" + rest.text
  }
}
