import Gait
import GaitTestSupport
import GaitTraining
import Testing

@Suite struct LabeledWindowsTests {
  @Test func `Windows are the pipeline's own, recording after recording`() throws {
    let dataset = MovingRecordings.dataset
    let windows = try ActivityTrainer().windows(of: dataset)
    #expect(windows.labels == ["running", "still", "walking"])
    var row = 0
    for (index, labeled) in dataset.recordings.enumerated() {
      let alone = try labeled.recording.features(Feature.orientationFree).values
      #expect(alone.rowCount > 10)
      for line in 0..<alone.rowCount {
        #expect(Array(windows.matrix[row]) == Array(alone[line]))
        #expect(windows.recordingIndices[row] == index)
        #expect(windows.labels[windows.labelIndices[row]] == labeled.label)
        row += 1
      }
    }
    #expect(row == windows.count)
    #expect(windows.countByLabel.values.reduce(0, +) == windows.count)
  }

  @Test func `A recording shorter than a window has no windows and does not affect others`() throws {
    let short = MovingRecordings.labeled(.running, subject: 4, seconds: 2)
    let dataset = LabeledDataset(MovingRecordings.dataset.recordings + [short])
    let windows = try ActivityTrainer().windows(of: dataset)
    let index = try #require(dataset.recordings.firstIndex { $0.subject == "4" })
    #expect(!windows.recordingIndices.contains(index))
    #expect(windows.count == (try ActivityTrainer().windows(of: MovingRecordings.dataset).count))
  }
}
