internal import AudioSupport
internal import Spatial3D

extension SoundBank {
  /// Whether the bank reads files again that change, for work on sounds while the game runs.
  ///
  /// Default: `false`. A thread waits for changes while it is `true`. It reads a file that was written or replaced, and
  /// replaces the old samples by its samples as ``reload(_:)`` does. A file that cannot be read, or is cut short, is
  /// tried again for three seconds: it may be half written. Then `AudioContext.onDiagnostic` reports it, and its keys
  /// keep their sound; so they do if a file disappears. `onDiagnostic` also reports the first folder that cannot be
  /// watched, once; the bank tries again every half second.
  public var watchesFiles: Bool {
    get { fileWatch != nil }
    set {
      let ended = watch.withLock { watch -> FileWatch? in
        guard newValue != (watch != nil) else { return nil }
        let old = watch
        let bank = Weak(self)
        watch =
          newValue
          ? FileWatch {
            bank.object?.readAgain($0, isLast: $1) ?? true
          } report: {
            bank.object?.world.context.report(.filesNotWatched(in: $0, $1))
          } : nil
        return old
      }
      ended?.end()
      if newValue, !watchesFiles { world.context.report(.filesNotWatched) }
      updateWatch()
    }
  }

  /// Hands the present files to the thread that watches them.
  func updateWatch() {
    // If two calls come at once, the later call has the newer paths.
    watch.withLock { $0?.setPaths(catalog.withLock { $0.paths }) }
  }

  var fileWatch: FileWatch? { watch.withLock { $0 } }

  /// Reads a file that has changed; returns `false` if it is to be tried again.
  private func readAgain(_ path: String, isLast: Bool) -> Bool {
    let contents = catalog.withLock { catalog in
      catalog.contents(of: path).compactMap { content in catalog.keys(using: content).first.map { ($0, content) } }
    }
    for (key, content) in contents {
      let renewal = Renewal(of: [content], key, nil, in: self)
      // Samples that are not in memory are read when they are needed.
      guard !renewal.jobs.isEmpty else { continue }
      let outcomes = renewal.jobs.map { BankLoading.load($0, for: world).flatMap(\.complete) }
      do { try adopt(renewal, outcomes) } catch {
        guard isLast else { return false }
        let keys = catalog.withLock { $0.keys(using: content) }
        world.context.report(.soundNotReloaded(keys, path, error))
      }
    }
    return true
  }
}

extension LoadedSound {
  /// The sound, or an error if its file holds less than it should.
  fileprivate var complete: BankLoading.Outcome {
    guard isTruncated || frameCount == 0 else { return .success(self) }
    return .failure(GameAudioError(.soundUnavailable, "The file is empty or cut short. Write it again."))
  }
}
