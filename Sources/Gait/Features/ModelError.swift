/// A model that cannot be read, made or written, or that does not fit a stream.
public enum ModelError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file does not exist or cannot be read.
  case cannotRead(file: String, reason: String)
  /// The file ends before its contents do.
  case truncated(file: String)
  /// The file is not JSON.
  case notJSON(file: String, reason: String)
  /// The file is JSON, but not a model.
  case notAModel(file: String)
  /// The file was written by a newer version of Gait.
  case newerVersion(file: String, found: Int, supported: Int)
  /// A part of the model is missing, outside its range, or does not match the other parts.
  ///
  /// `file` is `nil` for a model made in memory; `path` is the entry in the model file, such as `heads[0].labels`.
  case invalid(file: String?, path: String, reason: String)
  /// The file cannot be written; no part of it is left behind.
  case cannotWrite(file: String, reason: String)
  /// The rate of the samples is below `slowest`, twice the highest frequency of the model's features.
  case sourceTooSlow(source: SampleRate, slowest: SampleRate)
  /// The samples lack channels that the model needs.
  case missingChannels([Channel])
  /// The gravity of the samples is estimated from an accelerometer alone, which the model does not accept.
  case estimatedGravity

  /// The error's sentence where features are computed without a model: it names the features instead of the model.
  package var reasonForFeatures: String {
    switch self {
    case .missingChannels(let channels):
      "the recording lacks \(channels.map(\.rawValue).joined(separator: ", ")), which the features need; "
        + "leave it out, or choose features without these channels."
    case .sourceTooSlow(let source, let slowest):
      "the sample rate of \(plain(source.hertz)) Hz is too low for features up to \(plain(slowest.hertz / 2)) Hz; "
        + "record at \(plain(slowest.hertz)) Hz or more, or allow slow recordings."
    default: description
    }
  }

  /// The error for a model in memory whose entry at `path` is wrong.
  package static func invalid(_ path: String, _ reason: String) -> ModelError {
    .invalid(file: nil, path: path, reason: reason)
  }

  /// The error for numbers, a feature or a list of features in memory that are wrong.
  package static func invalid(_ reason: String) -> ModelError { .invalid("", reason) }

  /// The error for an empty list of features.
  package static let noFeatures = invalid("The list of features is empty; name at least one feature.")

  /// Throws an error if the number of features is outside `ModelRanges.featureCount`.
  static func check(featureCount: Int) throws(ModelError) {
    guard featureCount > 0 else { throw .invalid("a model needs at least one feature") }
    let most = ModelRanges.featureCount.upperBound
    guard featureCount <= most else {
      throw .invalid("a model of \(featureCount) features is too large; it may have at most \(most)")
    }
  }

  /// Throws an error if a classifier would have fewer than two labels.
  static func check(labelCount: Int) throws(ModelError) {
    guard labelCount > 1 else { throw .invalid("a classifier needs at least two labels, not \(labelCount)") }
  }

  /// Throws an error if the list called `name` in the model file does not have `expected` numbers.
  static func check(_ name: String, count: Int, _ expected: Int) throws(ModelError) {
    guard count == expected else {
      throw .invalid("\(name) has \(count) numbers; the model's shape needs \(expected)")
    }
  }

  /// Throws an error if `values`, called `name` in the model file, are not `rows` × `columns` finite numbers within
  /// `range`.
  static func check(
    _ name: String, _ values: [Float], rows: Int = 1, columns: Int, within range: ClosedRange<Float>? = nil
  ) throws(ModelError) {
    let (expected, overflow) = rows.multipliedReportingOverflow(by: columns)
    guard !overflow else { throw .invalid("\(name) is too large for memory") }
    try check(name, count: values.count, expected)
    if let index = values.firstIndex(where: { !$0.isFinite }) {
      throw .invalid("\(name)[\(index)] is not a finite number")
    }
    guard let range, let index = values.firstIndex(where: { !range.contains($0) }) else { return }
    throw .invalid(
      "\(name)[\(index)] is \(values[index]), which is not within \(range.lowerBound) to \(range.upperBound)")
  }

  /// The names of the models that come with Gait.
  static let builtInModels = ["running", "running-linear", "running-pocket", "running-wrist"]

  /// The `format` entry of a model file.
  static let modelFormat = "gait.activityModel"

  /// A sentence: where the error is, what is wrong, and what to do about it.
  public var description: String {
    switch self {
    case .cannotRead(let file, let reason):
      "\(file): cannot read the model (\(reason)); check the path, train a model, or name a built-in one: "
        + "\(Self.builtInModels.joined(separator: ", "))."
    case .truncated(let file):
      "\(file): the model file is truncated; copy it again, or train the model again."
    case .notJSON(let file, let reason):
      "\(file): not a model file (not JSON: \(reason)); use a file that the trainer wrote."
    case .notAModel(let file):
      "\(file): this JSON is not a model (its \"format\" is not \"\(Self.modelFormat)\"); "
        + "use a file that the trainer wrote."
    case .newerVersion(let file, let found, let supported):
      "\(file): the model has format version \(found), but this Gait reads versions up to \(supported); "
        + "update Gait, or train the model with this version."
    case .invalid(let file?, let path, let reason):
      "\(file): \(path.isEmpty ? "" : "\(path): ")\(reason); restore the file, or train the model again."
    case .invalid(nil, let path, let reason):
      "\(path.isEmpty ? "" : "\(path): ")\(reason)"
    case .cannotWrite(let file, let reason):
      "\(file): cannot write the model (\(reason)); choose a folder that exists and is writable."
    case .sourceTooSlow(let source, let slowest):
      "samples at \(plain(source.hertz)) Hz are too slow for this model, which uses motion up to "
        + "\(plain(slowest.hertz / 2)) Hz; record at \(plain(slowest.hertz)) Hz or more (25 Hz is better)"
    case .missingChannels(let channels):
      "the model needs \(channels.map(\.rawValue).joined(separator: ", ")), which the recording does not have; "
        + "record that sensor, or train a model on features without it"
    case .estimatedGravity:
      "gravity is estimated from a bare accelerometer, which this model does not accept; record device motion, or use "
        + "a model that accepts it"
    }
  }
}

