import Foundation
import Glibc
import Synchronization

func setPermissions(_ mode: Int, of path: String) throws {
  try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
}

/// Runs a function on a thread that has the rights of nobody, so that permissions count even where tests run as root.
///
/// The system call changes the rights of its own thread alone. Without the right to make it, the user is no root.
func asNobody<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result? {
  typealias SetUser = @convention(c) (UInt32) -> Int32
  // The C library's header is in no module, so that the function is looked up; its signature is `int setfsuid(uid_t)`.
  guard let symbol = unsafe dlsym(nil, "setfsuid") else { return nil }
  let setUser = unsafe unsafeBitCast(symbol, to: SetUser.self)
  let outcome = Outcome<Result>()
  Thread {
    _ = setUser(65_534)
    let result = body()
    outcome.value.withLock { $0 = result }
    outcome.isThere.signal()
  }.start()
  outcome.isThere.wait()
  return outcome.value.withLock { $0 }
}

private final class Outcome<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
  let isThere = DispatchSemaphore(value: 0)
}
