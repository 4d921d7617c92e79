import Gait

/// A recording, what was done in it, and whose it is.
public struct LabeledRecording: Sendable {
  /// The samples.
  public var recording: Recording

  /// What was done throughout the recording, as the model is to call it.
  public var label: String

  /// Whose recording it is: recordings of one group are never split between training and test.
  public var group: String

  /// Where the recording came from, relative to the dataset's folder.
  public var path: String

  /// What the path says, by the layout's placeholders.
  public var fields: [String: String]

  /// A recording with its label.
  ///
  /// - Parameters:
  ///   - recording: the samples.
  ///   - label: what was done throughout the recording.
  ///   - group: whose it is; the field `subject` unless given, else `path`.
  ///   - path: where it came from; the recording's name unless given.
  ///   - fields: what is known about it, by name.
  public init(
    recording: Recording, label: String, group: String? = nil, path: String? = nil, fields: [String: String] = [:]
  ) {
    self.recording = recording
    self.label = label
    self.path = path ?? recording.name
    self.fields = fields
    self.group = group ?? fields["subject"] ?? self.path
  }

  /// Who is recorded, if the layout or the maker says so.
  public var subject: String? { fields["subject"] }
}
