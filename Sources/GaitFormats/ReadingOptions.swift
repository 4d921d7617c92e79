import Gait

/// What whoever reads a recording knows about its file and the file does not say.
public struct ReadingOptions: Hashable, Sendable {
  /// How many rows there are in a second; by default what the file's times or its format say.
  public var sampleRate: SampleRate?
  /// Which recorder wrote the file; by default it is recognised.
  public var format: RecordingFormat?
  /// What its numbers mean, where neither the column names nor the format say so.
  public var units: RecordingUnits
  /// The name of the column that holds a label for every row; by default none but that of Gait's own files.
  public var labelColumn: String?
  /// What the columns of a text file are called, from the first on, with their units, such as
  /// `["subject", "timestamp (ns)", "x (m/s2)", "y (m/s2)", "z (m/s2)"]`, where it has no header, or one that says less;
  /// columns behind them are passed over. By default the header says so.
  public var columnNames: [String]?
  /// The channels that will be looked at; by default all. A reader may pass over attitude and rotation rate where they are
  /// not among these, which makes reading a long file faster: the recording lacks them then, and what is wrong in their cells
  /// goes unnoticed, unless rows stand out of the order of their times.
  public var channels: Set<Channel>?

  /// Options that leave everything to the file, but for what is given.
  public init(
    sampleRate: SampleRate? = nil, format: RecordingFormat? = nil, units: RecordingUnits = RecordingUnits(),
    labelColumn: String? = nil, columnNames: [String]? = nil, channels: Set<Channel>? = nil
  ) {
    self.sampleRate = sampleRate
    self.format = format
    self.units = units
    self.labelColumn = labelColumn
    self.columnNames = columnNames
    self.channels = channels
  }
}
