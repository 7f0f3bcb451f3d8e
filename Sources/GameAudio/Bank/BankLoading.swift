internal import AudioSupport
internal import Spatial3D

/// The loading of the samples of a bank by several threads.
///
/// `AudioFile.readAll` reads in parallel too, but keeps the samples of all files until the last one is read. A thread
/// of this loading opens a file, computes its envelope and hands the samples to the mixer before it opens the next one.
enum BankLoading {
  /// The samples to load, and the first key that needs them.
  struct Job: Sendable {
    let key: SoundKey
    let content: SoundContent
    let load: LoadKey
  }

  typealias Outcome = LoadedSound.Outcome

  /// Loads samples, as many at a time as the process may use processors; the outcomes come in the order of the jobs.
  ///
  /// After a cancellation of the task, each job that was not begun fails with `CancellationError`.
  static func load(
    _ jobs: [Job],
    for world: AudioWorld,
    progress: (@Sendable (_ finished: Int, _ total: Int) -> Void)? = nil
  ) async -> [Outcome] {
    await processInParallel(jobs, progress: progress) { job, isCancelled in
      isCancelled() ? .failure(CancellationError()) : load(job, for: world)
    }
  }

  /// Loads the samples of one job.
  static func load(_ job: Job, for world: AudioWorld) -> Outcome {
    Outcome {
      try LoadedSound(
        job.content,
        job.load,
        convertsRate: world.convertsSampleRates,
        in: world.context(of: job.load.stem)
      )
    }
  }
}
