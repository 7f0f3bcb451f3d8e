extension GameAudioError {
  static func unknownKey(_ key: SoundKey, known: [SoundKey]) -> GameAudioError {
    let names = known.prefix(12).map(\.name).joined(separator: ", ") + (known.count > 12 ? ", …" : "")
    let rest = known.isEmpty ? "the bank has no key yet." : "the keys are \(names)."
    return GameAudioError(.unknownKey, "There is no sound of the key \(key): \(rest) Define it first.", key: key)
  }

  static func notLoaded(_ key: SoundKey) -> GameAudioError {
    GameAudioError(
      .notLoaded,
      "The sound of the key \(key) is not in memory: it was not loaded, or was released to stay within the budget. Call"
        + " load(_:) first, or define it with the loading .onDemand.",
      key: key
    )
  }

  static func notLoadable(_ key: SoundKey, _ content: SoundContent, _ reason: any Error) -> GameAudioError {
    GameAudioError(
      (reason as? GameAudioError)?.code ?? .soundUnavailable,
      "The sound of the key \(key) cannot be loaded. \(reason)",
      key: key,
      path: content.path
    )
  }

  static func cancelled(_ loaded: Int, of total: Int, _ failures: [GameAudioError]) -> GameAudioError {
    GameAudioError(
      .cancelled,
      "The loading was cancelled: \(loaded) of \(total) sounds are in memory. Load the keys again for the rest.",
      failures: failures
    )
  }

  /// The error, with the errors of other sounds of the same loading.
  func listing(_ failures: [GameAudioError]) -> GameAudioError {
    let others = failures.count - 1
    let rest = others > 0 ? " \(others) more failed: see failures." : ""
    return GameAudioError(code, message + rest, key: key, path: path, failures: failures)
  }
}
