/// What a tracker is to do beside deciding.
public struct RunOptions: Hashable, Sendable {
  /// What the clock stops for.
  public var policy = PausePolicy.whenStill
  /// How long the splits are that are reported live; `nil` for none.
  public var splits: SplitLength? = .kilometer
  /// What the runner wants to reach.
  public var goals: [RunGoal] = []
  /// How long steps are, for distance where there is no location; `nil` where nobody knows.
  public var strides: StrideModel?
  /// Seconds between snapshots, 0.001 to 1e9; `nil` for none. They lie on a grid from the first sample on, whatever the
  /// samples' timing. A step in time that passes several points of the grid gives the last of them alone.
  public var snapshotInterval: Double?

  /// Whether the samples are kept, so that the run can be decided anew (`RunTracker.evidence`): about 5 MB an hour at 25 Hz.
  /// Without them memory grows by what is noticed alone.
  public var keepsEvidence = true

  /// The defaults: pause when still, report kilometres, keep the evidence.
  public init() {}
}
