import Foundation
import Testing

/// The real recordings that lie beside the repository on the project's machines, and nowhere else.
///
/// They are looked for in `GAIT_DATA`, or else in `../shared/data` beside the package root. A test or suite that needs
/// them carries `.requiresRealData`, so that it is reported as skipped where they are absent.
public enum RealData {
  /// The folder that holds the data sets, or `nil` where there is none.
  public static let directory: URL? = isFolder(expected) ? expected : nil

  /// Whether the recordings are there.
  public static var isPresent: Bool { directory != nil }

  /// BoostRunClub: `running` and `standing`, 10 Hz.
  public static var boostRunClub: URL { required("boostrunclub") }

  /// MotionSense: `<activity>_<trial>/sub_<n>.csv`, 50 Hz.
  public static var motionSense: URL { required("motionsense") }

  /// The six lowest-numbered of the twelve MotionSense subjects, to learn from.
  public static let learnedSubjects = ["1", "2", "4", "7", "8", "11"]

  /// The other six, to judge by.
  public static let judgedSubjects = ["13", "14", "17", "18", "21", "22"]

  /// The recordings anywhere below `folder`, ordered by path.
  public static func recordings(in folder: URL) throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.contains("/") && $0.hasSuffix(".csv") }
      .sorted()
      .map { folder.appending(path: $0) }
  }

  static let expected: URL = {
    if let path = ProcessInfo.processInfo.environment["GAIT_DATA"] {
      return URL(filePath: path, directoryHint: .isDirectory)
    }
    let packageRoot = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return packageRoot.deletingLastPathComponent().appending(path: "shared/data", directoryHint: .isDirectory)
  }()

  private static func required(_ name: String) -> URL {
    guard let directory else { preconditionFailure("a test that needs the real recordings lacks .requiresRealData") }
    return directory.appending(path: name, directoryHint: .isDirectory)
  }

  private static func isFolder(_ url: URL) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) && isDirectory.boolValue
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test, visibly, where the real recordings are absent.
  public static var requiresRealData: Self {
    .enabled(
      if: RealData.isPresent,
      "no real recordings at \(RealData.expected.path); set GAIT_DATA to the folder that holds them")
  }
}
