/// A distance, how it was found, and how far it may be wrong.
///
///     let distance = run.distanceEstimate!            // 5,021 m
///     distance.standardError                          // 61 m
///     distance.interval                               // 4,901...5,141 m
///
/// The standard error is the root of the sum of squares of
///
/// - the measured distance × the error of its scale: 1 % for a receiver whose speed and positions agree and have errors
///   of their own, 1.5 % for smooth positions (a phone's filter, whose errors cannot be seen), without a speed 2.2 %
///   for smooth positions and 3 % for rough ones, 10 % for a speed that positions do not confirm; and a tenth of the
///   share by which the speed was corrected, the error of that correction's mean, 0.6 of the mean share by which the
///   speed seems to fall short and was not corrected, and 0.2 % for each metre of accuracy above 5;
/// - half of the accuracy of the locations at each end;
/// - a tenth of straight lines between locations, more where these are inaccurate (1 % for each metre);
/// - 8 % of the distance by steps (*Time, distance and pace* has the measurements), 20 % if usual step lengths are used
///   and not the runner's, 1 % of a distance that the runner stated (`RunTimeline.calibrated(toMeters:)`).
///
/// *Time, distance and pace* says how often the interval contains the true distance.
public struct DistanceEstimate: Hashable, Sendable {
  /// Metres, without paused distance.
  public var meters: Double
  /// The part of `meters` between locations at most 30 s apart, metres.
  public var measured: Double
  /// The part of `meters` on straight lines between locations farther apart, metres.
  public var bridged: Double
  /// The part of `meters` that is steps × their length, metres.
  public var bySteps: Double
  /// Whether more than a hundredth of `meters` is estimated, by steps or by straight lines, and not measured.
  public var isEstimated: Bool { bridged + bySteps > 0.01 * meters }
  /// The standard deviation of the error, metres.
  public var standardError: Double
  /// The integral of the receiver's speed ÷ the measured distance: 1 if the speed is right, 0.8 if it falls short by a
  /// fifth, 3.6 if it is in km/h; `nil` without a speed.
  public var speedShare: Double?

  /// The interval that contains the true distance with a probability of 95 %, metres.
  public var interval: ClosedRange<Double> {
    max(0, meters - 1.96 * standardError)...(meters + 1.96 * standardError)
  }
}

/// The standard errors of a run's distance.
struct DistanceError: Hashable, Sendable, Codable {
  /// The standard error of the measured distance's scale, as a share.
  var share: Double
  /// The typical accuracy of the locations, metres.
  var accuracy: Double
  /// The integral of the receiver's speed ÷ the measured distance; `nil` without a speed.
  var speedShare: Double?
  /// The standard error of the whole distance, as a share, if the runner stated the distance.
  var statedShare: Double?
  /// The standard error of the distance by steps, as a share, if usual step lengths are used and not the runner's.
  var stepShare: Double?

  /// The standard error of a distance that a treadmill shows, as a share.
  static let statedError = 0.01

  /// The error of a distance that the runner stated.
  var stated: DistanceError {
    var error = self
    error.statedShare = Self.statedError
    return error
  }

  /// The error of a distance without locations.
  static let none = DistanceError(share: 0, accuracy: 0)

  /// The smallest errors of the scale: of rough positions with a speed that agrees, of smooth ones with and without a
  /// speed, of rough ones without a speed, and of a speed that no positions confirm.
  private static let shares = (agreeing: 0.01, smooth: 0.015, places: 0.022, rough: 0.03, unconfirmed: 0.1)
  /// The smallest number of legs ÷ number of blocks with which positions confirm the speed.
  private static let fewestLegs = 0.2
  /// The error of a correction of the speed, as a share of the correction.
  private static let correctionError = 0.1
  /// The error of the part of a speed's shortfall that was not corrected, as a share of that part.
  private static let uncorrectedError = 0.6
  /// The error of the scale for each metre of accuracy above `goodAccuracy`, metres.
  private static let (accuracyError, goodAccuracy) = (0.002, 5.0)
  /// The errors of straight lines and of steps, as shares, and that of a line for each metre of accuracy.
  private static let (bridgeError, stepError, bridgeAccuracyError) = (0.1, 0.08, 0.01)
  /// The error of steps of usual length, as a share.
  private static let assumedStepError = 0.2

