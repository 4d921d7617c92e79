import Gait

/// Facts that the caller supplies about a recording's file.
public struct ReadingOptions: Hashable, Sendable {
  /// The sample rate; by default that of the file's timestamps or its format.
  public var sampleRate: SampleRate?
  /// The recorder that wrote the file; by default detected.
  public var format: RecordingFormat?
  /// The units of the numbers, where neither the column names nor the format state them.
  public var units: RecordingUnits
  /// The name of the column of labels; by default none, except in Gait's own files.
  public var labelColumn: String?
  /// The names of a text file's first columns, with their units, such as
  /// `["subject", "timestamp (ns)", "x (m/s2)", "y (m/s2)", "z (m/s2)"]`. They replace the file's header, if it has one.
  /// Columns after them are skipped. By default the names come from the header.
  public var columnNames: [String]?
  /// Whether the acceleration of files without gravity includes it; by default the numbers tell.
  ///
  /// A recording of linear acceleration has no gravity. From a total acceleration, gravity is estimated.
  public var accelerationIncludesGravity: Bool?
  /// The channels that will be used; by default all.
  ///
  /// A reader may skip attitude and rotation rate if they are not among these. From a file of ten minutes to labels, that
  /// takes three quarters of the instructions (1.32 × as fast). The recording then lacks them, and errors in their cells
  /// go undetected.
  public var channels: Set<Channel>?

  /// Creates options; what is not given comes from the file.
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
