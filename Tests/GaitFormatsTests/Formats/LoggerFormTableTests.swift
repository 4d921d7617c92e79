import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

/// The forms of public loggers: what a newcomer must state, and that whole files, blocks and lines give the same.
struct LoggerFormTableTests {
  /// The part of an error that asks for an option.
  private static let questions = [
    "--rate": "sample rate", "--acceleration-unit": "unit of accelerations", "--angle-unit": "of angles",
    "--columns": "column names", "--sensor": "state the one of the acceleration",
  ]

  /// The recording, and how many questions were answered before: each with all options that it asks for.
  private func answered(_ form: LoggerForm, _ file: URL) throws -> (AnnotatedRecording, questions: Int) {
    var (waiting, options) = (form.stated, [(option: String, value: String)]())
    for count in 0...4 {
      do {
        let read = try AnnotatedRecording(contentsOf: file, LoggerForm.reading(options))
        #expect(waiting.isEmpty, "\(form) is read without \(waiting)")
        return (read, count)
      } catch {
        let asked = waiting.filter { error.description.contains(Self.questions[$0.option]!) }
        try #require(!asked.isEmpty, "\(form): \(error)")
        options += asked
        waiting.removeAll { option in asked.contains { $0.option == option.option } }
      }
    }
    throw CancellationError()
  }

  @Test func `Sixty forms of loggers are read at first or after one question, and three after two`() throws {
    #expect(LoggerForm.all.count >= 60)
    let article = try String(
      contentsOf: LoggerForm.file.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/GaitFormats/GaitFormats.docc/ReadingRecordings.md"), encoding: .utf8)
    var slow = 0
    for form in LoggerForm.all {
      let folder = try TemporaryDirectory()
      let (read, questions) = try answered(form, form.write(into: folder))
      let rate = read.timing.sampleRate.hertz
      #expect((rate / form.hertz - 1).magnitude < 0.01, "\(form) has \(rate) Hz")
      let recording = read.recording
      #expect((form.rowCount...form.rowCount + 1).contains(recording.count), "\(form) has \(recording.count) rows")
      let isTotal = recording.channels.contains(.gravityX)
      for row in stride(from: 100, to: form.rowCount - 1, by: 97) {
        let sample = recording[row]
        let value = isTotal ? sample.gravity + sample.userAcceleration : sample.userAcceleration
        let right = isTotal ? form.total(row) : form.motion(row).user
        let (length, expected) = ((value * value).sum().squareRoot(), (right * right).sum().squareRoot())
        // Counts of 1/64 g are rounded.
        #expect((Double(length) - expected).magnitude < 0.02, "\(form): \(length) for \(expected) g in row \(row)")
      }
      slow += questions > 1 ? 1 : 0
      #expect(questions <= 2, "\(form) needs \(questions) questions")
      let row = form.tableRow(questions: questions)
      #expect(article.contains(row + "\n"), "\(row)")
    }
    #expect(slow <= 3)
  }

  @Test func `Whole files, blocks and lines of all forms give the same samples and repairs`() throws {
    var count = 0
    for form in LoggerForm.all where form.files.count == 1 && !form.files[0].path.hasSuffix(".json") {
      count += 1
      do {
        try check(form)
      } catch {
        Issue.record("\(form): \(error)")
      }
    }
    #expect(count >= 60)
  }

  private func check(_ form: LoggerForm) throws {
    let folder = try TemporaryDirectory()
    let file = try form.write(into: folder)
    let options = LoggerForm.reading(form.stated)
    let whole = try AnnotatedRecording(contentsOf: file, options).recording
    for blockRows in [7, 100, 10_000] {
      let read = try blocks(of: file, options, blockRows: blockRows)
      expect(read.samples, read.repairs, equal: whole, "\(form) in blocks of \(blockRows) rows")
    }
    // Lines that name no columns at all are recognised by more of them than have arrived.
    guard !["GENEActiv", "Empatica E4"].contains(form.name) else { return }
    var live = try LiveRecording(
      descriptor: open(file.path, O_RDONLY), name: form.files[0].path, options: options)
    var samples: [MotionSample] = []
    while let block = try live.next() { samples += (0..<block.count).map { block[$0] } }
    expect(samples, live.repairs, equal: whole, "\(form) as lines")
  }

  private func blocks(
    of file: URL, _ options: ReadingOptions, blockRows: Int
  ) throws -> (samples: [MotionSample], repairs: [Repair]) {
    var samples: [MotionSample] = []
    let summary = try RecordingBlocks(contentsOf: file, options, blockRows: blockRows, chunkBytes: 1 << 12).read(
      begin: { _ in samples.removeAll() },
      append: { block in samples += (0..<block.recording.count).map { block.recording[$0] } })
    return (samples, summary.recording.repairs)
  }

  private func expect(
    _ samples: [MotionSample], _ found: [Repair], equal whole: Recording, _ comment: String
  ) {
    #expect(found == whole.repairs, "\(comment): \(found) for \(whole.repairs)")
    guard samples.count == whole.count else {
      Issue.record("\(comment): \(samples.count) samples for \(whole.count)")
      return
    }
    let different = samples.indices.first { index in
      let (one, other) = (samples[index], whole[index])
      let areMissing = (one.row .!= one.row) .& (other.row .!= other.row)
      return one.time != other.time || !all((one.row .== other.row) .| areMissing)
    }
    #expect(different == nil, "\(comment) differ in sample \(different ?? -1)")
  }
}
