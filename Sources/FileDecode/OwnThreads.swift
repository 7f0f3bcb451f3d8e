internal import Glibc

/// Threads for work that blocks.
///
/// Swift's tasks share only as many threads as the machine has processors, and those belong to the program.
enum OwnThreads {
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts threads that each call a function once, and returns the number of threads that started.
  static func start(_ count: Int, _ body: @escaping @Sendable () -> Void) -> Int {
    for index in 0..<count {
      // The thread releases the work; if it does not start, this function does.
      let work = unsafe Unmanaged.passRetained(Work(body))
      var thread = pthread_t()
      let status = unsafe pthread_create(
        &thread,
        nil,
        { pointer in
          guard let pointer = unsafe pointer else { return nil }
          unsafe Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
          return nil
        },
        work.toOpaque()
      )
      guard status == 0 else {
        unsafe work.release()
        return index
      }
      pthread_detach(thread)
    }
    return count
  }
}
