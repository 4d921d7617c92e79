import Foundation
import Gait
import GaitFormats
import GaitReports
import GaitTraining

/// The content of an output file.
enum OutputKind {
  /// A model; an existing one is replaced only on request.
  case model(replaces: Bool)
  /// An HTML report.
  case page
  /// A chart of a run as SVG.
  case chart
  /// A proposal of new labels for recordings.
  case proposal
  /// A table of features.
  case table
  /// Windows and their probabilities.
  case golden
  /// A model in another format.
  case export(ModelExport.Format)
  /// A recording in Gait's own format; an existing one is replaced only on request.
  case recording(replaces: Bool)

  /// The name in error messages, with its article.
  var name: String {
    switch self {
    case .model: "a Gait model"
    case .page: "a Gait report"
    case .chart: "a Gait chart"
    case .proposal: "a relabelling proposal"
    case .table: "a table of features"
    case .golden: "a file of golden vectors"
    case .export(let format): "a Gait export as \(format.rawValue)"
    case .recording: "a recording in Gait's own format"
    }
  }

  var isModel: Bool { if case .model = self { true } else { false } }

  var isRecording: Bool { if case .recording = self { true } else { false } }

  /// Whether Gait wrote the file as this kind, by its content.
  func isOfKind(_ url: URL) -> Bool {
    if isModel { return Self.isModel(url) }
    guard let bytes = Self.beginning(of: url) else { return false }
    return beginnings.allSatisfy { beginning in
      beginning.isAtStart ? bytes.starts(with: beginning.bytes) : bytes.range(of: Data(beginning.bytes)) != nil
    }
  }

  /// Byte sequences at the start of such a file, or near it.
  private var beginnings: [(bytes: [UInt8], isAtStart: Bool)] {
    switch self {
    case .model: []
    case .page: [(Array("<!DOCTYPE html>".utf8), true), (Array(TrainingReport.pageMark.utf8), false)]
    case .chart: [(Array("<svg".utf8), true), (Array(TrackedRecording.chartMark.utf8), false)]
    case .proposal: [(Array((LabelReview.proposalColumns.joined(separator: ",") + "\n").utf8), true)]
    case .table: [(Array((FeatureTable.leadingColumns.joined(separator: ",") + ",").utf8), true)]
    case .golden: [(Array(#"{"features":[""#.utf8), true), (Array(#"],"inputs":[["#.utf8), false)]
    case .export(.swift): [(Array(SwiftSource.firstLine.utf8), true)]
    // The format version and the producer (`OnnxModel`).
    case .export(.onnx): [([8, 8, 0x12, 4] + Array("gait".utf8), true)]
    // The format version and the short description (`CoreMLModel`).
    case .export(.coreml): [([8, 1, 0x12], true), (Array("Gait: windows of ".utf8), false)]
    case .recording: [(Array(AnnotatedRecording.firstLine.utf8), true)]
    }
  }

  /// The first bytes of a file, enough for long lists of feature names; `nil` if it cannot be read.
  private static func beginning(of url: URL) -> Data? {
    // Opening a pipe would wait for a writer.
    guard case .file? = PathKind(at: url.path) else { return nil }
    return try? FileHandle(forReadingFrom: url).read(upToCount: 1 << 18)
  }

  /// Whether a file is JSON with the format name of a Gait model, of any version.
  private static func isModel(_ url: URL) -> Bool {
    struct Preamble: Decodable { var format: String }
    guard beginsLikeModel(url), let json = try? Data(contentsOf: url, options: .mappedIfSafe) else { return false }
    return (try? JSONFault.decode(Preamble.self, from: json))?.format == ActivityModel.formatName
  }

  /// Whether the file begins with a brace, as a model does and a table does not.
  static func beginsLikeModel(_ url: URL) -> Bool {
    guard case .file? = PathKind(at: url.path) else { return false }
    let beginning = try? FileHandle(forReadingFrom: url).read(upToCount: 4096)
    return beginning?.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
  }
}
