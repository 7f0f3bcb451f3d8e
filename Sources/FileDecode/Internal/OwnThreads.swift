internal import Glibc

/// Threads for work that blocks: those that Swift's tasks share are as few as the machine has processors, and belong to the
/// program.
enum OwnThreads {
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts threads that each call a function once, and returns how many the system gave.
  static func start(_ count: Int, _ body: @escaping @Sendable () -> Void) -> Int {
    for index in 0..<count {
      // Kept for the thread, which releases it; where there is none, it is released here.
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
