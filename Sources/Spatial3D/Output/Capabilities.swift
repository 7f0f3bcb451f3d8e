/// The optional features of the loaded OpenAL library, and with them the parts of this package that work on this
/// machine.
///
/// The package is built against OpenAL Soft 1.19.1 and checks for everything newer when it runs. Nothing is faked: a
/// missing feature shows here, in an error, or in a value that reports what was granted.
///
/// Ask for one feature, or for several at once, with `contains`: `context.capabilities.contains(.hrtf)`.
public struct Capabilities: OptionSet, Hashable, Sendable {
  /// The bits of the set.
  ///
  /// They may differ between releases of this package: compare sets, and do not store the bits.
  public let rawValue: UInt64

  /// A set of the given bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

extension Capabilities: CustomStringConvertible {
  /// The names of the present features, then the names of the missing features.
  ///
  /// For example `"has hrtf, effects, …; lacks outputMode, startDelay"`.
  public var description: String {
    let missing = Self.all.subtracting(self).names
    let lists = [("has", names), ("lacks", missing)].filter { !$0.1.isEmpty }
    return lists.map { "\($0.0) \($0.1.joined(separator: ", "))" }.joined(separator: "; ")
  }
}

/// The names and the version of the OpenAL library that the program has loaded.
public struct LoadedLibrary: Hashable, Sendable {
  /// OpenAL's version, and the library's own, such as `"1.1 ALSOFT 1.19.1"` (`AL_VERSION`).
  public let version: String

  /// The vendor of the library (`AL_VENDOR`).
  public let vendor: String

  /// The library's name of its mixer (`AL_RENDERER`).
  public let renderer: String
}
