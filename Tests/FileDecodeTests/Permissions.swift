import AudioSupport
import Foundation
import Glibc
import Synchronization

func setPermissions(_ mode: Int, of path: String) throws {
  try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
}

/// Runs a function on a thread with the rights of the user nobody, so that permissions count even if tests run as root.
///
/// The system call changes the rights of its own thread alone. If the user may not call it, the user is not root.
func asNobody<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result? {
  typealias SetUser = @convention(c) (UInt32) -> Int32
  // No module has the C library's header, so `dlsym` looks the function up. Its signature is `int setfsuid(uid_t)`.
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
