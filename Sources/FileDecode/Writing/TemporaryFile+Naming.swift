internal import Glibc

extension TemporaryFile {
  /// The methods to give a file an unused name, the most reliable first; not every file system has all.
  enum Naming: CaseIterable {
    /// A rename that replaces nothing.
    case exclusiveRename
    /// A second name; the system creates it only if the name is free.
    case secondName
    /// An empty file takes the name, and then the finished one replaces it: bytes that a program writes to the empty
    /// file in between are lost.
    case placeholder

    /// Whether an error number means that the system or the file system lacks the method, whatever the file.
    func isLacking(_ error: Int32) -> Bool {
      switch self {
      case .exclusiveRename: error == ENOSYS || error == EINVAL
      case .secondName: error == EPERM || error == EOPNOTSUPP || error == ENOSYS
      case .placeholder: false
      }
    }

    /// The C library's `renameat2`, which its header hides from Swift; with the flag 1 it replaces nothing.
    ///
    /// The type follows the manual, and the C library stays loaded.
    private static let exclusiveRenameFunction = unsafe unsafeBitCast(
      dlsym(nil, "renameat2"),
      to: (@convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32)?.self
    )

    /// Tries the method, and returns whether it removed the file's temporary name.
    fileprivate func name(_ temporaryPath: String, _ path: String) throws(SystemError) -> Bool {
      switch self {
      case .exclusiveRename:
        guard let rename = unsafe Naming.exclusiveRenameFunction else { throw SystemError(number: ENOSYS) }
        guard unsafe rename(AT_FDCWD, temporaryPath, AT_FDCWD, path, 1) == 0 else { throw .last }
        return true
      case .secondName:
        guard unsafe link(temporaryPath, path) == 0 else { throw .last }
        return false
      case .placeholder:
        let taken = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard taken >= 0 else { throw .last }
        close(taken)
        guard unsafe rename(temporaryPath, path) == 0 else {
          let error = SystemError.last
          unsafe unlink(path)
          throw error
        }
        return true
      }
    }
  }

  /// Gives a file its name by the first available method, and returns whether the method removed the file's temporary
  /// name.
  static func name(_ temporaryPath: String, _ path: String, by ways: [Naming]) throws(WritingFailure) -> Bool {
    var failure = SystemError(number: ENOSYS)
    for way in ways {
      do {
        return try way.name(temporaryPath, path)
      } catch {
        guard way.isLacking(error.number) else { throw error.number == EEXIST ? .exists : .system(error) }
        failure = error
      }
    }
    throw .system(failure)
  }
}
