internal import AudioSupport
internal import FileDecode
internal import Glibc
internal import Spatial3D
internal import Synchronization

/// The loading of the samples of a bank by several threads.
///
/// `AudioFile.readAll` reads in parallel too, but keeps the samples of all files until the last one is read. A thread
/// of this loading opens a file, computes its envelope and hands the samples to the mixer before it opens the next one.
final class BankLoading: Sendable {
  /// The samples to load, and the first key that needs them.
  struct Job: Sendable {
    let key: SoundKey
    let content: SoundContent
    let load: LoadKey
  }

  typealias Outcome = LoadedSound.Outcome

  private struct State: Sendable {
    var next = 0
    var outcomes: [Outcome]

    mutating func begin() -> Int? {
      guard next < outcomes.count else { return nil }
      defer { next += 1 }
      return next
    }
  }

  private let jobs: [Job]
  private let context: AudioContext
  private let progress: SharedProgress
  private let finish: @Sendable ([Outcome]) -> Void
  private let state: Lock<State>
  private let isCancelled = Atomic(false)

  private init(
    _ jobs: [Job],
    in context: AudioContext,
    _ progress: SharedProgress,
    finish: @escaping @Sendable ([Outcome]) -> Void
  ) {
    (self.jobs, self.context, self.progress, self.finish) = (jobs, context, progress, finish)
    state = Lock(State(outcomes: Array(repeating: .failure(CancellationError()), count: jobs.count)))
  }

  /// Loads samples, as many at a time as the process may use processors; the outcomes come in the order of the jobs.
  ///
  /// After a cancellation of the task, each job that was not begun fails with `CancellationError`.
  static func load(
    _ jobs: [Job],
    in context: AudioContext,
    progress: (@Sendable (_ finished: Int, _ total: Int) -> Void)? = nil
  ) async -> [Outcome] {
    guard !jobs.isEmpty else { return [] }
    let cancellation = Lock<BankLoading?>(nil)
    return await withTaskCancellationHandler {
      await receive { deliver in
        let shared = SharedProgress(of: jobs.count, report: progress)
        let loading = BankLoading(jobs, in: context, shared, finish: deliver)
        cancellation.withLock { $0 = loading }
        // A cancellation before this line has found no loading.
        if Task.isCancelled { loading.cancel() }
        let width = min(max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1), jobs.count, 64)
        var started = 0
        while started < width, startThread(loading.work) { started += 1 }
        // If the system starts no thread, the current one does the work.
        if started == 0 { loading.work() }
      }
    } onCancel: {
      cancellation.withLock { $0 }?.cancel()
    }
  }

  /// Loads the samples of one job.
  static func load(_ job: Job, in context: AudioContext) -> Outcome {
    Outcome {
      try LoadedSound(job.content, loopRange: job.load.loopRange, isPlaced: job.load.isPlaced, in: context)
    }
  }

  private func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// Loads one sound after the other until none is left.
  private func work() {
    while let index = state.withLock({ $0.begin() }) {
      let isOver = isCancelled.load(ordering: .relaxed)
      let outcome = isOver ? .failure(CancellationError()) : Self.load(jobs[index], in: context)
      state.withLock { $0.outcomes[index] = outcome }
      progress.advance { finish(state.withLock { $0.outcomes }) }
    }
  }
}
