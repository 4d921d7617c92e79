/// A model file that cannot be read, or not be trusted, or not be written.
public enum ModelFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file is not there or may not be read.
  case cannotRead(file: String, reason: String)
  /// The file ends before its contents do.
  case cutShort(file: String)
  /// The file is not JSON.
  case notJSON(file: String, reason: String)
  /// The file is JSON, but not a model.
  case notAModel(file: String)
  /// The file was written by a newer version of Gait.
  case newerVersion(file: String, found: Int, supported: Int)
  /// An entry is missing, of the wrong kind, or does not fit the others.
  case invalid(file: String, path: String, reason: String)
  /// The contents are well formed but are not what was written.
  case edited(file: String, stated: String)
  /// The file could not be written; nothing was left behind.
  case cannotWrite(file: String, reason: String)

  /// One sentence that names the file and the cure.
  public var description: String {
    switch self {
    case .cannotRead(let file, let reason):
      "\(file): cannot read the model (\(reason)); check the path, or train one with \"gait train\"."
    case .cutShort(let file):
      "\(file): the model file ends in the middle; copy it again from where it came, or train anew."
    case .notJSON(let file, let reason):
      "\(file): this is not a model file (not JSON: \(reason)); give a file that \"gait train\" wrote."
    case .notAModel(let file):
      "\(file): this JSON is not a model (its \"format\" is not \"\(ActivityModel.formatName)\"); "
        + "give a file that \"gait train\" wrote."
    case .newerVersion(let file, let found, let supported):
      "\(file): the model has format version \(found), but this Gait reads versions up to \(supported); "
        + "update Gait, or train the model with this version."
    case .invalid(let file, let path, let reason):
      "\(file): \(path.isEmpty ? "" : "\(path): ")\(reason); restore the file, or train anew."
    case .edited(let file, let stated):
      "\(file): the model was changed after it was written (its contents do not give its checksum, \(stated)); restore "
        + "the file, or train anew."
    case .cannotWrite(let file, let reason):
      "\(file): cannot write the model (\(reason)); choose a folder that exists and may be written to."
    }
  }
}
