internal import AudioSupport
internal import Spatial3D

extension SoundBank {
  /// Loads the samples of keys, on as many threads as there are processors.
  ///
  /// Samples that are in memory are not loaded again. A stream is opened once, to find out whether it can be.
  ///
  /// - Throws: ``GameAudioError`` with the code `unknownKey`, before any file is opened; `emptySound` and
  ///   `soundUnavailable` for a sound that cannot be loaded, after all others are; `cancelled` after a cancellation of
  ///   the task, which keeps the samples that are loaded by then.
  public func load(_ keys: SoundKey...) async throws(GameAudioError) { try await load(keys) }

  /// Loads the samples of many keys, with reports of the progress.
  ///
  /// `progress` is called after each file with the number of files so far and their total, in order and one call at a
  /// time, on threads of this package. No lock is held during a call.
  ///
  /// - Throws: ``GameAudioError`` like ``load(_:)``.
  public func load(
    _ keys: [SoundKey],
    progress: (@Sendable (_ finished: Int, _ total: Int) -> Void)? = nil
  ) async throws(GameAudioError) {
    var jobs: [BankLoading.Job] = []
    var known: Set<LoadKey> = []
    for key in keys {
      let definition = try definition(of: key)
      let sound = definition.sound
      for content in sound.variations {
        let load = LoadKey(content: content.identity, isPlaced: definition.isPlaced, loopRange: sound.loopRange)
        guard known.insert(load).inserted, world.withState({ $0.playback.scene.sounds.kept[load] }) == nil else {
          continue
        }
        jobs.append(BankLoading.Job(key: key, content: content, load: load))
      }
    }
    let outcomes = await BankLoading.load(jobs, for: world, progress: progress)
    try install(jobs, outcomes, sparing: known)
  }

  /// Loads the samples of all keys whose samples are loaded beforehand, with reports of the progress.
  ///
  /// - Throws: ``GameAudioError`` like ``load(_:)``.
  public func loadAll(
    progress: (@Sendable (_ finished: Int, _ total: Int) -> Void)? = nil
  ) async throws(GameAudioError) {
    let keys = catalog.withLock { catalog in
      catalog.definitions.filter { $0.value.loading == .beforehand }.keys.sorted()
    }
    try await load(keys, progress: progress)
  }

  /// Releases the samples of keys that no other key with loaded samples uses.
  ///
  /// Emitters that play them do so to their end, and a key keeps its sound for a later ``load(_:)``.
  public func unload(_ keys: SoundKey...) {
    let contents = catalog.withLock { $0.contents(of: Set(keys)) }
    drop(contents.filter { !$0.others.contains { isLoaded($0) } }.map(\.content.identity))
  }

  /// Reads the files of a key again, for all keys that use them.
  ///
  /// The next plays have the new samples, and a loop goes over to them at the end of its lap. Nothing that plays stops.
  ///
  /// - Throws: ``GameAudioError`` like ``load(_:)``; the key then keeps its samples.
  public func reload(_ key: SoundKey) async throws(GameAudioError) {
    let definition = try definition(of: key)
    let renewal = Renewal(of: definition.sound.variations.filter { $0.path != nil }, key, definition, in: self)
    let outcomes = await BankLoading.load(renewal.jobs, for: world)
    try adopt(renewal, outcomes)
  }
}

// MARK: - Samples that were read again

/// The contents that replace others after their files were read again.
struct Renewal: Sendable {
  let contents: [(old: SoundContent, new: SoundContent)]
  let jobs: [BankLoading.Job]

  /// The work of reading files again, in the forms that are in memory; in the form of a key if no form is in memory.
  init(of old: [SoundContent], _ key: SoundKey, _ definition: BankCatalog.Definition?, in bank: SoundBank) {
    let contents = old.map { (old: $0, new: $0.copy(for: bank.id)) }
    self.contents = contents
    jobs = contents.flatMap { old, new in
      let kept = bank.world.withState { $0.playback.scene.sounds.kept.keys(ofContent: old.identity) }
      var loads = kept.map { $0.with(content: new.identity) }
      if loads.isEmpty, let definition {
        let load = LoadKey(
          content: new.identity,
          isPlaced: definition.isPlaced,
          loopRange: definition.sound.loopRange
        )
        loads = [load]
      }
      return loads.map { BankLoading.Job(key: key, content: new, load: $0) }
    }
  }
}

extension SoundBank {
  /// Replaces the old samples of files that were read again.
  func adopt(_ renewal: Renewal, _ outcomes: [BankLoading.Outcome]) throws(GameAudioError) {
    if let error = failure(renewal.jobs, outcomes) { throw error }
    for (old, new) in renewal.contents {
      // Another call may have replaced the content meanwhile.
      guard catalog.withLock({ $0.replace(old, by: new) }) else { continue }
      world.act { state in
        for (job, outcome) in zip(renewal.jobs, outcomes) where job.content === new {
          guard case .success(let sound) = outcome else { continue }
          state.playback.install(sound, for: job.load, of: id)
        }
        state.playback.supersede(old.identity, by: new)
        state.playback.drop(state.playback.scene.sounds.kept.keys(ofContent: old.identity))
        state.playback.trim(id, sparing: Set(renewal.jobs.map(\.load)))
      }
    }
  }

  /// Keeps the samples that were loaded, and releases others where the budget needs it.
  private func install(
    _ jobs: [BankLoading.Job],
    _ outcomes: [BankLoading.Outcome],
    sparing spared: Set<LoadKey>
  ) throws(GameAudioError) {
    let loaded = zip(jobs, outcomes).compactMap { job, outcome in (try? outcome.get()).map { (job, $0) } }
    for (job, sound) in loaded {
      // The key may have another sound by now.
      guard catalog.withLock({ $0.isUsed(job.content) }) else { continue }
      world.act { $0.playback.install(sound, for: job.load, of: id) }
    }
    world.act { state in
      state.playback.trim(id, sparing: spared)
      let rate = state.playback.scene.time.sampleRate
      let sounds = loaded.map { (content: $0.content, sound: $1) }
      let reports = state.playback.outbox.soundReports.reports(of: sounds, in: &state.playback.scene.sounds, at: rate)
      state.playback.outbox.report(reports)
      for (job, sound) in loaded where sound.isTruncated {
        state.playback.outbox.report(
          .success(sound),
          of: job.content,
          [job.key],
          in: &state.playback.scene.sounds,
          at: rate
        )
      }
    }
    if let error = failure(jobs, outcomes) { throw error }
  }

  /// The error of a loading; `nil` where nothing failed.
  private func failure(_ jobs: [BankLoading.Job], _ outcomes: [BankLoading.Outcome]) -> GameAudioError? {
    var failures: [GameAudioError] = []
    var cancelled = 0
    for (job, outcome) in zip(jobs, outcomes) {
      guard case .failure(let error) = outcome else { continue }
      if error is CancellationError {
        cancelled += 1
      } else {
        failures.append(.notLoadable(job.key, job.content, error))
      }
    }
    if cancelled > 0 { return .cancelled(jobs.count - cancelled - failures.count, of: jobs.count, failures) }
    return failures.first.map { $0.listing(failures) }
  }
}
