import Gait

/// What whoever reads a recording knows about its file and the file does not say.
public struct ReadingOptions: Hashable, Sendable {
  /// How many rows there are in a second; by default what the file's times or its format say.
  public var sampleRate: SampleRate?
  /// Which recorder wrote the file; by default it is recognised.
  public var format: RecordingFormat?
  /// The name of the column that holds a label for every row; by default none but that of Gait's own files.
  public var labelColumn: String?

  /// Options that leave everything to the file, but for what is given.
  public init(sampleRate: SampleRate? = nil, format: RecordingFormat? = nil, labelColumn: String? = nil) {
    self.sampleRate = sampleRate
    self.format = format
    self.labelColumn = labelColumn
  }
}
