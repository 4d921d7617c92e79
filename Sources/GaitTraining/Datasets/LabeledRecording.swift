import Gait

/// A recording with its label, group and path.
public struct LabeledRecording: Sendable {
  /// The samples.
  public var recording: Recording

  /// The label of the whole recording, after mapping.
  public var label: String

  /// The group: recordings of one group are never split between training and test.
  public var group: String

  /// The recording's path relative to the dataset's folder.
  public var path: String

  /// The values of the layout's placeholders.
  public var fields: [String: String]

  /// A recording with its label.
  ///
  /// - Parameters:
  ///   - recording: the samples.
  ///   - label: the label of the whole recording.
  ///   - group: the group; by default the field `subject`, else `path`.
  ///   - path: the recording's path; by default its name.
  ///   - fields: the values of the layout's placeholders, by name.
  public init(
    recording: Recording, label: String, group: String? = nil, path: String? = nil, fields: [String: String] = [:]
  ) {
    self.recording = recording
    self.label = label
    self.path = path ?? recording.name
    self.fields = fields
    self.group = group ?? fields["subject"] ?? self.path
  }

  /// The recorded person, if known.
  public var subject: String? { fields["subject"] }
}