  /// The error of a distance by the evidence at its end.
  ///
  /// - Parameters:
  ///   - evidence: what the run shows of its error.
  ///   - reported: the integral of the receiver's speed, metres; `nil` without one.
  ///   - assumesStrides: whether the lengths of the steps are usual ones.
  init(_ evidence: SpeedScale.Evidence, reported: Double?, assumesStrides: Bool = false) {
    let hasSpeed = reported != nil
    let shares = Self.shares
    let confirmed =
      evidence.isSmooth
      ? hasSpeed ? shares.smooth : shares.places
      : hasSpeed ? shares.agreeing : shares.rough
    let isConfirmed = evidence.legCount >= 4 && evidence.legShare >= Self.fewestLegs
    let base = hasSpeed && !isConfirmed ? shares.unconfirmed : confirmed
    let correction = Self.correctionError * evidence.correctedShare
    // Four legs overlap, so a quarter of their number is independent. With smooth positions, half of the scatter comes
    // from the speed.
    let deviation = (evidence.isSmooth ? 0.5 : 1) * evidence.scatter
    let mean = evidence.legCount < 4 ? 0 : deviation / (evidence.legCount / 4).squareRoot()
    let position = Self.accuracyError * max(0, evidence.accuracy - Self.goodAccuracy)
    let uncorrected = Self.uncorrectedError * evidence.uncorrectedShare
    share =
      [base, correction, mean, position, uncorrected].reduce(0) { $0 + $1 * $1 }.squareRoot()
    accuracy = evidence.accuracy
    if assumesStrides { stepShare = Self.assumedStepError }
    speedShare = evidence.meters > 0 ? reported.map { $0 / evidence.meters } : nil
  }

  private init(share: Double, accuracy: Double) {
    (self.share, self.accuracy) = (share, accuracy)
  }

  /// Whether all figures are possible.
  var isPossible: Bool {
    0...1e3 ~= share && 0...1e9 ~= accuracy && 0...1e9 ~= speedShare ?? 1 && 0...1e3 ~= statedShare ?? 0
      && 0...1e3 ~= stepShare ?? 0
  }

  /// The lengths of path steps by kind, metres.
  struct Lengths: Hashable, Sendable {
    var (measured, bridged, steps) = (0.0, 0.0, 0.0)

    mutating func add(_ meters: Double, _ kind: PathStep.Kind) {
      switch kind {
      case .measured: measured += meters
      case .bridged: bridged += meters
      case .steps: steps += meters
      }
    }
  }

  /// The standard error of a distance, metres.
  func standardError(of lengths: Lengths) -> Double {
    if let statedShare { return statedShare * (lengths.measured + lengths.bridged + lengths.steps) }
    let errors = [
      share * lengths.measured, max(Self.bridgeError, Self.bridgeAccuracyError * accuracy) * lengths.bridged,
      (stepShare ?? Self.stepError) * lengths.steps,
      lengths.measured + lengths.bridged > 0 ? accuracy * 0.5.squareRoot() : 0,
    ]
    return errors.reduce(0) { $0 + $1 * $1 }.squareRoot()
  }

  /// The error of two successive distances of `meters` and `laterMeters`. Their scale errors are averaged, not added as
  /// squares, because they may have one cause.
  func joined(_ meters: Double, with later: DistanceError, _ laterMeters: Double) -> DistanceError {
    let first = meters + laterMeters > 0 ? meters / (meters + laterMeters) : 0.5
    var joined = DistanceError(
      share: first * share + (1 - first) * later.share, accuracy: first * accuracy + (1 - first) * later.accuracy)
    joined.speedShare = speedShare.flatMap { own in later.speedShare.map { first * own + (1 - first) * $0 } }
    joined.statedShare = statedShare.flatMap { own in later.statedShare.map { max(own, $0) } }
    joined.stepShare = stepShare.map { max($0, later.stepShare ?? 0) } ?? later.stepShare
    return joined
  }
}