/// The ranges of a model's numbers, checked when a model is made and when its file is read.
///
/// They are far wider than any fitted model needs. They keep the probabilities of every window with finite features
/// finite, and they bound a model's memory. The article *The model file* lists them.
package enum ModelRanges {
  /// The rate that features are computed at, hertz.
  package static let sampleRate = 1.0...1000.0
  /// A window's length, seconds.
  package static let window = 0.01...600.0
  /// From the start of one window to the start of the next, seconds.
  package static let hop = 0.001...600.0
  package static let samplesPerWindow = 2...4096
  /// The number of features of one classifier.
  package static let featureCount = 1...4096
  /// The number of nodes of all trees of one classifier, leaves included.
  package static let nodeCount = 1...16_777_216
  /// A feature's value. A window with a value outside the range is skipped, as if a sample were missing.
  package static let feature: ClosedRange<Float> = -1e30...1e30
  /// A feature's standard deviation.
  package static let standardDeviation: ClosedRange<Float> = 1e-30...1e30
  /// A weight or intercept of a logistic regression, a leaf value or base score of boosted trees.
  package static let weight: ClosedRange<Float> = -1e12...1e12
  /// A scaled feature in a logistic regression: values outside the range are clamped to it, and sums cannot overflow.
  static let scaledFeature: ClosedRange<Float> = -1e18...1e18
  /// A calibration's temperature.
  package static let temperature: ClosedRange<Float> = 0.001...1000
  package static let cardCount = 0...1_000_000_000_000
  /// The size of a model file, bytes.
  package static let fileSize = 0...1_073_741_824

  /// Whether a window and its hop are within their ranges.
  static func contains(_ shape: WindowShape) -> Bool { window ~= shape.seconds && hop ~= shape.hopSeconds }

  /// The reason in the error for a window's length or a hop that is outside its range.
  package static let windowReason =
    "the window must be within \(plain(window.lowerBound)) to \(plain(window.upperBound)) s and the hop within "
    + "\(plain(hop.lowerBound)) to \(plain(hop.upperBound)) s"
}
