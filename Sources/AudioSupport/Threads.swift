internal import CSpatial3DSupport

/// Nanoseconds since an arbitrary start, on a clock that no program sets back.
package func monotonicTime() -> Int64 { s3d_monotonic_time() }

/// A number that is different for each running thread.
package func currentThread() -> UInt { s3d_this_thread() }

/// Runs a closure on a new thread; returns `false` where the system starts none.
///
/// The thread handles none of the program's signals. It is for work that blocks: Swift's tasks share only as many
/// threads as the machine has processors, and those belong to the program.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  final class Start: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  // The thread releases it; this function does if there is no thread.
  let start = unsafe Unmanaged.passRetained(Start(body))
  let isStarted = unsafe s3d_thread_start(
    { argument in
      // The C function passes the argument on unchanged, once.
      guard let argument = unsafe argument else { return }
      unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
    },
    start.toOpaque()
  )
  if !isStarted { unsafe start.release() }
  return isStarted
}
