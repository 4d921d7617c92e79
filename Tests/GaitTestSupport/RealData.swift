import Foundation
import Testing

/// Real recordings, which are not part of the repository.
///
/// They are read from `GAIT_DATA`, or else from `../shared/data` beside the package root. A test or suite that needs
/// them has the trait `.requiresRealData`, and is reported as skipped if they are absent.
public enum RealData {
  /// The folder of the data sets, or `nil` if it does not exist.
  public static let directory: URL? = isFolder(expected) ? expected : nil

  /// Whether the recordings are available.
  public static var isPresent: Bool { directory != nil }

  /// BoostRunClub: `running` and `standing`, 10 Hz.
  public static var boostRunClub: URL { required("boostrunclub") }

  /// MotionSense: `<activity>_<trial>/sub_<n>.csv`, 50 Hz.
  public static var motionSense: URL { required("motionsense") }

  /// Small inputs in forms that strangers published, each with its right value in `README.md`.
  public static var strangers: URL { required("strangers") }

  /// DSADS: `a<activity>/p<person>/s<segment>.txt`, 25 Hz, five places on the body in a row.
  public static var dsads: URL { required("dsads") }

  /// The six lowest-numbered of the twelve MotionSense subjects, for training.
  public static let trainingSubjects = ["1", "2", "4", "7", "8", "11"]

  /// The other six subjects, for testing.
  public static let testSubjects = ["13", "14", "17", "18", "21", "22"]

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
    guard let directory else { preconditionFailure("a test that needs real recordings lacks .requiresRealData") }
    return directory.appending(path: name, directoryHint: .isDirectory)
  }

  private static func isFolder(_ url: URL) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) && isDirectory.boolValue
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test, visibly, if the real recordings are absent.
  public static var requiresRealData: Self {
    .enabled(
      if: RealData.isPresent,
      "no real recordings at \(RealData.expected.path); set GAIT_DATA to their folder")
  }
}
