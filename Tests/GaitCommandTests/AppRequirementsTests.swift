import Foundation
import Gait
import GaitFormats
import GaitRuns
import GaitTestSupport
import Testing

/// What apps need of the libraries: errors that can be shown, and privacy manifests.
@Suite struct AppRequirementsTests {
  /// An error of each public type.
  private static let errors: [any Error & CustomStringConvertible] = [
    ModelError.estimatedGravity, RunValueError.noSteps, SensorError.unavailable("barometer"),
    RecordingError.emptyFile(file: "a.csv"), TimingProblem.tooLong, LocationFileError.table(.emptyFile(file: "a.csv")),
    FileWriteError.isFolder(file: "a.csv"), ExportError.noLocations, RunJournalError.inUse(file: "run.journal"),
    RunStoreError.noRun(id: UUID(), folder: "runs"),
  ]

  /// The sources of the libraries, by path.
  private static func sources() throws -> [(path: String, text: String)] {
    try Repository.files.filter { $0.hasPrefix("Sources/") && $0.hasSuffix(".swift") }
      .map { ($0, try Repository.text($0)) }
  }

  @Test(.requiresClone) func `Every public error type is a LocalizedError`() throws {
    let sources = try Self.sources()
    let conforming = sources.flatMap { source in
      source.text.matches(of: #/(?:enum|struct|extension) (\w+): [\w, ]*\bLocalizedError\b/#).map { String($0.1) }
    }
    let errors = sources.flatMap { source in
      source.text.matches(of: #/public (?:enum|struct) (\w+): [\w, ]*\bError\b/#).map { String($0.1) }
    }
    #expect(errors.count > 20)
    #expect(Set(errors).subtracting(conforming).sorted() == [])
  }

  @Test(arguments: errors.indices)
  func `An error is shown as the sentence of its description`(index: Int) {
    let error = Self.errors[index]
    #expect(error.localizedDescription == error.description)
  }

  /// Apple asks an app for the reason of these, also if a library calls them.
  @Test(.requiresClone, arguments: ["Gait", "GaitFormats", "GaitRuns"])
  func `A library for apps that reads file times has a privacy manifest`(library: String) throws {
    let own = try Self.sources().filter { $0.path.hasPrefix("Sources/\(library)/") }
    let readsTimes = own.contains { $0.text.contains(#/\b[fl]?stat\(|modificationDate|st_mtim/#) }
    let path = "Sources/\(library)/PrivacyInfo.xcprivacy"
    #expect(Repository.files.contains(path) == readsTimes)
    guard readsTimes else { return }
    let manifest = try PropertyListSerialization.propertyList(
      from: Data(Repository.text(path).utf8), format: nil)
    let types = (manifest as? [String: Any])?["NSPrivacyAccessedAPITypes"] as? [[String: Any]]
    #expect(types?.map { $0["NSPrivacyAccessedAPIType"] as? String } == ["NSPrivacyAccessedAPICategoryFileTimestamp"])
    let target = try Repository.text("Package.swift").components(separatedBy: "\n    .target(").first {
      $0.trimmingPrefix(/\s*/).hasPrefix("name: \"\(library)\",")
    }
    #expect(target?.contains("resources: privacy") == true, "\(library) does not ship its manifest")
  }
}
