import Foundation
import GaitFormats

/// A place that nothing can be written to.
struct OutputError: Error, CustomStringConvertible {
  let path: String
  let reason: String
  var status = ExitStatus.cannotCreate
  var description: String { "cannot write \(path.isEmpty ? "\"\"" : path): \(reason)." }

  init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  /// What went wrong while an output was made elsewhere, said of the output itself; `nil` for errors that are not about it.
  init?(writing path: String, _ error: any Error) {
    switch error {
    case let error as POSIXError: self.init(path: path, reason: String(cString: strerror(error.code.rawValue)))
    case FileWriteError.cannotWrite(_, let reason):
      self.init(path: path, reason: "\(reason); make room or get permission, or choose another path")
    case is FileWriteError: self.init(path: path, reason: "its folder is gone; make it again")
    case _ where Terminal.exitCode(for: error) == nil:
      let error = error as NSError
      let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
      let isOfSystem = cause.domain == NSPOSIXErrorDomain
      self.init(
        path: path, reason: isOfSystem ? String(cString: strerror(CInt(cause.code))) : cause.localizedDescription)
    default: return nil
    }
  }

  /// Finds out whether something can be made beside `url`.
  static func check(folderOf url: URL, path: String) throws {
    let folder = url.deletingLastPathComponent()
    guard isFolder(folder.path) else {
      throw OutputError(path: path, reason: "the folder \(folder.relativePath) does not exist; make it first")
    }
    guard FileManager.default.isWritableFile(atPath: folder.path) else {
      throw OutputError(
        path: path, reason: "the folder \(folder.relativePath) may not be written to; choose another")
    }
  }
}
