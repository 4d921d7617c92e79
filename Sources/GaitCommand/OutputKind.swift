import Foundation
import Gait
import GaitFormats
import GaitTraining

/// What a file holds that a command writes.
enum OutputKind {
  case model
  /// A report for a browser.
  case page
  /// A picture of a run.
  case chart
  /// Labels that recordings might have instead of their own.
  case proposal
  /// A table of features.
  case table
  /// Windows and their probabilities.
  case golden
  /// A model in another form.
  case export(ModelExport.Format)
  /// A recording in Gait's own form; an existing one is only replaced where that is asked for.
  case recording(replaces: Bool)

  /// What messages call it.
  var name: String {
    switch self {
    case .model: "Gait model"
    case .page: "report of Gait"
    case .chart: "Gait chart"
    case .proposal: "relabelling proposal"
    case .table: "table of features"
    case .golden: "file of golden vectors"
    case .export(let format): "\(format.rawValue) export"
    case .recording: "recording in Gait's own form"
    }
  }

  var isModel: Bool { if case .model = self { true } else { false } }

  var isRecording: Bool { if case .recording = self { true } else { false } }

  /// Whether a file's content is what Gait writes of this kind.
  func isOfKind(_ url: URL) -> Bool {
    if isModel { return Self.isModel(url) }
    guard let bytes = Self.beginning(of: url) else { return false }
    return beginnings.allSatisfy { beginning in
      beginning.isAtStart ? bytes.starts(with: beginning.bytes) : bytes.range(of: Data(beginning.bytes)) != nil
    }
  }

  /// Texts that such a file begins with, or holds near its beginning.
  private var beginnings: [(bytes: [UInt8], isAtStart: Bool)] {
    switch self {
    case .model: []
    case .page: [(Array("<!DOCTYPE html>".utf8), true), (Array(TrainingReport.pageMark.utf8), false)]
    case .chart: [(Array("<svg".utf8), true), (Array(TrackedRecording.chartMark.utf8), false)]
    case .proposal: [(Array((LabelReview.proposalColumns.joined(separator: ",") + "\n").utf8), true)]
    case .table: [(Array((FeatureTable.leadingColumns.joined(separator: ",") + ",").utf8), true)]
    case .golden: [(Array(#"{"features":[""#.utf8), true), (Array(#"],"inputs":[["#.utf8), false)]
    case .export(.swift): [(Array(SwiftSource.firstLine.utf8), true)]
    // The version of the format, and who wrote it (`OnnxModel`).
    case .export(.onnx): [([8, 8, 0x12, 4] + Array("gait".utf8), true)]
    // The version of the format, and the short description (`CoreMLModel`).
    case .export(.coreml): [([8, 1, 0x12], true), (Array("Gait: windows of ".utf8), false)]
    case .recording: [(Array(AnnotatedRecording.firstLine.utf8), true)]
    }
  }

  /// The first bytes of a file, or `nil` where it cannot be read. Features' names may fill many.
  private static func beginning(of url: URL) -> Data? {
    try? FileHandle(forReadingFrom: url).read(upToCount: 1 << 18)
  }

  /// Whether a file is JSON that calls itself a model of Gait, of whatever version.
  private static func isModel(_ url: URL) -> Bool {
    struct Preamble: Decodable { var format: String }
    guard beginsLikeModel(url), let json = try? Data(contentsOf: url, options: .mappedIfSafe) else { return false }
    return (try? JSONDecoder().decode(Preamble.self, from: json))?.format == ActivityModel.formatName
  }
}

/// Whether the first thing in the file is a brace, as in a model and in no table.
func beginsLikeModel(_ url: URL) -> Bool {
  let beginning = try? FileHandle(forReadingFrom: url).read(upToCount: 4096)
  return beginning?.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
}
