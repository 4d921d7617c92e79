import Foundation
import Gait
import GaitFormats
import GaitTraining

/// The public data sets that the bundled models are trained on, in a folder as `datasets/README.md` describes it.
package struct ModelData: Sendable {
  /// The folder with the sets.
  package let folder: URL
  /// The folder with the descriptions of collections: `datasets`, in the folder of the sources.
  private let descriptions: URL

  /// The sets in a folder, and the folder of the sources, whose `datasets` describes them.
  package init(folder: URL, sources: URL = URL(filePath: ".")) {
    self.folder = folder
    descriptions = sources.appending(path: "datasets")
  }

  /// A description of sets, by the name of its JSON file.
  package enum Collection: String {
    /// Sets with recordings at every place on the body.
    case places
    /// Recordings at further places, which models learn, but which the rule of `ModelRecipe` does not score.
    case addedPlaces = "added-places"
    /// Watches, with movements of the hands in pauses.
    case wristPauses = "wrist-pauses"
    /// Movements that are neither running, walking nor standing still.
    case otherMovements = "other-movements"
  }

  /// Reads the recordings of a collection.
  ///
  /// - Parameters:
  ///   - description: the collection's description.
  ///   - only: filters for recordings to keep, such as `set=dsads`.
  ///   - except: filters for recordings to leave out.
  package func recordings(
    _ description: Collection, only: [RecordingFilter] = [], except: [RecordingFilter] = []
  ) throws(CollectionError) -> CollectedRecordings {
    try collection(description).read(only: only, except: except)
  }

  /// The recordings that the recipe of a model for every place trains on: those of the places, added ones, and its
  /// other movements.
  ///
  /// - Parameter except: filters for recordings to leave out.
  func training(_ recipe: ModelRecipe, except: [RecordingFilter] = []) throws -> LabeledDataset {
    let known = try recordings(.places, except: except).dataset
    var unscored = try unscored(recipe)
    // A filter may leave out a set or a person that is not in these recordings.
    func isLeftOut(_ recording: LabeledRecording) -> Bool { except.contains { $0.passes(recording.fields) } }
    unscored.places.removeAll(where: isLeftOut)
    unscored.movements.removeAll(where: isLeftOut)
    return known.learning(unscored)
  }

  /// The recordings that a recipe learns or is tested on, but that are in none of its accuracies.
  func unscored(_ recipe: ModelRecipe) throws(CollectionError) -> UnscoredRecordings {
    let places = recipe.learnsAddedPlaces ? try recordings(.addedPlaces) : nil
    let movements = try recordings(.otherMovements)
    return UnscoredRecordings(
      places: places?.dataset.recordings ?? [], movements: movements.dataset.recordings,
      trained: recipe.otherMovements,
      credits: Dictionary(
        ((places?.sets ?? []) + movements.sets).map { ($0.name, $0.credit) }, uniquingKeysWith: { first, _ in first }
      ).compactMapValues(\.self))
  }

  /// A collection, whose recordings are not read yet.
  func collection(_ description: Collection) throws(CollectionError) -> RecordingCollection {
    try RecordingCollection(
      contentsOf: descriptions.appending(path: "\(description.rawValue).json"), directory: folder)
  }

  /// The map from MotionSense's labels to those of the models.
  private static let motionSenseLabels = ["jog=running", "wlk,ups,dws=walking", "sit,std=still"]

  /// Recordings in trouser pockets and of people who stand: MotionSense, and BoostRunClub without its recordings
  /// labelled running, most of which are walks. The pause heads are fitted to them.
  ///
  /// - Parameters:
  ///   - columns: names that replace those of the files' columns; `nil` for the files' own.
  ///   - except: filters for recordings to leave out besides.
  package func pocketsAndStanding(
    columns: [String]? = nil, except: [RecordingFilter] = []
  ) throws -> LabeledDataset {
    try LabeledDataset(
      folders: [
        motionSenseFolder(columns: columns),
        RecordingFolder(
          directory: folder.appending(path: "boostrunclub"), layout: PathLayout("{label}/{recording}.csv"),
          options: ReadingOptions(sampleRate: .hertz(10), columnNames: columns)),
      ], labels: LabelMap(Self.motionSenseLabels + ["standing=still"]),
      except: except + [RecordingFilter(field: "label", values: ["running"])])
  }

  /// The recordings of MotionSense.
  ///
  /// - Parameters:
  ///   - rate: the rate at which the rows, recorded at 50 Hz, are read: another one plays them faster or slower.
  ///   - only: filters for recordings to keep.
  package func motionSense(
    rate: SampleRate = .hertz(50), only: [RecordingFilter] = []
  ) throws -> LabeledDataset {
    try LabeledDataset(
      folders: [motionSenseFolder(rate: rate)], labels: LabelMap(Self.motionSenseLabels), only: only)
  }

  private func motionSenseFolder(rate: SampleRate = .hertz(50), columns: [String]? = nil) throws -> RecordingFolder {
    RecordingFolder(
      directory: folder.appending(path: "motionsense"), layout: try PathLayout("{label}_{trial}/sub_{subject}.csv"),
      options: ReadingOptions(sampleRate: rate, columnNames: columns))
  }
}

/// Recordings beside those that a recipe is scored on.
struct UnscoredRecordings: Sendable {
  /// Recordings of known labels at further places, which recipes train on.
  var places: [LabeledRecording] = []
  /// Recordings of other movements.
  var movements: [LabeledRecording]
  /// The movements among them that recipes train on, labelled `other`.
  var trained: Set<String>
  /// The authors and licence of each set by its name, as `SetSummary.credit`.
  var credits: [String: String] = [:]
}

extension LabeledDataset {
  /// The dataset with the recordings that a recipe trains on.
  func learning(_ unscored: UnscoredRecordings) -> LabeledDataset {
    let movements = unscored.movements.filter { unscored.trained.contains($0.label) }
    var dataset = adding(movements, trained: unscored.trained).adding(unscored.places)
    dataset.attributions = (unscored.places + movements)
      .compactMap { $0.fields["set"].flatMap { unscored.credits[$0] } }
      .reduce(into: attributions ?? []) { if !$0.contains($1) { $0.append($1) } }
    return dataset
  }

  /// The dataset with recordings of other movements, whose field `movement` has the movement. Those that models train
  /// on are labelled `other`. The rest get the dataset's last label, which is not scored: with a label of their own,
  /// the dataset would have a label without training recordings.
  func adding(_ movements: [LabeledRecording], trained: Set<String>) -> LabeledDataset {
    adding(
      movements.map { recording in
        var recording = recording
        recording.fields["movement"] = recording.label
        recording.label = trained.contains(recording.label) ? Activity.other.rawValue : labels[labels.count - 1]
        return recording
      })
  }

  /// The dataset with further recordings, after its own.
  func adding(_ added: [LabeledRecording]) -> LabeledDataset {
    added.isEmpty ? self : with(recordings + added, grouping: Grouping(of: recordings + added))
  }
}
