import Foundation
import GaitFormats

/// An output that cannot be written.
struct OutputError: Error, CustomStringConvertible {
  let path: String
  let reason: String
  var status = ExitStatus.cannotCreate
  var description: String { "cannot write \(path.isEmpty ? "\"\"" : path): \(reason)." }

  init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  /// The error of writing a draft, as an error of the output itself; `nil` for errors unrelated to writing.
  init?(writing path: String, _ error: any Error) {
    switch error {
    case let error as POSIXError: self.init(path: path, reason: String(cString: strerror(error.code.rawValue)))
    case FileWriteError.cannotWrite(_, let reason):
      self.init(path: path, reason: "\(reason); free space, check the permissions or choose another path")
    case is FileWriteError: self.init(path: path, reason: "its folder was removed; create it again")
    case _ where Terminal.exitCode(for: error) == nil:
      let error = error as NSError
      let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
      let isOfSystem = cause.domain == NSPOSIXErrorDomain
      self.init(
        path: path, reason: isOfSystem ? String(cString: strerror(CInt(cause.code))) : cause.localizedDescription)
    default: return nil
    }
  }

  /// Checks that files can be created in the folder of `url`.
  static func check(folderOf url: URL, path: String) throws {
    let folder = url.deletingLastPathComponent()
    guard folder.path.isFolder else {
      throw OutputError(path: path, reason: "the folder \(folder.relativePath) does not exist; create it first")
    }
    guard FileManager.default.isWritableFile(atPath: folder.path) else {
      throw OutputError(
        path: path, reason: "the folder \(folder.relativePath) is not writable; choose another")
    }
  }
}
