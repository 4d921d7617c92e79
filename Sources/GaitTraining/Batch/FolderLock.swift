import Foundation

/// The lock of an output folder: one process at a time writes there. The system ends it with the process, however that ends.
package struct FolderLock: ~Copyable {
  private let descriptor: CInt

  /// Locks a folder that exists.
  ///
  /// A file system without locks leaves the folder unlocked.
  ///
  /// - Throws: `BatchError.isLocked` if another lock of the folder is open.
  package init(_ folder: URL) throws(BatchError) {
    let opened = open(folder.path, O_RDONLY | O_CLOEXEC)
    if opened >= 0, flock(opened, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      close(opened)
      throw .isLocked(folder: folder.relativePath)
    }
    descriptor = opened
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
