extension GameAudioError.Code {
  /// A bank has no sound for the key.
  public static let unknownKey = GameAudioError.Code(name: "unknownKey")

  /// The samples of a key were played before they were loaded, or after they were released.
  public static let notLoaded = GameAudioError.Code(name: "notLoaded")

  /// The task of a loading was cancelled.
  public static let cancelled = GameAudioError.Code(name: "cancelled")
}
