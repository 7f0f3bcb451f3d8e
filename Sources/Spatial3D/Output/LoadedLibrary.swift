/// The names and the version of the OpenAL library that the program has loaded.
public struct LoadedLibrary: Hashable, Sendable {
  /// OpenAL's version, and the library's own, such as `"1.1 ALSOFT 1.19.1"` (`AL_VERSION`).
  public let version: String

  /// The vendor of the library (`AL_VENDOR`).
  public let vendor: String

  /// The library's name of its mixer (`AL_RENDERER`).
  public let renderer: String
}
